// What both versions of Gmsh's files have in common: numbers as text or binary, types of elements, names of groups.
#pragma once

#include <optional>
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

// The type with this number in the file; nothing if it is unknown here.
std::optional<GmshType> gmsh_type(int number);

// Elements of a file, with the numbers of nodes as the file has them.
class GmshMesh {
 public:
  MeshFile mesh;
  Elements elements;
  NodeNumbers numbers;
  bool higher = false;

  void add_node(double x, double y, double z) { mesh.x.insert(mesh.x.end(), {x, y, z}); }
  int node(const Cursor &in, long long number) const;
  void finish();
};

void read_gmsh2(Cursor &in, GmshMesh &into, bool binary, bool swap);
void read_gmsh4(Cursor &in, GmshMesh &into, bool binary, bool swap);

// $PhysicalNames of both versions.
void read_gmsh_names(Cursor &in, Elements &elements);

// Steps behind the section that begins with $NAME.
void skip_gmsh_section(Cursor &in, std::string_view name);

} // namespace op2::core
