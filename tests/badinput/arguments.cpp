// arguments.cpp: bad input for the op_arg_ functions of loop.h. They only record it; the loop refuses it.
#include <climits>

#include "loop_with.hpp"
#include "op2/fortran_support.h"
#include "op2/global.h"
#include "op2/reduction.h"
#include "op2/user_types.h"
#include "refuse.hpp"

namespace badinput {

namespace {

const std::string known_types = "double float int uint ll ull bool";
double variable[4];
char *bytes() { return reinterpret_cast<char *>(variable); }

// The rows of one way of making an argument: `make` makes it with one value wrong.
struct Maker {
  const char *function;
  std::vector<Wrong> &rows;
  op_status (*run)(const op_arg &) = loop_with;

  template <class Make>
  void add(const char *parameter, const std::string &value, op_status status, std::vector<std::string> words,
           Make make) const {
    const auto loop = run;
    words.push_back("loop 'flux', argument 1 (from 0): ");
    rows.push_back({function, parameter, value, status, words, [=] { return Result(loop(make())); }, "op_par_loop"});
  }
};

// One that reaches data of a dat: make(dim, type, idx, map, access).
template <class Make>
void add_dat_rows(const Maker &maker, Make make) {
  for (const int dim : {0, 1, 3, -2, INT_MAX, INT_MIN})
    maker.add("dim", std::to_string(dim), OP_ERR_DIM, {"dat 'x' has dim 2, the argument says " + std::to_string(dim)},
              [=] { return make(dim, "double", 0, world().edge_nodes, OP_READ); });
  for (const char *type : {"float", "int", "", "Double", "pair"})
    maker.add("type", type, OP_ERR_TYPE, {std::string("dat 'x' has type double, the argument says ") + type},
              [=] { return make(2, type, 0, world().edge_nodes, OP_READ); });
  maker.add("type", "NULL", OP_ERR_TYPE, {"the type is NULL", known_types},
            [=] { return make(2, nullptr, 0, world().edge_nodes, OP_READ); });
  for (const int idx : {2, -3, 100, INT_MAX, INT_MIN})
    maker.add("idx", std::to_string(idx), OP_ERR_RANGE,
              {"idx " + std::to_string(idx) + " does not fit map 'edge_nodes' of dim 2; columns are 0 to 1"},
              [=] { return make(2, "double", idx, world().edge_nodes, OP_READ); });
  maker.add("idx", "-1 with a map", OP_ERR_RANGE, {"idx -1 means direct access and goes with OP_ID"},
            [=] { return make(2, "double", -1, world().edge_nodes, OP_READ); });
  for (const int idx : {0, 1, -2})
    maker.add("idx", std::to_string(idx) + " without a map", OP_ERR_HANDLE,
              {"idx " + std::to_string(idx) + " needs a map"}, [=] { return make(2, "double", idx, OP_ID, OP_READ); });
  maker.add("dat", "on another set", OP_ERR_SET,
            {"dat 'x' is on set 'nodes', but the loop runs over set 'edges'; reach it through a map"},
            [=] { return make(2, "double", -1, OP_ID, OP_READ); });
  struct Mode {
    op_access access;
    const char *name;
  };
  for (const Mode &mode :
       {Mode{OP_MIN, "OP_MIN"}, Mode{OP_MAX, "OP_MAX"}, Mode{OP_WORK, "OP_WORK"}, Mode{OP_REDUCE, "OP_REDUCE"},
        Mode{-1, "an unknown access mode"}, Mode{INT_MAX, "an unknown access mode"}})
    maker.add("acc", std::to_string(mode.access), OP_ERR_ACCESS,
              {std::string("dat 'x' cannot be accessed with ") + mode.name, "use OP_READ, OP_WRITE, OP_RW or OP_INC"},
              [=] { return make(2, "double", 0, world().edge_nodes, mode.access); });
}

// One that reaches a variable of the program: make(data, dim, type).
template <class Make>
void add_variable_rows(const Maker &maker, const std::string &what, Make make) {
  maker.add("data", "NULL", OP_ERR_ARGUMENT, {"the " + what + " variable is NULL"},
            [=] { return make(nullptr, 1, "double"); });
  for (const int dim : {0, -1, INT_MIN})
    maker.add("dim", std::to_string(dim), OP_ERR_DIM, {std::to_string(dim)},
              [=] { return make(variable, dim, "double"); });
  maker.add("dim", "2 GiB", OP_ERR_DIM, {"2147483647 values of type 'double' are more than 2 GiB"},
            [=] { return make(variable, INT_MAX, "double"); });
  maker.add("type", "NULL", OP_ERR_TYPE, {"the type is NULL", known_types}, [=] { return make(variable, 1, nullptr); });
}

template <class Make> // make(type): without a size
void add_unknown_type_rows(const Maker &maker, Make make) {
  for (const char *type : {"dubble", "", "DOUBLE"})
    maker.add("type", type, OP_ERR_TYPE, {std::string("unknown type '") + type + "'"}, [=] { return make(type); });
}

template <class Make> // make(type, type_size)
void add_size_rows(const Maker &maker, Make make) {
  for (const int size : {-1, -8, INT_MIN})
    for (const char *type : {"double", "pair"})
      maker.add("type_size", std::to_string(size) + " of " + type, OP_ERR_ARGUMENT,
                {std::string("the type size of the variable of type '") + type + "' is negative"},
                [=] { return make(type, size); });
  for (const int size : {1, 4, 16})
    maker.add("type_size", std::to_string(size) + " of double", OP_ERR_TYPE,
              {"the variable has " + std::to_string(size) + " bytes, but 1 values of type 'double' have 8"},
              [=] { return make("double", size); });
  maker.add("type_size", "0 of pair", OP_ERR_TYPE, {"unknown type 'pair'"}, [=] { return make("pair", 0); });
}

template <class Make> // make(access)
void add_global_access_rows(const Maker &maker, Make make) {
  struct Mode {
    op_access access;
    const char *name;
  };
  for (const Mode &mode :
       {Mode{-1, "an unknown access mode"}, Mode{8, "an unknown access mode"}, Mode{99, "an unknown access mode"}})
    maker.add(
        "acc", std::to_string(mode.access), OP_ERR_ACCESS,
        {std::string("a global variable cannot be accessed with ") + mode.name, "OP_READ, OP_INC, OP_MIN, OP_MAX"},
        [=] { return make(mode.access); });
  maker.add("acc", "OP_REDUCE", OP_ERR_HANDLE, {"the reduction is NULL"}, [=] { return make(OP_REDUCE); });
}

template <class Make> // make(idx, map)
void add_index_rows(const Maker &maker, Make make) {
  for (const int idx : {2, -1, -2, INT_MAX, INT_MIN})
    maker.add("idx", std::to_string(idx), OP_ERR_RANGE,
              {"idx " + std::to_string(idx) + " does not fit map 'edge_nodes' of dim 2; columns are 0 to 1"},
              [=] { return make(idx, world().edge_nodes); });
  for (const int idx : {0, 1, -2})
    maker.add("idx", std::to_string(idx) + " without a map", OP_ERR_HANDLE,
              {"idx " + std::to_string(idx) + " needs a map", "idx -1"}, [=] { return make(idx, OP_ID); });
}

template <class Make> // make(ref)
void add_payload_rows(const Maker &maker, Make make) {
  for (const int ref : {-1, 2, 64, INT_MAX, INT_MIN})
    maker.add("ref", std::to_string(ref), OP_ERR_RANGE,
              {"the payload goes with argument " + std::to_string(ref) + ", but the loop has arguments 0 to 1"},
              [=] { return make(ref); });
  maker.add("ref", "of itself", OP_ERR_ACCESS, {"argument 1, which is not a global OP_MIN or OP_MAX"},
            [=] { return make(1); });
  const Maker sum{maker.function, maker.rows};
  sum.add("ref", "of a dat", OP_ERR_ACCESS, {"argument 0, which is not a global OP_MIN or OP_MAX"},
          [=] { return make(0); });
}

void add_null_address(std::vector<Wrong> &rows, const char *function, std::function<Result()> call) {
  rows.push_back({function, "arg", "NULL", OP_ERR_ARGUMENT, {"the address for the argument is NULL"}, std::move(call)});
}

void add_dats(std::vector<Wrong> &rows) {
  add_dat_rows({"op_arg_dat", rows}, [](int dim, const char *type, int idx, op_map map, op_access access) {
    return op_arg_dat(world().x, idx, map, dim, type, access);
  });
  for (const int opt : {1, -1}) { // anything but 0 is on
    add_dat_rows({"op_opt_arg_dat", rows}, [=](int dim, const char *type, int idx, op_map map, op_access access) {
      return op_opt_arg_dat(opt, world().x, idx, map, dim, type, access);
    });
    add_dat_rows({"op_arg_dat_to", rows}, [=](int dim, const char *type, int idx, op_map map, op_access access) {
      return filled([&](op_arg *a) { op_arg_dat_to(a, opt, world().x, idx, map, dim, type, access); });
    });
  }
  rows.push_back({"op_opt_arg_dat",
                  "opt",
                  "0 with everything wrong",
                  OP_OK,
                  {},
                  CALL(loop_with(op_opt_arg_dat(0, nullptr, 99, OP_ID, -1, nullptr, 77)))});
  rows.push_back({"op_arg_dat_to", "opt", "0 with everything wrong", OP_OK, {}, CALL(loop_with(filled([](op_arg *a) {
                    op_arg_dat_to(a, 0, nullptr, 99, OP_ID, -1, nullptr, 77);
                  })))});
  add_null_address(rows, "op_arg_dat_to", VOID_CALL(op_arg_dat_to(nullptr, 1, w.x, -1, OP_ID, 2, "double", OP_READ)));
}

void add_globals(std::vector<Wrong> &rows) {
  const Maker plain{"op_arg_gbl", rows}, sized{"op_arg_gbl_char", rows}, twin{"op_arg_gbl_to", rows};
  const auto twin_of = [](void *data, int dim, const char *type, int size, op_access access) {
    return filled([&](op_arg *a) { op_arg_gbl_to(a, data, dim, type, size, access); });
  };
  add_variable_rows(plain, "global",
                    [](void *data, int dim, const char *type) { return op_arg_gbl(data, dim, type, OP_READ); });
  add_variable_rows(sized, "global", [](void *data, int dim, const char *type) {
    return op_arg_gbl_char(static_cast<char *>(data), dim, type, 8, OP_READ);
  });
  add_variable_rows(twin, "global",
                    [=](void *data, int dim, const char *type) { return twin_of(data, dim, type, 8, OP_READ); });
  add_unknown_type_rows(plain, [](const char *type) { return op_arg_gbl(variable, 1, type, OP_READ); });
  add_size_rows(sized, [](const char *type, int size) { return op_arg_gbl_char(bytes(), 1, type, size, OP_READ); });
  add_size_rows(twin, [=](const char *type, int size) { return twin_of(variable, 1, type, size, OP_READ); });
  add_global_access_rows(plain, [](op_access access) { return op_arg_gbl(variable, 1, "double", access); });
  add_global_access_rows(sized, [](op_access access) { return op_arg_gbl_char(bytes(), 1, "double", 8, access); });
  add_global_access_rows(twin, [=](op_access access) { return twin_of(variable, 1, "double", 8, access); });
  sized.add("acc", "OP_INC of a user type", OP_ERR_TYPE, {"type 'pair' is not built in", "op_decl_reduction"},
            [] { return op_arg_gbl_char(bytes(), 1, "pair", 16, OP_INC); });
  add_null_address(rows, "op_arg_gbl_to", VOID_CALL(op_arg_gbl_to(nullptr, variable, 1, "double", 0, OP_READ)));
}

void add_reductions(std::vector<Wrong> &rows) {
  const Maker plain{"op_arg_gbl_reduce", rows}, twin{"op_arg_gbl_reduce_to", rows};
  const auto twin_of = [](void *data, int dim, const char *type) {
    return filled([&](op_arg *a) { op_arg_gbl_reduce_to(a, data, dim, type, world().sum); });
  };
  const auto plain_of = [](void *data, int dim, const char *type) {
    return op_arg_gbl_reduce(data, dim, type, world().sum);
  };
  add_variable_rows(plain, "global", plain_of);
  add_variable_rows(twin, "global", twin_of);
  for (const char *type : {"float", "pair", ""}) {
    const std::vector<std::string> words{"reduction 'sum' is for type double, the argument says " + std::string(type)};
    plain.add("type", type, OP_ERR_TYPE, words, [=] { return plain_of(variable, 1, type); });
    twin.add("type", type, OP_ERR_TYPE, words, [=] { return twin_of(variable, 1, type); });
  }
  add_null_address(rows, "op_arg_gbl_reduce_to",
                   VOID_CALL(op_arg_gbl_reduce_to(nullptr, variable, 1, "double", w.sum)));
}

template <class Make> // make(dim, type)
void add_declared_rows(const Maker &maker, Make make) {
  for (const int dim : {0, 1, 3, -2, INT_MAX, INT_MIN})
    maker.add("dim", std::to_string(dim), OP_ERR_DIM,
              {"global 'total' has dim 2, the argument says " + std::to_string(dim)},
              [=] { return make(dim, "double"); });
  for (const char *type : {"float", "pair", ""})
    maker.add("type", type, OP_ERR_TYPE, {std::string("global 'total' has type double, the argument says ") + type},
              [=] { return make(2, type); });
  maker.add("type", "NULL", OP_ERR_TYPE, {"the type is NULL", known_types}, [=] { return make(2, nullptr); });
}

void add_global_handles(std::vector<Wrong> &rows) {
  const Maker plain{"op_arg_global", rows}, twin{"op_arg_global_to", rows}, reduce{"op_arg_global_reduce", rows},
      reduce_twin{"op_arg_global_reduce_to", rows}, info{"op_arg_global_payload", rows, loop_with_payload},
      info_twin{"op_arg_global_payload_to", rows, loop_with_payload};
  const auto twin_of = [](int dim, const char *type, op_access access) {
    return filled([&](op_arg *a) { op_arg_global_to(a, world().total, dim, type, access); });
  };
  const auto info_twin_of = [](int dim, const char *type, int ref) {
    return filled([&](op_arg *a) { op_arg_global_payload_to(a, world().total, dim, type, ref); });
  };
  add_declared_rows(plain, [](int dim, const char *type) { return op_arg_global(world().total, dim, type, OP_INC); });
  add_declared_rows(twin, [=](int dim, const char *type) { return twin_of(dim, type, OP_INC); });
  add_declared_rows(
      reduce, [](int dim, const char *type) { return op_arg_global_reduce(world().total, dim, type, world().sum); });
  add_declared_rows(reduce_twin, [](int dim, const char *type) {
    return filled([&](op_arg *a) { op_arg_global_reduce_to(a, world().total, dim, type, world().sum); });
  });
  add_declared_rows(info, [](int dim, const char *type) { return op_arg_global_payload(world().total, dim, type, 0); });
  add_declared_rows(info_twin, [=](int dim, const char *type) { return info_twin_of(dim, type, 0); });
  add_global_access_rows(plain, [](op_access access) { return op_arg_global(world().total, 2, "double", access); });
  add_global_access_rows(twin, [=](op_access access) { return twin_of(2, "double", access); });
  add_payload_rows(info, [](int ref) { return op_arg_global_payload(world().total, 2, "double", ref); });
  add_payload_rows(info_twin, [=](int ref) { return info_twin_of(2, "double", ref); });
  add_null_address(rows, "op_arg_global_to", VOID_CALL(op_arg_global_to(nullptr, w.total, 2, "double", OP_READ)));
  add_null_address(rows, "op_arg_global_reduce_to",
                   VOID_CALL(op_arg_global_reduce_to(nullptr, w.total, 2, "double", w.sum)));
  add_null_address(rows, "op_arg_global_payload_to",
                   VOID_CALL(op_arg_global_payload_to(nullptr, w.total, 2, "double", 0)));
}

void add_indices(std::vector<Wrong> &rows) {
  add_index_rows({"op_arg_idx", rows}, [](int idx, op_map map) { return op_arg_idx(idx, map); });
  add_index_rows({"op_arg_idx_to", rows},
                 [](int idx, op_map map) { return filled([&](op_arg *a) { op_arg_idx_to(a, idx, map); }); });
  add_null_address(rows, "op_arg_idx_to", VOID_CALL(op_arg_idx_to(nullptr, -1, OP_ID)));
  const Maker from{"op_arg_idx_based_to", rows};
  const auto from_of = [](int idx, op_map map, int first) {
    return filled([&](op_arg *a) { op_arg_idx_based_to(a, idx, map, first); });
  };
  add_index_rows(from, [=](int idx, op_map map) { return from_of(idx, map, 1); });
  for (const int first : {-1, 2, INT_MAX, INT_MIN})
    from.add("first", std::to_string(first), OP_ERR_ARGUMENT,
             {"numbers of elements begin at 0 or 1, not at " + std::to_string(first)},
             [=] { return from_of(-1, OP_ID, first); });
  add_null_address(rows, "op_arg_idx_based_to", VOID_CALL(op_arg_idx_based_to(nullptr, -1, OP_ID, 1)));
}

void add_payloads(std::vector<Wrong> &rows) {
  const Maker plain{"op_arg_payload", rows, loop_with_payload}, sized{"op_arg_payload_char", rows, loop_with_payload},
      twin{"op_arg_payload_to", rows, loop_with_payload};
  const auto twin_of = [](void *data, int dim, const char *type, int size, int ref) {
    return filled([&](op_arg *a) { op_arg_payload_to(a, data, dim, type, size, ref); });
  };
  add_variable_rows(plain, "payload",
                    [](void *data, int dim, const char *type) { return op_arg_payload(data, dim, type, 0); });
  add_variable_rows(sized, "payload", [](void *data, int dim, const char *type) {
    return op_arg_payload_char(static_cast<char *>(data), dim, type, 8, 0);
  });
  add_variable_rows(twin, "payload",
                    [=](void *data, int dim, const char *type) { return twin_of(data, dim, type, 8, 0); });
  add_unknown_type_rows(plain, [](const char *type) { return op_arg_payload(variable, 1, type, 0); });
  add_size_rows(sized, [](const char *type, int size) { return op_arg_payload_char(bytes(), 1, type, size, 0); });
  add_size_rows(twin, [=](const char *type, int size) { return twin_of(variable, 1, type, size, 0); });
  add_payload_rows(plain, [](int ref) { return op_arg_payload(variable, 1, "double", ref); });
  add_payload_rows(sized, [](int ref) { return op_arg_payload_char(bytes(), 1, "double", 8, ref); });
  add_payload_rows(twin, [=](int ref) { return twin_of(variable, 1, "double", 8, ref); });
  add_null_address(rows, "op_arg_stop_to", VOID_CALL(op_arg_stop_to(nullptr, nullptr, 0)));
  add_null_address(rows, "op_arg_payload_to", VOID_CALL(op_arg_payload_to(nullptr, variable, 1, "double", 0, 0)));
}

} // namespace

const std::vector<Wrong> &wrong_arguments() {
  static const std::vector<Wrong> all = [] {
    std::vector<Wrong> rows;
    add_dats(rows);
    add_globals(rows);
    add_reductions(rows);
    add_global_handles(rows);
    add_indices(rows);
    add_payloads(rows);
    return rows;
  }();
  return all;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
