#include "tracer/block/view_source.hpp"

#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "distributed/natural/rows.hpp"
#include "distributed/redistribute/migrate.hpp"

namespace op2::core::tracer {

namespace {

// What cells of a view are to a tracer: NULL = they are left out.
std::optional<CellType> type_of(const op_view_core &view, const ViewCells &cells, int dim) {
  switch (cells.shape->type) {
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
  fail(OP_ERR_UNSUPPORTED, "view '", view.name, "' has cells of type ", cells.shape->name, " (map '", cells.map->name,
       "'); tracers go through triangles, quadrilaterals, tetrahedra, pyramids, prisms and hexahedra. Make a view of "
       "cells of these types");
}

std::vector<double> as_doubles(const Dat &dat, const char *rows, std::size_t values) {
  std::vector<double> out(values);
  if (dat.element.id == OP_TYPE_DOUBLE) {
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

Rows rows_of(Mesh &mesh, Dat &dat) {
  return [&mesh, &dat](std::span<const std::int64_t> numbers) {
    const std::vector<idx_g_t> wanted(numbers.begin(), numbers.end());
    const std::vector<char> rows = rows_of_numbers(mesh, dat, wanted);
    return as_doubles(dat, rows.data(), wanted.size() * static_cast<std::size_t>(dat.dim));
  };
}

std::vector<std::int64_t> entries_of(Mesh &mesh, const Map &map, bool owned) {
  const std::vector<idx_g_t> entries = owned ? own_targets(map) : natural_entries(mesh, map);
  return {entries.begin(), entries.end()};
}

} // namespace

Traced traced_of(Mesh &mesh, const op_view_core &view, op_dat velocity) {
  Traced out;
  out.coordinates = &mesh.objects().dat(view.coordinates, "the dat of coordinates");
  out.velocity = &mesh.objects().dat(velocity, "argument 'velocity'");
  const Dat &v = *out.velocity;
  const int dim = out.coordinates->dim;
  if (v.element.id != OP_TYPE_DOUBLE && v.element.id != OP_TYPE_FLOAT)
    fail(OP_ERR_TYPE, "dat '", v.label, "' has type ", v.type_label, "; velocities are double or float");
  if (v.dim != dim)
    fail(OP_ERR_DIM, "dat '", v.label, "' has dim ", v.dim, ", but the coordinates '", out.coordinates->label,
         "' have dim ", dim, "; a velocity has as many components");
  std::int64_t first = 0;
  for (const ViewCells &cells : view.cells) {
    const std::optional<CellType> type = type_of(view, cells, dim);
    if (!type) continue;
    Map &map = mesh.objects().map(cells.map, "the map of the cells");
    out.cells.push_back({&map, *type, nullptr, first});
    first += map.source().global_size;
  }
  if (out.cells.empty())
    fail(OP_ERR_STATE, "view '", view.name, "' has no cells that a tracer can go through; add some (op_view_cells)");
  if (v.set == view.coordinates->set) return out;
  out.on = Field::On::cells;
  if (out.cells.size() == 1 && out.cells.front().map->from == v.set) return out;
  for (Traced::Cells &cells : out.cells) {
    cells.way = way_to_values(mesh, view, cells.map->from, v.set);
    if (!cells.way)
      fail(OP_ERR_SET, "dat '", v.label, "' is on set '", v.on().label,
           "', which is neither the nodes of the view, nor its only cells, nor a set to which the cells of '",
           cells.map->label, "' have a map of dim 1");
  }
  return out;
}

std::vector<Vector> points_of(const Dat &coordinates, const char *rows, std::size_t count) {
  const auto dim = static_cast<std::size_t>(coordinates.dim);
  const std::vector<double> values = as_doubles(coordinates, rows, count * dim);
  std::vector<Vector> out(count);
  for (std::size_t i = 0; i < count; ++i) std::copy_n(&values[i * dim], dim, out[i].begin());
  return out;
}

std::vector<std::int64_t> cell_numbers(Mesh &mesh, const Traced::Cells &cells, bool owned) {
  if (cells.way) return entries_of(mesh, *cells.way, owned);
  const Set &set = cells.map->source();
  std::vector<std::int64_t> out;
  if (owned && mesh.several()) {
    const std::vector<idx_g_t> numbers = own_numbers(set);
    for (const idx_g_t number : numbers) out.push_back(cells.first + number);
    return out;
  }
  for (idx_g_t n = 0; n < set.natural_size; ++n) out.push_back(cells.first + set.natural_first + n);
  return out;
}

Source source_of(Mesh &mesh, const Traced &traced, bool with_owners) {
  const bool owned = with_owners && mesh.several();
  Source out;
  out.dim = traced.coordinates->dim;
  out.on = traced.on;
  out.coordinates = rows_of(mesh, *traced.coordinates);
  out.velocity = rows_of(mesh, *traced.velocity);
  if (traced.later) out.later = rows_of(mesh, *traced.later);
  out.duration = traced.duration;
  for (const Traced::Cells &cells : traced.cells) {
    const std::vector<std::int64_t> numbers = cell_numbers(mesh, cells, owned);
    const std::vector<std::int64_t> nodes = entries_of(mesh, *cells.map, owned);
    const auto each = static_cast<std::size_t>(cells.map->dim);
    out.cells.reserve(out.cells.size() + numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      CellRecord record;
      record.number = numbers[i];
      record.type = static_cast<std::int32_t>(cells.type);
      record.owner = mesh.communicator().rank();
      std::copy_n(nodes.begin() + static_cast<std::ptrdiff_t>(i * each), each, record.node.begin());
      out.cells.push_back(record);
    }
  }
  return out;
}

} // namespace op2::core::tracer
