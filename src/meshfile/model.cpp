#include "meshfile/model.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "base/error.hpp"

namespace op2::core {

namespace {

template <class Named>
const Named &named(const char *what, std::string_view name, const std::vector<Named> &all) {
  std::vector<std::string> names;
  for (const Named &one : all) {
    if (one.name == name) return one;
    names.push_back(one.name);
  }
  fail(OP_ERR_ARGUMENT, "the mesh has no ", what, " '", name, "'; it has ", listing(names));
}

} // namespace

MeshModel::MeshModel(MeshFile file) : file_(std::move(file)), faces_(connect(file_)), patches_(file_.patches) {
  if (file_.cells == 0) file_.notes.push_back("the mesh has no cells");
  const auto none = [](const Patch &patch) { return patch.id == no_patch; };
  if (faces_.unnamed > 0 && std::none_of(patches_.begin(), patches_.end(), none))
    patches_.push_back({no_patch, "none"});
  if (file_.format == "airfoil")
    list_airfoil();
  else
    list_general();
  file_.boundary = {};
  file_.faces = {};
  file_.free = {};
}

void MeshModel::add_map(const char *name, const char *set, const char *to, int dim, std::span<int> entries) {
  arrays_.push_back({name, set, to, dim, entries, {}});
}

void MeshModel::list_general() {
  sets_ = {
      {"nodes", file_.nodes()}, {"cells", file_.cells}, {"faces", faces_.faces()}, {"bfaces", faces_.boundary_faces()}};
  add_map("face_cells", "faces", "cells", 2, faces_.face_cells);
  add_map("face_nodes", "faces", "nodes", faces_.arity, faces_.face_nodes);
  add_map("bface_cells", "bfaces", "cells", 1, faces_.boundary_cell);
  add_map("bface_nodes", "bfaces", "nodes", faces_.arity, faces_.boundary_nodes);
  list_cell_nodes();
  for (int type = 0; type < cell_types; ++type) {
    CellBlock &block = file_.blocks[static_cast<std::size_t>(type)];
    const CellShape &one = shape(static_cast<CellType>(type));
    if (block.size() == 0 || one.nodes == 0) continue;
    sets_.push_back({one.plural, block.size()});
    add_map(text(one.plural, "_nodes").c_str(), one.plural, "nodes", one.nodes, block.nodes);
    add_map(text(one.plural, "_cells").c_str(), one.plural, "cells", 1, block.cells);
  }
  arrays_.push_back({"x", "nodes", "", file_.dim, {}, file_.x});
  arrays_.push_back({"bface_patch", "bfaces", "", 1, faces_.boundary_patch, {}});
}

// Rows in the order of the cells, which that of the type need not be: a file may have been renumbered.
void MeshModel::list_cell_nodes() {
  if (file_.cells == 0) return; // of no type
  for (int type = 0; type < cell_types; ++type) {
    const CellBlock &block = file_.blocks[static_cast<std::size_t>(type)];
    const int width = shape(static_cast<CellType>(type)).nodes;
    if (width == 0 || block.size() != file_.cells) continue;
    cell_nodes_.resize(block.nodes.size());
    for (std::size_t i = 0; i < block.cells.size(); ++i)
      std::copy_n(block.nodes.begin() + static_cast<std::ptrdiff_t>(i) * width, width,
                  cell_nodes_.begin() + static_cast<std::ptrdiff_t>(block.cells[i]) * width);
    add_map("cell_nodes", "cells", "nodes", width, cell_nodes_);
  }
}

void MeshModel::list_airfoil() {
  const auto turned = [](std::vector<int> rows) { // back to the order of the file
    for (std::size_t i = 0; i + 1 < rows.size(); i += 2) std::swap(rows[i], rows[i + 1]);
    return rows;
  };
  edge_nodes_ = turned(faces_.face_nodes);
  boundary_edge_nodes_ = turned(faces_.boundary_nodes);
  sets_ = {
      {"nodes", file_.nodes()}, {"edges", faces_.faces()}, {"bedges", faces_.boundary_faces()}, {"cells", file_.cells}};
  add_map("pedge", "edges", "nodes", 2, edge_nodes_);
  add_map("pecell", "edges", "cells", 2, faces_.face_cells);
  add_map("pbedge", "bedges", "nodes", 2, boundary_edge_nodes_);
  add_map("pbecell", "bedges", "cells", 1, faces_.boundary_cell);
  add_map("pcell", "cells", "nodes", 4, file_.block(CellType::quadrangle).nodes);
  hidden_ = {{"face_nodes", "edges", "nodes", 2, faces_.face_nodes, {}},
             {"bface_nodes", "bedges", "nodes", 2, faces_.boundary_nodes, {}}};
  // The flow that airfoil starts from: a Mach number of 0.4 everywhere.
  const double gamma = 1.4, mach = 0.4, speed = std::sqrt(gamma) * mach;
  const std::array<double, 4> flow = {1, speed, 0, 1 / (gamma - 1) + 0.5 * speed * speed};
  const auto cells = static_cast<std::size_t>(file_.cells);
  state_.resize(4 * cells);
  for (std::size_t i = 0; i < state_.size(); ++i) state_[i] = flow[i % 4];
  old_state_.resize(4 * cells);
  adt_.resize(cells);
  residual_.resize(4 * cells);
  arrays_.push_back({"p_bound", "bedges", "", 1, faces_.boundary_patch, {}});
  arrays_.push_back({"p_x", "nodes", "", 2, {}, file_.x});
  arrays_.push_back({"p_q", "cells", "", 4, {}, state_});
  arrays_.push_back({"p_qold", "cells", "", 4, {}, old_state_});
  arrays_.push_back({"p_adt", "cells", "", 1, {}, adt_});
  arrays_.push_back({"p_res", "cells", "", 4, {}, residual_});
}

const MeshSet &MeshModel::set(std::string_view name) const { return named("set", name, sets_); }

int MeshModel::size(std::string_view set_name) const {
  return set_name == "patches" ? static_cast<int>(patches_.size()) : set(set_name).size;
}

const MeshArray &MeshModel::array(std::string_view name, bool reals) const {
  const MeshArray &found = named("array", name, arrays_);
  if (reals ? !found.ints.empty() : !found.reals.empty())
    fail(OP_ERR_ARGUMENT, "array '", name, "' holds ", reals ? "whole" : "real", " numbers; use op_mesh_",
         reals ? "ints" : "reals", "()");
  return found;
}

const Patch &MeshModel::patch(int index) const {
  if (index < 0 || static_cast<std::size_t>(index) >= patches_.size())
    fail(OP_ERR_RANGE, "index ", index, " is none of the ", patches_.size(), " patches, counted from 0");
  return patches_[static_cast<std::size_t>(index)];
}

std::vector<Patch> MeshModel::patches_named(std::string_view name) const {
  named("patch", name, patches_);
  std::vector<Patch> out;
  std::ranges::copy_if(patches_, std::back_inserter(out), [name](const Patch &patch) { return patch.name == name; });
  return out;
}

void MeshModel::scale(double factor) {
  if (!(factor > 0) || !std::isfinite(factor))
    fail(OP_ERR_ARGUMENT, "the factor ", factor, " is not possible; it must be above zero");
  for (double &x : file_.x) x *= factor;
  quality_.reset();
}

namespace {

template <class T>
void reorder_rows(std::span<T> rows, int dim, std::span<const int> order) {
  const std::vector<T> old(rows.begin(), rows.end());
  const auto width = static_cast<std::size_t>(dim);
  for (std::size_t i = 0; i < order.size() && !rows.empty(); ++i)
    std::copy_n(old.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(order[i]) * width), width,
                rows.begin() + static_cast<std::ptrdiff_t>(i * width));
}

} // namespace

void MeshModel::reorder(const MeshSet &set, std::span<const int> order) {
  std::vector<int> place(static_cast<std::size_t>(set.size), -1);
  if (order.size() != place.size()) fail(OP_ERR_DIM, "the order has another length than set '", set.name, "'");
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] < 0 || order[i] >= set.size || place[static_cast<std::size_t>(order[i])] >= 0)
      fail(OP_ERR_RANGE, "entry ", i, " of the order of set '", set.name, "' is ", order[i], ": each number from 0 to ",
           set.size - 1, " must stand there once");
    place[static_cast<std::size_t>(order[i])] = static_cast<int>(i);
  }
  for (std::vector<MeshArray> *arrays : {&arrays_, &hidden_})
    for (MeshArray &array : *arrays) {
      if (array.to == set.name)
        for (int &entry : array.ints) entry = place[static_cast<std::size_t>(entry)];
      if (array.set != set.name) continue;
      reorder_rows(array.ints, array.dim, order);
      reorder_rows(array.reals, array.dim, order);
    }
  if (file_.format == "airfoil" && set.name == "cells") // whose cells have no set of their own
    std::iota(file_.block(CellType::quadrangle).cells.begin(), file_.block(CellType::quadrangle).cells.end(), 0);
  quality_.reset();
}

void MeshModel::set_parts(int parts, std::vector<int> part) {
  std::erase_if(arrays_, [](const MeshArray &array) { return array.name.starts_with("partvec"); });
  part_ = std::move(part);
  parts_ = parts;
  std::string number = text(parts);
  number.insert(0, number.size() < 4 ? 4 - number.size() : 0, '0');
  arrays_.push_back({"partvec" + number, "cells", "", 1, part_, {}});
}

std::vector<double> MeshModel::cell_centres() const {
  const auto dim = static_cast<std::size_t>(file_.dim);
  std::vector<double> out(static_cast<std::size_t>(file_.cells) * dim);
  std::vector<int> corners(static_cast<std::size_t>(file_.cells));
  const auto add = [&](int cell, std::span<const int> face) {
    const auto at = static_cast<std::size_t>(cell);
    for (const int node : face)
      for (std::size_t k = 0; k < dim; ++k) out[at * dim + k] += file_.x[static_cast<std::size_t>(node) * dim + k];
    corners[at] += static_cast<int>(face.size());
  };
  for (int i = 0; i < faces_.faces(); ++i)
    for (const std::size_t side : {0u, 1u})
      add(faces_.face_cells[2 * static_cast<std::size_t>(i) + side], face_row(faces_.face_nodes, faces_.arity, i));
  for (int i = 0; i < faces_.boundary_faces(); ++i)
    add(faces_.boundary_cell[static_cast<std::size_t>(i)], face_row(faces_.boundary_nodes, faces_.arity, i));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] /= std::max(corners[i / dim], 1);
  return out;
}

const Quality &MeshModel::quality() {
  if (!quality_) quality_ = measure(file_, faces_);
  return *quality_;
}

std::vector<std::string> MeshModel::findings() { return core::findings(file_, faces_, quality()); }

std::string MeshModel::info() {
  std::string out = text("format      ", file_.format, ", ", file_.dim, " coordinates\n");
  for (const MeshSet &set : sets_) {
    std::string name = set.name;
    name.resize(std::max<std::size_t>(name.size(), 11), ' ');
    out += text(name, " ", set.size, "\n");
  }
  std::map<int, int> faces; // of each patch
  for (const int patch : faces_.boundary_patch) ++faces[patch];
  for (const Patch &patch : patches_)
    out += text("patch ", patch.id, "     ", patch.name, ", ", faces[patch.id], " faces\n");
  if (file_.cells > 0) out += quality_lines();
  for (const std::string &note : file_.notes) out += text("note        ", note, "\n");
  return out;
}

std::string MeshModel::quality_lines() {
  const Quality &quality = this->quality();
  std::string out;
  const char *what = file_.cell_dim == 3 ? "volume" : "area  ";
  out +=
      text(what, "      ", quality.volume.sum, ", of a cell ", quality.volume.least, " to ", quality.volume.most, "\n");
  out += text("aspect      ", quality.worst_aspect, " at most, ", quality.mean_aspect,
              " on average (longest edge of a cell over its shortest)\n");
  out += text("bandwidth   ", quality.bandwidth, " at most, ", fixed(quality.mean_bandwidth, 1),
              " on average (distance of the numbers of neighbouring cells)\n");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
