// Version 2.2 of Gmsh's files: one list of nodes, one of elements with their tags.
#include "meshfile/formats/gmsh_common.hpp"

namespace op2::core {

namespace {

class Gmsh2Reader {
 public:
  Gmsh2Reader(Cursor &in, GmshMesh &into, bool binary, bool swap) : in_(in), out_(into), numbers_(in, binary, swap) {}

  void read() {
    while (!in_.at_end()) {
      const std::string_view section = in_.word("a section");
      if (section == "$PhysicalNames")
        read_gmsh_names(in_, out_.elements);
      else if (section == "$Nodes")
        nodes();
      else if (section == "$Elements")
        elements();
      else if (section.starts_with("$") && !section.starts_with("$End"))
        skip_gmsh_section(in_, section.substr(1));
      else if (!section.starts_with("$End"))
        in_.fail_here("expected a section, which begins with '$'");
    }
    if (out_.elements.highest_dim() == 0) in_.fail_here("expected '$Elements', but the file ends");
  }

 private:
  void nodes() {
    if (out_.numbers.size() > 0) in_.fail_here("'$Nodes' stands there a second time");
    const std::size_t count = in_.count("the number of nodes", 8);
    if (numbers_.binary()) in_.line();
    out_.mesh.x.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      out_.numbers.add(numbers_.integer("the number of a node"));
      const double x = numbers_.real("a coordinate"), y = numbers_.real("a coordinate");
      out_.add_node(x, y, numbers_.real("a coordinate"));
    }
    if (const auto twice = out_.numbers.finish()) in_.fail_here(text("two nodes have the number ", *twice));
    in_.expect("$EndNodes");
  }

  void elements() {
    const std::size_t count = in_.count("the number of elements", 6);
    if (!numbers_.binary()) {
      for (std::size_t i = 0; i < count; ++i) {
        in_.whole("the number of an element");
        const GmshType type = kind(in_.number("the type of an element"));
        element(type, in_.number("the number of tags", 0, 1000));
      }
    } else {
      in_.line();
      for (std::size_t i = 0; i < count;) {
        const GmshType type = kind(numbers_.integer("the type of elements"));
        const int rows = numbers_.integer("the number of elements"), tags = numbers_.integer("the number of tags");
        if (rows <= 0 || static_cast<std::size_t>(rows) > count - i || tags < 0 || tags > 1000)
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

  GmshType kind(int number) {
    const std::optional<GmshType> type = gmsh_type(number);
    if (!type) in_.fail_here(text("elements of type ", number, " cannot be read"));
    return *type;
  }

  // The first tag is the physical group, the second the part of the geometry.
  void element(const GmshType &type, int tags) {
    int group = 0;
    bool in_group = false;
    for (int k = 0; k < tags; ++k) {
      const int tag = numbers_.integer("a tag");
      if (k == 0) in_group = tag != 0;
      if (k == 0 || (k == 1 && !in_group)) group = tag;
    }
    if (in_group && group < 0) group = group == -2147483647 - 1 ? 0 : -group; // turned around
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
