// Version 2.2 of Gmsh's files: one list of nodes, one of elements with their tags.
#include "meshfile/formats/gmsh_common.hpp"

namespace op2::core {

namespace {

class Gmsh2Reader {
 public:
  Gmsh2Reader(Cursor &in, GmshMesh &into, bool binary, bool swap) : in_(in), out_(into), numbers_(in, binary, swap) {}

  void read() {
    read_gmsh_sections(in_, out_,
                       {{"$PhysicalNames", [&] { read_gmsh_names(in_, out_.elements); }},
                        {"$Nodes", [&] { nodes(false); }},
                        {"$ParametricNodes", [&] { nodes(true); }},
                        {"$Elements", [&] { elements(); }}});
  }

 private:
  void nodes(bool parametric) {
    out_.begin_nodes(in_);
    const std::size_t count = in_.count("the number of nodes", 8);
    if (numbers_.binary()) in_.line();
    out_.mesh.x.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      out_.numbers.add(numbers_.integer("the number of a node"));
      const double x = numbers_.real("a coordinate"), y = numbers_.real("a coordinate");
      out_.add_node(x, y, numbers_.real("a coordinate"));
      if (parametric) parameters();
    }
    out_.end_nodes(in_);
    in_.expect(parametric ? "$EndParametricNodes" : "$EndNodes");
  }

  // Of a node on a curve or a surface; other nodes have none.
  void parameters() {
    const int dim = numbers_.integer("the dimension of an entity");
    if (dim < 0 || dim > 3) in_.fail_here(text("a node lies on an entity of dimension ", dim));
    numbers_.integer("the number of an entity");
    for (int k = 0; dim < 3 && k < dim; ++k) numbers_.real("a parameter");
  }

  void elements() {
    const std::size_t count = in_.count("the number of elements", 4);
    if (!numbers_.binary()) {
      for (std::size_t i = 0; i < count; ++i) {
        in_.whole("the number of an element");
        const GmshType type = gmsh_type(in_, in_.number("the type of an element"));
        element(type, in_.number("the number of tags", 0, 1000));
      }
    } else {
      in_.line();
      for (std::size_t i = 0; i < count;) {
        const int number = numbers_.integer("the type of elements");
        const int rows = numbers_.integer("the number of elements"), tags = numbers_.integer("the number of tags");
        if (rows == 0) continue;
        const GmshType type = gmsh_type(in_, number);
        if (rows < 0 || static_cast<std::size_t>(rows) > count - i || tags < 0 || tags > 1000)
          in_.fail_here(text("a block of ", rows, " elements with ", tags, " tags is not possible here"));
        for (int k = 0; k < rows; ++k) {
          numbers_.integer("the number of an element");
          element(type, tags);
        }
        i += static_cast<std::size_t>(rows);
      }
    }
    in_.expect("$EndElements");
  }

  // The first tag is the physical group, the second the part of the geometry; others are of pieces.
  void element(const GmshType &type, int tags) {
    int group = 0;
    bool in_group = false;
    for (int k = 0; k < tags; ++k) {
      const int tag = numbers_.integer("a tag");
      if (k == 0) in_group = tag != 0;
      if (k == 0 || (k == 1 && !in_group)) group = tag;
    }
    if (in_group) group = gmsh_group(group);
    std::array<int, 8> nodes{};
    const int corners = element_nodes(type.kind);
    for (int k = 0; k < type.nodes; ++k) {
      const int node = out_.node(in_, numbers_.integer("a node"));
      if (k < corners) nodes[static_cast<std::size_t>(k)] = node;
    }
    out_.higher |= type.higher;
    out_.elements.add(type.kind, {nodes.data(), static_cast<std::size_t>(corners)}, group, in_group);
  }

  Cursor &in_;
  GmshMesh &out_;
  GmshNumbers numbers_;
};

} // namespace

void read_gmsh2(Cursor &in, GmshMesh &into, bool binary, bool swap) { Gmsh2Reader(in, into, binary, swap).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
