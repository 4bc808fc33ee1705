#include "meshfile/vtk_common.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "meshfile/geometry.hpp"
#include "meshfile/vtk_cells.hpp"

namespace op2::core {

namespace {

// Calls f with a null pointer of the C++ type.
template <class F>
auto with_vtk_type(VtkType type, F &&f) {
  switch (type) {
    case VtkType::int8:
      return f(static_cast<std::int8_t *>(nullptr));
    case VtkType::uint8:
      return f(static_cast<std::uint8_t *>(nullptr));
    case VtkType::int16:
      return f(static_cast<std::int16_t *>(nullptr));
    case VtkType::uint16:
      return f(static_cast<std::uint16_t *>(nullptr));
    case VtkType::int32:
      return f(static_cast<std::int32_t *>(nullptr));
    case VtkType::uint32:
      return f(static_cast<std::uint32_t *>(nullptr));
    case VtkType::int64:
      return f(static_cast<std::int64_t *>(nullptr));
    case VtkType::uint64:
      return f(static_cast<std::uint64_t *>(nullptr));
    case VtkType::float32:
      return f(static_cast<float *>(nullptr));
    default:
      return f(static_cast<double *>(nullptr));
  }
}

struct VtkCell {
  Element kind;
  int nodes;
  bool higher = false, grid = false; // grid: numbered along the axes
};

std::optional<VtkCell> vtk_cell(long long type, long long nodes) {
  switch (type) {
    case 7: // polygon
      if (nodes == 3) return VtkCell{Element::triangle, 3};
      if (nodes == 4) return VtkCell{Element::quadrangle, 4};
      return std::nullopt;
    case 8:
      return VtkCell{Element::quadrangle, 4, false, true};
    case 11:
      return VtkCell{Element::hexahedron, 8, false, true};
    case 21:
      return VtkCell{Element::line, 3, true};
    case 22:
      return VtkCell{Element::triangle, 6, true};
    case 23:
      return VtkCell{Element::quadrangle, 8, true};
    case 24:
      return VtkCell{Element::tetrahedron, 10, true};
    case 25:
      return VtkCell{Element::hexahedron, 20, true};
    case 26:
      return VtkCell{Element::prism, 15, true};
    case 27:
      return VtkCell{Element::pyramid, 13, true};
    case 28:
      return VtkCell{Element::quadrangle, 9, true};
    case 29:
      return VtkCell{Element::hexahedron, 27, true};
    default:
      break;
  }
  const std::optional<Element> plain = vtk_element(static_cast<int>(type));
  if (!plain) return std::nullopt;
  return VtkCell{*plain, element_nodes(*plain)};
}

} // namespace

std::size_t vtk_size(VtkType type) {
  return with_vtk_type(type, [](auto *value) { return sizeof *value; });
}

long long vtk_integer(VtkType type, const char *from, bool swap) {
  return with_vtk_type(type, [&](auto *value) {
    return static_cast<long long>(Cursor::load<std::remove_pointer_t<decltype(value)>>(from, swap));
  });
}

double vtk_real(VtkType type, const char *from, bool swap) {
  return with_vtk_type(type, [&](auto *value) {
    return static_cast<double>(Cursor::load<std::remove_pointer_t<decltype(value)>>(from, swap));
  });
}

std::vector<double> vtk_reals(const Cursor &in, VtkType type, std::string_view bytes, bool swap) {
  std::vector<double> out(bytes.size() / vtk_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) {
    out[i] = vtk_real(type, bytes.data() + i * vtk_size(type), swap);
    if (!std::isfinite(out[i])) in.fail_here("a value is not a finite number");
  }
  return out;
}

std::vector<long long> vtk_integers(const Cursor &in, VtkType type, std::string_view bytes, bool swap) {
  if (!vtk_whole(type)) in.fail_here("expected whole numbers, found an array of real ones");
  std::vector<long long> out(bytes.size() / vtk_size(type));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = vtk_integer(type, bytes.data() + i * vtk_size(type), swap);
  return out;
}

MeshFile vtk_mesh(const Cursor &in, VtkGrid grid, const char *format) {
  if (grid.points.size() % 3 != 0 || grid.types.size() != grid.ends.size())
    in.fail_here(text("there are ", grid.points.size(), " coordinates, ", grid.types.size(), " types of cells and ",
                      grid.ends.size(), " cells, which do not fit together"));
  MeshFile mesh;
  mesh.format = format;
  mesh.x = std::move(grid.points);
  Elements elements;
  bool higher = false;
  const long long nodes = mesh.nodes();
  long long begin = 0;
  for (std::size_t i = 0; i < grid.types.size(); ++i) {
    const long long end = grid.ends[i];
    if (end < begin || static_cast<unsigned long long>(end) > grid.nodes.size())
      in.fail_here(text("cell ", i, " ends at ", end, ", which is not possible"));
    if (grid.types[i] == 0 || grid.types[i] == 2) { // nothing, or loose points
      begin = end;
      continue;
    }
    const std::optional<VtkCell> cell = vtk_cell(grid.types[i], end - begin);
    if (!cell) in.fail_here(text("cell ", i, " has type ", grid.types[i], ", which cannot be read"));
    if (cell->nodes != end - begin)
      in.fail_here(text("cell ", i, " of type ", grid.types[i], " has ", end - begin, " nodes"));
    std::array<int, 8> own{};
    const auto corners = static_cast<std::size_t>(element_nodes(cell->kind));
    for (std::size_t k = 0; k < corners; ++k) {
      const long long node = grid.nodes[static_cast<std::size_t>(begin) + k];
      if (node < 0 || node >= nodes) in.fail_here(text("cell ", i, " has node ", node, " of ", nodes));
      own[k] = static_cast<int>(node);
    }
    for (std::size_t k = 2; cell->grid && k < corners; k += 4) std::swap(own[k], own[k + 1]);
    higher |= cell->higher;
    const long long tag = i < grid.cell_data.size() ? grid.cell_data[i] : 0;
    elements.add(cell->kind, {own.data(), corners}, static_cast<int>(tag));
    begin = end;
  }
  elements.finish(mesh);
  turn_prisms(mesh);
  if (higher) {
    mesh.notes.push_back("elements of higher order: only their corners are taken");
    drop_unused_nodes(mesh);
  }
  drop_flat_coordinate(mesh);
  return mesh;
}

} // namespace op2::core
