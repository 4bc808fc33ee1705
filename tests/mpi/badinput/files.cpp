// Wrong use of files, views and meshes of generators. Folders that are missing keep them from being written.
#include <cmath>

#include "case.hpp"
#include "op2/compat.h"

namespace {

constexpr const char *no_file = "/no/such/folder/f.h5", *no_view = "/no/such/folder/f.vtkhdf";

double values[4];
char words[8];

struct ViewOfWorld : World {
  op_view view = op_decl_view(q, "view");
};

// A mesh of two cells on each process.
struct Generated {
  op_mesh mesh = nullptr;
  Generated() { op_mesh_read(OP2_MESH_FILE, nullptr, &mesh); }
  ~Generated() { op_mesh_free(mesh); }
  Generated(const Generated &) = delete;
  Generated &operator=(const Generated &) = delete;
};

void add_reading(Cases &out) {
  out["file_null"] = [] { op_decl_set_hdf5(wrong() ? nullptr : no_file, "cells"); };
  out["file_other"] = [] { op_decl_set_hdf5(wrong() ? "other" : no_file, "cells"); };
  out["file_absent"] = [] { op_decl_set_hdf5(no_file, "cells"); };
  out["file_set_name"] = [] { op_decl_set_hdf5_infer_size(no_file, "cells", wrong() ? "pcell" : "pedge"); };
  out["file_map_dim"] = [] {
    const World world;
    op_decl_map_hdf5(world.edges, world.cells, wrong() ? -1 : 2, no_file, "pedge");
  };
  out["file_map_handle"] = [] {
    const World world;
    op_decl_map_hdf5(world.edges, wrong() ? no_set() : world.cells, 2, no_file, "pedge");
  };
  out["file_dat_type"] = [] {
    const World world;
    op_decl_dat_hdf5(world.cells, 1, wrong() ? "float" : "double", no_file, "p_q");
  };
  out["file_const_null"] = [] { op_get_const_hdf5("gam", 1, "double", wrong() ? nullptr : values, no_file); };
  out["file_text_key"] = [] { op_get_text_hdf5("gam", wrong() ? "" : "type", words, sizeof words, no_file); };
}

void add_writing(Cases &out) {
  out["file_write_const"] = [] { op_write_const_hdf5("gam", wrong() ? 2 : 1, "double", values, no_file); };
  out["file_fetch_handle"] = [] {
    const World world;
    op_fetch_data_hdf5_file(wrong() ? no_dat() : world.q, no_file);
  };
  out["file_fetch_other"] = [] {
    const World world;
    op_fetch_data_hdf5_file(wrong() ? world.part : world.q, no_file);
  };
  out["file_fetch_path"] = [] {
    const World world;
    op_fetch_data_hdf5_file_path(world.q, no_file, wrong() ? nullptr : "a/q");
  };
  out["file_dump_nowhere"] = [] {
    const World world;
    op_dump_to_hdf5(no_file);
  };
  out["file_text_null"] = [] {
    const World world;
    op_print_dat_to_txtfile(world.q, wrong() ? nullptr : no_file);
  };
}

void add_views(Cases &out) {
  out["view_dim"] = [] {
    const World world;
    op_decl_view(wrong() ? world.part : world.q, "view");
  };
  out["view_type"] = [] {
    const ViewOfWorld world;
    op_view_cells(world.view, world.edge_cells, wrong() ? OP_CELL_TRIANGLE : OP_CELL_LINE);
  };
  out["view_field"] = [] {
    const ViewOfWorld world;
    op_view_field(world.view, wrong() ? no_dat() : world.q, "q");
  };
  out["view_format"] = [] {
    const ViewOfWorld world;
    op_view_cells(world.view, world.edge_cells, OP_CELL_LINE);
    op_write_view(world.view, wrong() ? "/no/such/folder/f.vtk" : no_view);
  };
  out["view_time"] = [] {
    const ViewOfWorld world;
    op_view_cells(world.view, world.edge_cells, OP_CELL_LINE);
    op_write_view_step(world.view, no_view, wrong() ? std::nan("") : 1.0);
  };
}

void add_meshes(Cases &out) {
  out["mesh_declare"] = [] {
    const Generated generated;
    op_mesh_declare(wrong() ? nullptr : generated.mesh);
  };
  out["mesh_dump"] = [] {
    const Generated generated;
    op_mesh_dump(generated.mesh, wrong() ? nullptr : no_file);
  };
}

} // namespace

void add_file_cases(Cases &cases) {
  add_reading(cases);
  add_writing(cases);
  add_views(cases);
  add_meshes(cases);
}

// SPDX-License-Identifier: MIT
