// meshes.cpp: bad input for meshfile.h. What stands in files is looked at by tests/meshfile.
#include <cmath>

#include "refuse.hpp"

namespace badinput {

namespace {

op_mesh read_mesh;
char text[8];
int number;
const int twice[2] = {1, 1}, both[2] = {0, 1};

using OnMesh = std::function<Result(op_mesh mesh)>;
struct Call {
  const char *function;
  OnMesh call;
};

std::vector<Call> with_mesh() {
  return {
      {"op_mesh_scale", [](op_mesh m) { return op_mesh_scale(m, 2); }},
      {"op_mesh_size", [](op_mesh m) { return op_mesh_size(m, "cells"); }},
      {"op_mesh_ints", [](op_mesh m) { return op_mesh_ints(m, "pcell", nullptr, nullptr); }},
      {"op_mesh_reals", [](op_mesh m) { return op_mesh_reals(m, "p_x", nullptr, nullptr); }},
      {"op_mesh_patch", [](op_mesh m) { return op_mesh_patch(m, 0, nullptr); }},
      {"op_mesh_info", [](op_mesh m) { return op_mesh_info(m, nullptr, 0); }},
      {"op_mesh_check", [](op_mesh m) { return op_mesh_check(m, nullptr, 0); }},
      {"op_mesh_reorder", [](op_mesh m) { return op_mesh_reorder(m, "cells", both); }},
      {"op_mesh_divide", [](op_mesh m) { return op_mesh_divide(m, 2); }},
      {"op_mesh_dump", [](op_mesh m) { return op_mesh_dump(m, "badinput_must_not_exist"); }},
      {"op_mesh_declare", [](op_mesh m) { return op_mesh_declare(m); }},
      {"op_mesh_set", [](op_mesh m) { return op_mesh_set(m, "cells"); }},
      {"op_mesh_map", [](op_mesh m) { return op_mesh_map(m, "pcell"); }},
      {"op_mesh_dat", [](op_mesh m) { return op_mesh_dat(m, "p_x"); }},
      {"op_mesh_patch_set", [](op_mesh m) { return op_mesh_patch_set(m, "wall"); }},
      {"op_mesh_patch_map", [](op_mesh m) { return op_mesh_patch_map(m, "wall", "cells"); }},
  };
}

// What any of them says: allowed, or refused with these words.
Wrong allowed(const char *function, const char *parameter, const char *value, std::function<Result()> call) {
  return {function, parameter, value, OP_OK, {}, std::move(call)};
}
Wrong refused(const char *function, const char *parameter, const char *value, const char *words,
              std::function<Result()> call, op_status status = OP_ERR_ARGUMENT) {
  return {function, parameter, value, status, {words}, std::move(call)};
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = {
      refused("op_mesh_read", "path", "NULL", "argument 'path' is NULL",
              CALL(op_mesh_read(nullptr, nullptr, &read_mesh))),
      refused("op_mesh_read", "path", "absent", "/no/such/file: No such file or directory",
              CALL(op_mesh_read("/no/such/file", nullptr, &read_mesh)), OP_ERR_FILE),
      refused("op_mesh_read", "path", "a folder", "there is no file points here",
              CALL(op_mesh_read("/", nullptr, &read_mesh)), OP_ERR_FILE),
      refused("op_mesh_read", "format", "unknown", "there is no mesh format 'gmesh'; the formats are gmsh,",
              CALL(op_mesh_read(OP2_MESH_FILE, "gmesh", &read_mesh))),
      refused("op_mesh_read", "format", "another", "line 1: expected '$MeshFormat', found '6'",
              CALL(op_mesh_read(OP2_MESH_FILE, "gmsh", &read_mesh)), OP_ERR_FILE),
      refused("op_mesh_read", "mesh", "NULL", "argument 'mesh' is NULL",
              CALL(op_mesh_read(OP2_MESH_FILE, nullptr, nullptr))),
      refused("op_mesh_free", "mesh", "none", "the handle is no mesh",
              CALL(op_mesh_free(reinterpret_cast<op_mesh>(&number))), OP_ERR_HANDLE),
      refused("op_mesh_size", "set", "NULL", "argument 'set' is NULL", CALL(op_mesh_size(a_mesh(), nullptr))),
      refused("op_mesh_size", "set", "unknown", "the mesh has no set 'faces'; it has nodes, edges,",
              CALL(op_mesh_size(a_mesh(), "faces"))),
      refused("op_mesh_ints", "name", "NULL", "argument 'name' is NULL",
              CALL(op_mesh_ints(a_mesh(), nullptr, nullptr, nullptr))),
      refused("op_mesh_ints", "name", "unknown", "the mesh has no array 'x'; it has pedge,",
              CALL(op_mesh_ints(a_mesh(), "x", nullptr, nullptr))),
      refused("op_mesh_ints", "name", "of reals", "holds real numbers; use op_mesh_reals()",
              CALL(op_mesh_ints(a_mesh(), "p_x", nullptr, nullptr))),
      refused("op_mesh_reals", "name", "NULL", "argument 'name' is NULL",
              CALL(op_mesh_reals(a_mesh(), nullptr, nullptr, nullptr))),
      refused("op_mesh_reals", "name", "of ints", "holds whole numbers; use op_mesh_ints()",
              CALL(op_mesh_reals(a_mesh(), "pcell", nullptr, nullptr))),
      allowed("op_mesh_ints", "rows", "NULL", CALL(op_mesh_ints(a_mesh(), "pcell", nullptr, &number))),
      allowed("op_mesh_ints", "dim", "NULL", CALL(op_mesh_ints(a_mesh(), "pcell", &number, nullptr))),
      allowed("op_mesh_reals", "rows", "NULL", CALL(op_mesh_reals(a_mesh(), "p_x", nullptr, &number))),
      allowed("op_mesh_reals", "dim", "NULL", CALL(op_mesh_reals(a_mesh(), "p_x", &number, nullptr))),
      refused("op_mesh_patch", "index", "-1", "index -1 is none of the 2 patches",
              CALL(op_mesh_patch(a_mesh(), -1, &number)), OP_ERR_RANGE),
      refused("op_mesh_patch", "index", "behind the last", "index 2 is none of the 2 patches",
              CALL(op_mesh_patch(a_mesh(), 2, &number)), OP_ERR_RANGE),
      allowed("op_mesh_patch", "id", "NULL", CALL(op_mesh_patch(a_mesh(), 0, nullptr))),
      allowed("op_mesh_info", "buffer", "NULL", CALL(op_mesh_info(a_mesh(), nullptr, 100))),
      allowed("op_mesh_info", "capacity", "0", CALL(op_mesh_info(a_mesh(), text, 0))),
      allowed("op_mesh_check", "buffer", "NULL", CALL(op_mesh_check(a_mesh(), nullptr, 100))),
      allowed("op_mesh_check", "capacity", "0", CALL(op_mesh_check(a_mesh(), text, 0))),
      refused("op_mesh_reorder", "set", "NULL", "argument 'set' is NULL",
              CALL(op_mesh_reorder(a_mesh(), nullptr, both))),
      refused("op_mesh_reorder", "set", "unknown", "the mesh has no set 'bfaces'",
              CALL(op_mesh_reorder(a_mesh(), "bfaces", both))),
      refused("op_mesh_reorder", "order", "NULL", "argument 'order' is NULL",
              CALL(op_mesh_reorder(a_mesh(), "cells", nullptr))),
      refused("op_mesh_reorder", "order", "a number twice", "entry 1 of the order of set 'cells' is 1",
              CALL(op_mesh_reorder(a_mesh(), "cells", twice)), OP_ERR_RANGE),
      refused("op_mesh_divide", "parts", "0", "2 cells cannot be in 0 parts", CALL(op_mesh_divide(a_mesh(), 0))),
      refused("op_mesh_divide", "parts", "3", "2 cells cannot be in 3 parts", CALL(op_mesh_divide(a_mesh(), 3))),
      refused("op_mesh_dump", "file", "NULL", "argument 'file' is NULL", CALL(op_mesh_dump(a_mesh(), nullptr))),
      refused("op_mesh_dump", "file", "a folder", "a folder", CALL(op_mesh_dump(a_mesh(), "/")), OP_ERR_FILE),
      refused("op_mesh_set", "name", "NULL", "argument 'name' is NULL", CALL(op_mesh_set(a_mesh(), nullptr))),
      refused("op_mesh_map", "name", "NULL", "argument 'name' is NULL", CALL(op_mesh_map(a_mesh(), nullptr))),
      refused("op_mesh_dat", "name", "NULL", "argument 'name' is NULL", CALL(op_mesh_dat(a_mesh(), nullptr))),
      refused("op_mesh_dat", "name", "not declared", "call op_mesh_declare() first", CALL(op_mesh_dat(a_mesh(), "p_x")),
              OP_ERR_STATE),
      refused("op_mesh_patch_set", "patch", "NULL", "argument 'patch' is NULL",
              CALL(op_mesh_patch_set(a_mesh(), nullptr))),
      refused("op_mesh_patch_set", "patch", "not declared", "call op_mesh_declare() first",
              CALL(op_mesh_patch_set(a_mesh(), "wall")), OP_ERR_STATE),
      refused("op_mesh_patch_map", "patch", "NULL", "argument 'patch' is NULL",
              CALL(op_mesh_patch_map(a_mesh(), nullptr, "cells"))),
      refused("op_mesh_patch_map", "to", "NULL", "argument 'to' is NULL",
              CALL(op_mesh_patch_map(a_mesh(), "wall", nullptr))),
  };
  for (const double factor : {0.0, -1.0, static_cast<double>(NAN), static_cast<double>(INFINITY)})
    rows.push_back({"op_mesh_scale", "factor", std::to_string(factor), OP_ERR_ARGUMENT, {"must be above zero"}, [=] {
                      return op_mesh_scale(a_mesh(), factor);
                    }});
  for (const Call &c : with_mesh()) {
    rows.push_back(refused(
        c.function, "mesh", "NULL", "the mesh is NULL", [c] { return c.call(nullptr); }, OP_ERR_HANDLE));
    rows.push_back(refused(
        c.function, "mesh", "none", "the handle is no mesh", [c] { return c.call(reinterpret_cast<op_mesh>(&number)); },
        OP_ERR_HANDLE));
  }
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_meshes() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
