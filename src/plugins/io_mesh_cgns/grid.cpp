#include "grid.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "connections.hpp"
#include "families.hpp"
#include "parents.hpp"
#include "types.hpp"

namespace cgns {

namespace {

// Of a face; no mesh that is meant has more.
constexpr cgsize_t most_face_nodes = 128;

// What the zones of a file share.
struct Base {
  const File &file;
  Zones &out;
  std::string path; // in the file
  int cell_dim = 3;
  bool has_conditions = false;
  std::map<std::string, std::string> full_names; // of families whose node has another one

  std::string full_name(const std::string &name) const {
    const auto found = full_names.find(name);
    return found != full_names.end() ? found->second : name;
  }
  int patch(const std::string &name) const { // zones may have a patch in common
    const auto found = std::find(out.patches.begin(), out.patches.end(), name);
    const auto place = found - out.patches.begin();
    if (found == out.patches.end()) out.patches.push_back(name);
    return static_cast<int>(place) + 1;
  }
};

class ZoneReader {
 public:
  ZoneReader(const Base &base, int number)
      : base_(base),
        file_(base.file),
        zone_number_(number),
        name_(base.out.names[static_cast<std::size_t>(number) - 1]),
        cell_dim_(base.cell_dim),
        zone_(base.path + "/" + name_) {}

  Grid run() {
    look_at_zone();
    coordinates();
    int sections = 0;
    check(cg_nsections(file_.number(), 1, zone_number_, &sections));
    make_room(sections);
    for (int section = 1; section <= sections; ++section) elements(section);
    cells_by_parents();
    count_uses();
    conditions();
    read_connections({file_, base_.out, zone_number_, name_, zone_, points_, static_cast<cgsize_t>(elements_.size()),
                      [this](cgsize_t face) -> const std::vector<cgsize_t> & { return element(face).nodes; }});
    emit();
    return std::move(grid_);
  }

 private:
  struct Element {
    int vtk = 0;                 // 0: in no section
    int patch = 0, uses = 0;     // uses: by how many cells it is named as a face
    std::vector<cgsize_t> nodes; // of polyhedra: numbers of faces with their signs
  };

  struct Section {
    std::string name;
    CGNS_ENUMT(ElementType_t) type{};
    cgsize_t start = 0, end = 0, size = 0;

    std::size_t count() const { return static_cast<std::size_t>(end - start) + 1; }
  };

  void look_at_zone() {
    CGNS_ENUMT(ZoneType_t) kind{};
    check(cg_zone_type(file_.number(), 1, zone_number_, &kind));
    if (kind != CGNS_ENUMV(Unstructured))
      refuse(base_.out.names.size() == 1 ? std::string("the zone is structured; only unstructured ones can be read")
                                         : "zone " + name_ + " is structured; only unstructured ones can be read");
    Name name{};
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file_.number(), 1, zone_number_, name.data(), size.data()));
    points_ = size[0];
    cells_ = size[1];
    if (points_ < 1) refuse("zone " + name_ + " has no nodes");
  }

  void coordinates() {
    int count = 0;
    check(cg_ncoords(file_.number(), 1, zone_number_, &count));
    std::vector<std::string> names;
    for (int k = 1; k <= count; ++k) {
      Name name{};
      CGNS_ENUMT(DataType_t) type{};
      check(cg_coord_info(file_.number(), 1, zone_number_, k, &type, name.data()));
      names.emplace_back(name.data());
    }
    const cgsize_t first = 1;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::string name = std::string("Coordinate") + "XYZ"[k];
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        if (k == 2) return;
        refuse("the zone has no " + name);
      }
      file_.must_hold(zone_ + "/GridCoordinates/" + name, 1, points_);
      if (k == 0) grid_.points.resize(3 * static_cast<std::size_t>(points_));
      std::vector<double> values(static_cast<std::size_t>(points_));
      check(cg_coord_read(file_.number(), 1, zone_number_, name.c_str(), CGNS_ENUMV(RealDouble), &first, &points_,
                          values.data()));
      for (std::size_t i = 0; i < values.size(); ++i) grid_.points[3 * i + k] = values[i];
    }
  }

  Element &element(cgsize_t number) {
    if (number < 1 || static_cast<std::size_t>(number) > elements_.size())
      refuse("there is no element " + std::to_string(number));
    return elements_[static_cast<std::size_t>(number) - 1];
  }

  Section look_at(int number) {
    Name name{};
    Section out;
    int boundary = 0, parents = 0;
    check(cg_section_read(file_.number(), 1, zone_number_, number, name.data(), &out.type, &out.start, &out.end,
                          &boundary, &parents));
    out.name = name.data();
    check(cg_ElementDataSize(file_.number(), 1, zone_number_, number, &out.size));
    if (out.start < 1 || out.end < out.start || out.end > 2147483647 || out.size < 0 || out.end - out.start >= out.size)
      refuse("section " + out.name + " has elements from " + std::to_string(out.start) + " to " +
             std::to_string(out.end) + " and " + std::to_string(out.size) + " numbers");
    return out;
  }

  // What the file says of its elements is believed only as far as it has numbers for them.
  void make_room(int sections) {
    std::int64_t last = 0, numbers = 0;
    for (int number = 1; number <= sections; ++number) {
      sections_.push_back(look_at(number));
      last = std::max<std::int64_t>(last, sections_.back().end);
      numbers += sections_.back().size;
    }
    if (last > numbers)
      refuse("the last element has the number " + std::to_string(last) + ", but all sections have " +
             std::to_string(numbers) + " numbers together");
    elements_.resize(static_cast<std::size_t>(last));
    numbers_ = static_cast<std::size_t>(numbers);
  }

  void elements(int number) {
    const Section &section = sections_[static_cast<std::size_t>(number) - 1];
    const std::string place = zone_ + "/" + section.name + "/";
    const bool mixed = section.type == CGNS_ENUMV(MIXED), faces = section.type == CGNS_ENUMV(NGON_n),
               cells = section.type == CGNS_ENUMV(NFACE_n), lists = mixed || faces || cells;
    const std::size_t count = section.count();
    // Files of older versions have no offsets: the library makes them in memory, with other sizes than the file's.
    const bool old = lists && !file_.holds(place + "ElementStartOffset", 1, static_cast<cgsize_t>(count) + 1);
    file_.must_hold(place + "ElementConnectivity", 1, old ? -1 : section.size);
    std::vector<cgsize_t> numbers(static_cast<std::size_t>(section.size)), begin(count + 1);
    if (lists) {
      check(cg_poly_elements_read(file_.number(), 1, zone_number_, number, numbers.data(), begin.data(), nullptr));
    } else {
      check(cg_elements_read(file_.number(), 1, zone_number_, number, numbers.data(), nullptr));
      for (std::size_t i = 0; i <= count; ++i) begin[i] = static_cast<cgsize_t>(i * (numbers.size() / count));
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (begin[i] < 0 || begin[i + 1] <= begin[i] || begin[i + 1] > section.size)
        refuse("section " + section.name + ": element " + std::to_string(i) + " has no possible extent");
      if (faces && cell_dim_ == 3 && begin[i + 1] - begin[i] > most_face_nodes)
        refuse("section " + section.name + ": face " + std::to_string(i) + " has " +
               std::to_string(begin[i + 1] - begin[i]) + " nodes; at most " + std::to_string(most_face_nodes) +
               " can be read");
      Element &one = element(section.start + static_cast<cgsize_t>(i));
      const cgsize_t first = begin[i] + (mixed ? 1 : 0);
      const auto kind =
          mixed ? static_cast<CGNS_ENUMT(ElementType_t)>(numbers[static_cast<std::size_t>(begin[i])]) : section.type;
      one.vtk = faces ? vtk_polygon : cells ? vtk_polyhedron : vtk_type(kind);
      if (one.vtk == 0)
        refuse("section " + section.name + " has elements of type " + cg_ElementTypeName(kind) +
               ", which cannot be read");
      one.nodes.assign(numbers.begin() + first, numbers.begin() + begin[i + 1]);
      if (kind == CGNS_ENUMV(PYRA_14) && one.nodes.size() == 14) one.nodes.pop_back();
    }
  }

  // The cells of a zone that has faces and no other cells; they stand behind all elements.
  void cells_by_parents() {
    const auto is_cell = [](const Element &one) { return one.vtk != 0 && dimension_of(one.vtk) == 3; };
    if (cell_dim_ != 3 || std::ranges::any_of(elements_, is_cell)) return;
    std::vector<Parents> all;
    for (const Section &section : sections_) {
      const Element &first = element(section.start);
      if (dimension_of(first.vtk) != 2) continue;
      all.push_back(
          read_parents(file_, zone_ + "/" + section.name + "/", section.start, static_cast<cgsize_t>(section.count())));
      if (section.type == CGNS_ENUMV(NGON_n) && all.back().left.empty())
        refuse("section " + section.name +
               " has faces (NGON_n) without ParentElements, and the zone no cells (NFACE_n)");
    }
    const auto knows = [](const Parents &one) { return !one.left.empty(); };
    if (std::ranges::none_of(all, knows)) return;
    for (std::vector<cgsize_t> &faces : cells_of_parents(all, cells_, name_))
      elements_.push_back({vtk_polyhedron, 0, 0, std::move(faces)});
  }

  // Faces that two cells name are inside the mesh and no part of a patch.
  void count_uses() {
    for (const Element &one : elements_)
      for (std::size_t i = 0; one.vtk == vtk_polyhedron && i < one.nodes.size(); ++i) ++face_of(one.nodes[i]).uses;
  }

  Element &face_of(cgsize_t number) {
    const auto most = static_cast<cgsize_t>(elements_.size());
    if (number < -most || number > most) refuse("there is no element " + std::to_string(number));
    Element &face = element(number < 0 ? -number : number);
    if (face.vtk == 0 || dimension_of(face.vtk) != 2)
      refuse("a cell names element " + std::to_string(number) + " as its face, which is none");
    return face;
  }

  // Boundary conditions name sides by their numbers or by their nodes; without any, sections are patches.
  void conditions() {
    int count = 0;
    check(cg_nbocos(file_.number(), 1, zone_number_, &count));
    for (int condition = 1; condition <= count; ++condition) one_condition(condition);
    for (std::size_t i = 0; !base_.has_conditions && i < sections_.size(); ++i) {
      const int patch = base_.patch(sections_[i].name);
      for (cgsize_t number = sections_[i].start; number <= sections_[i].end; ++number)
        if (Element &one = element(number); one.uses < 2) one.patch = patch;
    }
    for (const auto &[both, faces] : shared_)
      base_.out.notes.push_back(std::to_string(faces) + " faces of boundary condition " + patch_name(both.first) +
                                " stay in " + patch_name(both.second) + ", which comes first");
  }

  const std::string &patch_name(int patch) const { return base_.out.patches[static_cast<std::size_t>(patch) - 1]; }

  // A side that several conditions name stays in the first.
  void give(Element &side, int patch) {
    if (side.patch == 0) side.patch = patch;
    if (side.patch != patch) ++shared_[{patch, side.patch}];
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
    check(cg_boco_info(file_.number(), 1, zone_number_, condition, name.data(), &type, &form, &count, normal.data(),
                       &normals, &normals_type, &sets));
    check(cg_boco_gridlocation_read(file_.number(), 1, zone_number_, condition, &location));
    if (count < 0) refuse(std::string("boundary condition ") + name.data() + " has no points");
    bool there = false;
    for (const char *list_name : {"PointList", "PointRange", "ElementList", "ElementRange"})
      there |= file_.holds(zone_ + "/ZoneBC/" + name.data() + "/" + list_name, 2, count);
    if (!there) refuse(std::string("boundary condition ") + name.data() + " has no points in ZoneBC");
    std::vector<cgsize_t> list(static_cast<std::size_t>(count));
    check(cg_boco_read(file_.number(), 1, zone_number_, condition, list.data(), nullptr));
    const bool range = form == CGNS_ENUMV(PointRange) || form == CGNS_ENUMV(ElementRange);
    const bool points = form == CGNS_ENUMV(PointRange) || form == CGNS_ENUMV(PointList);
    if (range) {
      if (list.size() != 2)
        refuse(std::string("boundary condition ") + name.data() + " has a range of " + std::to_string(count) +
               " numbers");
      const cgsize_t most = std::max(points_, static_cast<cgsize_t>(elements_.size()));
      const cgsize_t first = list[0], last = list[1];
      if (first < 1 || last < first || last > most)
        refuse(std::string("boundary condition ") + name.data() + " is from " + std::to_string(first) + " to " +
               std::to_string(last));
      list.clear();
      for (cgsize_t number = first; number <= last; ++number) list.push_back(number);
    }
    const int patch = base_.patch(base_.full_name(name.data()));
    if (points && location == CGNS_ENUMV(Vertex))
      by_nodes(list, patch, file_.holds(zone_ + "/ZoneBC/" + name.data() + "/GridLocation", 1, -1));
    else
      by_numbers(list, patch);
  }

  void by_numbers(const std::vector<cgsize_t> &list, int patch) {
    std::size_t others = 0;
    for (const cgsize_t number : list)
      if (Element &one = element(number); is_side(one))
        give(one, patch);
      else
        ++others;
    if (others > 0)
      base_.out.notes.push_back("boundary condition " + patch_name(patch) + " names " + std::to_string(others) +
                                " elements that are no sides of cells");
  }

  // Sides all of whose nodes are listed. Files that do not say whether they list nodes or elements may mean elements:
  // then the numbers are those of sides, but not those of the nodes of some sides.
  void by_nodes(const std::vector<cgsize_t> &list, int patch, bool said) {
    std::vector<bool> listed(static_cast<std::size_t>(points_) + 1);
    for (const cgsize_t node : list)
      if (node >= 1 && node <= points_) listed[static_cast<std::size_t>(node)] = true;
    const auto has = [&](cgsize_t node) {
      return node >= 1 && node <= points_ && listed[static_cast<std::size_t>(node)];
    };
    std::vector<Element *> sides;
    std::vector<bool> used(listed.size());
    for (Element &one : elements_) {
      if (one.uses >= 2 || !is_side(one) || !std::ranges::all_of(one.nodes, has)) continue;
      sides.push_back(&one);
      for (const cgsize_t node : one.nodes) used[static_cast<std::size_t>(node)] = true;
    }
    const auto is_outer = [&](cgsize_t number) {
      return number >= 1 && static_cast<std::size_t>(number) <= elements_.size() && is_side(element(number)) &&
             element(number).uses < 2;
    };
    if (!said && (sides.empty() || used != listed) && std::ranges::all_of(list, is_outer)) {
      base_.out.notes.push_back("boundary condition " + patch_name(patch) +
                                " has no GridLocation: its numbers are taken as those of elements");
      return by_numbers(list, patch);
    }
    for (Element *const side : sides) give(*side, patch);
    if (sides.empty())
      base_.out.notes.push_back("boundary condition " + patch_name(patch) + " names nodes of no boundary elements");
  }

  bool is_side(const Element &one) const { return one.vtk != 0 && dimension_of(one.vtk) == cell_dim_ - 1; }

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
  }

  void polyhedron(const Element &cell) {
    grid_.faces.push_back(static_cast<std::int64_t>(cell.nodes.size()));
    for (const cgsize_t number : cell.nodes) {
      const Element &face = face_of(number);
      grid_.faces.push_back(static_cast<std::int64_t>(face.nodes.size()));
      for (const cgsize_t node : face.nodes) grid_.faces.push_back(static_cast<std::int64_t>(node) - 1);
      // Cells may name a face again and again.
      if (grid_.faces.size() > 100 * numbers_) refuse("the faces of cells have too many nodes");
    }
  }

  const Base &base_;
  const File &file_;
  const int zone_number_; // from 1
  const std::string name_;
  const int cell_dim_;
  const std::string zone_; // its path in the file
  Grid grid_;
  cgsize_t points_ = 0, cells_ = 0;
  std::size_t numbers_ = 0; // that all sections have
  std::vector<Element> elements_;
  std::vector<Section> sections_;
  std::map<std::pair<int, int>, int> shared_; // sides of a patch that stay in another one: how many
};

} // namespace

namespace {

void names_of_conditions(const File &file, int zone, std::set<std::string> &out) {
  int count = 0;
  check(cg_nbocos(file.number(), 1, zone, &count));
  for (int condition = 1; condition <= count; ++condition) {
    Name name{};
    CGNS_ENUMT(BCType_t) type{};
    CGNS_ENUMT(PointSetType_t) form{};
    CGNS_ENUMT(DataType_t) normals_type{};
    cgsize_t points = 0, normals = 0;
    std::array<int, 3> normal{};
    int sets = 0;
    check(cg_boco_info(file.number(), 1, zone, condition, name.data(), &type, &form, &points, normal.data(), &normals,
                       &normals_type, &sets));
    out.insert(name.data());
  }
}

// Conditions called as a family is are patches in the order of the families, in whatever zone they come first.
void patches_of_families(Base &base, const std::set<std::string> &conditions) {
  for (const Family &family : read_families(base.file))
    if (conditions.count(family.node) > 0) base.patch(base.full_names[family.node] = family.name);
}

} // namespace

Zones read_zones(const char *path) {
  const File file(path);
  Zones out;
  int bases = 0, zones = 0, space_dim = 0;
  check(cg_nbases(file.number(), &bases));
  if (bases < 1) refuse("the file has no base");
  if (bases > 1) out.notes.push_back("the file has several bases: only the first one is read");
  Name name{};
  Base base{file, out, "", 3, false, {}};
  check(cg_base_read(file.number(), 1, name.data(), &base.cell_dim, &space_dim));
  base.path = std::string("/") + name.data();
  check(cg_nzones(file.number(), 1, &zones));
  std::set<std::string> conditions;
  if (zones < 1) refuse("the base has no zones");
  for (int zone = 1; zone <= zones; ++zone) {
    std::array<cgsize_t, 9> size{};
    check(cg_zone_read(file.number(), 1, zone, name.data(), size.data()));
    out.names.emplace_back(name.data());
    names_of_conditions(file, zone, conditions);
  }
  base.has_conditions = !conditions.empty();
  patches_of_families(base, conditions);
  for (int zone = 1; zone <= zones; ++zone) out.grids.push_back(ZoneReader(base, zone).run());
  return out;
}

} // namespace cgns

// SPDX-License-Identifier: MIT
