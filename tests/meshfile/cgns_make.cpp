// cgns_make.cpp: op2_cgns_make FOLDER writes small meshes with the library of CGNS.
#include <cgnslib.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

using Numbers = std::vector<cgsize_t>;

void check(int status) {
  if (status == CG_OK) return;
  std::fprintf(stderr, "%s\n", cg_get_error());
  std::exit(1);
}

// A file with one base and zones that are added.
class Maker {
 public:
  Maker(const std::string &path, int type, int cell_dim, int space_dim) : space_dim_(space_dim) {
    check(cg_set_file_type(type));
    check(cg_open(path.c_str(), CG_MODE_WRITE, &file_));
    check(cg_base_write(file_, "Base", cell_dim, space_dim, &base_));
  }
  ~Maker() { check(cg_close(file_)); }
  Maker(const Maker &) = delete;
  Maker &operator=(const Maker &) = delete;

  Maker &turned() { // the last coordinate first
    turned_ = true;
    return *this;
  }
  Maker &zone(const char *name, const std::vector<double> &x, cgsize_t cells,
              CGNS_ENUMT(ZoneType_t) type = CGNS_ENUMV(Unstructured)) {
    const auto dim = static_cast<std::size_t>(space_dim_);
    const cgsize_t nodes = static_cast<cgsize_t>(x.size() / dim);
    std::array<cgsize_t, 9> size = {nodes, cells, 0};
    if (type == CGNS_ENUMV(Structured)) size = {2, 2, 2, 1, 1, 1, 0, 0, 0};
    check(cg_zone_write(file_, base_, name, size.data(), type, &zone_));
    next_ = 1;
    for (std::size_t i = 0; i < dim; ++i) {
      const std::size_t k = turned_ ? dim - 1 - i : i;
      std::vector<double> one;
      for (std::size_t at = k; at < x.size(); at += dim) one.push_back(x[at]);
      int ignored = 0;
      const std::string called = std::string("Coordinate") + "XYZ"[k];
      check(cg_coord_write(file_, base_, zone_, CGNS_ENUMV(RealDouble), called.c_str(), one.data(), &ignored));
    }
    return *this;
  }
  Maker &section(const char *name, CGNS_ENUMT(ElementType_t) type, cgsize_t count, const Numbers &nodes) {
    int ignored = 0;
    check(cg_section_write(file_, base_, zone_, name, type, next_, next_ + count - 1, 0, nodes.data(), &ignored));
    next_ += count;
    return *this;
  }
  Maker &lists(const char *name, CGNS_ENUMT(ElementType_t) type, const Numbers &items, const Numbers &begin) {
    const cgsize_t count = static_cast<cgsize_t>(begin.size()) - 1;
    check(cg_poly_section_write(file_, base_, zone_, name, type, next_, next_ + count - 1, 0, items.data(),
                                begin.data(), &section_));
    next_ += count;
    return *this;
  }
  Maker &parents(Numbers left, const Numbers &right) { // of the faces in the section of lists() that was made last
    const std::size_t rows = left.size();
    left.insert(left.end(), right.begin(), right.end());
    left.resize(4 * rows); // their sides, which are not known
    check(cg_parent_data_write(file_, base_, zone_, section_, left.data()));
    return *this;
  }
  Maker &condition(const char *name, CGNS_ENUMT(GridLocation_t) where, CGNS_ENUMT(PointSetType_t) form,
                   const Numbers &points) {
    int number = 0;
    check(cg_boco_write(file_, base_, zone_, name, CGNS_ENUMV(BCWall), form, static_cast<cgsize_t>(points.size()),
                        points.data(), &number));
    if (where != CGNS_ENUMV(GridLocationNull)) check(cg_boco_gridlocation_write(file_, base_, zone_, number, where));
    return *this;
  }
  Maker &connection(const char *name, CGNS_ENUMT(GridLocation_t) where, CGNS_ENUMT(GridConnectivityType_t) type,
                    const char *donor, const Numbers &points, const Numbers &donor_points) {
    check(cg_conn_write(file_, base_, zone_, name, where, type, CGNS_ENUMV(PointList),
                        static_cast<cgsize_t>(points.size()), points.data(), donor, CGNS_ENUMV(Unstructured),
                        CGNS_ENUMV(PointListDonor), CGNS_ENUMV(LongInteger), static_cast<cgsize_t>(donor_points.size()),
                        donor_points.data(), &connection_));
    return *this;
  }
  Maker &periodic() { // the connection that was made last
    const std::array<float, 3> centre{}, angle{}, way = {2, 0, 0};
    check(cg_conn_periodic_write(file_, base_, zone_, connection_, centre.data(), angle.data(), way.data()));
    return *this;
  }

 private:
  int connection_ = 0, section_ = 0;
  int file_ = 0, base_ = 0, zone_ = 0, space_dim_;
  bool turned_ = false;
  cgsize_t next_ = 1;
};

// A hexahedron with a prism at its side, a pyramid on top and a tetrahedron at the pyramid.
const std::vector<double> mixed_x = {0, 0, 0, 1, 0, 0, 1,  1,  0, 0, 1, 0, 0, 0, 1, 1, 0,  1,
                                     1, 1, 1, 0, 1, 1, .5, .5, 2, 2, 0, 0, 2, 1, 0, 2, .5, 1.5};

void mixed(const std::string &path, int type) {
  const Numbers cells = {CGNS_ENUMV(HEXA_8),
                         1,
                         2,
                         3,
                         4,
                         5,
                         6,
                         7,
                         8,
                         CGNS_ENUMV(PYRA_5),
                         5,
                         6,
                         7,
                         8,
                         9,
                         CGNS_ENUMV(PENTA_6),
                         2,
                         6,
                         10,
                         3,
                         7,
                         11,
                         CGNS_ENUMV(TETRA_4),
                         6,
                         7,
                         9,
                         12};
  Maker(path, type, 3, 3)
      .zone("Zone", mixed_x, 4)
      .lists("cells", CGNS_ENUMV(MIXED), cells, {0, 9, 15, 22, 27})
      .section("triangles", CGNS_ENUMV(TRI_3), 3, {2, 10, 6, 3, 11, 7, 5, 6, 9})
      .section("floor", CGNS_ENUMV(QUAD_4), 1, {1, 4, 3, 2})
      .condition("ends", CGNS_ENUMV(FaceCenter), CGNS_ENUMV(PointRange), {5, 6})
      .condition("bottom", CGNS_ENUMV(FaceCenter), CGNS_ENUMV(PointList), {8});
}

// The same with a section for each type and conditions by the nodes.
void sections(const std::string &path) {
  Maker(path, CG_FILE_HDF5, 3, 3)
      .zone("Zone", mixed_x, 4)
      .section("tetra", CGNS_ENUMV(TETRA_4), 1, {6, 7, 9, 12})
      .section("sides", CGNS_ENUMV(TRI_3), 2, {2, 10, 6, 3, 11, 7})
      .section("floor", CGNS_ENUMV(QUAD_4), 1, {1, 4, 3, 2})
      .section("hexa", CGNS_ENUMV(HEXA_8), 1, {1, 2, 3, 4, 5, 6, 7, 8})
      .section("pyra", CGNS_ENUMV(PYRA_5), 1, {5, 6, 7, 8, 9})
      .section("penta", CGNS_ENUMV(PENTA_6), 1, {2, 6, 10, 3, 7, 11})
      .condition("ends", CGNS_ENUMV(Vertex), CGNS_ENUMV(PointList), {2, 3, 6, 7, 10, 11})
      .condition("bottom", CGNS_ENUMV(Vertex), CGNS_ENUMV(PointRange), {1, 4});
}

// Two cubes on each other by their faces, with conditions by faces, by nodes, or none.
enum class By { faces, nodes, nothing };
void polyhedra(const std::string &path, By by) {
  std::vector<double> x;
  for (int z = 0; z < 3; ++z)
    for (const auto &[a, b] : {std::array{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      x.insert(x.end(), {1.0 * a, 1.0 * b, 1.0 * z});
  Numbers nodes = {1, 4, 3, 2, 5, 6, 7, 8, 9, 10, 11, 12}, begin = {0};
  for (cgsize_t z = 0; z < 2; ++z)
    for (cgsize_t k = 0; k < 4; ++k) {
      const cgsize_t a = 4 * z + k + 1, b = 4 * z + (k + 1) % 4 + 1;
      nodes.insert(nodes.end(), {a, b, b + 4, a + 4});
    }
  for (cgsize_t face = 1; face <= 11; ++face) begin.push_back(4 * face);
  Maker file(path, CG_FILE_HDF5, 3, 3);
  file.zone("Zone", x, 2)
      .lists("faces", CGNS_ENUMV(NGON_n), nodes, begin)
      .lists("cells", CGNS_ENUMV(NFACE_n), {1, 2, 4, 5, 6, 7, -2, 3, 8, 9, 10, 11}, {0, 6, 12});
  if (by == By::nodes)
    file.condition("lower", CGNS_ENUMV(Vertex), CGNS_ENUMV(PointRange), {1, 8}); // the face between them as well
  if (by != By::faces) return;
  file.condition("walls", CGNS_ENUMV(FaceCenter), CGNS_ENUMV(PointRange), {4, 11})
      .condition("top", CGNS_ENUMV(FaceCenter), CGNS_ENUMV(PointList), {3});
}

// Two cubes beside each other by faces that name their cells, from number `cell` on. The first one is between them.
enum class Written { once, by_patch, partly };
void parents(const std::string &path, cgsize_t cell, bool turned, Written how, int type = CG_FILE_HDF5) {
  std::vector<double> x;
  for (int i = 0; i < 12; ++i) x.insert(x.end(), {1.0 * (i % 3), 1.0 * (i / 3 % 2), 1.0 * (i / 6)});
  const Numbers nodes = {2,  5, 11, 8,  1,  7, 10, 4, 3, 6, 12, 9, 1, 2, 8, 7, 2,  3,  9, 8, 4,  10,
                         11, 5, 5,  11, 12, 6, 1,  4, 5, 2, 2,  5, 6, 3, 7, 8, 11, 10, 8, 9, 12, 11};
  Numbers left, right(11, 0), begin = {0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44};
  for (const cgsize_t of : {0, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1}) left.push_back(cell + of);
  right[0] = cell + 1;
  if (turned) std::swap(left, right); // boundary faces have their cells on the right
  Maker file(path, type, 3, 3);
  file.zone("Zone", x, 2);
  const CGNS_ENUMT(GridLocation_t) none = CGNS_ENUMV(GridLocationNull);
  if (how == Written::once) {
    file.lists("faces", CGNS_ENUMV(NGON_n), nodes, begin).parents(left, right);
    file.condition("ends", none, CGNS_ENUMV(PointRange), {2, 3})
        .condition("walls", none, CGNS_ENUMV(PointRange), {4, 11});
    file.condition("low", CGNS_ENUMV(FaceCenter), CGNS_ENUMV(PointList), {8, 9, 3, 12});
    return;
  }
  int part = 0;
  for (const auto &[first, last] : {std::array{0, 1}, {1, 3}, {3, 11}}) {
    const auto part_of = [&, from = first, to = last](const Numbers &all, int each) {
      return Numbers(all.begin() + from * each, all.begin() + to * each);
    };
    file.lists(std::array{"inner", "ends", "walls"}[static_cast<std::size_t>(part++)], CGNS_ENUMV(NGON_n),
               part_of(nodes, 4), Numbers(begin.begin(), begin.begin() + (last - first) + 1));
    if (part < 3 || how != Written::partly) file.parents(part_of(left, 1), part_of(right, 1));
  }
}

// A square in two dimensions; no conditions: sections are patches.
void flat(const std::string &path) {
  Maker(path, CG_FILE_HDF5, 2, 2)
      .turned()
      .zone("Zone", {0, 0, 1, 0, 1, 1, 0, 1}, 2)
      .section("cells", CGNS_ENUMV(TRI_3), 2, {1, 2, 3, 1, 3, 4})
      .section("inlet", CGNS_ENUMV(BAR_2), 1, {4, 1})
      .section("wall", CGNS_ENUMV(BAR_2), 3, {1, 2, 2, 3, 3, 4});
}

// A pyramid and a prism with nodes on all edges and four-sided faces, which lie anywhere.
void second_order(const std::string &path) {
  std::vector<double> x = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, .5, .5, 1, 2, 0,
                           0, 3, 0, 0, 2, 1, 0, 2, 0, 1, 3, 0, 1,  2,  1, 1};
  Numbers pyramid = {1, 2, 3, 4, 5}, prism = {6, 7, 8, 9, 10, 11};
  while (pyramid.size() + prism.size() < 32) {
    x.insert(x.end(), {0.1, 0.2, 0.3 + static_cast<double>(x.size())});
    (pyramid.size() < 14 ? pyramid : prism).push_back(static_cast<cgsize_t>(x.size() / 3));
  }
  Maker(path, CG_FILE_HDF5, 3, 3)
      .zone("Zone", x, 2)
      .section("pyramid", CGNS_ENUMV(PYRA_14), 1, pyramid)
      .section("prism", CGNS_ENUMV(PENTA_18), 1, prism);
}

// Two cubes side by side in two zones, whose nodes are numbered in other orders. The sides between them, elements 7 of
// both, are in a section of their own.
enum class Join { places, nodes, faces, none, wrong_node, apart, faces_apart, overset, periodic, nowhere };
void zones(const std::string &path, Join join) {
  using enum Join;
  const double begin = join == apart || join == faces_apart || join == none ? 1.25 : 1;
  std::vector<double> left, right;
  for (const auto &[x, y, z] :
       {std::array<double, 3>{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}}) {
    left.insert(left.end(), {x, y, z});
    right.insert(right.begin(), {begin + x, y, z}); // node 9 - n
  }
  const CGNS_ENUMT(GridLocation_t) vertex = CGNS_ENUMV(Vertex), face = CGNS_ENUMV(FaceCenter);
  const CGNS_ENUMT(GridConnectivityType_t) one_to_one = CGNS_ENUMV(Abutting1to1);
  Maker file(path, CG_FILE_HDF5, 3, 3);
  file.zone("Left", left, 1)
      .section("cell", CGNS_ENUMV(HEXA_8), 1, {1, 2, 3, 4, 5, 6, 7, 8})
      .section("outside", CGNS_ENUMV(QUAD_4), 5, {1, 4, 3, 2, 5, 6, 7, 8, 1, 2, 6, 5, 3, 4, 8, 7, 1, 5, 8, 4})
      .section("between", CGNS_ENUMV(QUAD_4), 1, {2, 3, 7, 6});
  if (join != places) file.condition("wall", face, CGNS_ENUMV(PointRange), {2, 6});
  if (join == nodes || join == apart)
    file.connection("to_right", vertex, one_to_one, "Right", {2, 3, 6, 7}, {8, 5, 4, 1});
  if (join == faces || join == faces_apart) file.connection("to_right", face, one_to_one, "Right", {7}, {7});
  if (join == nowhere) file.connection("to_middle", vertex, one_to_one, "Middle", {2}, {8});
  if (join == overset) file.connection("over", vertex, CGNS_ENUMV(Overset), "Right", {2}, {8});
  if (join == wrong_node) file.connection("to_right", vertex, one_to_one, "Right", {2, 3, 6, 7}, {8, 5, 4, 9});
  if (join == periodic) {
    file.connection("around", vertex, one_to_one, "Right", {1}, {7}).periodic();
    file.connection("to_right", vertex, one_to_one, "Right", {2, 3, 6, 7}, {8, 5, 4, 1});
  }
  file.zone("Right", right, 1)
      .section("cell", CGNS_ENUMV(HEXA_8), 1, {8, 7, 6, 5, 4, 3, 2, 1})
      .section("outside", CGNS_ENUMV(QUAD_4), 5, {8, 5, 6, 7, 4, 3, 2, 1, 8, 7, 3, 4, 6, 5, 1, 2, 7, 6, 2, 3})
      .section("between", CGNS_ENUMV(QUAD_4), 1, {8, 4, 1, 5});
  if (join == places) return;
  file.condition("wall", face, CGNS_ENUMV(PointRange), {2, 5}).condition("outlet", face, CGNS_ENUMV(PointList), {6});
  if (join == faces) file.connection("to_left", face, one_to_one, "Left", {7}, {7});
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  const std::string folder = std::string(argv[1]) + "/";
  mixed(folder + "mixed.cgns", CG_FILE_HDF5);
  mixed(folder + "mixed_adf.cgns", CG_FILE_ADF);
  sections(folder + "sections.cgns");
  polyhedra(folder + "polyhedra.cgns", By::faces);
  polyhedra(folder + "bare.cgns", By::nothing);
  polyhedra(folder + "lower.cgns", By::nodes);
  parents(folder + "parents.cgns", 1, false, Written::once);
  parents(folder + "parents_behind.cgns", 12, false, Written::once);
  parents(folder + "parents_right.cgns", 1, true, Written::once);
  parents(folder + "parents_adf.cgns", 12, true, Written::once, CG_FILE_ADF);
  parents(folder + "parents_patches.cgns", 1, true, Written::by_patch);
  parents(folder + "parents_partly.cgns", 1, false, Written::partly);
  second_order(folder + "second.cgns");
  flat(folder + "flat.cgns");
  const std::vector<double> cube(24);
  Maker(folder + "structured.cgns", CG_FILE_HDF5, 3, 3).zone("Zone", cube, 1, CGNS_ENUMV(Structured));
  Maker(folder + "mixed_zones.cgns", CG_FILE_HDF5, 3, 3)
      .zone("A", mixed_x, 1)
      .section("tetra", CGNS_ENUMV(TETRA_4), 1, {6, 7, 9, 12})
      .zone("B", cube, 1, CGNS_ENUMV(Structured));
  for (const auto &[name, join] : {std::pair{"places", Join::places},
                                   {"nodes", Join::nodes},
                                   {"faces", Join::faces},
                                   {"none", Join::none},
                                   {"wrong_node", Join::wrong_node},
                                   {"apart", Join::apart},
                                   {"faces_apart", Join::faces_apart},
                                   {"overset", Join::overset},
                                   {"periodic", Join::periodic},
                                   {"nowhere", Join::nowhere}})
    zones(folder + "zones_" + name + ".cgns", join);
  Maker(folder + "outside.cgns", CG_FILE_HDF5, 3, 3)
      .zone("Zone", mixed_x, 1)
      .section("tetra", CGNS_ENUMV(TETRA_4), 1, {6, 7, 9, 13});
  Maker(folder + "no_faces.cgns", CG_FILE_HDF5, 3, 3)
      .zone("Zone", mixed_x, 1)
      .lists("cells", CGNS_ENUMV(NFACE_n), {5, 6, 7, 8}, {0, 4});
}

// SPDX-License-Identifier: MIT
