// naca_hdf5.cpp: see naca_hdf5.hpp; the layout is that of docs/files.md.
#include "naca_hdf5.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <vector>

#include "airfoil_kernels.h"

namespace naca {
namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;

[[noreturn]] void refuse(const std::string &what) { throw std::runtime_error("cannot write " + what); }

// An identifier of HDF5, closed at the end of the scope.
class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string &what) : id_(id), close_(close) {
    if (id < 0) refuse(what);
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(const Handle &) = delete;
  Handle &operator=(const Handle &) = delete;
  hid_t id() const { return id_; }
  // For files: what is left is written now.
  bool close() {
    const hid_t id = id_;
    id_ = -1;
    return close_(id) >= 0;
  }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

hid_t type_of(int) { return H5T_NATIVE_INT; }
hid_t type_of(double) { return H5T_NATIVE_DOUBLE; }

void put_number(const Handle &array, const char *key, int value) {
  const hsize_t one = 1;
  const Handle space(H5Screate_simple(1, &one, nullptr), H5Sclose, key);
  const Handle made(H5Acreate2(array.id(), key, H5T_NATIVE_INT, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, key);
  if (H5Awrite(made.id(), H5T_NATIVE_INT, &value) < 0) refuse(key);
}

void put_type(const Handle &array, std::string text, std::size_t length) {
  text.resize(length, '\0');
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, "type"), space(H5Screate(H5S_SCALAR), H5Sclose, "type");
  if (H5Tset_size(type.id(), length) < 0) refuse("type");
  const Handle made(H5Acreate2(array.id(), "type", type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, "type");
  if (H5Awrite(made.id(), type.id(), text.data()) < 0) refuse("type");
}

// An array [rows][dim], or [rows] with rank 1, which append() fills from its beginning, a piece at a time.
template <class Value>
class Array {
 public:
  Array(const Handle &file, const char *name, int rows, int dim, int rank = 2)
      : name_(name),
        dim_(static_cast<hsize_t>(dim)),
        rank_(rank),
        extent_{static_cast<hsize_t>(rows), dim_},
        space_(H5Screate_simple(rank, extent_.data(), nullptr), H5Sclose, name),
        array_(H5Dcreate2(file.id(), name, type_of(Value()), space_.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
               H5Dclose, name) {}

  // A vector to append values to; call flush_full() after each row of the grid, and flush() at the end.
  std::vector<Value> &buffer() { return buffer_; }
  void flush_full() {
    if (buffer_.size() * sizeof(Value) >= piece_bytes) flush();
  }
  void flush() {
    const hsize_t values = buffer_.size();
    if (values == 0) return;
    const std::array<hsize_t, 2> begin = {written_ / dim_, 0}, count = {values / dim_, dim_};
    const Handle memory(H5Screate_simple(1, &values, nullptr), H5Sclose, name_);
    if (H5Sselect_hyperslab(space_.id(), H5S_SELECT_SET, begin.data(), nullptr, count.data(), nullptr) < 0 ||
        H5Dwrite(array_.id(), type_of(Value()), memory.id(), space_.id(), H5P_DEFAULT, buffer_.data()) < 0)
      refuse(name_);
    written_ += values;
    buffer_.clear();
  }
  void map_attributes() {
    put_number(array_, "size", static_cast<int>(extent_[0]));
    put_number(array_, "dim", static_cast<int>(dim_));
    put_type(array_, "int", 10);
    put_number(array_, "base", 0);
  }
  void dat_attributes() {
    const std::string type = sizeof(Value) == sizeof(int) ? "int" : "double";
    put_number(array_, "size", static_cast<int>(dim_ * sizeof(Value)));
    put_number(array_, "dim", static_cast<int>(dim_));
    put_type(array_, type, type.size());
  }
  void constant_attributes() {
    put_number(array_, "dim", static_cast<int>(extent_[0]));
    put_type(array_, "double", 6);
  }

 private:
  std::string name_;
  hsize_t dim_;
  int rank_;
  std::array<hsize_t, 2> extent_;
  Handle space_, array_;
  std::vector<Value> buffer_;
  hsize_t written_ = 0;
};

void put_set(const Handle &file, const char *name, int size) {
  Array<int> set(file, name, 1, 1, 1);
  set.buffer() = {size};
  set.flush();
}

void put_constant(const Handle &file, const char *name, std::vector<double> values) {
  Array<double> constant(file, name, static_cast<int>(values.size()), 1, 1);
  constant.buffer() = std::move(values);
  constant.flush();
  constant.constant_attributes();
}

void put_maps(const Handle &file, const MeshRows &rows) {
  Array<int> edge_nodes(file, "pedge", rows.nedge, 2), edge_cells(file, "pecell", rows.nedge, 2);
  Array<int> bedge_nodes(file, "pbedge", rows.nbedge, 2), bedge_cell(file, "pbecell", rows.nbedge, 1);
  Array<int> cell_nodes(file, "pcell", rows.ncell, 4), bound(file, "p_bound", rows.nbedge, 1);
  for (int j = 0; j < rows.cell_rows(); ++j) {
    rows.cells(j, cell_nodes.buffer());
    rows.edges(j, edge_nodes.buffer(), edge_cells.buffer());
    for (Array<int> *array : {&cell_nodes, &edge_nodes, &edge_cells}) array->flush_full();
  }
  rows.boundary(bedge_nodes.buffer(), bedge_cell.buffer(), bound.buffer());
  for (Array<int> *array : {&edge_nodes, &edge_cells, &bedge_nodes, &bedge_cell, &cell_nodes}) {
    array->flush();
    array->map_attributes();
  }
  bound.flush();
  bound.dat_attributes();
}

void put_dats(const Handle &file, const MeshRows &rows) {
  Array<double> x(file, "p_x", rows.nnode, 2), q(file, "p_q", rows.ncell, 4);
  for (int j = 0; j < rows.point_rows(); ++j) {
    rows.points(j, x.buffer());
    x.flush_full();
  }
  for (int n = 0; n < rows.ncell; ++n) {
    q.buffer().insert(q.buffer().end(), qinf, qinf + 4);
    q.flush_full();
  }
  for (Array<double> *array : {&x, &q}) {
    array->flush();
    array->dat_attributes();
  }
  // HDF5 reads zeros from arrays that were never written.
  Array<double>(file, "p_qold", rows.ncell, 4).dat_attributes();
  Array<double>(file, "p_adt", rows.ncell, 1).dat_attributes();
  Array<double>(file, "p_res", rows.ncell, 4).dat_attributes();
}

void write(const MeshRows &rows, const std::string &place) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  Handle file(H5Fcreate(place.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose, place);
  airfoil_constants();
  put_set(file, "nodes", rows.nnode);
  put_set(file, "edges", rows.nedge);
  put_set(file, "bedges", rows.nbedge);
  put_set(file, "cells", rows.ncell);
  put_maps(file, rows);
  put_dats(file, rows);
  put_constant(file, "gam", {gam});
  put_constant(file, "gm1", {gm1});
  put_constant(file, "cfl", {cfl});
  put_constant(file, "eps", {eps});
  put_constant(file, "mach", {mach});
  put_constant(file, "qinf", {qinf, qinf + 4});
  if (!file.close()) refuse(place);
}

void need_room(const MeshRows &rows, const std::string &place) {
  const std::uintmax_t cells = static_cast<std::uintmax_t>(rows.ncell), nodes = static_cast<std::uintmax_t>(rows.nnode);
  const std::uintmax_t bytes =
      nodes * 16 + cells * (16 + 32) + static_cast<std::uintmax_t>(rows.nedge) * 16 + (std::uintmax_t{1} << 20);
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::absolute(place, error).parent_path();
  const std::filesystem::space_info room = std::filesystem::space(folder, error);
  if (!error && room.available < bytes)
    refuse(place + ": it takes " + std::to_string(bytes >> 20) + " MiB, and the file system has " +
           std::to_string(room.available >> 20));
}

} // namespace

void write_hdf5(const MeshRows &rows, const std::string &file) {
  need_room(rows, file);
  const std::string part = file + ".part" + std::to_string(::getpid());
  try {
    write(rows, part);
  } catch (...) {
    std::remove(part.c_str());
    throw;
  }
  if (std::rename(part.c_str(), file.c_str()) == 0) return;
  std::remove(part.c_str());
  refuse(file);
}

} // namespace naca

// SPDX-License-Identifier: MIT
