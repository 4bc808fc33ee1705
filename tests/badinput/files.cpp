// files.cpp: bad input for hdf5.h. What stands in files is looked at by tests/io; here no driver is needed.
#include "op2/compat.h"
#include "op2/hdf5.h"
#include "refuse.hpp"

namespace badinput {

namespace {

double values[8];
char text[8];
const char *const no_file = "badinput_must_not_exist";

using OnFile = std::function<Result(const char *file)>;
using OnName = std::function<Result(const char *name)>;

struct Call {
  const char *function;
  bool reads;
  OnFile call;
};

std::vector<Call> with_file() {
  return {
      {"op_decl_set_hdf5", true, [](const char *f) { return op_decl_set_hdf5(f, "new"); }},
      {"op_decl_set_hdf5_infer_size", true, [](const char *f) { return op_decl_set_hdf5_infer_size(f, "new", "x"); }},
      {"op_decl_map_hdf5", true,
       [](const char *f) { return op_decl_map_hdf5(world().edges, world().nodes, 2, f, "new"); }},
      {"op_decl_dat_hdf5", true, [](const char *f) { return op_decl_dat_hdf5(world().nodes, 1, "double", f, "new"); }},
      {"op_get_const_hdf5", true, [](const char *f) { return op_get_const_hdf5("new", 1, "double", values, f); }},
      {"op_get_text_hdf5", true, [](const char *f) { return op_get_text_hdf5("new", "key", text, sizeof text, f); }},
      {"op_write_const_hdf5", false, [](const char *f) { return op_write_const_hdf5("new", 1, "double", values, f); }},
      {"op_fetch_data_hdf5_file", false, [](const char *f) { return op_fetch_data_hdf5_file(world().x, f); }},
      {"op_fetch_data_hdf5_file_path", false,
       [](const char *f) { return op_fetch_data_hdf5_file_path(world().x, f, "g/x"); }},
      {"op_fetch_data_hdf5_file_async", false,
       [](const char *f) { return op_fetch_data_hdf5_file_async(world().x, f); }},
      {"op_fetch_data_hdf5_file_path_async", false,
       [](const char *f) { return op_fetch_data_hdf5_file_path_async(world().x, f, "g/x"); }},
      {"op_dump_to_hdf5", false, [](const char *f) { return op_dump_to_hdf5(f); }},
      {"op_print_dat_to_txtfile", false, [](const char *f) { return op_print_dat_to_txtfile(world().x, f); }},
      {"op_print_dat_to_binfile", false, [](const char *f) { return op_print_dat_to_binfile(world().x, f); }},
  };
}

struct Named {
  const char *function, *parameter, *words;
  OnName call;
};

std::vector<Named> with_name() {
  return {
      {"op_decl_set_hdf5", "name", "the name of the set is ",
       [](const char *n) { return op_decl_set_hdf5(no_file, n); }},
      {"op_decl_set_hdf5_infer_size", "name", "the name of the set is ",
       [](const char *n) { return op_decl_set_hdf5_infer_size(no_file, n, "x"); }},
      {"op_decl_set_hdf5_infer_size", "dataset", "the name of the dataset is ",
       [](const char *n) { return op_decl_set_hdf5_infer_size(no_file, "new", n); }},
      {"op_decl_map_hdf5", "name", "the name of the map is ",
       [](const char *n) { return op_decl_map_hdf5(world().edges, world().nodes, 2, no_file, n); }},
      {"op_decl_dat_hdf5", "name", "the name of the dat is ",
       [](const char *n) { return op_decl_dat_hdf5(world().nodes, 1, "double", no_file, n); }},
      {"op_get_const_hdf5", "name", "the name of the constant is ",
       [](const char *n) { return op_get_const_hdf5(n, 1, "double", values, no_file); }},
      {"op_get_text_hdf5", "name", "the name of the dataset is ",
       [](const char *n) { return op_get_text_hdf5(n, "key", text, sizeof text, no_file); }},
      {"op_get_text_hdf5", "key", "the name of the attribute is ",
       [](const char *n) { return op_get_text_hdf5("new", n, text, sizeof text, no_file); }},
      {"op_write_const_hdf5", "name", "the name of the constant is ",
       [](const char *n) { return op_write_const_hdf5(n, 1, "double", values, no_file); }},
      {"op_fetch_data_hdf5_file_path", "path", " is ",
       [](const char *n) { return op_fetch_data_hdf5_file_path(world().x, no_file, n); }},
      {"op_fetch_data_hdf5_file_path_async", "path", " is ",
       [](const char *n) { return op_fetch_data_hdf5_file_path_async(world().x, no_file, n); }},
  };
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = {
      {"op_get_const_hdf5",
       "data",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the array for constant 'new' is NULL"},
       CALL(op_get_const_hdf5("new", 1, "double", nullptr, no_file))},
      {"op_write_const_hdf5",
       "data",
       "NULL",
       OP_ERR_ARGUMENT,
       {"the value of constant 'new' is NULL"},
       CALL(op_write_const_hdf5("new", 1, "double", nullptr, no_file))},
      {"op_io_wait", "file", "empty", OP_ERR_ARGUMENT, {"the name of the file is empty"}, CALL(op_io_wait(""))},
      {"op_decl_dat_hdf5",
       "type",
       "NULL",
       OP_ERR_TYPE,
       {"the type of 'new' is NULL"},
       CALL(op_decl_dat_hdf5(w.nodes, 1, nullptr, no_file, "new"))},
  };
  for (const Call &c : with_file()) {
    rows.push_back({c.function, "file", "NULL", OP_ERR_ARGUMENT, {"the name of the file is NULL"}, [c] {
                      return c.call(nullptr);
                    }});
    rows.push_back(
        {c.function, "file", "empty", OP_ERR_ARGUMENT, {"the name of the file is empty"}, [c] { return c.call(""); }});
    rows.push_back(
        {c.function, "file", "a folder", OP_ERR_FILE, {"file '/'", "a folder"}, [c] { return c.call("/"); }});
    rows.push_back({c.function, "file", "a device", OP_ERR_FILE, {"'/dev/null'", "no ordinary file"}, [c] {
                      return c.call("/dev/null");
                    }});
    rows.push_back({c.function, "file", "no folder", OP_ERR_FILE, {"/no/such/folder", "such file"}, [c] {
                      return c.call("/no/such/folder/f");
                    }});
    if (c.reads)
      rows.push_back(
          {c.function, "file", "absent", OP_ERR_FILE, {"there is no such file"}, [c] { return c.call(no_file); }});
  }
  for (const Named &n : with_name()) {
    rows.push_back(
        {n.function, n.parameter, "NULL", OP_ERR_ARGUMENT, {n.words, "NULL"}, [n] { return n.call(nullptr); }});
    rows.push_back({n.function, n.parameter, "empty", OP_ERR_ARGUMENT, {n.words, "empty"}, [n] { return n.call(""); }});
  }
  rows.push_back({"op_decl_map_hdf5", "dim", "0", OP_ERR_FILE, {"there is no such file"}, [] {
                    return op_decl_map_hdf5(world().edges, world().nodes, 0, no_file, "new");
                  }});
  rows.push_back({"op_decl_dat_hdf5", "dim", "0", OP_ERR_FILE, {"there is no such file"}, [] {
                    return op_decl_dat_hdf5(world().nodes, 0, "double", no_file, "new");
                  }});
  rows.push_back({"op_get_text_hdf5", "buffer", "NULL", OP_ERR_FILE, {"there is no such file"}, [] {
                    return op_get_text_hdf5("new", "key", nullptr, 8, no_file);
                  }});
  rows.push_back({"op_get_text_hdf5", "capacity", "0", OP_ERR_FILE, {"there is no such file"}, [] {
                    return op_get_text_hdf5("new", "key", text, 0, no_file);
                  }});
  for (const int dim : {0, -1}) {
    const auto add = [&](const char *function, const std::function<Result()> &call) {
      rows.push_back({function, "dim", std::to_string(dim), OP_ERR_DIM, {"'new' is " + std::to_string(dim)}, call});
    };
    if (dim < 0) { // 0 is that of the file
      add("op_decl_map_hdf5", [=] { return op_decl_map_hdf5(world().edges, world().nodes, dim, no_file, "new"); });
      add("op_decl_dat_hdf5", [=] { return op_decl_dat_hdf5(world().nodes, dim, "double", no_file, "new"); });
    }
    add("op_get_const_hdf5", [=] { return op_get_const_hdf5("new", dim, "double", values, no_file); });
    add("op_write_const_hdf5", [=] { return op_write_const_hdf5("new", dim, "double", values, no_file); });
  }
  for (const char *type : {static_cast<const char *>(nullptr), "dubble"}) {
    const char *const words = type ? "'new': unknown type 'dubble'" : "the type of 'new' is NULL";
    const auto add = [&](const char *function, const std::function<Result()> &call) {
      rows.push_back({function, "type", type ? type : "NULL", OP_ERR_TYPE, {words}, call});
    };
    add("op_get_const_hdf5", [=] { return op_get_const_hdf5("new", 1, type, values, no_file); });
    add("op_write_const_hdf5", [=] { return op_write_const_hdf5("new", 1, type, values, no_file); });
  }
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_files() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
