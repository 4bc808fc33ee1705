// flow_file.hpp: a mesh from a file of any format that the library reads, and the names of its boundary.
#ifndef OP2_EXAMPLES_FLOW_FILE_HPP
#define OP2_EXAMPLES_FLOW_FILE_HPP

#include <op2/meshfile.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <op2/op2.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "geometry_kernels.h"

namespace euler {

// Every process reads the file; the library keeps of it what it declares.
class MeshInFile {
 public:
  explicit MeshInFile(const std::string &path) {
    op_mesh mesh = nullptr;
    op2::check(op_mesh_read(path.c_str(), nullptr, &mesh));
    mesh_.reset(mesh);
    op2::check(op_mesh_declare(mesh));
  }

  operator op_mesh() const { return mesh_.get(); }

  // Kinds of the boundary by numbers of patches: those named in a list `a,b` get one, others stay as they are. Throws
  // std::runtime_error for a name that is not there.
  void mark(const std::string &list, int kind, std::vector<int> &kinds) const {
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(',', begin), list.size());
      kinds.at(static_cast<std::size_t>(patch(list.substr(begin, end - begin)))) = kind;
      begin = end + 1;
    }
  }

  // The names, for messages.
  [[nodiscard]] std::string patches() const {
    std::string out;
    for (int n = 0; n < count(); ++n) {
      if (n > 0) out += ", ";
      out += name(n, nullptr);
    }
    return out;
  }

 private:
  [[nodiscard]] int count() const {
    const int patches = op_mesh_size(mesh_.get(), "patches");
    if (patches < 0) op2::check(op_last_status());
    return patches;
  }
  [[nodiscard]] std::string name(int index, int *id) const {
    const char *found = op_mesh_patch(mesh_.get(), index, id);
    if (!found) op2::check(op_last_status());
    return found;
  }
  [[nodiscard]] int patch(const std::string &wanted) const {
    for (int n = 0; n < count(); ++n) {
      int id = 0;
      if (name(n, &id) != wanted) continue;
      if (id < PATCHES) return id < 0 ? PATCHES : id; // -1: faces that the file does not name
      throw std::runtime_error("patch " + wanted + " has the number " + std::to_string(id) + ", which must be below " +
                               std::to_string(PATCHES));
    }
    throw std::runtime_error("there is no patch " + wanted + ", only " + patches());
  }

  struct Free {
    void operator()(op_mesh mesh) const { (void)op_mesh_free(mesh); }
  };
  std::unique_ptr<op_mesh_core, Free> mesh_;
};

} // namespace euler

#endif
