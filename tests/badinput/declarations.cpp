// declarations.cpp: bad input for decl.h: sizes, dims, types, names, map entries.
#include <climits>

#include "op2/global.h"
#include "op2/kernel.h"
#include "op2/partition.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "refuse.hpp"

namespace badinput {

namespace {

const double values[8] = {1, 2, 3, 4, 5, 6, 7, 8};
const char *bytes() { return reinterpret_cast<const char *>(values); }
const int pairs[6] = {0, 1, 1, 2, 2, 3};
const long long long_pairs[6] = {0, 1, 1, 2, 2, 3};
void combine(void *, const void *, int) {}

// Rows that several functions share: names, dims, types and sizes of types.
using Declare = Result (*)(int dim, const char *type, int type_size, const char *name);

void add_name_rows(std::vector<Wrong> &rows, const char *function, Declare declare) {
  rows.push_back({function, "name", "NULL", OP_ERR_ARGUMENT, {"the name is NULL; every object needs one"}, [=] {
                    return declare(1, "double", 8, nullptr);
                  }});
}

void add_dim_rows(std::vector<Wrong> &rows, const char *function, Declare declare) {
  for (const int dim : {0, -1, INT_MIN})
    rows.push_back({function,
                    "dim",
                    std::to_string(dim),
                    OP_ERR_DIM,
                    {"the dim of 'new' is " + std::to_string(dim), "at least 1"},
                    [=] { return declare(dim, "double", 8, "new"); }});
  rows.push_back(
      {function, "dim", "2 GiB in a row", OP_ERR_DIM, {"'new'", "2147483647 values of 8 bytes", "2 GiB"}, [=] {
         return declare(INT_MAX, "double", 8, "new");
       }});
}

// sized: the function takes the size of a user type.
void add_type_rows(std::vector<Wrong> &rows, const char *function, bool sized, Declare declare) {
  const std::string known = "double float int uint ll ull bool";
  rows.push_back({function, "type", "NULL", OP_ERR_TYPE, {"the type of 'new' is NULL", known}, [=] {
                    return declare(1, nullptr, 8, "new");
                  }});
  for (const char *type : {"dubble", "", "DOUBLE", "double ", ":soa", "double:aos"})
    rows.push_back(
        {function, "type", type, OP_ERR_TYPE, {std::string("'new': unknown type '") + type, known, "*_char"}, [=] {
           return declare(1, type, 0, "new");
         }});
  if (!sized) return;
  for (const int size : {-1, -8, INT_MIN})
    for (const char *type : {"double", "pair"})
      rows.push_back({function,
                      "type_size",
                      std::to_string(size) + " of " + type,
                      OP_ERR_ARGUMENT,
                      {"the type size of 'new' is negative: " + std::to_string(size)},
                      [=] { return declare(1, type, size, "new"); }});
  for (const int size : {1, 4, 16, INT_MAX})
    rows.push_back({function,
                    "type_size",
                    std::to_string(size) + " of double",
                    OP_ERR_TYPE,
                    {"'new': type double has 8 bytes, not " + std::to_string(size)},
                    [=] { return declare(1, "double", size, "new"); }});
}

void add_map_rows(std::vector<Wrong> &rows) {
  rows.insert(rows.end(), {{"op_decl_map",
                            "imap",
                            "NULL",
                            OP_ERR_ARGUMENT,
                            {"the entries of map 'new' are NULL", "2 for each of the 3"},
                            CALL(op_decl_map(w.edges, w.nodes, 2, nullptr, "new"))},
                           {"op_decl_map_long",
                            "imap",
                            "NULL",
                            OP_ERR_ARGUMENT,
                            {"the entries of map 'new' are NULL", "2 for each of the 3"},
                            CALL(op_decl_map_long(w.edges, w.nodes, 2, nullptr, "new"))},
                           {"op_decl_map",
                            "name",
                            "NULL",
                            OP_ERR_ARGUMENT,
                            {"the name is NULL"},
                            CALL(op_decl_map(w.edges, w.nodes, 2, pairs, nullptr))},
                           {"op_decl_map_long",
                            "name",
                            "NULL",
                            OP_ERR_ARGUMENT,
                            {"the name is NULL"},
                            CALL(op_decl_map_long(w.edges, w.nodes, 2, long_pairs, nullptr))},
                           {"op_map_compose",
                            "name",
                            "NULL",
                            OP_ERR_ARGUMENT,
                            {"the name is NULL"},
                            CALL(op_map_compose(w.edge_nodes, w.edge_nodes, nullptr))},
                           {"op_map_compose",
                            "second",
                            "a map from elsewhere",
                            OP_ERR_SET,
                            {"map 'edge_nodes' leads to set 'nodes', but map 'edge_nodes' starts from set 'edges'"},
                            CALL(op_map_compose(w.edge_nodes, w.edge_nodes, "new"))}});
  for (const int dim : {0, -1, INT_MIN}) {
    const std::vector<std::string> words{"the dim of map 'new' is " + std::to_string(dim), "at least 1"};
    rows.push_back({"op_decl_map", "dim", std::to_string(dim), OP_ERR_DIM, words,
                    [=] { return op_decl_map(world().edges, world().nodes, dim, pairs, "new"); }});
    rows.push_back({"op_decl_map_long", "dim", std::to_string(dim), OP_ERR_DIM, words,
                    [=] { return op_decl_map_long(world().edges, world().nodes, dim, long_pairs, "new"); }});
  }
}

// Entry i of a map that is right otherwise. The row and the column are named with the value.
template <class Index, class Decl>
void add_entry_rows(std::vector<Wrong> &rows, const char *function, const std::vector<Index> &entries, Decl decl) {
  for (const std::size_t at : {std::size_t{0}, std::size_t{3}, std::size_t{5}})
    for (const Index entry : entries) {
      std::vector<Index> table(pairs, pairs + 6);
      table[at] = entry;
      std::vector<std::string> words{"map 'new', element " + std::to_string(at / 2) + ", column " +
                                     std::to_string(at % 2) + ": entry " + std::to_string(entry) +
                                     " is outside set 'nodes' (0 to 3)"};
      if (entry == 4) words.push_back("OP2_MAPS_BASE_INDEX=1"); // the way out when the mesh counts from 1
      rows.push_back({function, "imap", "entry " + std::to_string(entry) + " at " + std::to_string(at), OP_ERR_RANGE,
                      words, [=] { return decl(world().edges, world().nodes, 2, table.data(), "new"); }});
    }
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows;
  for (const int size : {-1, INT_MIN})
    rows.push_back({"op_decl_set",
                    "size",
                    std::to_string(size),
                    OP_ERR_ARGUMENT,
                    {"the size of set 'new' is negative: " + std::to_string(size)},
                    [=] { return op_decl_set(size, "new"); }});
  rows.push_back({"op_decl_set", "name", "NULL", OP_ERR_ARGUMENT, {"the name is NULL"}, CALL(op_decl_set(1, nullptr))});

  add_map_rows(rows);
  add_entry_rows<int>(rows, "op_decl_map", {-1, 4, INT_MAX, INT_MIN}, op_decl_map);
  add_entry_rows<long long>(rows, "op_decl_map_long",
                            {-1, 4, 1LL << 32, (1LL << 32) + 1, -(1LL << 32), LLONG_MAX, LLONG_MIN}, op_decl_map_long);

  const auto add = [&](const char *function, bool sized, Declare declare) {
    add_name_rows(rows, function, declare);
    add_dim_rows(rows, function, declare);
    add_type_rows(rows, function, sized, declare);
  };
  add("op_decl_dat", false, [](int dim, const char *type, int, const char *name) -> Result {
    return op_decl_dat(world().nodes, dim, type, values, name);
  });
  add("op_decl_global", false, [](int dim, const char *type, int, const char *name) -> Result {
    return op_decl_global(dim, type, values, name);
  });
  add("op_decl_global_char", true, [](int dim, const char *type, int size, const char *name) -> Result {
    return op_decl_global_char(dim, type, size, bytes(), name);
  });
  add("op_decl_dat_char", true, [](int dim, const char *type, int size, const char *name) -> Result {
    return op_decl_dat_char(world().nodes, dim, type, size, bytes(), name);
  });
  add("op_decl_dat_temp", false, [](int dim, const char *type, int, const char *name) -> Result {
    return op_decl_dat_temp(world().nodes, dim, type, name);
  });
  add("op_decl_dat_temp_char", true, [](int dim, const char *type, int size, const char *name) -> Result {
    return op_decl_dat_temp_char(world().nodes, dim, type, size, name);
  });
  add("op_decl_const_named", false, [](int dim, const char *type, int, const char *name) -> Result {
    return op_decl_const_named(name, dim, type, values);
  });
  add("op_decl_const_char", true, [](int dim, const char *type, int size, const char *name) -> Result {
    return op_decl_const_char(dim, type, size, bytes(), name);
  });
  const Declare reduction = [](int, const char *type, int size, const char *name) -> Result {
    return op_decl_reduction(name, type, size, combine, values);
  };
  add_name_rows(rows, "op_decl_reduction", reduction);
  add_type_rows(rows, "op_decl_reduction", true, reduction);

  rows.insert(
      rows.end(),
      {{"op_decl_global", "value", "NULL", OP_OK, {}, CALL(op_decl_global(1, "double", nullptr, "zeros"))},
       {"op_decl_global_char", "value", "NULL", OP_OK, {}, CALL(op_decl_global_char(1, "pair", 16, nullptr, "zeros"))},
       {"op_decl_dat", "data", "NULL", OP_OK, {}, CALL(op_decl_dat(w.nodes, 1, "double", nullptr, "zeros"))},
       {"op_decl_dat_char",
        "data",
        "NULL",
        OP_OK,
        {},
        CALL(op_decl_dat_char(w.nodes, 1, "pair", 16, nullptr, "zeros"))},
       {"op_decl_dat_temp",
        "name",
        "taken",
        OP_ERR_ARGUMENT,
        {"a dat 'x' exists on set 'nodes'", "must be unique"},
        CALL(op_decl_dat_temp(w.edges, 1, "double", "x"))},
       {"op_decl_dat_temp_char",
        "name",
        "taken",
        OP_ERR_ARGUMENT,
        {"a dat 'scratch' exists", "must be unique"},
        CALL(op_decl_dat_temp_char(w.edges, 1, "pair", 16, "scratch"))},
       {"op_free_dat_temp",
        "dat",
        "not temporary",
        OP_ERR_ARGUMENT,
        {"dat 'x' is not temporary", "op_decl_dat_temp"},
        CALL(op_free_dat_temp(w.x))},
       {"op_decl_const_named",
        "data",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the value of constant 'new' is NULL"},
        CALL(op_decl_const_named("&new", 1, "double", nullptr))},
       {"op_decl_const_char",
        "data",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the value of constant 'new' is NULL"},
        CALL(op_decl_const_char(1, "pair", 16, nullptr, "new"))},
       {"op_decl_reduction",
        "combine",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the function of reduction 'new' is NULL"},
        CALL(op_decl_reduction("new", "double", 8, nullptr, values))},
       {"op_decl_reduction",
        "identity",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the identity of reduction 'new' is NULL"},
        CALL(op_decl_reduction("new", "double", 8, combine, nullptr))},
       {"op_kernel_source",
        "name",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the kernel's name is NULL"},
        CALL(op_kernel_source(nullptr, nullptr, "void k() {}"))},
       {"op_kernel_source",
        "name",
        "empty",
        OP_ERR_ARGUMENT,
        {"the kernel's name is empty"},
        CALL(op_kernel_source(nullptr, "", "void k() {}"))},
       {"op_kernel_source",
        "text",
        "NULL",
        OP_ERR_ARGUMENT,
        {"the text of kernel 'k' is NULL"},
        CALL(op_kernel_source(nullptr, "k", nullptr))},
       {"op_kernel_source", "kernel", "NULL", OP_OK, {}, CALL(op_kernel_source(nullptr, "nobody", "void nobody() {}"))},
       {"op_partition", "library", "NULL", OP_OK, {}, CALL(op_partition(nullptr, "", w.nodes, w.edge_nodes, w.x))},
       {"op_partition", "routine", "NULL", OP_OK, {}, CALL(op_partition("", nullptr, w.nodes, w.edge_nodes, w.x))}});
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_declarations() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(InSession, MoreThanThereIsMemoryFor) {
  const op_set many = op_decl_set(INT_MAX, "many"); // costs nothing by itself
  const std::string before = state();
  EXPECT_EQ(nullptr, op_decl_dat(many, 200000000, "double", nullptr, "new"));
  expect_error("op_decl_dat", OP_ERR_MEMORY, {"dat 'new', 2147483647 elements x 1600000000 bytes"});
  EXPECT_EQ(nullptr, op_decl_dat_temp_char(many, 1, "huge", INT_MAX, "new"));
  expect_error("op_decl_dat_temp_char", OP_ERR_MEMORY, {"dat 'new', 2147483647 elements x 2147483647 bytes"});
  EXPECT_EQ(nullptr, op_decl_map(many, world().nodes, INT_MAX, pairs, "new"));
  expect_error("op_decl_map", OP_ERR_MEMORY, {"map 'new': 2147483647 elements x 2147483647 entries"});
  EXPECT_EQ(nullptr, op_decl_map_long(many, world().nodes, INT_MAX, long_pairs, "new"));
  expect_error("op_decl_map_long", OP_ERR_MEMORY, {"map 'new'"});
  EXPECT_EQ(before, state());
  EXPECT_NE(nullptr, op_decl_dat(world().nodes, 1, "double", values, "new")); // life goes on
}

TEST_F(InSession, ComposedMapsCanBeTooWide) {
  const op_set one = op_decl_set(1, "one");
  const std::vector<int> zeros(65536);
  const op_map wide = op_decl_map(one, one, 65536, zeros.data(), "wide");
  EXPECT_EQ(nullptr, op_map_compose(wide, wide, "new"));
  expect_error("op_map_compose", OP_ERR_DIM, {"the composed map 'new' would have 4294967296 columns"});
}

TEST_F(Library, MapEntriesFromOne) {
  setenv("OP2_MAPS_BASE_INDEX", "1", 1);
  ASSERT_EQ(OP_OK, op_init(0, nullptr, 0));
  const op_set one = op_decl_set(1, "one"), four = op_decl_set(4, "four");
  for (const long long entry : {0LL, 5LL, -1LL, LLONG_MIN, LLONG_MIN + 1, LLONG_MAX}) {
    EXPECT_EQ(nullptr, op_decl_map_long(one, four, 1, &entry, "new"));
    expect_error(
        "op_decl_map_long", OP_ERR_RANGE,
        {"map 'new', element 0, column 0: entry " + std::to_string(entry) + " is outside set 'four' (1 to 4)"});
  }
  for (const int entry : {0, 5, INT_MIN, INT_MAX}) {
    EXPECT_EQ(nullptr, op_decl_map(one, four, 1, &entry, "new"));
    expect_error("op_decl_map", OP_ERR_RANGE, {"entry " + std::to_string(entry) + " is outside set 'four' (1 to 4)"});
  }
}

TEST_F(InSession, AnyEntryIsOutsideAnEmptySet) {
  const op_set none = op_decl_set(0, "none");
  const int zero = 0;
  const op_set one = op_decl_set(1, "one");
  EXPECT_EQ(nullptr, op_decl_map(one, none, 1, &zero, "new"));
  expect_error("op_decl_map", OP_ERR_RANGE, {"entry 0 is outside set 'none', which is empty"});
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
