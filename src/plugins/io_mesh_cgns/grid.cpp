#include "grid.hpp"

#include <cgnslib.h>

#include <algorithm>
#include <array>
#include <string>

namespace cgns {

namespace {

[[noreturn]] void refuse(const std::string &story) { throw Failure(OP_ERR_FILE, story); }

void check(int status) {
  if (status != CG_OK) refuse(cg_get_error());
}

// VTK's number for a type of elements with as many nodes, 0: none.
int vtk_type(CGNS_ENUMT(ElementType_t) type) {
  switch (type) {
    case CGNS_ENUMV(NODE):
      return 1;
    case CGNS_ENUMV(BAR_2):
      return 3;
    case CGNS_ENUMV(BAR_3):
      return 21;
    case CGNS_ENUMV(TRI_3):
      return 5;
    case CGNS_ENUMV(TRI_6):
      return 22;
    case CGNS_ENUMV(QUAD_4):
      return 9;
    case CGNS_ENUMV(QUAD_8):
      return 23;
    case CGNS_ENUMV(QUAD_9):
      return 28;
    case CGNS_ENUMV(TETRA_4):
      return 10;
    case CGNS_ENUMV(TETRA_10):
      return 24;
    case CGNS_ENUMV(PYRA_5):
      return 14;
    case CGNS_ENUMV(PYRA_13):
      return 27;
    case CGNS_ENUMV(PENTA_6):
      return 13;
    case CGNS_ENUMV(PENTA_15):
      return 26;
    case CGNS_ENUMV(HEXA_8):
      return 12;
    case CGNS_ENUMV(HEXA_20):
      return 25;
    case CGNS_ENUMV(HEXA_27):
      return 29;
    default:
      return 0;
  }
}

constexpr int vtk_polygon = 7, vtk_polyhedron = 42;

int dimension_of(int vtk) {
  constexpr std::array lines = {3, 21};
  constexpr std::array flat = {5, 22, 9, 23, 28, vtk_polygon};
  if (vtk == 1) return 0;
  if (std::find(lines.begin(), lines.end(), vtk) != lines.end()) return 1;
  return std::find(flat.begin(), flat.end(), vtk) != flat.end() ? 2 : 3;
}

class File {
 public:
  explicit File(const char *path) { check(cg_open(path, CG_MODE_READ, &number_)); }
  ~File() { cg_close(number_); }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  int number() const { return number_; }

 private:
  int number_ = 0;
};

using Name = std::array<char, 33>; // as long as names are in CGNS

class Reader {
 public:
  explicit Reader(const char *path) : file_(path) {}

  Grid run() {
    look_at_zone();
    coordinates();
    int sections = 0;
    check(cg_nsections(file_.number(), 1, 1, &sections));
    for (int section = 1; section <= sections; ++section) elements(section);
    conditions();
    emit();
    return std::move(grid_);
  }

 private:
  struct Element {
    int vtk = 0; // 0: in no section
    int patch = 0;
    std::vector<cgsize_t> nodes; // of polyhedra: numbers of faces with their signs
  };

  void look_at_zone() {
    int bases = 0, zones = 0;
    check(cg_nbases(file_.number(), &bases));
    if (bases < 1) refuse("the file has no base");
    if (bases > 1) grid_.notes.push_back("the file has several bases: only the first one is read");
    Name name{};
    check(cg_base_read(file_.number(), 1, name.data(), &cell_dim_, &space_dim_));
    check(cg_nzones(file_.number(), 1, &zones));
    if (zones != 1) refuse("the base has " + std::to_string(zones) + " zones; meshes of one zone can be read");
    CGNS_ENUMT(ZoneType_t) kind{};
    check(cg_zone_type(file_.number(), 1, 1, &kind));
    if (kind != CGNS_ENUMV(Unstructured)) refuse("the zone is structured; only unstructured ones can be read");
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file_.number(), 1, 1, name.data(), size.data()));
    points_ = size[0];
    if (points_ < 1) refuse("the zone has no nodes");
  }

  void coordinates() {
    int count = 0;
    check(cg_ncoords(file_.number(), 1, 1, &count));
    if (count < 2) refuse("the zone has " + std::to_string(count) + " coordinates, instead of 2 or 3");
    const cgsize_t first = 1;
    std::vector<double> values(static_cast<std::size_t>(points_));
    grid_.points.resize(3 * values.size());
    for (int k = 0; k < std::min(count, 3); ++k) {
      Name name{};
      CGNS_ENUMT(DataType_t) type{};
      check(cg_coord_info(file_.number(), 1, 1, k + 1, &type, name.data()));
      const std::string usual = std::string("Coordinate") + "XYZ"[k];
      if (name.data() != usual) refuse("expected " + usual + ", found " + name.data());
      check(cg_coord_read(file_.number(), 1, 1, name.data(), CGNS_ENUMV(RealDouble), &first, &points_, values.data()));
      for (std::size_t i = 0; i < values.size(); ++i) grid_.points[3 * i + static_cast<std::size_t>(k)] = values[i];
    }
  }

  Element &element(cgsize_t number) {
    if (number < 1 || static_cast<std::size_t>(number) > elements_.size())
      refuse("there is no element " + std::to_string(number));
    return elements_[static_cast<std::size_t>(number) - 1];
  }

  void elements(int section) {
    Name name{};
    CGNS_ENUMT(ElementType_t) type{};
    cgsize_t start = 0, end = 0, size = 0;
    int boundary = 0, parents = 0;
    check(cg_section_read(file_.number(), 1, 1, section, name.data(), &type, &start, &end, &boundary, &parents));
    check(cg_ElementDataSize(file_.number(), 1, 1, section, &size));
    if (start < 1 || end < start || end > 2147483647 || size < 0 || end - start >= size)
      refuse(std::string("section ") + name.data() + " has elements from " + std::to_string(start) + " to " +
             std::to_string(end) + " and " + std::to_string(size) + " numbers");
    const bool mixed = type == CGNS_ENUMV(MIXED), faces = type == CGNS_ENUMV(NGON_n),
               cells = type == CGNS_ENUMV(NFACE_n);
    const auto count = static_cast<std::size_t>(end - start) + 1;
    std::vector<cgsize_t> numbers(static_cast<std::size_t>(size)), begin(count + 1);
    if (mixed || faces || cells) {
      check(cg_poly_elements_read(file_.number(), 1, 1, section, numbers.data(), begin.data(), nullptr));
    } else {
      check(cg_elements_read(file_.number(), 1, 1, section, numbers.data(), nullptr));
      for (std::size_t i = 0; i <= count; ++i) begin[i] = static_cast<cgsize_t>(i * (numbers.size() / count));
    }
    if (elements_.size() < static_cast<std::size_t>(end)) elements_.resize(static_cast<std::size_t>(end));
    sections_.push_back({name.data(), start, end});
    for (std::size_t i = 0; i < count; ++i) {
      if (begin[i] < 0 || begin[i + 1] <= begin[i] || begin[i + 1] > size)
        refuse(std::string("section ") + name.data() + ": element " + std::to_string(i) + " has no possible extent");
      Element &one = element(start + static_cast<cgsize_t>(i));
      const cgsize_t first = begin[i] + (mixed ? 1 : 0);
      const auto kind =
          mixed ? static_cast<CGNS_ENUMT(ElementType_t)>(numbers[static_cast<std::size_t>(begin[i])]) : type;
      one.vtk = faces ? vtk_polygon : cells ? vtk_polyhedron : vtk_type(kind);
      if (one.vtk == 0)
        refuse(std::string("section ") + name.data() + " has elements of type " + cg_ElementTypeName(kind) +
               ", which cannot be read");
      one.nodes.assign(numbers.begin() + first, numbers.begin() + begin[i + 1]);
    }
  }

  // Boundary conditions name sides by their numbers or by their nodes; without any, sections are patches.
  void conditions() {
    int count = 0;
    check(cg_nbocos(file_.number(), 1, 1, &count));
    for (int condition = 1; condition <= count; ++condition) one_condition(condition);
    for (std::size_t i = 0; count == 0 && i < sections_.size(); ++i) {
      const int patch = new_patch(sections_[i].name);
      for (cgsize_t number = sections_[i].start; number <= sections_[i].end; ++number) element(number).patch = patch;
    }
  }

  int new_patch(const std::string &name) {
    grid_.patches.push_back(name);
    return static_cast<int>(grid_.patches.size());
  }

  void one_condition(int condition) {
    Name name{};
    CGNS_ENUMT(BCType_t) type{};
    CGNS_ENUMT(PointSetType_t) form{};
    CGNS_ENUMT(DataType_t) normals_type{};
    CGNS_ENUMT(GridLocation_t) location{};
    cgsize_t count = 0, normals = 0;
    std::array<int, 3> normal{};
    int sets = 0;
    check(cg_boco_info(file_.number(), 1, 1, condition, name.data(), &type, &form, &count, normal.data(), &normals,
                       &normals_type, &sets));
    check(cg_boco_gridlocation_read(file_.number(), 1, 1, condition, &location));
    if (count < 0) refuse(std::string("boundary condition ") + name.data() + " has no points");
    std::vector<cgsize_t> list(static_cast<std::size_t>(count));
    check(cg_boco_read(file_.number(), 1, 1, condition, list.data(), nullptr));
    const bool range = form == CGNS_ENUMV(PointRange) || form == CGNS_ENUMV(ElementRange);
    const bool points = form == CGNS_ENUMV(PointRange) || form == CGNS_ENUMV(PointList);
    if (range && list.size() == 2) {
      const cgsize_t most = std::max(points_, static_cast<cgsize_t>(elements_.size()));
      const cgsize_t first = list[0], last = list[1];
      if (first < 1 || last < first || last > most)
        refuse(std::string("boundary condition ") + name.data() + " is from " + std::to_string(first) + " to " +
               std::to_string(last));
      list.clear();
      for (cgsize_t number = first; number <= last; ++number) list.push_back(number);
    }
    const int patch = new_patch(name.data());
    if (points && location == CGNS_ENUMV(Vertex))
      by_nodes(list, patch);
    else
      for (const cgsize_t number : list) element(number).patch = patch;
  }

  // Sides all of whose nodes are listed.
  void by_nodes(const std::vector<cgsize_t> &list, int patch) {
    std::vector<bool> listed(static_cast<std::size_t>(points_) + 1);
    for (const cgsize_t node : list)
      if (node >= 1 && node <= points_) listed[static_cast<std::size_t>(node)] = true;
    const auto has = [&](cgsize_t node) {
      return node >= 1 && node <= points_ && listed[static_cast<std::size_t>(node)];
    };
    bool found = false;
    for (Element &one : elements_)
      if (one.vtk != 0 && dimension_of(one.vtk) == cell_dim_ - 1 && std::ranges::all_of(one.nodes, has)) {
        one.patch = patch;
        found = true;
      }
    if (!found)
      grid_.notes.push_back("boundary condition " + grid_.patches.back() + " names nodes of no boundary elements");
  }

  void emit() {
    for (Element &one : elements_) {
      const int dim = one.vtk == 0 ? 0 : dimension_of(one.vtk);
      if (dim != cell_dim_ && (dim != cell_dim_ - 1 || one.patch == 0)) continue;
      if (one.vtk == vtk_polyhedron)
        polyhedron(one);
      else
        for (const cgsize_t node : one.nodes) grid_.nodes.push_back(static_cast<std::int64_t>(node) - 1);
      grid_.ends.push_back(static_cast<std::int64_t>(grid_.nodes.size()));
      grid_.face_ends.push_back(one.vtk == vtk_polyhedron ? static_cast<std::int64_t>(grid_.faces.size()) : -1);
      grid_.types.push_back(one.vtk);
      grid_.patch.push_back(dim == cell_dim_ ? 0 : one.patch);
    }
    if (std::find(grid_.types.begin(), grid_.types.end(), vtk_polyhedron) == grid_.types.end() && cell_dim_ == 3 &&
        std::ranges::any_of(elements_, [](const Element &one) { return one.vtk == vtk_polygon; }) &&
        std::ranges::all_of(grid_.types, [](int type) { return dimension_of(type) < 3; }))
      refuse("the zone has faces (NGON_n) but no cells; sections NFACE_n are expected");
  }

  void polyhedron(const Element &cell) {
    grid_.faces.push_back(static_cast<std::int64_t>(cell.nodes.size()));
    for (const cgsize_t number : cell.nodes) {
      const Element &face = element(number < 0 ? -number : number);
      if (face.vtk == 0 || dimension_of(face.vtk) != 2)
        refuse("a cell names element " + std::to_string(number) + " as its face, which is none");
      grid_.faces.push_back(static_cast<std::int64_t>(face.nodes.size()));
      for (const cgsize_t node : face.nodes) grid_.faces.push_back(static_cast<std::int64_t>(node) - 1);
    }
  }

  struct Section {
    std::string name;
    cgsize_t start, end;
  };
  File file_;
  Grid grid_;
  int cell_dim_ = 3, space_dim_ = 3;
  cgsize_t points_ = 0;
  std::vector<Element> elements_;
  std::vector<Section> sections_;
};

} // namespace

Grid read_grid(const char *path) { return Reader(path).run(); }

} // namespace cgns
