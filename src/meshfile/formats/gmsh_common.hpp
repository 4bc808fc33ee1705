// What both versions of Gmsh's files have in common: sections, numbers as text or binary, types of elements, groups.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>

#include "meshfile/cursor.hpp"
#include "meshfile/elements.hpp"

namespace op2::core {

// Reads numbers, as text or binary.
class GmshNumbers {
 public:
  GmshNumbers(Cursor &in, bool binary, bool swap) : in_(in), binary_(binary), swap_(swap) {}

  int integer(const char *what) { return binary_ ? in_.value<int>(swap_, what) : in_.number(what); }
  long long size(const char *what) { return binary_ ? in_.value<long long>(swap_, what) : in_.whole(what); }
  double real(const char *what);
  // A count of items of `numbers` numbers each.
  std::size_t count(const char *what, std::size_t numbers);
  bool binary() const { return binary_; }

 private:
  Cursor &in_;
  bool binary_, swap_;
};

struct GmshType {
  Element kind;
  int nodes;   // corners and others
  bool higher; // has nodes behind its corners
};

// The type with this number in the file. Throws if such elements cannot be read.
GmshType gmsh_type(const Cursor &in, int number);

// Elements of a file, with the numbers of nodes as the file has them.
class GmshMesh {
 public:
  MeshFile mesh;
  Elements elements;
  NodeNumbers numbers;
  bool higher = false, has_nodes = false;
  int ghosts = 0;                    // cells of another piece, which were left out
  std::vector<std::string> left_out; // sections

  void begin_nodes(const Cursor &in);
  void add_node(double x, double y, double z) { mesh.x.insert(mesh.x.end(), {x, y, z}); }
  void end_nodes(const Cursor &in);
  int node(const Cursor &in, long long number) const;
  void finish();
};

void read_gmsh2(Cursor &in, GmshMesh &into, bool binary, bool swap);
void read_gmsh4(Cursor &in, GmshMesh &into, bool binary, bool swap);

// What a version does with a section.
struct GmshSection {
  std::string_view name; // "$Nodes"
  std::function<void()> read;
};

// All sections, which may stand in any order: $Elements, the last of `known`, are read behind all others.
void read_gmsh_sections(Cursor &in, GmshMesh &into, std::initializer_list<GmshSection> known);

// The number of a group, which is below 0 where the group has the entity turned around.
int gmsh_group(int tag);

// $PhysicalNames of both versions.
void read_gmsh_names(Cursor &in, Elements &elements);

// Steps behind the section that begins with $NAME, whatever is in it.
void skip_gmsh_section(Cursor &in, std::string_view section);

} // namespace op2::core

// SPDX-License-Identifier: MIT
