// Writes zones of cells with the sides that have a patch, and the nodes that zones have in common.
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "faces.hpp"
#include "families.hpp"
#include "types.hpp"

namespace cgns {

namespace {

struct Shape {
  int vtk;
  CGNS_ENUMT(ElementType_t) type;
  const char *name; // of the section of such cells
};
constexpr std::array shapes = {
    Shape{3, CGNS_ENUMV(BAR_2), "Bars"},         Shape{5, CGNS_ENUMV(TRI_3), "Triangles"},
    Shape{9, CGNS_ENUMV(QUAD_4), "Quadrangles"}, Shape{10, CGNS_ENUMV(TETRA_4), "Tetrahedra"},
    Shape{14, CGNS_ENUMV(PYRA_5), "Pyramids"},   Shape{13, CGNS_ENUMV(PENTA_6), "Prisms"},
    Shape{12, CGNS_ENUMV(HEXA_8), "Hexahedra"}};

// A file with one base that is being written. Each patch is a family, to which its conditions in all zones belong: so
// other programs know them as one.
class NewBase {
 public:
  NewBase(const char *path, const Zones &zones, int cell_dim, int space_dim) : NewBase(path) {
    check(cg_base_write(number_, "Base", cell_dim, space_dim, &base_));
    NodeNames names;
    for (const std::string &zone : zones.names) names.take(zone);
    for (const std::string &patch : zones.patches) {
      families_.push_back(names.take(patch));
      write_family(number_, base_, {families_.back(), patch});
    }
  }
  ~NewBase() {
    if (!closed_) cg_close(number_);
  }
  NewBase(const NewBase &) = delete;
  NewBase &operator=(const NewBase &) = delete;

  int file() const { return number_; }
  int base() const { return base_; }
  const std::string &family(std::size_t patch) const { return families_[patch]; }
  void close() { // what did not fit on the disk may show only now
    closed_ = true;
    check(cg_close(number_));
  }

 private:
  explicit NewBase(const char *path) { check(cg_open(path, CG_MODE_MODIFY, &number_)); }

  int number_ = 0, base_ = 0;
  bool closed_ = false;
  std::vector<std::string> families_; // of the patches
};

// Which elements a patch has.
struct Range {
  cgsize_t first = 0, last = 0;
};

class ZoneWriter {
 public:
  ZoneWriter(const NewBase &base, const Zones &zones, std::size_t number, int cell_dim, int space_dim)
      : base_(base),
        zones_(zones),
        number_(number),
        grid_(zones.grids[number]),
        cell_dim_(cell_dim),
        space_dim_(space_dim),
        ranges_(zones.patches.size()) {
    for (const char *name : {"ZoneType", "GridCoordinates", "ZoneBC", "ZoneGridConnectivity"}) sections_.take(name);
  }

  void run() {
    make_zone();
    coordinates();
    for (const Shape &shape : shapes) section(shape, 0, shape.name);
    polygons();
    if (has_polygonal_faces())
      polyhedra();
    else
      sides();
    conditions();
    connections();
  }

 private:
  bool is_cell(std::size_t i) const { return grid_.patch[i] == 0; }

  void make_zone() {
    const auto cells = std::count(grid_.patch.begin(), grid_.patch.end(), 0);
    const std::array<cgsize_t, 3> size = {static_cast<cgsize_t>(grid_.points.size() / 3), static_cast<cgsize_t>(cells),
                                          0};
    check(cg_zone_write(base_.file(), base_.base(), zones_.names[number_].c_str(), size.data(),
                        CGNS_ENUMV(Unstructured), &zone_));
  }

  void coordinates() {
    std::vector<double> values(grid_.points.size() / 3);
    for (std::size_t k = 0; k < static_cast<std::size_t>(space_dim_); ++k) {
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = grid_.points[3 * i + k];
      const std::string name = std::string("Coordinate") + "XYZ"[k];
      int ignored = 0;
      check(cg_coord_write(base_.file(), base_.base(), zone_, CGNS_ENUMV(RealDouble), name.c_str(), values.data(),
                           &ignored));
    }
  }

  // The nodes, from 1, of all elements of a type that are cells (patch 0) or belong to a patch.
  IndexLists elements(int vtk, int patch) const {
    IndexLists out;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < grid_.types.size(); begin = grid_.ends[i++]) {
      if (grid_.types[i] != vtk || grid_.patch[i] != patch) continue;
      for (std::int64_t at = begin; at < grid_.ends[i]; ++at)
        out.items.push_back(static_cast<cgsize_t>(grid_.nodes[static_cast<std::size_t>(at)]) + 1);
      out.close();
    }
    return out;
  }

  Range section(const Shape &shape, int patch, const std::string &name) {
    const IndexLists rows = elements(shape.vtk, patch);
    if (rows.size() == 0) return {};
    const Range out = {next_, next_ + rows.size() - 1};
    int ignored = 0;
    check(cg_section_write(base_.file(), base_.base(), zone_, sections_.take(name).c_str(), shape.type, out.first,
                           out.last, 0, rows.items.data(), &ignored));
    next_ = out.last + 1;
    return out;
  }

  void lists(const char *name, CGNS_ENUMT(ElementType_t) type, const IndexLists &rows) {
    if (rows.size() == 0) return;
    int ignored = 0;
    check(cg_poly_section_write(base_.file(), base_.base(), zone_, sections_.take(name).c_str(), type, next_,
                                next_ + rows.size() - 1, 0, rows.items.data(), rows.begin.data(), &ignored));
    next_ += rows.size();
  }

  void polygons() {
    if (cell_dim_ == 2) lists("Polygons", CGNS_ENUMV(NGON_n), elements(vtk_polygon, 0));
  }

  // Then all faces are in one section.
  bool has_polygonal_faces() const {
    for (std::size_t i = 0; i < grid_.types.size(); ++i)
      if (grid_.types[i] == vtk_polyhedron || (!is_cell(i) && grid_.types[i] == vtk_polygon)) return true;
    return false;
  }

  void polyhedra() {
    FacesOnce faces(grid_);
    const cgsize_t before = next_ - 1;
    for (std::size_t i = 0; i < faces.patches.size(); ++i) {
      if (faces.patches[i] == 0) continue;
      Range &range = ranges_[static_cast<std::size_t>(faces.patches[i]) - 1];
      range.last = next_ + static_cast<cgsize_t>(i);
      if (range.first == 0) range.first = range.last;
    }
    for (cgsize_t &face : faces.cells.items) face += face < 0 ? -before : before; // its number among all elements
    lists("Faces", CGNS_ENUMV(NGON_n), faces.nodes);
    lists("Polyhedra", CGNS_ENUMV(NFACE_n), faces.cells);
  }

  void sides() {
    for (std::size_t patch = 0; patch < ranges_.size(); ++patch)
      for (const Shape &shape : shapes) {
        if (dimension_of(shape.vtk) != cell_dim_ - 1) continue;
        const Range own = section(shape, static_cast<int>(patch) + 1, zones_.patches[patch]);
        if (own.first == 0) continue;
        if (ranges_[patch].first == 0) ranges_[patch].first = own.first;
        ranges_[patch].last = own.last;
      }
  }

  void conditions() {
    for (std::size_t patch = 0; patch < ranges_.size(); ++patch) {
      if (ranges_[patch].first == 0) continue;
      const std::string &name = base_.family(patch);
      const std::array<cgsize_t, 2> range = {ranges_[patch].first, ranges_[patch].last};
      int number = 0;
      check(cg_boco_write(base_.file(), base_.base(), zone_, name.c_str(), CGNS_ENUMV(FamilySpecified),
                          CGNS_ENUMV(PointRange), 2, range.data(), &number));
      check(cg_boco_gridlocation_write(base_.file(), base_.base(), zone_, number,
                                       cell_dim_ == 3 ? CGNS_ENUMV(FaceCenter) : CGNS_ENUMV(EdgeCenter)));
      check(cg_goto(base_.file(), base_.base(), "Zone_t", zone_, "ZoneBC_t", 1, "BC_t", number, "end"));
      check(cg_famname_write(name.c_str()));
    }
  }

  void connections() {
    const std::vector<std::int64_t> &links = zones_.links;
    NodeNames names;
    for (std::size_t begin = 0, end = 0; begin < links.size(); begin = end) {
      std::vector<cgsize_t> own, others;
      for (; end < links.size() && links[end] == links[begin] && links[end + 2] == links[begin + 2]; end += 4) {
        own.push_back(static_cast<cgsize_t>(links[end + 1]) + 1);
        others.push_back(static_cast<cgsize_t>(links[end + 3]) + 1);
      }
      if (links[begin] != static_cast<std::int64_t>(number_)) continue;
      const std::string &donor = zones_.names[static_cast<std::size_t>(links[begin + 2])];
      int ignored = 0;
      check(cg_conn_write(base_.file(), base_.base(), zone_, names.take("To" + donor).c_str(), CGNS_ENUMV(Vertex),
                          CGNS_ENUMV(Abutting1to1), CGNS_ENUMV(PointList), static_cast<cgsize_t>(own.size()),
                          own.data(), donor.c_str(), CGNS_ENUMV(Unstructured), CGNS_ENUMV(PointListDonor),
                          sizeof(cgsize_t) == 4 ? CGNS_ENUMV(Integer) : CGNS_ENUMV(LongInteger),
                          static_cast<cgsize_t>(others.size()), others.data(), &ignored));
    }
  }

  const NewBase &base_;
  const Zones &zones_;
  const std::size_t number_;
  const Grid &grid_;
  const int cell_dim_, space_dim_;
  int zone_ = 0;
  cgsize_t next_ = 1; // the number of the next element
  std::vector<Range> ranges_;
  NodeNames sections_;
};

} // namespace

void make_file(const char *path) {
  struct stat facts {};
  const bool was_there = stat(path, &facts) == 0;
  if (cg_set_file_type(CG_FILE_HDF5) != CG_OK) check(cg_set_file_type(CG_FILE_ADF)); // libcgns without HDF5
  int number = 0;
  check(cg_open(path, CG_MODE_WRITE, &number));
  check(cg_close(number));
  // The library has put a file of its own in the place of the one that was there.
  if (was_there && chmod(path, facts.st_mode & 0777) != 0) errno = 0; // a file system without modes
}

void write_zones(const char *path, const Zones &zones) {
  check_zones(zones);
  int cell_dim = 0, space_dim = 2;
  for (const Grid &grid : zones.grids) {
    for (std::size_t i = 0; i < grid.types.size(); ++i)
      if (grid.patch[i] == 0) cell_dim = std::max(cell_dim, dimension_of(grid.types[i]));
    for (std::size_t i = 2; i < grid.points.size(); i += 3)
      if (grid.points[i] != 0) space_dim = 3;
  }
  if (cell_dim < 2) throw Failure(OP_ERR_ARGUMENT, "the mesh has neither cells of two nor of three dimensions");
  NewBase base(path, zones, cell_dim, std::max(cell_dim, space_dim));
  for (std::size_t zone = 0; zone < zones.grids.size(); ++zone)
    ZoneWriter(base, zones, zone, cell_dim, std::max(cell_dim, space_dim)).run();
  base.close();
}

} // namespace cgns

// SPDX-License-Identifier: MIT
