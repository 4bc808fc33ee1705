// SU2's native text. A line KEYWORD= VALUE begins a section: NDIME, NELEM, NPOIN, NMARK, and MARKER_TAG with
// MARKER_ELEMS for each marker, all in any order. As SU2 does it, lines between the sections are passed over, and so
// are sections of other names; notes tell of both.
#include <map>
#include <set>

#include "meshfile/elements.hpp"
#include "meshfile/geometry.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/vtk_cells.hpp"

namespace op2::core {

namespace {

class Su2Reader {
 public:
  explicit Su2Reader(Cursor in) : in_(std::move(in)) { in_.comments('%'); }

  MeshFile read() {
    mesh_.format = "su2";
    while (!in_.at_end()) {
      const std::size_t here = in_.at();
      if (const std::string key = keyword(); !key.empty())
        section(key);
      else if (in_.line(); known_section_ && ++text_lines_ == 1)
        first_text_ = here;
    }
    finish();
    return std::move(mesh_);
  }

 private:
  // KEY if the line here is "KEY= ...": the cursor then stands behind the sign. "": it stays.
  std::string keyword() {
    const std::size_t here = in_.at();
    const std::string_view line = in_.line();
    const auto in_name = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    const auto end = std::find_if_not(line.begin(), line.end(), in_name);
    const std::string key(line.begin(), end);
    const std::size_t sign = line.find_first_not_of(" \t", key.size());
    const bool is_key = !key.empty() && key[0] > '9' && sign != line.npos && line[sign] == '=';
    in_.seek(is_key ? here + sign + 1 : here);
    return is_key ? key : "";
  }

  void section(const std::string &key) {
    known_section_ = true;
    if (key == "NELEM") return cells();
    if (key == "NPOIN") return points();
    if (key == "MARKER_TAG") return marker_name();
    if (key == "MARKER_ELEMS") return marker();
    if (key == "NDIME")
      dimension();
    else if (key == "NMARK")
      wanted_markers_ = in_.number("the number of markers", 0, 2147483647);
    else if (key == "NZONE" || key == "IZONE")
      zone(key == "NZONE");
    else if (key != "SEND_RECV")
      leave_out(key);
    in_.line();
  }

  // Zones are meshes of their own, whose nodes need not fit, as SU2 interpolates between them.
  void zone(bool all) {
    const int number = in_.number(all ? "the number of zones" : "the number of a zone", 1, 2147483647);
    if (number > 1)
      in_.fail_here(all ? text("the file has ", number, " zones (NZONE=); a file with one zone can be read")
                        : text("zone ", number, " begins here (IZONE=); a file with one zone can be read"));
  }

  void dimension() {
    const int dim = in_.number("2 or 3", 2, 3);
    if (has_dim_ && dim != mesh_.dim) in_.fail_here("a second NDIME= differs from the first");
    has_dim_ = true;
    mesh_.dim = dim;
  }

  // Tables are read once the dimension is known, which may stand behind them.
  void need_dimension() {
    if (has_dim_) return;
    const std::size_t here = in_.at();
    while (!in_.at_end() && !has_dim_) {
      if (keyword() == "NDIME") dimension();
      in_.line();
    }
    in_.seek(here);
    if (!has_dim_) in_.fail_here("the file has no NDIME=, by which this section is read");
  }

  void leave_out(const std::string &key) {
    known_section_ = false;
    if (left_out_.insert(key).second) mesh_.notes.push_back(text("SU2's ", key.substr(0, 40), "= is left out"));
  }

  void points() {
    need_dimension();
    if (has_points_) in_.fail_here("the points stand there a second time");
    has_points_ = true;
    const auto dim = static_cast<std::size_t>(mesh_.dim);
    const std::size_t count = in_.count("the number of points", 2 * dim);
    in_.line(); // also how many of them are no halo
    mesh_.x.reserve(count * dim);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < dim; ++k) mesh_.x.push_back(in_.real("a coordinate"));
      in_.line(); // the number of the point, which may be missing
    }
  }

  void cells() {
    need_dimension();
    if (has_cells_) in_.fail_here("the cells stand there a second time");
    has_cells_ = true;
    const std::size_t count = in_.count("the number of elements", 4);
    in_.line();
    for (std::size_t i = 0; i < count; ++i) {
      if (element(mesh_.dim, 0) != mesh_.dim) in_.fail_here("expected a cell, found an element of fewer dimensions");
      in_.line(); // the number of the element, which may be missing
    }
    cells_ = count;
  }

  // Adds an element of `dim` dimensions; one of fewer is read only. Returns how many it has.
  int element(int dim, int tag) {
    std::array<int, 8> nodes{};
    const int type = in_.number("the type of an element");
    const std::optional<Element> kind = vtk_element(type);
    if (!kind || element_dim(*kind) > dim) in_.fail_here(text("elements of type ", type, " are not possible here"));
    const auto width = static_cast<std::size_t>(element_nodes(*kind));
    for (std::size_t k = 0; k < width; ++k) nodes[k] = in_.number("the number of a node", 0, 2147483646);
    if (element_dim(*kind) == dim) elements_.add(*kind, {nodes.data(), width}, tag);
    return element_dim(*kind);
  }

  void marker_name() {
    if (!marker_.empty()) in_.fail_here(text("marker ", marker_, " has no MARKER_ELEMS="));
    std::string_view name = in_.line();
    name = name.substr(0, name.find('%'));
    const std::size_t first = name.find_first_not_of(" \t");
    if (first == name.npos) in_.fail_here("expected the name of a marker behind MARKER_TAG=");
    marker_ = name.substr(first, name.find_last_not_of(" \t\r") + 1 - first);
    ++markers_;
  }

  void marker() {
    if (marker_.empty()) in_.fail_here("expected MARKER_TAG= before MARKER_ELEMS=");
    need_dimension();
    const std::size_t count = in_.count("the number of elements", 4);
    in_.line();
    if (marker_ == "SEND_RECEIVE")
      halo(count);
    else
      sides(count);
    marker_.clear();
  }

  void sides(std::size_t count) {
    const int tag = tags_.try_emplace(marker_, static_cast<int>(tags_.size())).first->second;
    names_.try_emplace(tag, marker_);
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (element(mesh_.dim - 1, tag) < mesh_.dim - 1) ++left_out;
      in_.line();
    }
    if (left_out > 0)
      mesh_.notes.push_back(
          text("marker ", marker_, ": ", left_out, " elements that are no sides of cells are left out"));
  }

  // The nodes that parts of a divided mesh have in common; SEND_RECV= stands before them.
  void halo(std::size_t count) {
    const std::size_t here = in_.at();
    if (in_.at_end() || keyword() != "SEND_RECV")
      in_.seek(here);
    else
      in_.line();
    for (std::size_t i = 0; i < count; ++i) {
      in_.whole("the type of an element");
      in_.line();
    }
    mesh_.notes.push_back(text("marker SEND_RECEIVE: ", count, " nodes that parts have in common are left out"));
  }

  void finish() {
    if (!has_points_ || !has_cells_) in_.fail_here(text("the file has no ", has_points_ ? "NELEM=" : "NPOIN="));
    if (!marker_.empty()) in_.fail_here(text("marker ", marker_, " has no MARKER_ELEMS="));
    if (wanted_markers_ > markers_)
      in_.fail_here(text("expected ", wanted_markers_, " markers, as NMARK= says, found ", markers_));
    if (wanted_markers_ >= 0 && wanted_markers_ < markers_)
      mesh_.notes.push_back(
          text("NMARK= is ", wanted_markers_, ", but there are ", markers_, " markers: all are read"));
    in_.seek(first_text_);
    if (text_lines_ > 0)
      mesh_.notes.push_back(text("text between the sections is left out: ", text_lines_, " lines, the first is line ",
                                 in_.line_number()));
    for (const auto &[tag, name] : names_) { // also those without elements
      mesh_.patch(tag, name);
      elements_.name_patch(mesh_.dim - 1, tag, name);
    }
    mesh_.cell_dim = mesh_.dim;
    if (cells_ > 0) elements_.finish(mesh_);
    turn_prisms(mesh_);
  }

  Cursor in_;
  MeshFile mesh_;
  Elements elements_;
  bool has_dim_ = false, has_points_ = false, has_cells_ = false;
  std::size_t cells_ = 0;
  std::string marker_; // whose elements are to come
  int markers_ = 0, wanted_markers_ = -1;
  std::map<std::string, int> tags_;  // of markers; those of one name are one
  std::map<int, std::string> names_; // of tags
  bool known_section_ = true;        // lines here belong to no section that is left out
  std::size_t text_lines_ = 0, first_text_ = 0;
  std::set<std::string> left_out_;
};

} // namespace

MeshFile read_su2(Cursor in) { return Su2Reader(std::move(in)).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
