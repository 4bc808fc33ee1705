// layout_test.cpp: each fact of OP2's layout, in files that the library wrote and in files that others did.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <numeric>

#include "op2/compat.h"
#include "op2/heads.h"
#include "op2/op2.hpp"
#include "op2/order.h"
#include "support.hpp"

namespace files {

namespace {

struct Pair {
  int a;
  char b[3];
};

class Layout : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    declare();
    file = path("mesh.h5");
  }
  void declare() {
    nodes = op_decl_set(5, "nodes");
    edges = op_decl_set(4, "edges");
    const std::array<int, 8> ends = {0, 1, 1, 2, 2, 3, 4, 3};
    pedge = op_decl_map(edges, nodes, 2, ends.data(), "pedge");
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 / static_cast<double>(i + 3);
    p_x = op_decl_dat(nodes, 2, "double", x.data(), "p_x");
  }
  template <class T>
  void add(const char *type, const char *name) {
    const std::vector<T> values = {T(0), T(1), std::numeric_limits<T>::max(), std::numeric_limits<T>::lowest(), T(7)};
    op_decl_dat(nodes, 1, type, values.data(), name);
  }

  op_set nodes = nullptr, edges = nullptr;
  op_map pedge = nullptr;
  op_dat p_x = nullptr;
  std::array<double, 10> x{};
  std::string file;
};

TEST_F(Layout, OfSets) {
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const RawFile raw(file, RawFile::read);
  EXPECT_EQ(std::vector<hsize_t>{1}, raw.extents("nodes"));
  EXPECT_TRUE(raw.has_type("nodes", H5T_NATIVE_INT));
  EXPECT_EQ(std::vector<int>{5}, raw.values<int>("nodes", H5T_NATIVE_INT, 1));
  EXPECT_EQ(std::vector<int>{4}, raw.values<int>("edges", H5T_NATIVE_INT, 1));
  EXPECT_EQ(0, raw.attributes("nodes"));
  EXPECT_EQ(0, raw.attributes("/")) << "of the file itself";
}

TEST_F(Layout, OfMaps) {
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const RawFile raw(file, RawFile::read);
  EXPECT_EQ((std::vector<hsize_t>{4, 2}), raw.extents("pedge"));
  EXPECT_TRUE(raw.has_type("pedge", H5T_NATIVE_INT));
  EXPECT_EQ((std::vector<int>{0, 1, 1, 2, 2, 3, 4, 3}), raw.values<int>("pedge", H5T_NATIVE_INT, 8));
  EXPECT_EQ(4, int_attribute(raw, "pedge", "size"));
  EXPECT_EQ(2, int_attribute(raw, "pedge", "dim"));
  const RawAttribute type = attribute(raw, "pedge", "type");
  EXPECT_TRUE(type.sort == H5T_STRING && type.bytes == 10 && type.rank == 0);
  EXPECT_STREQ("int", type.raw.c_str());
  EXPECT_EQ(0, int_attribute(raw, "pedge", "base")) << "from where entries count";
  EXPECT_EQ(4, raw.attributes("pedge"));
}

TEST_F(Layout, OfDats) {
  op_decl_dat(edges, 3, "float:soa", nullptr, "p_soa");
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const RawFile raw(file, RawFile::read);
  EXPECT_EQ((std::vector<hsize_t>{5, 2}), raw.extents("p_x"));
  EXPECT_EQ((std::vector<double>(x.begin(), x.end())), raw.values<double>("p_x", H5T_NATIVE_DOUBLE, 10));
  EXPECT_EQ(16, int_attribute(raw, "p_x", "size")) << "bytes of an element";
  EXPECT_EQ(2, int_attribute(raw, "p_x", "dim"));
  EXPECT_EQ(12, int_attribute(raw, "p_soa", "size"));
  EXPECT_EQ(3, int_attribute(raw, "p_soa", "dim"));
  const RawAttribute type = attribute(raw, "p_x", "type"), soa = attribute(raw, "p_soa", "type");
  EXPECT_TRUE(type.sort == H5T_STRING && type.rank == 0 && soa.sort == H5T_STRING);
  EXPECT_EQ("double", type.raw) << "as many bytes as the text has";
  EXPECT_EQ("float:soa", soa.raw);
  EXPECT_EQ((std::vector<hsize_t>{4, 3}), raw.extents("p_soa"));
}

TEST_F(Layout, OfTypesOfValues) {
  add<float>("float", "p_float");
  add<int>("int", "p_int");
  add<unsigned>("uint", "p_uint");
  add<long long>("ll", "p_ll");
  add<unsigned long long>("ull", "p_ull");
  const std::array<bool, 5> flags = {true, false, true, true, false};
  op_decl_dat(nodes, 1, "bool", flags.data(), "p_bool");
  std::array<Pair, 5> pairs{};
  pairs[3] = {7, {1, 2, 3}};
  op_decl_dat_char(nodes, 1, "pair", sizeof(Pair), reinterpret_cast<const char *>(pairs.data()), "p_pair");
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  {
    const RawFile raw(file, RawFile::read);
    const std::vector<std::pair<const char *, hid_t>> expected = {
        {"p_x", H5T_NATIVE_DOUBLE},  {"p_float", H5T_NATIVE_FLOAT}, {"p_int", H5T_NATIVE_INT},
        {"p_uint", H5T_NATIVE_UINT}, {"p_ll", H5T_NATIVE_LLONG},    {"p_ull", H5T_NATIVE_ULLONG},
        {"p_bool", H5T_NATIVE_UINT8}};
    for (const auto &[name, type] : expected) EXPECT_TRUE(raw.has_type(name, type)) << name;
    const hid_t opaque = H5Tcreate(H5T_OPAQUE, sizeof(Pair));
    H5Tset_tag(opaque, "pair");
    EXPECT_TRUE(raw.has_type("p_pair", opaque));
    H5Tclose(opaque);
    EXPECT_EQ("pair", attribute(raw, "p_pair", "type").raw);
  }
  restart();
  const op_set again = op_decl_set_hdf5(file.c_str(), "nodes");
  std::array<Pair, 5> found{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(again, 1, "pair", file.c_str(), "p_pair"), found.data()));
  EXPECT_EQ(0, std::memcmp(pairs.data(), found.data(), sizeof pairs));
  std::array<bool, 5> flags_found{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(again, 1, "bool", file.c_str(), "p_bool"), flags_found.data()));
  EXPECT_EQ(flags, flags_found);
  std::array<unsigned long long, 5> largest{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(again, 1, "ull", file.c_str(), "p_ull"), largest.data()));
  EXPECT_EQ(~0ull, largest[2]);
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(again, 1, "other", file.c_str(), "p_pair"));
  expect_failure(OP_ERR_TYPE, {"'p_pair'", "its type is pair, not other"});
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(again, 1, "pair", file.c_str(), "p_x"));
  expect_failure(OP_ERR_DIM, {"'p_x'", "2 values in a row, not 1"});
}

// Where the program leaves the number of columns to the file; texts of attributes of any length.
TEST_F(Layout, DimsAndTextsOfTheFile) {
  const std::string words(5000, 'w');
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  {
    RawFile raw(file, RawFile::change);
    raw.add<int>("bare", H5T_NATIVE_INT, {4}, {0, 1, 2, 3});
    raw.add<int>("empty", H5T_NATIVE_INT, {4, 0}, {});
    raw.add_text("pedge", "story", words);
  }
  restart();
  const op2::file mesh(file);
  const op2::set n = mesh.declare_set("nodes"), e = mesh.declare_set("edges", "pedge");
  EXPECT_EQ(2, op_map_dim(op_decl_map_hdf5(e, n, 0, file.c_str(), "pedge")));
  EXPECT_EQ(1, op_map_dim(op_decl_map_hdf5(e, n, 0, file.c_str(), "bare")));
  const op_dat any = op_decl_dat_hdf5(n, 0, "double", file.c_str(), "p_x");
  std::array<double, 10> found{};
  EXPECT_OK(op_fetch_data(any, found.data()));
  EXPECT_EQ(2, op_dat_dim(any));
  EXPECT_EQ(x, found);
  EXPECT_EQ(nullptr, op_decl_map_hdf5(e, n, 0, file.c_str(), "empty"));
  expect_failure(OP_ERR_DIM, {"'empty'", "0 values in a row, not at least 1"});
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(e, -1, "int", file.c_str(), "bare"));
  expect_failure(OP_ERR_DIM, {"'bare' is -1", "or 0 for that of the file"});
  EXPECT_EQ(words, mesh.read_text("pedge", "story"));
  char begin[4];
  EXPECT_EQ(5000, op_get_text_hdf5("pedge", "story", begin, sizeof begin, file.c_str()));
  EXPECT_STREQ("www", begin);
  EXPECT_EQ(-1, op_get_text_hdf5("pedge", "other", begin, sizeof begin, file.c_str()));
  expect_failure(OP_ERR_FILE, {"pedge", "'other'"});
  EXPECT_EQ(-1, op_get_text_hdf5("pedge", "dim", begin, sizeof begin, file.c_str()));
  expect_failure(OP_ERR_TYPE, {"'dim'", "not one text"});
}

TEST_F(Layout, WrittenAndReadByFileObjects) {
  const op2::file made(file);
  made.dump();
  made.write(p_x, "again/p_x");
  made.write_constant("gam", 1.4);
  const double qinf[3] = {1, 2, 3};
  made.write_constant("qinf", qinf);
  restart();
  const op2::set n = made.declare_set("nodes"), e = made.declare_set("edges");
  EXPECT_EQ(4, op_get_size(e));
  EXPECT_EQ(2, made.declare_map(e, n, "pedge").dim());
  EXPECT_FALSE(made.find_map(e, n, "nothing").has_value());
  EXPECT_THROW((void)made.declare_map(e, n, "nothing"), op2::error);
  EXPECT_THROW((void)made.find_map(e, n, "pedge", 3), op2::error) << "what is there does not fit";
  EXPECT_FALSE((made.find_dat<double, 2>(n, "nothing").has_value())) << "also after an error";
  EXPECT_EQ((std::vector<double>(x.begin(), x.end())), (made.declare_dat<double, 2>(n, "again/p_x").fetch()));
  EXPECT_EQ(2, made.declare_dat<double>(n, "p_x").dim());
  double gam = 0, found[3] = {};
  made.read("gam", gam);
  made.read("qinf", found);
  EXPECT_EQ(1.4, gam);
  EXPECT_EQ(3.0, found[2]);
}

TEST_F(Layout, OfConstants) {
  const std::array<double, 4> qinf = {1, 2, 3, 4};
  const int steps = 9;
  const long long many = 1ll << 40;
  EXPECT_OK(op_write_const_hdf5("qinf", 4, "double", qinf.data(), file.c_str()));
  EXPECT_OK(op_write_const_hdf5("steps", 1, "int", &steps, file.c_str()));
  EXPECT_OK(op_write_const_hdf5("many", 1, "long long", &many, file.c_str()));
  {
    const RawFile raw(file, RawFile::read);
    EXPECT_EQ(std::vector<hsize_t>{4}, raw.extents("qinf"));
    EXPECT_EQ(std::vector<hsize_t>{1}, raw.extents("steps"));
    EXPECT_EQ(4, int_attribute(raw, "qinf", "dim"));
    EXPECT_EQ(2, raw.attributes("qinf"));
    EXPECT_EQ("double", attribute(raw, "qinf", "type").raw);
    EXPECT_EQ("int", attribute(raw, "steps", "type").raw);
    EXPECT_EQ("long long", attribute(raw, "many", "type").raw);
    EXPECT_EQ(std::vector<int>{9}, raw.values<int>("steps", H5T_NATIVE_INT, 1));
  }
  std::array<double, 4> found{};
  long long many_found = 0;
  EXPECT_OK(op_get_const_hdf5("qinf", 4, "double", found.data(), file.c_str()));
  EXPECT_EQ(qinf, found);
  EXPECT_OK(op_get_const_hdf5("many", 1, "ll", &many_found, file.c_str()));
  EXPECT_EQ(many, many_found);
  const int other = 10;
  int changed = 0;
  EXPECT_OK(op_write_const_hdf5("steps", 1, "int", &other, file.c_str()));
  EXPECT_OK(op_get_const_hdf5("steps", 1, "int", &changed, file.c_str()));
  EXPECT_EQ(10, changed);
}

TEST_F(Layout, OfNamesWithGroups) {
  EXPECT_OK(op_fetch_data_hdf5_file(p_x, file.c_str()));
  EXPECT_OK(op_fetch_data_hdf5_file_path(p_x, file.c_str(), "step/0100/p_x"));
  op_decl_dat(nodes, 1, "int", nullptr, "deep/down/n");
  EXPECT_OK(op_dump_to_hdf5(path("whole.h5").c_str()));
  const RawFile raw(file, RawFile::read), whole(path("whole.h5"), RawFile::read);
  EXPECT_EQ((std::vector<hsize_t>{5, 2}), raw.extents("p_x"));
  EXPECT_EQ((std::vector<double>(x.begin(), x.end())), raw.values<double>("step/0100/p_x", H5T_NATIVE_DOUBLE, 10));
  EXPECT_EQ((std::vector<hsize_t>{5, 1}), whole.extents("deep/down/n"));
}

TEST_F(Layout, AnExistingDatasetGetsNewValues) {
  EXPECT_OK(op_fetch_data_hdf5_file(p_x, file.c_str()));
  x.fill(2.5);
  EXPECT_OK(op_put_data(p_x, x.data()));
  EXPECT_OK(op_fetch_data_hdf5_file(p_x, file.c_str()));
  const RawFile raw(file, RawFile::read);
  EXPECT_EQ((std::vector<double>(10, 2.5)), raw.values<double>("p_x", H5T_NATIVE_DOUBLE, 10));
}

// What is written from a mesh in another order is in that of the declaration.
TEST_F(Layout, OfARenumberedMesh) {
  ASSERT_EQ(OP_OK, op_renumber(pedge)) << op_last_error();
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
  {
    const RawFile raw(file, RawFile::read);
    EXPECT_EQ((std::vector<int>{0, 1, 1, 2, 2, 3, 4, 3}), raw.values<int>("pedge", H5T_NATIVE_INT, 8));
    EXPECT_EQ((std::vector<double>(x.begin(), x.end())), raw.values<double>("p_x", H5T_NATIVE_DOUBLE, 10));
  }
  std::array<double, 10> found{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x"), found.data()));
  EXPECT_EQ(x, found);
  EXPECT_NE(nullptr, op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge"));
}

TEST_F(Layout, MapsCountFromWhereTheProgramDoes) {
  setenv("OP2_MAPS_BASE_INDEX", "1", 1);
  restart();
  const op_set n = op_decl_set(3, "nodes"), e = op_decl_set(2, "edges");
  const std::array<int, 4> ends = {1, 2, 2, 3};
  op_decl_map(e, n, 2, ends.data(), "pedge");
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
  {
    const RawFile raw(file, RawFile::read);
    EXPECT_EQ((std::vector<int>{1, 2, 2, 3}), raw.values<int>("pedge", H5T_NATIVE_INT, 4));
    EXPECT_EQ(1, int_attribute(raw, "pedge", "base"));
  }
  EXPECT_NE(nullptr, op_decl_map_hdf5(e, n, 2, file.c_str(), "pedge"));
}

// What is read from `file` as "pedge" by a program whose maps count from `base`, from 0; empty: nothing.
std::vector<int> read_entries(const std::string &file) {
  const op_set from = op_decl_set(2, "edges"), to = op_decl_set(3, "nodes");
  const op_map map = op_decl_map_hdf5(from, to, 2, file.c_str(), "pedge");
  return map ? std::vector<int>(map->map, map->map + 4) : std::vector<int>();
}

// The file tells from where its entries count, and the program's own base is no matter.
TEST_F(Layout, EntriesOfMapsCountFromWhereTheFileSays) {
  const std::vector<int> from_zero = {0, 1, 1, 2};
  for (const char *written : {"0", "1"}) {
    setenv("OP2_MAPS_BASE_INDEX", written, 1);
    restart();
    const int first = written[0] - '0';
    const op_set n = op_decl_set(3, "nodes"), e = op_decl_set(2, "edges");
    const std::array<int, 4> ends = {first, first + 1, first + 1, first + 2};
    op_decl_map(e, n, 2, ends.data(), "pedge");
    EXPECT_OK(op_dump_to_hdf5(file.c_str()));
    for (const char *program : {"0", "1"}) {
      setenv("OP2_MAPS_BASE_INDEX", program, 1);
      restart();
      EXPECT_EQ(from_zero, read_entries(file)) << "from " << written << " for " << program << op_last_error();
    }
  }
}

void change_base(const std::string &file, int base) {
  const RawFile raw(file, RawFile::change);
  const hid_t array = H5Dopen2(raw.id(), "pedge", H5P_DEFAULT), key = H5Aopen(array, "base", H5P_DEFAULT);
  EXPECT_GE(H5Awrite(key, H5T_NATIVE_INT, &base), 0);
  H5Aclose(key);
  H5Dclose(array);
}
void remove_base(const std::string &file) {
  const RawFile raw(file, RawFile::change);
  const hid_t array = H5Dopen2(raw.id(), "pedge", H5P_DEFAULT);
  EXPECT_GE(H5Adelete(array, "base"), 0);
  H5Dclose(array);
}

// Files of OP2 do not tell: entries count as the program's own do, and messages name what to change.
TEST_F(Layout, FilesThatDoNotSayFromWhereEntriesCount) {
  for (const char *written : {"0", "1"}) {
    setenv("OP2_MAPS_BASE_INDEX", written, 1);
    restart();
    const int first = written[0] - '0';
    const op_set n = op_decl_set(3, "nodes"), e = op_decl_set(2, "edges");
    const std::array<int, 4> ends = {first, first + 1, first + 1, first + 2};
    op_decl_map(e, n, 2, ends.data(), "pedge");
    EXPECT_OK(op_dump_to_hdf5(file.c_str()));
    remove_base(file);
    restart();
    EXPECT_EQ((std::vector<int>{0, 1, 1, 2}), read_entries(file)) << op_last_error();
    setenv("OP2_MAPS_BASE_INDEX", first == 0 ? "1" : "0", 1);
    restart();
    EXPECT_EQ(std::vector<int>(), read_entries(file));
    if (first == 0)
      expect_failure(OP_ERR_RANGE, {"row 0, column 0", "entry 0", "OP2_MAPS_BASE_INDEX=0", "op_init_base(diags, 0)"});
    else
      expect_failure(OP_ERR_RANGE, {"row 1, column 1", "entry 3", "OP2_MAPS_BASE_INDEX=1"});
  }
}

TEST_F(Layout, WrongBases) {
  const auto refuses = [&](op_status status, const std::vector<std::string> &words) {
    EXPECT_EQ(nullptr, op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "pedge"));
    expect_failure(status, words);
  };
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
  change_base(file, 2);
  refuses(OP_ERR_FILE, {"'pedge'", "attribute 'base' is 2", "from 0 or from 1"});
  change_base(file, 1);
  refuses(OP_ERR_RANGE, {"row 0, column 0", "entry 0", "(1 to 5)", "the file says that its entries count from 1"});
}

TEST_F(Layout, CompressedIsTheSame) {
  setenv("OP2_HDF5_DEFLATE", "4", 1);
  restart();
  declare();
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
  {
    const RawFile raw(file, RawFile::read);
    const hid_t array = H5Dopen2(raw.id(), "p_x", H5P_DEFAULT), properties = H5Dget_create_plist(array);
    std::array<hsize_t, 2> chunk{};
    EXPECT_EQ(2, H5Pget_chunk(properties, 2, chunk.data()));
    EXPECT_EQ((std::array<hsize_t, 2>{5, 2}), chunk);
    EXPECT_EQ(2, H5Pget_nfilters(properties));
    H5Pclose(properties);
    H5Dclose(array);
    EXPECT_EQ((std::vector<double>(x.begin(), x.end())), raw.values<double>("p_x", H5T_NATIVE_DOUBLE, 10));
  }
  std::array<double, 10> found{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x"), found.data()));
  EXPECT_EQ(x, found);
}

TEST_F(Layout, EveryLevelOfCompressionIsThatOfTheFile) {
  for (const unsigned requested : {1u, 9u}) {
    setenv("OP2_HDF5_DEFLATE", std::to_string(requested).c_str(), 1);
    restart();
    declare();
    EXPECT_OK(op_dump_to_hdf5(file.c_str()));
    const RawFile raw(file, RawFile::read);
    const hid_t array = H5Dopen2(raw.id(), "p_x", H5P_DEFAULT), properties = H5Dget_create_plist(array);
    unsigned flags = 0, level = 0;
    std::size_t values = 1;
    EXPECT_GE(H5Pget_filter_by_id2(properties, H5Z_FILTER_DEFLATE, &flags, &values, &level, 0, nullptr, nullptr), 0);
    EXPECT_EQ(requested, level);
    H5Pclose(properties);
    H5Dclose(array);
  }
}

// ---- files of others -------------------------------------------------------------------------------------------

TEST_F(Layout, FilesWithoutAttributesAndSets) {
  {
    RawFile raw(file, RawFile::make);
    raw.add<int>("edge-->node", H5T_NATIVE_INT, {3, 2}, {0, 1, 1, 2, 2, 0});
    raw.add<long long>("wide", H5T_NATIVE_LLONG, {3, 2}, {0, 1, 1, 2, 2, 0});
    raw.add<int>("column", H5T_NATIVE_INT, {3}, {2, 1, 0});
    raw.add<float>("x", H5T_NATIVE_FLOAT, {3, 2}, {0.5f, 1, 2, 3, 4, 5});
  }
  const op_set e = op_decl_set_hdf5_infer_size(file.c_str(), "e", "edge-->node");
  const op_set n = op_decl_set_hdf5_infer_size(file.c_str(), "n", "x");
  EXPECT_EQ(3, op_get_size(e));
  EXPECT_STREQ("e", op_set_name(e));
  EXPECT_NE(nullptr, op_decl_map_hdf5(e, n, 2, file.c_str(), "edge-->node"));
  EXPECT_NE(nullptr, op_decl_map_hdf5(e, n, 2, file.c_str(), "wide"));
  EXPECT_NE(nullptr, op_decl_map_hdf5(e, n, 1, file.c_str(), "column")) << "one extent is dim 1";
  std::array<double, 6> found{};
  EXPECT_OK(op_fetch_data(op_decl_dat_hdf5(n, 2, "double", file.c_str(), "x"), found.data()));
  EXPECT_EQ((std::array<double, 6>{0.5, 1, 2, 3, 4, 5}), found) << "converted";
}

TEST_F(Layout, AMissingMapOrDatIsNullAndNoError) {
  op_clear_error();
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
  testing::internal::CaptureStderr();
  EXPECT_EQ(nullptr, op_decl_map_hdf5(edges, nodes, 2, file.c_str(), "nothing"));
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "no/thing"));
  EXPECT_EQ("", testing::internal::GetCapturedStderr()) << "OP2_LOG=error";
  EXPECT_EQ(OP_OK, op_last_status());
  EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "nothing"));
  expect_failure(OP_ERR_FILE, {"mesh.h5", "set 'nothing'", "there is no such dataset"});
}

// ---- other formats ---------------------------------------------------------------------------------------------

TEST_F(Layout, TextIsReadBackBitForBit) {
  x[3] = -std::numeric_limits<double>::denorm_min();
  x[4] = std::numeric_limits<double>::max();
  EXPECT_OK(op_put_data(p_x, x.data()));
  add<float>("float", "f");
  EXPECT_OK(op_print_dat_to_txtfile(p_x, path("x.txt").c_str()));
  std::ifstream in(path("x.txt"));
  std::string line;
  std::getline(in, line);
  EXPECT_EQ("5 2", line);
  for (const double expected : x) {
    std::string word;
    in >> word;
    std::array<char, 64> printed{};
    std::snprintf(printed.data(), printed.size(), "%+.16E", expected);
    EXPECT_EQ(printed.data(), word);
    EXPECT_EQ(expected, std::strtod(word.c_str(), nullptr)) << word;
  }
  std::string nothing;
  EXPECT_FALSE(in >> nothing);
}

TEST_F(Layout, BytesAreAsInMemory) {
  EXPECT_OK(op_print_dat_to_binfile(p_x, path("x.bin").c_str()));
  const std::string bytes = bytes_of(path("x.bin"));
  ASSERT_EQ(2 * sizeof(int) + sizeof x, bytes.size());
  const std::array<int, 2> head = {5, 2};
  EXPECT_EQ(0, std::memcmp(bytes.data(), head.data(), sizeof head));
  EXPECT_EQ(0, std::memcmp(bytes.data() + sizeof head, x.data(), sizeof x));
}

// In more pieces than one, of which the last is short.
TEST_F(Layout, LongDatsArePrintedWhole) {
  std::vector<int> numbers(10000);
  std::iota(numbers.begin(), numbers.end(), -5000);
  const op_set many = op_decl_set(static_cast<int>(numbers.size()), "many");
  const op_dat dat = op_decl_dat(many, 1, "int", numbers.data(), "numbers");
  EXPECT_OK(op_print_dat_to_txtfile(dat, path("numbers.txt").c_str()));
  EXPECT_OK(op_print_dat_to_binfile(dat, path("numbers.bin").c_str()));
  std::ifstream in(path("numbers.txt"));
  std::vector<int> read(std::istream_iterator<int>(in), {});
  ASSERT_LE(2u, read.size());
  read.erase(read.begin(), read.begin() + 2); // the head
  EXPECT_EQ(numbers, read);
  const std::string bytes = bytes_of(path("numbers.bin"));
  ASSERT_EQ(2 * sizeof(int) + numbers.size() * sizeof(int), bytes.size());
  EXPECT_EQ(0, std::memcmp(bytes.data() + 2 * sizeof(int), numbers.data(), numbers.size() * sizeof(int)));
}

TEST_F(Layout, RowsToMemory) {
  std::array<double, 4> two{};
  EXPECT_OK(op_fetch_data_hdf5(p_x, two.data(), 2, 3));
  EXPECT_EQ((std::array<double, 4>{x[4], x[5], x[6], x[7]}), two);
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
