// flow_file.hpp: a mesh in a file that op2_mesh has written, of which every process reads its part.
#ifndef OP2_EXAMPLES_FLOW_FILE_HPP
#define OP2_EXAMPLES_FLOW_FILE_HPP

#include <algorithm>
#include <cstddef>
#include <op2/op2.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "euler_solver.hpp"
#include "geometry_kernels.h"

namespace euler {

// The sets, maps and dats of op2_mesh. Throws op2::error.
inline Mesh read_mesh(const op2::file &file) {
  Mesh mesh;
  mesh.nodes = file.declare_set("nodes");
  mesh.cells = file.declare_set("cells");
  mesh.faces = file.declare_set("faces");
  mesh.bfaces = file.declare_set("bfaces");
  mesh.face_cells = file.declare_map(mesh.faces, mesh.cells, "face_cells", 2);
  mesh.face_nodes = file.declare_map(mesh.faces, mesh.nodes, "face_nodes"); // as many corners as the file has
  mesh.bface_cells = file.declare_map(mesh.bfaces, mesh.cells, "bface_cells", 1);
  mesh.bface_nodes = file.declare_map(mesh.bfaces, mesh.nodes, "bface_nodes");
  mesh.x = file.declare_dat<double, 3>(mesh.nodes, "x");
  mesh.patch = file.declare_dat<int, 1>(mesh.bfaces, "bface_patch");
  return mesh;
}

// The parts of the boundary: lines `number name` of attributes patches, patches1, patches2, ...
class Patches {
 public:
  explicit Patches(const op2::file &file) {
    std::string text = file.read_text("bface_patch", "patches");
    op_set_error_handler(op_error_return, nullptr); // the first one that is not there ends the list, not the program
    try {
      for (int i = 1;; ++i) text += file.read_text("bface_patch", ("patches" + std::to_string(i)).c_str());
    } catch (const op2::error &) {
      op_clear_error();
    }
    op_set_error_handler(nullptr, nullptr);
    read(text);
  }

  // Kinds of the boundary by numbers of patches: those named in a list `a,b` get one, others stay as they are. Throws
  // std::runtime_error for a name that is not there.
  void mark(const std::string &list, int kind, std::vector<int> &kinds) const {
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      kinds.at(static_cast<std::size_t>(number(list.substr(begin, end - begin)))) = kind;
      begin = end + 1;
    }
  }

  // The names, for messages.
  [[nodiscard]] std::string names() const {
    std::string out;
    for (const Patch &patch : patches_) out += (out.empty() ? "" : ", ") + patch.name;
    return out;
  }

 private:
  struct Patch {
    int id = 0;
    std::string name;
  };

  void read(const std::string &text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      Patch patch;
      if (!(words >> patch.id)) continue;
      words.get(); // the blank behind the number; the rest is the name, which may be empty
      std::getline(words, patch.name);
      patches_.push_back(patch);
    }
  }

  [[nodiscard]] int number(const std::string &wanted) const {
    for (const Patch &patch : patches_) {
      if (patch.name != wanted) continue;
      if (patch.id < PATCHES) return patch.id < 0 ? PATCHES : patch.id; // -1: faces that the file does not name
      throw std::runtime_error("patch " + wanted + " has the number " + std::to_string(patch.id) +
                               ", which must be below " + std::to_string(PATCHES));
    }
    throw std::runtime_error("there is no patch " + wanted + ", only " + names());
  }

  std::vector<Patch> patches_;
};

} // namespace euler

#endif

// SPDX-License-Identifier: MIT
