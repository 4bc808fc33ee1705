// Gmsh's .msh: the header, and what its versions have in common.
#include <algorithm>
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

void GmshMesh::begin_nodes(const Cursor &in) {
  if (has_nodes) in.fail_here("the nodes stand there a second time");
  has_nodes = true;
}

void GmshMesh::end_nodes(const Cursor &in) {
  if (const auto twice = numbers.finish()) in.fail_here(text("two nodes have the number ", *twice));
}

int GmshMesh::node(const Cursor &in, long long number) const {
  const std::optional<int> out = numbers.find(number);
  if (!out) in.fail_here(text("an element has node ", number, ", which is not among the nodes"));
  return *out;
}

void GmshMesh::finish() {
  mesh.format = "gmsh";
  elements.once();
  elements.note_groups(mesh, "group");
  elements.finish(mesh);
  if (higher) mesh.notes.push_back("elements of higher order: only their corners are taken");
  if (ghosts > 0) mesh.notes.push_back(text(ghosts, " ghost cells, which another piece has, are left out"));
  if (higher || ghosts > 0) drop_unused_nodes(mesh);
  note_left_out(mesh, "sections", left_out);
  drop_flat_coordinate(mesh);
}

void read_gmsh_names(Cursor &in, Elements &elements) {
  const std::size_t count = in.count("the number of names", 4);
  for (std::size_t i = 0; i < count; ++i) {
    int dim = in.number("a dimension"), tag = dim;
    const bool any_dim = in.peek() == '"'; // version 2.0 has numbers alone
    if (!any_dim) tag = in.number("the number of a physical group");
    if (!any_dim && (dim < 0 || dim > 3)) in.fail_here(text("a group has the dimension ", dim));
    in.expect("\"");
    std::string name;
    for (char next = in.next("the end of a name"); next != '"'; next = in.next("the end of a name")) name += next;
    for (int one = any_dim ? 0 : dim; one <= (any_dim ? 3 : dim); ++one) elements.name_patch(one, tag, name);
  }
}

int gmsh_group(int tag) { return tag == -2147483647 - 1 ? 0 : tag < 0 ? -tag : tag; }

void skip_gmsh_section(Cursor &in, std::string_view section) {
  const std::string end = text("$End", section.substr(1));
  const std::size_t begin = in.at();
  while (in.left() > 0)
    if (in.rest_of_line_trimmed() == end) return;
  in.seek(begin);
  in.fail_here(text("the section ", section, " has no line '", end, "'"));
}

void read_gmsh_sections(Cursor &in, GmshMesh &into, std::initializer_list<GmshSection> known) {
  std::vector<std::size_t> elements; // where they begin
  const GmshSection &last = *(known.end() - 1);
  bool outside = false;
  while (!in.at_end()) {
    const std::string_view section = in.word("a section");
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto &one) { return one.name == section; });
    if (section == last.name) {
      elements.push_back(in.at());
      in.skip_to("$EndElements"); // reading them says what is wrong where there is none
    } else if (found != known.end()) {
      found->read();
    } else if (!section.starts_with("$")) { // Gmsh reads on at the next '$'
      if (!outside) into.mesh.notes.push_back(text("line ", in.line_number(), " stands outside of all sections"));
      outside = true;
      in.line();
    } else if (!section.starts_with("$End")) {
      if (section != "$Comments") into.left_out.emplace_back(section);
      skip_gmsh_section(in, section);
    }
  }
  if (!into.has_nodes && elements.empty()) return; // as Gmsh writes an empty model
  if (!into.has_nodes) in.fail_here("expected '$Nodes', but the file ends");
  if (elements.empty()) in.fail_here("expected '$Elements', but the file ends");
  for (const std::size_t begin : elements) {
    in.seek(begin);
    last.read();
  }
}

namespace {

// Sections may stand before $MeshFormat, as comments do.
void find_gmsh_format(Cursor &in) {
  while (!in.take("$MeshFormat")) {
    if (in.peek() != '$') in.fail_expected("'$MeshFormat'");
    const std::string_view section = in.word("a section");
    if (section == "$NOD" || section == "$ELM")
      in.fail_here("this is version 1 of the format; 2.2 and 4.1 can be read (gmsh -save -format msh41)");
    if (section == "$Nodes" || section == "$Elements") in.fail_here(text("expected '$MeshFormat' before ", section));
    skip_gmsh_section(in, section);
  }
}

} // namespace

MeshFile read_gmsh(Cursor in) {
  find_gmsh_format(in);
  const double version = in.real("the version of the format");
  const bool binary = in.number("0 (text) or 1 (binary)", 0, 1) == 1;
  const int size = in.number("the size of numbers", 4, 8);
  const bool second = version >= 2 && version < 3;
  if (!second && !(version > 4.05 && version < 5))
    in.fail_here(
        text("this is version ", version, " of the format; 2.2 and 4.1 can be read (gmsh -save -format msh41)"));
  if (binary && size != 8) in.fail_here(text("binary numbers of ", size, " bytes cannot be read; 8 can"));
  bool swap = false;
  if (binary) {
    in.line();
    const int one = in.value<int>(false, "the number one");
    swap = one == 0x01000000;
    if (one != 1 && !swap) in.fail_here("expected the binary number one, found another");
  }
  in.expect("$EndMeshFormat");
  GmshMesh out;
  second ? read_gmsh2(in, out, binary, swap) : read_gmsh4(in, out, binary, swap);
  out.finish();
  return std::move(out.mesh);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
