// Version 4.1 of Gmsh's files: nodes and elements in blocks, one per part of the geometry, whose groups stand in
// $Entities.
#include <map>

#include "meshfile/formats/gmsh_common.hpp"

namespace op2::core {

namespace {

class Gmsh4Reader {
 public:
  Gmsh4Reader(Cursor &in, GmshMesh &into, bool binary, bool swap) : in_(in), out_(into), numbers_(in, binary, swap) {}

  void read() {
    while (!in_.at_end()) {
      const std::string_view section = in_.word("a section");
      if (section == "$PhysicalNames")
        read_gmsh_names(in_, out_.elements);
      else if (section == "$Entities")
        entities();
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
  void begin() {
    if (numbers_.binary()) in_.line();
  }

  void entities() {
    begin();
    std::array<std::size_t, 4> counts{};
    for (std::size_t &count : counts) count = numbers_.count("a number of entities", 4);
    for (int dim = 0; dim < 4; ++dim)
      for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dim)]; ++i) entity(dim);
    in_.expect("$EndEntities");
  }

  void entity(int dim) {
    const int tag = numbers_.integer("the number of an entity");
    for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) numbers_.real("a corner of a box");
    const std::size_t groups = numbers_.count("the number of physical groups", 1);
    for (std::size_t k = 0; k < groups; ++k) {
      const int group = numbers_.integer("a physical group");
      if (k == 0) groups_[{dim, tag}] = group == -2147483647 - 1 ? 0 : group < 0 ? -group : group; // < 0: turned around
    }
    if (dim == 0) return;
    const std::size_t around = numbers_.count("the number of bounding entities", 1);
    for (std::size_t k = 0; k < around; ++k) numbers_.integer("a bounding entity");
  }

  void nodes() {
    if (out_.numbers.size() > 0) in_.fail_here("'$Nodes' stands there a second time");
    begin();
    const std::size_t blocks = numbers_.count("the number of blocks", 4);
    out_.mesh.x.reserve(3 * numbers_.count("the number of nodes", 4));
    numbers_.size("the smallest number of a node");
    numbers_.size("the largest number of a node");
    for (std::size_t block = 0; block < blocks; ++block) {
      const int dim = numbers_.integer("the dimension of an entity");
      numbers_.integer("the number of an entity");
      const int parametric = numbers_.integer("0 or 1");
      const std::size_t count = numbers_.count("the number of nodes", 4);
      for (std::size_t i = 0; i < count; ++i) out_.numbers.add(numbers_.size("the number of a node"));
      for (std::size_t i = 0; i < count; ++i) {
        const double x = numbers_.real("a coordinate"), y = numbers_.real("a coordinate");
        out_.add_node(x, y, numbers_.real("a coordinate"));
        for (int k = 0; parametric != 0 && k < dim && k < 3; ++k) numbers_.real("a parameter");
      }
    }
    if (const auto twice = out_.numbers.finish()) in_.fail_here(text("two nodes have the number ", *twice));
    in_.expect("$EndNodes");
  }

  void elements() {
    begin();
    const std::size_t blocks = numbers_.count("the number of blocks", 4);
    for (const char *what : {"the number of elements", "the smallest number", "the largest number"})
      numbers_.size(what);
    for (std::size_t block = 0; block < blocks; ++block) {
      const int dim = numbers_.integer("the dimension of an entity"), tag = numbers_.integer("the number of an entity");
      const int number = numbers_.integer("the type of elements");
      const std::optional<GmshType> type = gmsh_type(number);
      if (!type) in_.fail_here(text("elements of type ", number, " cannot be read"));
      const auto group = groups_.find({dim, tag});
      const bool in_group = group != groups_.end() && group->second != 0;
      element_block(*type, in_group ? group->second : tag, in_group);
    }
    in_.expect("$EndElements");
  }

  void element_block(const GmshType &type, int group, bool in_group) {
    const std::size_t count = numbers_.count("the number of elements", 1 + static_cast<std::size_t>(type.nodes));
    std::array<int, 8> nodes{};
    const int corners = element_nodes(type.kind);
    for (std::size_t i = 0; i < count; ++i) {
      numbers_.size("the number of an element");
      for (int k = 0; k < type.nodes; ++k) {
        const int node = out_.node(in_, numbers_.size("a node"));
        if (k < corners) nodes[static_cast<std::size_t>(k)] = node;
      }
      out_.elements.add(type.kind, {nodes.data(), static_cast<std::size_t>(corners)}, group, in_group);
    }
    out_.higher |= type.higher;
  }

  Cursor &in_;
  GmshMesh &out_;
  GmshNumbers numbers_;
  std::map<std::pair<int, int>, int> groups_; // of an entity: its dimension and number
};

} // namespace

void read_gmsh4(Cursor &in, GmshMesh &into, bool binary, bool swap) { Gmsh4Reader(in, into, binary, swap).read(); }

} // namespace op2::core
