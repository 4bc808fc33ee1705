// bad_files_test.cpp: files that are damaged, wrong, locked or cannot be written: a sentence each, and nothing is lost.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <functional>

#include "op2/compat.h"
#include "op2/hdf5.h"
#include "op2/inspect.h"
#include "op2/meshfile.h"
#include "op2/view.h"
#include "support.hpp"

namespace files {

namespace {

class BadFile : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    nodes = op_decl_set(100, "nodes");
    edges = op_decl_set(3, "edges");
    const std::array<int, 6> ends = {0, 1, 1, 2, 98, 99};
    op_decl_map(edges, nodes, 2, ends.data(), "pedge");
    std::vector<double> x(200, 0.25);
    p_x = op_decl_dat(nodes, 2, "double", x.data(), "p_x");
    file = path("mesh.h5");
    ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
    good = bytes_of(file);
  }
  // The call fails, and the folder holds what it held.
  void expect_nothing_lost(op_status status, op_status found, const std::vector<std::string> &words) {
    EXPECT_STREQ(op_status_name(status), op_status_name(found));
    expect_failure(status, words);
    EXPECT_TRUE(good == bytes_of(file));
    EXPECT_EQ(1u, files_in(folder)) << "something is left over";
  }

  op_set nodes = nullptr, edges = nullptr;
  op_dat p_x = nullptr;
  std::string file, good;
};

TEST_F(BadFile, CutOff) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{7}, std::size_t{100}, good.size() / 2, good.size() - 1}) {
    write_bytes(file, good.substr(0, bytes));
    EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "nodes")) << bytes;
    expect_failure(OP_ERR_FILE, {"file '" + file + "'", bytes < 100 ? "no HDF5 file" : "cut off"});
    EXPECT_EQ(nullptr, op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x"));
    expect_failure(OP_ERR_FILE, {"file '" + file + "'"});
    if (bytes == 0) continue; // nothing is lost with that
    EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file(p_x, file.c_str()));
    EXPECT_TRUE(good.substr(0, bytes) == bytes_of(file));
  }
}

TEST_F(BadFile, NoHdf5) {
  write_bytes(file, std::string(5000, 'x'));
  EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "nodes"));
  expect_failure(OP_ERR_FILE, {file, "it is no HDF5 file"});
}

// Bytes in the middle of what HDF5 keeps for itself: any answer but a crash or a wrong size.
TEST_F(BadFile, Damaged) {
  std::uint64_t state = 1;
  for (int round = 0; round < 200; ++round) {
    std::string bytes = good;
    for (int hit = 0; hit < 4; ++hit) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      bytes[static_cast<std::size_t>(state >> 33) % bytes.size()] = static_cast<char>(state >> 20);
    }
    write_bytes(file, bytes);
    const op_dat dat = op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x");
    if (dat) {
      EXPECT_EQ(2, op_dat_dim(dat));
    }
    op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge");
  }
}

struct Case {
  const char *what;
  std::function<const void *(op_set nodes, op_set edges, const char *file)> call;
  op_status status;
  std::vector<std::string> words;
};

TEST_F(BadFile, OtherContents) {
  {
    RawFile raw(file, RawFile::change);
    raw.add<int>("short", H5T_NATIVE_INT, {2, 2}, {0, 1, 1, 2});
    raw.add<int>("outside", H5T_NATIVE_INT, {3, 2}, {0, 1, 1, 100, 2, 3});
    raw.add<int>("negative", H5T_NATIVE_INT, {3, 2}, {0, 1, 1, 2, -1, 3});
    raw.add<long long>("far", H5T_NATIVE_LLONG, {3, 2}, {0, 1, 1, 1ll << 40, 2, 3});
    raw.add<double>("fractions", H5T_NATIVE_DOUBLE, {3, 2}, {0, 1, 1, 2, 2, 3});
    raw.add<double>("cube", H5T_NATIVE_DOUBLE, {3, 2, 1}, {0, 1, 1, 2, 2, 3});
    raw.add<long long>("large", H5T_NATIVE_LLONG, {3}, {0, 1ll << 40, 1});
    raw.add<double>("huge", H5T_NATIVE_DOUBLE, {3}, {0, 1e300, 1});
    raw.add<int>("minus", H5T_NATIVE_INT, {1}, {-4});
    raw.add<int>("two", H5T_NATIVE_INT, {2}, {4, 4});
    raw.add<long long>("beyond", H5T_NATIVE_LLONG, {1}, {1ll << 33});
    const hid_t text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, 4);
    raw.add<char>("texts", text, {3}, std::vector<char>(12, 'a'));
    H5Tset_size(text, H5T_VARIABLE);
    const std::vector<const char *> words = {"a", "bc", "def"};
    raw.add<const char *>("words", text, {3}, words);
    H5Tclose(text);
    H5Gclose(H5Gcreate2(raw.id(), "group", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  }
  const auto map = [](const char *name, int dim = 2) {
    return [=](op_set n, op_set e, const char *f) { return op_decl_map_hdf5(e, n, dim, f, name); };
  };
  const auto dat = [](const char *name, const char *type, int dim = 1) {
    return [=](op_set, op_set e, const char *f) { return op_decl_dat_hdf5(e, dim, type, f, name); };
  };
  const auto set = [](const char *name) {
    return [=](op_set, op_set, const char *f) { return op_decl_set_hdf5(f, name); };
  };
  const std::vector<Case> cases = {
      {"rows", map("short"), OP_ERR_DIM, {"map 'short'", "2 rows", "'edges' has 3 elements"}},
      {"dim", map("pedge", 3), OP_ERR_DIM, {"map 'pedge'", "2 values in a row, not 3"}},
      {"entry", map("outside"), OP_ERR_RANGE, {"map 'outside', row 1, column 1: entry 100", "'nodes' (0 to 99)"}},
      {"negative entry", map("negative"), OP_ERR_RANGE, {"row 2, column 0: entry -1"}},
      {"64-bit entry", map("far"), OP_ERR_RANGE, {"row 1, column 1: entry 1099511627776"}},
      {"map of fractions", map("fractions"), OP_ERR_TYPE, {"map 'fractions'", "its type is double, not int"}},
      {"three extents", map("cube"), OP_ERR_DIM, {"'cube'", "3 dimensions"}},
      {"fractions to int", dat("fractions", "int", 2), OP_ERR_TYPE, {"'fractions'", "whole numbers"}},
      {"too large for int", dat("large", "int"), OP_ERR_RANGE, {"'large'", "does not fit"}},
      {"too large for float", dat("huge", "float"), OP_ERR_RANGE, {"'huge'", "does not fit"}},
      {"texts", dat("texts", "double"), OP_ERR_TYPE, {"'texts'", "no number", "not double"}},
      {"words", dat("words", "word"), OP_ERR_TYPE, {"'words'", "different lengths"}},
      {"other rows", dat("p_x", "double", 2), OP_ERR_DIM, {"dat 'p_x'", "100 rows", "'edges' has 3"}},
      {"numbers to a user type", dat("large", "mine"), OP_ERR_TYPE, {"its type is ll, not mine"}},
      {"unknown type", dat("texts", "dubble", 2), OP_ERR_DIM, {"1 values in a row, not 2"}},
      {"negative size", set("minus"), OP_ERR_RANGE, {"set 'minus'", "the size is -4"}},
      {"two sizes", set("two"), OP_ERR_DIM, {"set 'two'", "2 x 1"}},
      {"too many elements", set("beyond"), OP_ERR_RANGE, {"'beyond' has 8589934592 elements", "more processes"}},
      {"a group", set("group"), OP_ERR_FILE, {"set 'group'", "no such dataset"}},
      {"fractions as size", set("cube"), OP_ERR_DIM, {"'cube'"}},
  };
  for (const Case &wrong : cases) {
    SCOPED_TRACE(wrong.what);
    EXPECT_EQ(nullptr, wrong.call(nodes, edges, file.c_str()));
    expect_failure(wrong.status, wrong.words);
  }
  std::array<double, 2> values{};
  EXPECT_STATUS(OP_ERR_DIM, op_get_const_hdf5("two", 1, "double", values.data(), file.c_str()));
  expect_failure(OP_ERR_DIM, {"constant 'two'", "2 values, not 1"});
  EXPECT_STATUS(OP_ERR_TYPE, op_get_const_hdf5("fractions", 6, "int", values.data(), file.c_str()));
  EXPECT_STATUS(OP_ERR_FILE, op_get_const_hdf5("nothing", 1, "int", values.data(), file.c_str()));
}

TEST_F(BadFile, AnotherDatasetIsThere) {
  const op_dat wide = op_decl_dat(nodes, 3, "double", nullptr, "wide"),
               ints = op_decl_dat(nodes, 2, "int", nullptr, "i");
  expect_nothing_lost(OP_ERR_FILE, op_fetch_data_hdf5_file_path(wide, file.c_str(), "p_x"),
                      {"'p_x'", "has 100 rows of 2 x double, and 100 rows of 3 x double"});
  op_clear_error();
  EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file_path(ints, file.c_str(), "p_x"));
  EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file_path(p_x, file.c_str(), "p_x/inside"));
  EXPECT_STATUS(OP_ERR_FILE, op_write_const_hdf5("pedge", 1, "int", &errno, file.c_str()));
  RawFile raw(file, RawFile::read);
  EXPECT_EQ((std::vector<double>(200, 0.25)), raw.values<double>("p_x", H5T_NATIVE_DOUBLE, 200));
}

TEST_F(BadFile, TwoOfOneName) {
  op_decl_dat(edges, 1, "int", nullptr, "pedge");
  expect_nothing_lost(OP_ERR_STATE, op_dump_to_hdf5(file.c_str()), {"a map and a dat are called 'pedge'"});
}

TEST_F(BadFile, NoPlaceForANewFile) {
  const op_dat more = op_decl_dat(nodes, 4000, "double", nullptr, "more"); // 3.2 MB
  rlimit before{};
  ASSERT_EQ(0, getrlimit(RLIMIT_FSIZE, &before));
  const rlimit little{1 << 20, before.rlim_max};
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &little));
  const op_status dumped = op_dump_to_hdf5(file.c_str());
  expect_nothing_lost(OP_ERR_FILE, dumped, {file, "File too large"});
  expect_nothing_lost(OP_ERR_FILE, op_fetch_data_hdf5_file(more, path("new.h5").c_str()), {"File too large"});
  expect_nothing_lost(OP_ERR_FILE, op_print_dat_to_txtfile(more, path("new.txt").c_str()), {"File too large"});
  expect_nothing_lost(OP_ERR_FILE, op_fetch_data_hdf5_file(more, file.c_str()), {"File too large", "more bytes"});
  ASSERT_EQ(0, setrlimit(RLIMIT_FSIZE, &before));
  EXPECT_OK(op_fetch_data_hdf5_file(more, file.c_str()));
}

TEST_F(BadFile, NoPermission) {
  if (geteuid() != 0) {
    chmod(folder.c_str(), 0500);
    expect_nothing_lost(OP_ERR_FILE, op_dump_to_hdf5(file.c_str()), {"Permission denied"});
    chmod(folder.c_str(), 0700);
    return;
  }
  chmod(folder.c_str(), 0755);
  ASSERT_EQ(0, seteuid(65534));
  const op_status dumped = op_dump_to_hdf5(file.c_str());
  const std::string message = op_last_error();
  const op_status added = op_fetch_data_hdf5_file(p_x, file.c_str());
  const std::string second = op_last_error();
  ASSERT_EQ(0, seteuid(0));
  EXPECT_NE(std::string::npos, message.find("Permission denied")) << message;
  EXPECT_NE(std::string::npos, second.find("Permission denied")) << second;
  EXPECT_EQ(OP_ERR_FILE, dumped);
  EXPECT_EQ(OP_ERR_FILE, added);
  EXPECT_TRUE(good == bytes_of(file));
  EXPECT_EQ(1u, files_in(folder));
}

// A filter that whoever wrote the file had, as h5py has lzf.
TEST_F(BadFile, AFilterThatIsNotThereIsNamed) {
  constexpr H5Z_filter_t id = 305; // of those for tests
  const H5Z_func_t as_it_is = [](unsigned, std::size_t, const unsigned *, std::size_t bytes, std::size_t *, void **) {
    return bytes;
  };
  const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, id, 1, 1, "squeeze", nullptr, nullptr, as_it_is};
  ASSERT_GE(H5Zregister(&filter), 0);
  const std::string stored = path("stored.h5");
  const hid_t out = H5Fcreate(stored.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const auto store = [&](const char *name, hid_t type, std::array<hsize_t, 2> extent, const void *values) {
    const hid_t space = H5Screate_simple(2, extent.data(), nullptr), properties = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(properties, 2, extent.data());
    H5Pset_filter(properties, id, H5Z_FLAG_MANDATORY, 0, nullptr);
    const hid_t made = H5Dcreate2(out, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(made, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(made), H5Pclose(properties), H5Sclose(space);
  };
  const std::vector<double> x(200, 0.25);
  const std::array<int, 6> ends = {0, 1, 1, 2, 98, 99};
  store("p_x", H5T_NATIVE_DOUBLE, {100, 2}, x.data());
  store("pedge", H5T_NATIVE_INT, {3, 2}, ends.data());
  store("gam", H5T_NATIVE_DOUBLE, {1, 1}, x.data());
  H5Fclose(out);
  ASSERT_GE(H5Zunregister(id), 0);

  const char *words = "filter 305 ('squeeze'), which this HDF5 does not have";
  double gam = 0;
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(nodes, 2, "double", stored.c_str(), "p_x"));
  expect_failure(OP_ERR_FILE, {stored, "'p_x'", words});
  EXPECT_EQ(nullptr, op_decl_map_hdf5(edges, nodes, 2, stored.c_str(), "pedge"));
  expect_failure(OP_ERR_FILE, {stored, "'pedge'", words});
  EXPECT_STATUS(OP_ERR_FILE, op_get_const_hdf5("gam", 1, "double", reinterpret_cast<char *>(&gam), stored.c_str()));
  expect_failure(OP_ERR_FILE, {stored, "'gam'", words});
}

// Another job is writing it: HDF5 marks that by a lock.
TEST_F(BadFile, LockedByAnother) {
  const int other = open(file.c_str(), O_RDWR);
  ASSERT_EQ(0, flock(other, LOCK_EX));
  expect_nothing_lost(OP_ERR_FILE, op_fetch_data_hdf5_file(p_x, file.c_str()), {file, "another program", "writing"});
  EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "nodes"));
  expect_failure(OP_ERR_FILE, {"another program"});
  EXPECT_OK(op_dump_to_hdf5(file.c_str())) << "a new file takes its name";
  close(other);
}

TEST_F(BadFile, ReplacingKeepsLinksAndModes) {
  std::filesystem::create_symlink("mesh.h5", path("link.h5"));
  chmod(file.c_str(), 0640);
  EXPECT_OK(op_dump_to_hdf5(path("link.h5").c_str()));
  EXPECT_TRUE(std::filesystem::is_symlink(path("link.h5")));
  struct stat facts;
  ASSERT_EQ(0, stat(file.c_str(), &facts));
  EXPECT_EQ(0640u, facts.st_mode & 0777);
  EXPECT_TRUE(good == bytes_of(file)) << "the same mesh makes the same file";
}

TEST_F(BadFile, DriversByName) {
  setenv("OP2_IO_DRIVER", "nothing", 1);
  restart();
  EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "nodes"));
  expect_failure(OP_ERR_BACKEND, {"'nothing'"});
  setenv("OP2_IO_DRIVER", "auto", 1);
  restart();
  std::filesystem::copy_file(file, path("any_name"));
  EXPECT_NE(nullptr, op_decl_set_hdf5(path("any_name").c_str(), "nodes")) << op_last_error();
}

// The name that the user gave decides, not that of the unfinished file; a driver that cannot be loaded is none.
TEST_F(BadFile, DriversByExtension) {
  setenv("OP2_PLUGIN_PATH", TEST_PLUGINS "/good", 1);
  restart();
  ASSERT_NE(nullptr, op_decl_set(4, "nodes")) << op_last_error();
  EXPECT_OK(op_dump_to_hdf5(path("x.mem").c_str()));
  EXPECT_EQ("", bytes_of(path("x.mem"))) << "that driver keeps files in memory";
  setenv("OP2_PLUGIN_PATH", TEST_PLUGINS "/incomplete", 1);
  restart();
  EXPECT_NE(nullptr, op_decl_set_hdf5(file.c_str(), "nodes")) << op_last_error();
  unsetenv("OP2_PLUGIN_PATH");
}

TEST_F(BadFile, ViewsReplaceOnlyTheirOwn) {
  const op_view view = op_decl_view(p_x, "edges");
  ASSERT_NE(nullptr, view) << op_last_error();
  op_map const pedge = op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge");
  EXPECT_OK(op_view_cells(view, pedge, OP_CELL_LINE));
  expect_nothing_lost(OP_ERR_FILE, op_write_view(view, path("mesh.xdmf").c_str()), {file, "move it away"});
  EXPECT_OK(op_write_view(view, path("mesh.vtkhdf").c_str()));
  for (int time = 0; time < 2; ++time) EXPECT_OK(op_write_view(view, path("other.xdmf").c_str()));
  write_bytes(path("steps_mesh.h5"), "no HDF5");
  EXPECT_STATUS(OP_ERR_FILE, op_write_view_step(view, path("steps.xdmf").c_str(), 0));
  EXPECT_EQ("no HDF5", bytes_of(path("steps_mesh.h5")));
  EXPECT_FALSE(std::filesystem::exists(path("steps.xdmf")));
}

// Nodes that are cells too: the field of that name on nodes is another one, whatever its width.
TEST_F(BadFile, FieldsOfNodesAreNoPartsOfThoseOfCells) {
  std::array<int, 100> self{};
  for (int n = 0; n < 100; ++n) self[static_cast<std::size_t>(n)] = n;
  const op_map points = op_decl_map(nodes, nodes, 1, self.data(), "points");
  const op_map pedge = op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge");
  const std::array<double, 9> q = {1, 2, 3, 4, 5, 6, 7, 8, 9};
  const op_dat on_edges = op_decl_dat(edges, 3, "double", q.data(), "q");
  const op_dat on_nodes = op_decl_dat(nodes, 1, "int", self.data(), "number");
  const op_view view = op_decl_view(p_x, "both");
  EXPECT_OK(op_view_cells(view, points, OP_CELL_VERTEX));
  EXPECT_OK(op_view_cells(view, pedge, OP_CELL_LINE));
  EXPECT_OK(op_view_field(view, on_edges, "f"));
  EXPECT_OK(op_view_field(view, on_nodes, "f"));
  EXPECT_OK(op_write_view(view, path("both.vtkhdf").c_str()));
  const RawFile raw(path("both.vtkhdf"), RawFile::read);
  const std::vector<double> values = raw.values<double>("VTKHDF/CellData/f", H5T_NATIVE_DOUBLE, 309);
  for (std::size_t n = 0; n < 300; ++n) EXPECT_TRUE(std::isnan(values[n])) << n;
  for (std::size_t n = 0; n < 9; ++n) EXPECT_EQ(q[n], values[300 + n]);
}

// New values in a dataset that is there need no second copy of it on the disk.
TEST_F(BadFile, NoRoomForMoreButForTheSame) {
  const std::vector<double> wide(200000, 0.5);
  const op_dat large = op_decl_dat(nodes, 2000, "double", wide.data(), "large");
  EXPECT_OK(op_fetch_data_hdf5_file(large, file.c_str()));
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit limit = old;
  limit.rlim_cur = std::filesystem::file_size(file) + 400000; // of 1.6 MB
  setrlimit(RLIMIT_FSIZE, &limit);
  EXPECT_OK(op_fetch_data_hdf5_file(large, file.c_str()));
  good = bytes_of(file);
  expect_nothing_lost(OP_ERR_FILE, op_fetch_data_hdf5_file_path(large, file.c_str(), "again"),
                      {"more bytes are needed"});
  const op_view view = op_decl_view(p_x, "edges");
  EXPECT_OK(op_view_cells(view, op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge"), OP_CELL_LINE));
  limit.rlim_cur = 70000; // names fit, rows do not
  setrlimit(RLIMIT_FSIZE, &limit);
  expect_nothing_lost(OP_ERR_FILE, op_write_view(view, path("v.vtkhdf").c_str()), {"more bytes are needed"});
  setrlimit(RLIMIT_FSIZE, &old);
}

// Files that look like meshes of op2_mesh: airfoil's is flat, others have two or three coordinates.
TEST_F(BadFile, MeshesWithOtherCoordinates) {
  const std::string flat = path("flat.h5"), other = path("other.h5");
  {
    RawFile raw(flat, RawFile::make);
    raw.add<int>("pedge", H5T_NATIVE_INT, {1, 2}, {0, 1});
    raw.add<double>("p_x", H5T_NATIVE_DOUBLE, {2, 3}, std::vector<double>(6));
  }
  op_mesh mesh = nullptr;
  EXPECT_STATUS(OP_ERR_FILE, op_mesh_read(flat.c_str(), nullptr, &mesh));
  expect_failure(OP_ERR_FILE, {flat, "nodes have 3 coordinates, instead of 2"});
  for (const hsize_t columns : {hsize_t{1}, hsize_t{4}}) {
    {
      RawFile raw(other, RawFile::make);
      raw.add<double>("x", H5T_NATIVE_DOUBLE, {2, columns}, std::vector<double>(2 * columns));
    }
    EXPECT_STATUS(OP_ERR_FILE, op_mesh_read(other.c_str(), nullptr, &mesh));
    expect_failure(OP_ERR_FILE, {other, std::to_string(columns) + " coordinates, instead of 2 or 3"});
    EXPECT_EQ(nullptr, mesh);
  }
}

TEST_F(BadFile, ABoolIsZeroOrOne) {
  {
    RawFile(file, RawFile::change)
        .add<unsigned char>("flag", H5T_NATIVE_UCHAR, {100, 1}, std::vector<unsigned char>(100, 2));
  }
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(nodes, 1, "bool", file.c_str(), "flag"));
  expect_failure(OP_ERR_RANGE, {"'flag'", "bool"});
}

// A list that cannot be read is no empty one: the steps in it would be lost.
TEST_F(BadFile, ListsOfSeries) {
  const op_view view = op_decl_view(p_x, "edges");
  EXPECT_OK(op_view_cells(view, op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge"), OP_CELL_LINE));
  for (const char *const name : {"out.vtkhdf", "out.xdmf"}) {
    const std::string list = path(name) + (name[4] == 'v' ? ".series" : "");
    for (const std::string &content : {std::string("of another program"), std::string("{\n")}) {
      write_bytes(list, content);
      EXPECT_STATUS(OP_ERR_FILE, op_write_view_step(view, path(name).c_str(), 1));
      EXPECT_EQ(content, bytes_of(list));
    }
    std::filesystem::remove(list);
    std::filesystem::create_directory(list);
    EXPECT_STATUS(OP_ERR_FILE, op_write_view_step(view, path(name).c_str(), 1));
    std::filesystem::remove(list);
    EXPECT_OK(op_write_view_step(view, path(name).c_str(), 1));
  }
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
