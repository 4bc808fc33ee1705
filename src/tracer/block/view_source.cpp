#include "tracer/block/view_source.hpp"

#include <cstring>
#include <optional>

#include "base/error.hpp"

namespace op2::core::tracer {

namespace {

// What cells of a view are to a tracer; none: they are left out.
std::optional<CellType> type_of(const ViewFacts &view, const op_library_cells &cells, int dim) {
  switch (cells.type) {
    case OP_CELL_TRIANGLE:
      return dim == 2 ? std::optional(CellType::triangle) : std::nullopt;
    case OP_CELL_QUADRILATERAL:
      return dim == 2 ? std::optional(CellType::quadrangle) : std::nullopt;
    case OP_CELL_TETRAHEDRON:
      return CellType::tetrahedron;
    case OP_CELL_PYRAMID:
      return CellType::pyramid;
    case OP_CELL_PRISM:
      return CellType::prism;
    case OP_CELL_HEXAHEDRON:
      return CellType::hexahedron;
    case OP_CELL_VERTEX:
    case OP_CELL_LINE:
    case OP_CELL_QUADRATIC_LINE:
      return std::nullopt;
    case OP_CELL_POLYGON:
    case OP_CELL_QUADRATIC_TRIANGLE:
    case OP_CELL_QUADRATIC_QUADRILATERAL:
      if (dim == 3) return std::nullopt;
      break;
    default:
      break;
  }
  fail(OP_ERR_UNSUPPORTED, "view '", view.name, "' has cells of type ", cells.type_name, " (map '",
       facts_of(cells.map).name,
       "'); tracers go through triangles, quadrilaterals, tetrahedra, pyramids, prisms and hexahedra. Make a view of "
       "cells of these types");
}

std::vector<double> as_doubles(const DatFacts &dat, const char *rows, std::size_t values) {
  std::vector<double> out(values);
  if (dat.type == OP_TYPE_DOUBLE) {
    if (values > 0) std::memcpy(out.data(), rows, values * sizeof(double));
    return out;
  }
  for (std::size_t i = 0; i < values; ++i) {
    float value = 0;
    std::memcpy(&value, rows + i * sizeof value, sizeof value);
    out[i] = static_cast<double>(value);
  }
  return out;
}

Rows rows_of(const DatFacts &dat) {
  return [dat](std::span<const std::int64_t> numbers) {
    const std::vector<op_gindex> wanted(numbers.begin(), numbers.end());
    std::vector<char> rows(wanted.size() * static_cast<std::size_t>(dat.row_bytes));
    check(services().rows_of(dat.handle, wanted.size(), wanted.data(), rows.data()));
    return as_doubles(dat, rows.data(), wanted.size() * static_cast<std::size_t>(dat.dim));
  };
}

std::vector<std::int64_t> entries_of(const MapFacts &map, bool owned) {
  const SetFacts from = facts_of(map.from);
  std::vector<op_gindex> entries(static_cast<std::size_t>(owned ? from.own_size : from.declared_size) *
                                 static_cast<std::size_t>(map.dim));
  check((owned ? services().own_entries : services().declared_entries)(map.handle, entries.data()));
  return {entries.begin(), entries.end()};
}

} // namespace

Traced traced_of(op_view handle, op_dat velocity) {
  const ViewFacts view = facts_of(handle);
  Traced out;
  out.coordinates = facts_of(view.coordinates, "the dat of coordinates");
  out.velocity = facts_of(velocity, "argument 'velocity'");
  const DatFacts &v = out.velocity;
  const int dim = out.coordinates.dim;
  if (v.type != OP_TYPE_DOUBLE && v.type != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", v.name, "' has type ", v.type_name, "; velocities are double or float");
  if (v.dim != dim)
    fail(OP_ERR_DIM, "dat '", v.name, "' has dim ", v.dim, ", but the coordinates '", out.coordinates.name,
         "' have dim ", dim, "; a velocity has as many components");
  std::int64_t first = 0;
  for (int i = 0; i < view.cells; ++i) {
    const op_library_cells cells = cells_of(view, i);
    const std::optional<CellType> type = type_of(view, cells, dim);
    if (!type) continue;
    const MapFacts map = facts_of(cells.map, "the map of the cells");
    out.cells.push_back({map, *type, std::nullopt, first});
    first += facts_of(map.from).global_size;
  }
  if (out.cells.empty())
    fail(OP_ERR_STATE, "view '", view.name, "' has no cells that a tracer can go through; add some (op_view_cells)");
  if (v.set == out.coordinates.set) return out;
  out.on = Field::On::cells;
  if (out.cells.size() == 1 && out.cells.front().map.from == v.set) return out;
  for (Traced::Cells &cells : out.cells) {
    op_map way = nullptr;
    check(services().view_way(handle, cells.map.from, v.set, &way));
    if (!way)
      fail(OP_ERR_SET, "dat '", v.name, "' is on set '", facts_of(v.set).name,
           "', which is neither the nodes of the view, nor its only cells, nor a set to which the cells of '",
           cells.map.name, "' have a map of dim 1");
    cells.way = facts_of(way);
  }
  return out;
}

std::vector<Vector> points_of(const DatFacts &coordinates, const char *rows, std::size_t count) {
  const auto dim = static_cast<std::size_t>(coordinates.dim);
  const std::vector<double> values = as_doubles(coordinates, rows, count * dim);
  std::vector<Vector> out(count);
  for (std::size_t i = 0; i < count; ++i) std::copy_n(&values[i * dim], dim, out[i].begin());
  return out;
}

std::vector<std::int64_t> cell_numbers(const Traced::Cells &cells, bool owned) {
  if (cells.way) return entries_of(*cells.way, owned);
  const SetFacts set = facts_of(cells.map.from);
  std::vector<std::int64_t> out;
  if (owned) {
    std::vector<op_gindex> numbers(static_cast<std::size_t>(set.own_size));
    check(services().own_numbers(set.handle, numbers.data()));
    for (const op_gindex number : numbers) out.push_back(cells.first + number);
    return out;
  }
  for (op_gindex n = 0; n < set.declared_size; ++n) out.push_back(cells.first + set.declared_first + n);
  return out;
}

Source source_of(Communicator &communicator, const Traced &traced, bool with_owners) {
  const bool owned = with_owners && communicator.size() > 1;
  Source out;
  out.dim = traced.coordinates.dim;
  out.on = traced.on;
  out.coordinates = rows_of(traced.coordinates);
  out.velocity = rows_of(traced.velocity);
  if (traced.later) out.later = rows_of(*traced.later);
  out.duration = traced.duration;
  for (const Traced::Cells &cells : traced.cells) {
    const std::vector<std::int64_t> numbers = cell_numbers(cells, owned);
    const std::vector<std::int64_t> nodes = entries_of(cells.map, owned);
    const auto each = static_cast<std::size_t>(cells.map.dim);
    out.cells.reserve(out.cells.size() + numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CellRecord record;
      record.number = numbers[i];
      record.type = static_cast<std::int32_t>(cells.type);
      record.owner = communicator.rank();
      std::copy_n(nodes.begin() + static_cast<std::ptrdiff_t>(i * each), each, record.node.begin());
      out.cells.push_back(record);
    }
  }
  return out;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
