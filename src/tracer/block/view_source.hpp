// The cells of a view as a source for tracing.
#pragma once

#include <optional>
#include <vector>

#include "host/communicator.hpp"
#include "tracer/block/source.hpp"
#include "tracer/facts.hpp"

namespace op2::core::tracer {

// What is traced through of a view, and the checks of op_decl_tracer(); they throw.
struct Traced {
  struct Cells {
    MapFacts map;
    CellType type;
    std::optional<MapFacts> way; // to the rows of the velocity; none: cells are numbered from `first` on
    std::int64_t first;
  };
  DatFacts coordinates{}, velocity{};
  std::optional<DatFacts> later; // none: the velocity does not change
  double duration = 0;
  Field::On on = Field::On::nodes;
  std::vector<Cells> cells;
};
Traced traced_of(op_view view, op_dat velocity);

// with_owners: each process has the cells that it owns in the library's division, else its declared part. Collective.
Source source_of(Communicator &communicator, const Traced &traced, bool with_owners);

// Rows of coordinates as points.
std::vector<Vector> points_of(const DatFacts &coordinates, const char *rows, std::size_t count);

// The numbers of the cells of one set, of the rows that the process owns or of its declared part. Collective.
std::vector<std::int64_t> cell_numbers(const Traced::Cells &cells, bool owned);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
