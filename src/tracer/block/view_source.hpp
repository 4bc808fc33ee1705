// The cells of a view as a source for tracing.
#pragma once

#include "io/view/view.hpp"
#include "mesh/mesh.hpp"
#include "tracer/block/source.hpp"

namespace op2::core::tracer {

// What is traced through of a view, and the checks of op_decl_tracer(); they throw.
struct Traced {
  struct Cells {
    Map *map;
    CellType type;
    Map *way; // to the rows of the velocity; NULL: cells are numbered from `first` on
    std::int64_t first;
  };
  Dat *coordinates = nullptr, *velocity = nullptr;
  Dat *later = nullptr; // NULL: the velocity does not change
  double duration = 0;
  Field::On on = Field::On::nodes;
  std::vector<Cells> cells;
};
Traced traced_of(Mesh &mesh, const op_view_core &view, op_dat velocity);

// with_owners: each process has the cells that it owns in the library's division, else its natural part. The source
// refers to the mesh. Collective.
Source source_of(Mesh &mesh, const Traced &traced, bool with_owners);

// Rows of coordinates as points.
std::vector<Vector> points_of(const Dat &coordinates, const char *rows, std::size_t count);

// The numbers of the cells of one set, of the rows that the process owns or of its natural part. Collective.
std::vector<std::int64_t> cell_numbers(Mesh &mesh, const Traced::Cells &cells, bool owned);

} // namespace op2::core::tracer
