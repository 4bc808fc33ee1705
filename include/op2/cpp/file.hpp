// file.hpp: meshes and results in HDF5 files, and meshes of mesh generators.
#ifndef OP2_CPP_FILE_HPP
#define OP2_CPP_FILE_HPP

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "op2/cpp/dat.hpp"
#include "op2/cpp/error.hpp"
#include "op2/cpp/mesh.hpp"
#include "op2/cpp/type_name.hpp"
#include "op2/error.h"
#include "op2/hdf5.h"
#include "op2/meshfile.h"

namespace op2 {

// A file in OP2's layout. The object holds only the path: no file is open between calls. All calls are collective;
// their errors are those of hdf5.h.
//
//   const op2::file file("mesh.h5");
//   const op2::set nodes = file.declare_set("nodes"), edges = file.declare_set("edges");
//   const op2::map pedge = file.declare_map(edges, nodes, "pedge");
//   const auto x = file.declare_dat<double, 2>(nodes, "p_x");
class file {
 public:
  // Stores the path and opens no file.
  explicit file(std::string path) : path_(std::move(path)) {}

  // The path, as the constructor received it.
  [[nodiscard]] const std::string &path() const noexcept { return path_; }

  // As op_decl_set_hdf5(), op_decl_set_hdf5_infer_size().
  [[nodiscard]] set declare_set(const char *name) const { return set(check(op_decl_set_hdf5(path_.c_str(), name))); }
  [[nodiscard]] set declare_set(const char *name, const char *dataset) const {
    return set(check(op_decl_set_hdf5_infer_size(path_.c_str(), name, dataset)));
  }

  // As op_decl_map_hdf5(); dim 0: the dim in the file. Throws OP_ERR_FILE if there is no such dataset.
  [[nodiscard]] map declare_map(op_set from, op_set to, const char *name, int dim = 0) const {
    return need(find_map(from, to, name, dim), "map", name);
  }
  // As declare_map(); std::nullopt if there is no such dataset.
  [[nodiscard]] std::optional<map> find_map(op_set from, op_set to, const char *name, int dim = 0) const {
    op_clear_error(); // NULL without an error = no such dataset
    const op_map handle = found(op_decl_map_hdf5(from, to, dim, path_.c_str(), name));
    return handle == nullptr ? std::nullopt : std::optional<map>(map(handle));
  }

  // As op_decl_dat_hdf5(); Dim 0: the dim in the file. Throws OP_ERR_FILE if there is no such dataset.
  template <class T, int Dim = 0>
  [[nodiscard]] dat<T, Dim> declare_dat(op_set set, const char *name) const {
    return need(find_dat<T, Dim>(set, name), "dat", name);
  }
  // As declare_dat(); std::nullopt if there is no such dataset.
  template <class T, int Dim = 0>
  [[nodiscard]] std::optional<dat<T, Dim>> find_dat(op_set set, const char *name) const {
    static_assert(std::is_trivially_copyable_v<T>, "op2::file: the values must be copyable bytewise");
    op_clear_error();
    const op_dat handle = found(op_decl_dat_hdf5(set, Dim, type_name<T>::value, path_.c_str(), name));
    return handle == nullptr ? std::nullopt : std::optional<dat<T, Dim>>(dat<T, Dim>(handle));
  }

  // Reads the values of a constant without declaring it. As op_get_const_hdf5().
  template <class T>
  void read(const char *name, T &value) const {
    read_values(name, &value, 1);
  }
  template <class T, std::size_t N>
  void read(const char *name, T (&values)[N]) const {
    read_values(name, &values[0], static_cast<int>(N));
  }
  template <class T, std::size_t N>
  void read(const char *name, std::array<T, N> &values) const {
    read_values(name, values.data(), static_cast<int>(N));
  }
  // Returns the text of an attribute. As op_get_text_hdf5().
  [[nodiscard]] std::string read_text(const char *name, const char *key) const {
    const int length = op_get_text_hdf5(name, key, nullptr, 0, path_.c_str());
    if (length < 0) check(op_last_status());
    std::string out(static_cast<std::size_t>(length) + 1, '\0');
    if (op_get_text_hdf5(name, key, out.data(), out.size(), path_.c_str()) < 0) check(op_last_status());
    out.resize(static_cast<std::size_t>(length));
    return out;
  }

  // Writes a dat under its name, or at `path` in the file. As op_fetch_data_hdf5_file(),
  // op_fetch_data_hdf5_file_path().
  void write(op_dat dat) const { check(op_fetch_data_hdf5_file(dat, path_.c_str())); }
  void write(op_dat dat, const char *path) const { check(op_fetch_data_hdf5_file_path(dat, path_.c_str(), path)); }
  // Writes a constant. As op_write_const_hdf5().
  template <class T>
  void write_constant(const char *name, const T &value) const {
    write_values(name, &value, 1);
  }
  template <class T, std::size_t N>
  void write_constant(const char *name, const T (&values)[N]) const {
    write_values(name, &values[0], static_cast<int>(N));
  }
  template <class T, std::size_t N>
  void write_constant(const char *name, const std::array<T, N> &values) const {
    write_values(name, values.data(), static_cast<int>(N));
  }
  // Writes all sets, maps and dats, and replaces an existing file. As op_dump_to_hdf5().
  void dump() const { check(op_dump_to_hdf5(path_.c_str())); }

 private:
  // NULL is either an error, which throws, or means that there is no such dataset.
  template <class Handle>
  static Handle found(Handle handle) {
    if (handle == nullptr) check(op_last_status());
    return handle;
  }
  template <class Object>
  Object need(const std::optional<Object> &object, const char *kind, const char *name) const {
    if (!object.has_value())
      throw error(OP_ERR_FILE, "file '" + path_ + "', " + kind + " '" + name + "': there is no such dataset");
    return *object;
  }
  template <class T>
  void read_values(const char *name, T *values, int dim) const {
    check(op_get_const_hdf5(name, dim, type_name<T>::value, values, path_.c_str()));
  }
  template <class T>
  void write_values(const char *name, const T *values, int dim) const {
    check(op_write_const_hdf5(name, dim, type_name<T>::value, values, path_.c_str()));
  }

  std::string path_;
};

// The boundary faces of one patch as a set with its maps, for loops over them alone:
//
//   const op2::mesh_patch outlet = mesh.patch("outlet");
//   op_par_loop(flow, "flow", outlet.set(), op2::read(x, op2::all<2>, outlet.nodes()), op2::read(q, 0, outlet.cells()),
//               op2::gbl_inc(&sum));
//
// Handles as those of op2::set: cheap to copy, valid until op_exit().
class mesh_patch {
 public:
  mesh_patch() = default;
  // As op_mesh_patch_set() and op_mesh_patch_map(). Collective.
  mesh_patch(op_mesh mesh, const char *name)
      : set_(check(op_mesh_patch_set(mesh, name))),
        cells_(check(op_mesh_patch_map(mesh, name, "cells"))),
        nodes_(check(op_mesh_patch_map(mesh, name, "nodes"))),
        bfaces_(check(op_mesh_patch_map(mesh, name, "bfaces"))) {}

  // The faces of the patch.
  [[nodiscard]] op2::set set() const { return set_; }
  // The cell of each face, dim 1.
  [[nodiscard]] map cells() const { return cells_; }
  // The nodes of each face, dim of bface_nodes.
  [[nodiscard]] map nodes() const { return nodes_; }
  // Each face among all boundary faces, dim 1: for dats on bfaces.
  [[nodiscard]] map bfaces() const { return bfaces_; }

 private:
  op2::set set_;
  map cells_, nodes_, bfaces_;
};

// A mesh of any format of meshfile.h, in memory. The destructor frees the mesh; objects that were declared from it
// remain. Move only. Errors are those of meshfile.h.
class mesh_file {
 public:
  // The name of a part of the boundary; id as in bface_patch, -1: none.
  struct patch_name {
    int id;
    std::string name;
  };
  // An array [rows][dim], borrowed from the mesh.
  template <class T>
  struct table {
    const T *data;
    int rows, dim;
    // The dim values of a row.
    [[nodiscard]] const T *operator[](int row) const { return data + static_cast<std::ptrdiff_t>(row) * dim; }
  };

  // Reads a mesh. As op_mesh_read(); format NULL: the library chooses by the file.
  explicit mesh_file(const std::string &path, const char *format = nullptr) {
    op_mesh mesh = nullptr;
    check(op_mesh_read(path.c_str(), format, &mesh));
    mesh_.reset(mesh);
  }

  // The handle, for functions of op2.h.
  operator op_mesh() const noexcept { return mesh_.get(); }

  // Number of elements of a set. As op_mesh_size().
  [[nodiscard]] int size(const char *set) const { return count(op_mesh_size(mesh_.get(), set)); }
  // The arrays of the mesh, borrowed until its end. As op_mesh_ints(), op_mesh_reals().
  [[nodiscard]] table<int> ints(const char *name) const {
    table<int> out{};
    out.data = check(op_mesh_ints(mesh_.get(), name, &out.rows, &out.dim));
    return out;
  }
  [[nodiscard]] table<double> reals(const char *name) const {
    table<double> out{};
    out.data = check(op_mesh_reals(mesh_.get(), name, &out.rows, &out.dim));
    return out;
  }
  // The names of the parts of the boundary.
  [[nodiscard]] std::vector<patch_name> patches() const {
    std::vector<patch_name> out(static_cast<std::size_t>(size("patches")));
    for (std::size_t n = 0; n < out.size(); ++n)
      out[n].name = check(op_mesh_patch(mesh_.get(), static_cast<int>(n), &out[n].id));
    return out;
  }
  // The summary of op_mesh_info(), and the defects of op_mesh_check(), empty if there are none.
  [[nodiscard]] std::string info() const { return text(op_mesh_info); }
  [[nodiscard]] std::string findings() const { return text(op_mesh_check); }

  // As op_mesh_scale(), op_mesh_divide(), op_mesh_dump().
  void scale(double factor) { check(op_mesh_scale(mesh_.get(), factor)); }
  void divide(int parts) { check(op_mesh_divide(mesh_.get(), parts)); }
  void dump(const std::string &path) const { check(op_mesh_dump(mesh_.get(), path.c_str())); }
  // As op_mesh_reorder(); OP_ERR_ARGUMENT also if the array has a wrong length.
  void reorder(const char *set, const std::vector<int> &order) {
    detail::check_length(order.size(), static_cast<std::size_t>(size(set)), set);
    check(op_mesh_reorder(mesh_.get(), set, order.data()));
  }

  // declare() is collective, as op_mesh_declare(). The other functions return the declared objects by name.
  void declare() { check(op_mesh_declare(mesh_.get())); }
  [[nodiscard]] op2::set set(const char *name) const { return op2::set(check(op_mesh_set(mesh_.get(), name))); }
  [[nodiscard]] op2::map map(const char *name) const { return op2::map(check(op_mesh_map(mesh_.get(), name))); }
  template <class T, int Dim = 0>
  [[nodiscard]] op2::dat<T, Dim> dat(const char *name) const {
    return op2::dat<T, Dim>(check(op_mesh_dat(mesh_.get(), name)));
  }
  // The faces of a patch as a set with its maps, after declare(). Collective. Errors: as op_mesh_patch_set().
  [[nodiscard]] mesh_patch patch(const char *name) const { return {mesh_.get(), name}; }
  [[nodiscard]] mesh_patch patch(const std::string &name) const { return patch(name.c_str()); }

 private:
  static int count(int number) {
    if (number < 0) check(op_last_status());
    return number;
  }
  [[nodiscard]] std::string text(int (*write)(op_mesh, char *, std::size_t)) const {
    std::string out(static_cast<std::size_t>(count(write(mesh_.get(), nullptr, 0))) + 1, '\0');
    count(write(mesh_.get(), out.data(), out.size()));
    out.pop_back();
    return out;
  }

  struct Free {
    void operator()(op_mesh mesh) const noexcept { (void)op_mesh_free(mesh); }
  };
  std::unique_ptr<op_mesh_core, Free> mesh_;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
