// cgns_plugin_test.cpp: plugin mesh_cgns by its table: what was written is read again, and lists that do not fit
// together are refused before a library reads beyond their ends.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "op2/plugin/io.h"

namespace {

std::string last_failure; // its message

op_status record(const op_host_v1 *, op_status code, const char *message) {
  last_failure = message;
  return code;
}

const op_io_ops_v1 &table() {
  static const op_io_ops_v1 *const found = [] {
    void *const library = dlopen(OP2_CGNS_PLUGIN, RTLD_NOW | RTLD_LOCAL);
    const auto entry = library ? reinterpret_cast<op_plugin_entry_v1>(dlsym(library, OP2_PLUGIN_ENTRY_NAME)) : nullptr;
    return entry ? static_cast<const op_io_ops_v1 *>(entry()->ops) : nullptr;
  }();
  if (!found) throw std::runtime_error(dlerror());
  return *found;
}

// Two squares beside each other, with their left and right ends as patches.
struct Lists {
  std::vector<double> points = {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0};
  std::vector<long long> nodes = {0, 1, 4, 3, 1, 2, 5, 4, 3, 0, 2, 5}, ends = {4, 8, 10, 12}, faces,
                         face_ends = {-1, -1, -1, -1}, links;
  std::vector<int> types = {9, 9, 3, 3}, patch = {0, 0, 1, 2};
};

// A tetrahedron by its faces.
Lists tetrahedron() {
  Lists out;
  out.points = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  out.nodes = {0, 1, 2, 3};
  out.ends = {4};
  out.faces = {4, 3, 0, 2, 1, 3, 0, 1, 3, 3, 1, 2, 3, 3, 0, 3, 2};
  out.face_ends = {17};
  out.types = {42};
  out.patch = {0};
  return out;
}

class CgnsPlugin : public testing::Test {
 protected:
  void SetUp() override {
    host_.size = sizeof host_;
    host_.fail = record;
    last_failure.clear();
  }
  void TearDown() override { unlink(path_.c_str()); }

  op_status open(int mode, op_io_file **file, int processes = 1) {
    op_io_params params{};
    params.size = sizeof params;
    params.host = &host_;
    params.nprocs = processes;
    return table().open(&params, path_.c_str(), mode, file);
  }
  template <class T>
  static void put(op_io_file *file, const char *name, op_type_id type, const std::vector<T> &values, int dim = 1) {
    op_io_array array{};
    array.size = sizeof array;
    array.rows = static_cast<std::int64_t>(values.size()) / dim;
    array.dim = dim;
    array.type = type;
    ASSERT_EQ(table().create(file, name, &array), OP_OK) << last_failure;
    ASSERT_EQ(table().write_rows(file, name, 0, array.rows, type, values.data()), OP_OK) << last_failure;
  }
  // What close says of a file with these lists as its only zone.
  op_status write(const Lists &lists) {
    op_io_file *file = nullptr;
    EXPECT_EQ(open(OP_IO_CREATE, &file), OP_OK) << last_failure;
    EXPECT_EQ(table().write_text(file, "", "zone0", "Zone", 0), OP_OK) << last_failure;
    EXPECT_EQ(table().write_text(file, "", "patch1", "left", 0), OP_OK) << last_failure;
    EXPECT_EQ(table().write_text(file, "", "patch2", "right", 0), OP_OK) << last_failure;
    put(file, "0/points", OP_TYPE_DOUBLE, lists.points, 3);
    put(file, "0/nodes", OP_TYPE_LL, lists.nodes);
    put(file, "0/ends", OP_TYPE_LL, lists.ends);
    put(file, "0/faces", OP_TYPE_LL, lists.faces);
    put(file, "0/face_ends", OP_TYPE_LL, lists.face_ends);
    put(file, "0/types", OP_TYPE_INT, lists.types);
    put(file, "0/patch", OP_TYPE_INT, lists.patch);
    put(file, "links", OP_TYPE_LL, lists.links, 4);
    return table().close(file);
  }
  void refuses(const char *words, Lists lists, const std::function<void(Lists &)> &damage) {
    damage(lists);
    EXPECT_EQ(write(lists), OP_ERR_ARGUMENT);
    EXPECT_NE(last_failure.find(words), last_failure.npos) << last_failure;
  }

  op_host_v1 host_{};
  const std::string path_ = "cgns_plugin_test_" + std::to_string(getpid()) + ".cgns";
};

TEST_F(CgnsPlugin, ReadsWhatItHasWritten) {
  const Lists lists;
  ASSERT_EQ(write(lists), OP_OK) << last_failure;
  op_io_file *file = nullptr;
  ASSERT_EQ(open(OP_IO_READ, &file), OP_OK) << last_failure;
  std::array<char, 20> name{};
  EXPECT_EQ(table().read_text(file, "", "patch2", name.data(), name.size()), OP_OK) << last_failure;
  EXPECT_STREQ(name.data(), "right");
  std::vector<long long> nodes(12);
  EXPECT_EQ(table().read_rows(file, "0/nodes", 0, 12, OP_TYPE_LL, nodes.data()), OP_OK) << last_failure;
  EXPECT_EQ(nodes, lists.nodes);
  std::vector<int> patch(4);
  EXPECT_EQ(table().read_rows(file, "0/patch", 0, 4, OP_TYPE_INT, patch.data()), OP_OK) << last_failure;
  EXPECT_EQ(patch, lists.patch);
  EXPECT_EQ(table().write_rows(file, "0/patch", 0, 4, OP_TYPE_INT, patch.data()), OP_ERR_UNSUPPORTED);
  EXPECT_EQ(last_failure, "the file was opened to be read");
  EXPECT_EQ(table().close(file), OP_OK);
  EXPECT_EQ(write(tetrahedron()), OP_OK) << last_failure;
}

TEST_F(CgnsPlugin, RefusesListsThatDoNotFit) {
  const char *const apart = "the lists of cells, nodes and faces do not fit together",
                    *const nowhere = "a connection names a node that is not there";
  refuses(apart, {}, [](Lists &all) { all.points.clear(); });
  refuses(apart, {}, [](Lists &all) { all.types.pop_back(); });
  refuses(apart, {}, [](Lists &all) { all.patch.pop_back(); });
  refuses(apart, {}, [](Lists &all) { all.face_ends.pop_back(); });
  refuses(apart, {}, [](Lists &all) { all.ends.back() = 13; });
  refuses(apart, {}, [](Lists &all) { std::swap(all.ends[1], all.ends[2]); });
  refuses(apart, {}, [](Lists &all) { all.ends.front() = -1; });
  refuses(apart, {}, [](Lists &all) { all.nodes[3] = 6; });
  refuses(apart, {}, [](Lists &all) { all.nodes[3] = -1; });
  refuses(apart, {}, [](Lists &all) { all.patch[2] = 3; });
  refuses(apart, {}, [](Lists &all) { all.patch[2] = -1; });
  refuses(apart, {}, [](Lists &all) { all.types[2] = 42; });
  refuses("neither cells of two nor of three dimensions", {}, [](Lists &all) { all.types = {3, 3, 3, 3}; });
  refuses(nowhere, {}, [](Lists &all) { all.links = {0, 0, 0, 6}; });
  refuses(nowhere, {}, [](Lists &all) { all.links = {0, 6, 0, 0}; });
  refuses(nowhere, {}, [](Lists &all) { all.links = {0, 0, 1, 0}; });
}

TEST_F(CgnsPlugin, RefusesFacesThatDoNotFit) {
  const char *const apart = "the lists of cells, nodes and faces do not fit together";
  refuses(apart, tetrahedron(), [](Lists &all) { all.face_ends[0] = 16; });
  refuses(apart, tetrahedron(), [](Lists &all) { all.faces.pop_back(); });
  refuses(apart, tetrahedron(), [](Lists &all) { all.faces[1] = 1000; });
  refuses(apart, tetrahedron(), [](Lists &all) { all.faces[2] = 4; });
  refuses(apart, tetrahedron(), [](Lists &all) { // a fifth face, which has no nodes
    all.faces[0] = 5;
    all.faces.push_back(0);
    all.face_ends[0] = 18;
  });
}

TEST_F(CgnsPlugin, RefusesOtherUses) {
  op_io_file *file = nullptr;
  EXPECT_EQ(open(OP_IO_UPDATE, &file), OP_ERR_UNSUPPORTED);
  EXPECT_EQ(open(OP_IO_CREATE, &file, 2), OP_ERR_UNSUPPORTED);
  EXPECT_EQ(file, nullptr);
  ASSERT_EQ(open(OP_IO_CREATE, &file), OP_OK) << last_failure;
  op_io_array array{};
  array.size = sizeof array;
  array.rows = 2;
  array.dim = 3;
  array.type = OP_TYPE_DOUBLE;
  EXPECT_EQ(table().create(file, "1/points", &array), OP_ERR_FILE) << "before zone 0";
  EXPECT_EQ(table().create(file, "0/colours", &array), OP_ERR_FILE);
  EXPECT_EQ(table().create(file, "0/nodes", &array), OP_ERR_TYPE);
  array.type = OP_TYPE_LL;
  EXPECT_EQ(table().create(file, "0/nodes", &array), OP_ERR_TYPE) << "three columns";
  array.type = OP_TYPE_DOUBLE;
  EXPECT_EQ(table().create(file, "0/points", &array), OP_OK) << last_failure;
  const std::array<double, 9> values{};
  EXPECT_EQ(table().write_rows(file, "0/points", 0, 3, OP_TYPE_DOUBLE, values.data()), OP_ERR_RANGE);
  EXPECT_EQ(table().write_rows(file, "0/points", 0, 2, OP_TYPE_FLOAT, values.data()), OP_ERR_TYPE);
  EXPECT_EQ(table().write_text(file, "", "patch2", "b", 0), OP_ERR_UNSUPPORTED) << "before patch 1";
  EXPECT_EQ(table().write_text(file, "", "note0", "b", 0), OP_ERR_UNSUPPORTED);
  EXPECT_EQ(table().close(file), OP_ERR_ARGUMENT) << "it is not whole";
}

} // namespace

// SPDX-License-Identifier: MIT
