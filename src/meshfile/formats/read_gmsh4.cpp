// Version 4.1 of Gmsh's files: nodes and elements in blocks, one per part of the geometry, whose groups stand in
// $Entities, or in $PartitionedEntities where the mesh was cut into pieces.
#include <map>
#include <set>

#include "meshfile/formats/gmsh_common.hpp"

namespace op2::core {

namespace {

class Gmsh4Reader {
 public:
  Gmsh4Reader(Cursor &in, GmshMesh &into, bool binary, bool swap) : in_(in), out_(into), numbers_(in, binary, swap) {}

  void read() {
    read_gmsh_sections(in_, out_,
                       {{"$PhysicalNames", [&] { read_gmsh_names(in_, out_.elements); }},
                        {"$Entities", [&] { entities(false); }},
                        {"$PartitionedEntities", [&] { entities(true); }},
                        {"$Nodes", [&] { nodes(); }},
                        {"$Elements", [&] { elements(); }}});
  }

 private:
  struct Entity {
    int number = 0;          // of the whole that a piece belongs to
    bool inside = false;     // of a whole of higher dimension, where pieces meet
    std::vector<int> groups; // their numbers
  };

  void begin() {
    if (numbers_.binary()) in_.line();
  }

  void entities(bool pieces) {
    begin();
    if (pieces) {
      numbers_.size("the number of pieces");
      const std::size_t ghosts = numbers_.count("the number of ghost entities", 2);
      for (std::size_t i = 0; i < ghosts; ++i) {
        ghosts_.insert(numbers_.integer("the number of an entity"));
        numbers_.integer("a piece");
      }
    }
    std::array<std::size_t, 4> counts{};
    for (std::size_t &count : counts) count = numbers_.count("a number of entities", 4);
    for (int dim = 0; dim < 4; ++dim)
      for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dim)]; ++i) entity(dim, pieces);
    in_.expect(pieces ? "$EndPartitionedEntities" : "$EndEntities");
  }

  void entity(int dim, bool piece) {
    const int tag = numbers_.integer("the number of an entity");
    Entity one{tag, false, {}};
    if (piece) {
      const int whole = numbers_.integer("the dimension of an entity");
      one.inside = whole > dim;
      one.number = numbers_.integer("the number of an entity");
      const std::size_t pieces = numbers_.count("the number of pieces", 1);
      for (std::size_t k = 0; k < pieces; ++k) numbers_.integer("a piece");
    }
    for (int k = 0; k < (dim == 0 ? 3 : 6); ++k) numbers_.real("a corner of a box");
    const std::size_t groups = numbers_.count("the number of physical groups", 1);
    std::set<int> known{0};
    for (std::size_t k = 0; k < groups; ++k)
      if (const int group = gmsh_group(numbers_.integer("a physical group")); known.insert(group).second)
        one.groups.push_back(group);
    const std::size_t around = dim == 0 ? 0 : numbers_.count("the number of bounding entities", 1);
    for (std::size_t k = 0; k < around; ++k) numbers_.integer("a bounding entity");
    entities_[{dim, tag}] = std::move(one);
  }

  void nodes() {
    out_.begin_nodes(in_);
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
    out_.end_nodes(in_);
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
      const std::size_t count = numbers_.count("the number of elements", 2);
      if (count > 0) element_block(gmsh_type(in_, number), dim, tag, count);
    }
    in_.expect("$EndElements");
  }

  void element_block(const GmshType &type, int dim, int tag, std::size_t count) {
    const auto found = entities_.find({dim, tag});
    const Entity entity = found != entities_.end() ? found->second : Entity{tag, false, {}};
    const bool ghost = found == entities_.end() && ghosts_.contains(tag), in_group = !entity.groups.empty();
    const int group = in_group ? entity.groups.front() : entity.number;
    std::array<int, 8> nodes{};
    const int corners = element_nodes(type.kind);
    for (std::size_t i = 0; i < count; ++i) {
      numbers_.size("the number of an element");
      for (int k = 0; k < type.nodes; ++k) {
        const int node = out_.node(in_, numbers_.size("a node"));
        if (k < corners) nodes[static_cast<std::size_t>(k)] = node;
      }
      if (!ghost && !entity.inside)
        out_.elements.add(type.kind, {nodes.data(), static_cast<std::size_t>(corners)}, group, in_group);
    }
    out_.higher |= type.higher;
    if (ghost) out_.ghosts += static_cast<int>(count);
    for (std::size_t k = 1; k < entity.groups.size() && !entity.inside; ++k)
      out_.elements.also(dim, entity.groups[k], group, static_cast<int>(count));
  }

  Cursor &in_;
  GmshMesh &out_;
  GmshNumbers numbers_;
  std::map<std::pair<int, int>, Entity> entities_; // by dimension and number
  std::set<int> ghosts_;                           // entities of the cells that a piece has from others
};

} // namespace

void read_gmsh4(Cursor &in, GmshMesh &into, bool binary, bool swap) { Gmsh4Reader(in, into, binary, swap).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
