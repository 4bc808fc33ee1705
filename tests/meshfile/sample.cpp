// sample.cpp: see sample.hpp.
#include "sample.hpp"

#include "bytes.hpp"

namespace meshes {

using op2::core::Element;
using op2::core::element_dim;

Sample strip() {
  Sample out{
      2, {0, 0, 0, 1, 0, 0, 2, 0, 0, 0, 1, 0, 1, 1, 0, 2, 1, 0}, {}, {}, {"bottom", "right", "top", "left"}, 2, 6, 2.0};
  out.cells = {{Element::quadrangle, {0, 1, 4, 3}}, {Element::triangle, {1, 2, 5}}, {Element::triangle, {1, 5, 4}}};
  out.sides = {{Element::line, {0, 1}, 0}, {Element::line, {1, 2}, 0}, {Element::line, {2, 5}, 1},
               {Element::line, {5, 4}, 2}, {Element::line, {4, 3}, 2}, {Element::line, {3, 0}, 3}};
  return out;
}

Sample mixed() {
  Sample out{
      3,
      {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, .5, .5, 2, 2, 0, 0, 2, 1, 0, 2, .5, 1.5},
      {},
      {},
      {"floor", "ends"},
      3,
      14,
      1 + 1.0 / 3 + 0.5 + 1.25 / 6};
  out.cells = {{Element::hexahedron, {0, 1, 2, 3, 4, 5, 6, 7}},
               {Element::pyramid, {4, 5, 6, 7, 8}},
               {Element::prism, {1, 5, 9, 2, 6, 10}},
               {Element::tetrahedron, {5, 6, 8, 11}}};
  out.sides = {
      {Element::quadrangle, {0, 3, 2, 1}, 0}, {Element::triangle, {1, 9, 5}, 1}, {Element::triangle, {2, 10, 6}, 1}};
  return out;
}

namespace {

int gmsh_number(Element kind) {
  constexpr int numbers[] = {15, 1, 2, 3, 4, 7, 6, 5};
  return numbers[static_cast<int>(kind)];
}

int vtk_number(Element kind) {
  constexpr int numbers[] = {1, 3, 5, 9, 10, 14, 13, 12};
  return numbers[static_cast<int>(kind)];
}

std::size_t nodes_of(const Sample &sample) { return sample.x.size() / 3; }

void gmsh_head(Bytes &out, const Sample &sample, const char *version, bool binary) {
  out.text("$MeshFormat\n", version, binary ? " 1 8\n" : " 0 8\n");
  if (binary) out.value<int>(1).text("\n");
  out.text("$EndMeshFormat\n$PhysicalNames\n", sample.patches.size(), "\n");
  for (std::size_t i = 0; i < sample.patches.size(); ++i)
    out.text(sample.dim - 1, " ", i + 1, " \"", sample.patches[i], "\"\n");
  out.text("$EndPhysicalNames\n");
}

// Numbers of nodes in these files begin with 10.
constexpr int first_node = 10;

} // namespace

std::string gmsh2(const Sample &sample, Form form) {
  const bool binary = form != Form::text;
  Bytes out(form == Form::swapped);
  gmsh_head(out, sample, "2.2", binary);
  out.text("$Nodes\n", nodes_of(sample), "\n");
  for (std::size_t i = 0; i < nodes_of(sample); ++i) {
    const double *x = &sample.x[3 * i];
    if (binary)
      out.value<int>(i + first_node).value<double>(x[0]).value<double>(x[1]).value<double>(x[2]);
    else
      out.text(i + first_node, " ", x[0], " ", x[1], " ", x[2], "\n");
  }
  out.text("$EndNodes\n$Elements\n", sample.sides.size() + sample.cells.size(), "\n");
  int number = 0;
  for (const std::vector<Piece> *pieces : {&sample.sides, &sample.cells})
    for (const Piece &piece : *pieces) {
      const int group = piece.patch + (pieces == &sample.sides ? 1 : 9);
      if (binary) {
        out.value<int>(gmsh_number(piece.kind)).value<int>(1).value<int>(2);
        out.value<int>(++number).value<int>(group).value<int>(7);
      } else {
        out.text(++number, " ", gmsh_number(piece.kind), " 2 ", group, " 7");
      }
      for (const int node : piece.nodes) binary ? out.value<int>(node + first_node) : out.text(" ", node + first_node);
      if (!binary) out.text("\n");
    }
  return out.text("$EndElements\n").all();
}

namespace {

// Numbers of a section of version 4.1, as text or binary.
class Gmsh4Section {
 public:
  Gmsh4Section(Bytes &out, bool binary) : out_(out), binary_(binary) {}
  template <class T, class V>
  Gmsh4Section &put(V value) {
    binary_ ? out_.value<T>(value) : out_.text(value, " ");
    return *this;
  }
  Gmsh4Section &row() {
    if (!binary_) out_.text("\n");
    return *this;
  }

 private:
  Bytes &out_;
  bool binary_;
};

using Size = unsigned long long;

void entity4(Gmsh4Section &to, int dim, int tag, int group) {
  to.put<int>(tag);
  for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) to.put<double>(0.5);
  to.put<Size>(group ? 1 : 0);
  if (group) to.put<int>(group);
  if (dim > 0) to.put<Size>(1).put<int>(-tag);
  to.row();
}

} // namespace

std::string gmsh4(const Sample &sample, Form form) {
  const bool binary = form != Form::text;
  Bytes out(form == Form::swapped);
  gmsh_head(out, sample, "4.1", binary);
  Gmsh4Section section(out, binary);
  const std::size_t nodes = nodes_of(sample), pieces = sample.sides.size() + sample.cells.size();
  out.text("$Entities\n"); // of patch i: number i + 20; of the cells: 30
  for (int dim = 0; dim < 4; ++dim)
    section.put<Size>(dim == 0 || dim == sample.dim ? 1 : dim == sample.dim - 1 ? sample.patches.size() : 0);
  section.row();
  entity4(section, 0, 5, 0);
  for (std::size_t i = 0; i < sample.patches.size(); ++i)
    entity4(section, sample.dim - 1, static_cast<int>(i) + 20, static_cast<int>(i) + 1);
  entity4(section, sample.dim, 30, 9);
  out.text("\n$EndEntities\n$Nodes\n");
  section.put<Size>(1).put<Size>(nodes).put<Size>(first_node).put<Size>(first_node + nodes - 1).row();
  section.put<int>(sample.dim).put<int>(30).put<int>(0).put<Size>(nodes).row();
  for (std::size_t i = 0; i < nodes; ++i) section.put<Size>(i + first_node).row();
  for (const double x : sample.x) section.put<double>(x).row();
  out.text("\n$EndNodes\n$Elements\n");
  section.put<Size>(pieces).put<Size>(pieces).put<Size>(1).put<Size>(pieces).row();
  int number = 0;
  for (const std::vector<Piece> *list : {&sample.sides, &sample.cells})
    for (const Piece &piece : *list) {
      section.put<int>(element_dim(piece.kind)).put<int>(list == &sample.sides ? piece.patch + 20 : 30);
      section.put<int>(gmsh_number(piece.kind)).put<Size>(1).row().put<Size>(++number);
      for (const int node : piece.nodes) section.put<Size>(node + first_node);
      section.row();
    }
  return out.text("\n$EndElements\n").all();
}

std::string medit(const Sample &sample) {
  constexpr const char *words[] = {"",           "Edges",    "Triangles", "Quadrilaterals",
                                   "Tetrahedra", "Pyramids", "Prisms",    "Hexahedra"};
  Bytes out;
  out.text("MeshVersionFormatted 2\n# a comment\nDimension\n", sample.dim, "\nVertices\n", nodes_of(sample), "\n");
  for (std::size_t i = 0; i < nodes_of(sample); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(sample.dim); ++k) out.text(sample.x[3 * i + k], " ");
    out.text("0\n");
  }
  out.text("Corners\n1\n1\n");
  for (const std::vector<Piece> *pieces : {&sample.sides, &sample.cells})
    for (std::size_t kind = 1; kind < 8; ++kind) {
      Bytes rows;
      int count = 0;
      for (const Piece &piece : *pieces) {
        if (static_cast<std::size_t>(piece.kind) != kind) continue;
        for (const int node : piece.nodes) rows.text(node + 1, " ");
        rows.text(pieces == &sample.sides ? piece.patch + 1 : 9, "\n");
        ++count;
      }
      if (count) out.text(words[kind], "\n", count, "\n", rows.all());
    }
  return out.text("End\n").all();
}

std::string medit_binary(const Sample &sample, int version, bool swapped) {
  constexpr int codes[] = {0, 5, 6, 7, 8, 49, 9, 10};
  Bytes out(swapped);
  const auto whole = [&](Bytes &to, auto value) { version >= 4 ? to.value<long long>(value) : to.value<int>(value); };
  const auto table = [&](int code, const std::string &rows) { // behind it, the place of the next one
    out.value<int>(code);
    const std::size_t place = version >= 3 ? 8 : 4, next = code == 54 ? 0 : out.all().size() + place + rows.size();
    version >= 3 ? out.value<long long>(next) : out.value<int>(next);
    out.text(rows);
  };
  out.value<int>(1).value<int>(version);
  table(3, Bytes(swapped).value<int>(sample.dim).all());
  Bytes vertices(swapped);
  whole(vertices, nodes_of(sample));
  for (std::size_t i = 0; i < nodes_of(sample); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(sample.dim); ++k)
      version == 1 ? vertices.value<float>(sample.x[3 * i + k]) : vertices.value<double>(sample.x[3 * i + k]);
    whole(vertices, 0);
  }
  table(4, vertices.all());
  table(13, Bytes(swapped).value<int>(1).value<int>(1).all()); // corners
  for (const std::vector<Piece> *pieces : {&sample.sides, &sample.cells})
    for (std::size_t kind = 1; kind < 8; ++kind) {
      Bytes rows(swapped), all(swapped);
      int count = 0;
      for (const Piece &piece : *pieces) {
        if (static_cast<std::size_t>(piece.kind) != kind) continue;
        for (const int node : piece.nodes) whole(rows, node + 1);
        whole(rows, pieces == &sample.sides ? piece.patch + 1 : 9);
        ++count;
      }
      whole(all, count);
      if (count) table(codes[kind], all.all() + rows.all());
    }
  table(54, "");
  return out.all();
}

std::string su2(const Sample &sample) {
  Bytes out;
  out.text("% a comment\nNDIME= ", sample.dim, "\nNELEM= ", sample.cells.size(), "\n");
  const auto element = [&](const Piece &piece, std::size_t number) {
    out.text(vtk_number(piece.kind));
    for (const int node : piece.nodes) out.text(" ", node);
    out.text(" ", number, "\n");
  };
  for (std::size_t i = 0; i < sample.cells.size(); ++i) element(sample.cells[i], i);
  out.text("NPOIN= ", nodes_of(sample), "\n");
  for (std::size_t i = 0; i < nodes_of(sample); ++i) {
    for (std::size_t k = 0; k < static_cast<std::size_t>(sample.dim); ++k) out.text(sample.x[3 * i + k], " ");
    out.text(i, "\n");
  }
  out.text("NMARK= ", sample.patches.size(), "\n");
  for (std::size_t patch = 0; patch < sample.patches.size(); ++patch) {
    Bytes rows;
    std::vector<const Piece *> own;
    for (const Piece &side : sample.sides)
      if (static_cast<std::size_t>(side.patch) == patch) own.push_back(&side);
    out.text("MARKER_TAG= ", sample.patches[patch], "\nMARKER_ELEMS= ", own.size(), "\n");
    for (std::size_t i = 0; i < own.size(); ++i) element(*own[i], i);
  }
  return out.all();
}

} // namespace meshes

// SPDX-License-Identifier: MIT
