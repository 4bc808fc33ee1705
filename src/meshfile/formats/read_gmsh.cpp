// Gmsh's .msh: the header, and what its versions have in common.
#include <cmath>

#include "meshfile/formats/gmsh_common.hpp"
#include "meshfile/read.hpp"

namespace op2::core {

double GmshNumbers::real(const char *what) {
  if (!binary_) return in_.real(what);
  const auto out = in_.value<double>(swap_, what);
  if (!std::isfinite(out)) in_.fail_here(text("expected ", what, ", found a number that is not finite"));
  return out;
}

std::size_t GmshNumbers::count(const char *what, std::size_t numbers) {
  const long long out = size(what);
  return in_.believe(out, what, binary_ ? 4 * numbers : 2 * numbers); // in text a digit and a blank at least
}

std::optional<GmshType> gmsh_type(int number) {
  switch (number) {
    case 1:
      return GmshType{Element::line, 2, false};
    case 2:
      return GmshType{Element::triangle, 3, false};
    case 3:
      return GmshType{Element::quadrangle, 4, false};
    case 4:
      return GmshType{Element::tetrahedron, 4, false};
    case 5:
      return GmshType{Element::hexahedron, 8, false};
    case 6:
      return GmshType{Element::prism, 6, false};
    case 7:
      return GmshType{Element::pyramid, 5, false};
    case 8:
      return GmshType{Element::line, 3, true};
    case 9:
      return GmshType{Element::triangle, 6, true};
    case 10:
      return GmshType{Element::quadrangle, 9, true};
    case 11:
      return GmshType{Element::tetrahedron, 10, true};
    case 12:
      return GmshType{Element::hexahedron, 27, true};
    case 13:
      return GmshType{Element::prism, 18, true};
    case 14:
      return GmshType{Element::pyramid, 14, true};
    case 15:
      return GmshType{Element::point, 1, false};
    case 16:
      return GmshType{Element::quadrangle, 8, true};
    case 17:
      return GmshType{Element::hexahedron, 20, true};
    case 18:
      return GmshType{Element::prism, 15, true};
    case 19:
      return GmshType{Element::pyramid, 13, true};
    default:
      return std::nullopt;
  }
}

int GmshMesh::node(const Cursor &in, long long number) const {
  const std::optional<int> out = numbers.find(number);
  if (!out) in.fail_here(text("an element has node ", number, ", which is not among the nodes"));
  return *out;
}

void GmshMesh::finish() {
  mesh.format = "gmsh";
  elements.finish(mesh);
  if (higher) {
    mesh.notes.push_back("elements of higher order: only their corners are taken");
    drop_unused_nodes(mesh);
  }
  drop_flat_coordinate(mesh);
}

void read_gmsh_names(Cursor &in, Elements &elements) {
  const std::size_t count = in.count("the number of names", 6);
  for (std::size_t i = 0; i < count; ++i) {
    const int dim = in.number("a dimension", 0, 3);
    const int tag = in.number("the number of a physical group");
    in.expect("\"");
    const std::string_view rest = in.line();
    elements.name_patch(dim, tag, std::string(rest.substr(0, rest.find('"'))));
  }
}

void skip_gmsh_section(Cursor &in, std::string_view name) {
  const std::string end = text("$End", name);
  while (in.left() > 0)
    if (in.line().starts_with(end)) return;
}

MeshFile read_gmsh(Cursor in) {
  in.expect("$MeshFormat");
  const double version = in.real("the version of the format");
  const bool binary = in.number("0 (text) or 1 (binary)", 0, 1) == 1;
  const int size = in.number("the size of numbers", 4, 8);
  bool swap = false;
  if (binary) {
    in.line();
    const int one = in.value<int>(false, "the number one");
    swap = one == 0x01000000;
    if (one != 1 && !swap) in.fail_here("expected the binary number one, found another");
  }
  in.expect("$EndMeshFormat");
  GmshMesh out;
  if (version >= 2 && version < 3)
    read_gmsh2(in, out, binary, swap);
  else if (version > 4.05 && version < 5 && size == 8)
    read_gmsh4(in, out, binary, swap);
  else
    in.fail_here(text("this is version ", version, " of the format with numbers of ", size,
                      " bytes; 2.2 and 4.1 with 8 bytes can be read (gmsh -save -format msh41)"));
  out.finish();
  return std::move(out.mesh);
}

} // namespace op2::core
