// The door of hdf5.h, and of text files in compat.h.
#include "op2/hdf5.h"

#include "api/guard.hpp"
#include "io/op2_layout.hpp"
#include "op2/compat.h"

using namespace op2::core;

namespace {

void need_path(const char *path) {
  if (!path || !path[0]) fail(OP_ERR_ARGUMENT, "the name of the file is ", path ? "empty" : "NULL");
}

// Runs body(files, path) of a collective call, after all that is written in the background.
template <class Body>
decltype(auto) with_file(const char *path, Body &&body) {
  return collectively([&](Mesh &) -> decltype(auto) {
    need_path(path);
    session().async->settle();
    return body(*session().files, std::string(path));
  });
}

Dat &need_dat_to_write(Files &files, op_dat dat) {
  Dat &object = files.mesh().objects().dat(dat, "the dat");
  if (object.acquired >= 0) fail(OP_ERR_STATE, "dat '", object.label, "' is acquired; call op_dat_release() first");
  return object;
}

op_status write_one(const char *call, op_dat dat, const char *file, bool by_name, const char *place,
                    bool in_background) {
  return guarded(call, [&] {
    collectively([&](Mesh &) {
      need_path(file);
      Session &here = session();
      Dat &object = need_dat_to_write(*here.files, dat);
      if (!by_name && !place) fail(OP_ERR_ARGUMENT, "the path in the file is NULL");
      const std::string name = by_name ? object.file_name() : place;
      if (in_background || here.async->usual()) return here.async->write(object, file, name, call);
      here.async->settle();
      write_dat(*here.files, object, file, name);
    });
  });
}

} // namespace

op_set op_decl_set_hdf5(const char *file, const char *name) {
  return guarded_value<op_set>("op_decl_set_hdf5", nullptr, [&] {
    return with_file(file, [&](Files &files, const std::string &path) { return &read_set(files, path, name); });
  });
}

op_set op_decl_set_hdf5_infer_size(const char *file, const char *name, const char *dataset) {
  return guarded_value<op_set>("op_decl_set_hdf5_infer_size", nullptr, [&] {
    return with_file(file,
                     [&](Files &files, const std::string &path) { return &infer_set(files, path, name, dataset); });
  });
}

op_map op_decl_map_hdf5(op_set from, op_set to, int dim, const char *file, const char *name) {
  return guarded_value<op_map>("op_decl_map_hdf5", nullptr, [&] {
    return with_file(file,
                     [&](Files &files, const std::string &path) { return read_map(files, from, to, dim, path, name); });
  });
}

op_dat op_decl_dat_hdf5(op_set set, int dim, const char *type, const char *file, const char *name) {
  return guarded_value<op_dat>("op_decl_dat_hdf5", nullptr, [&] {
    return with_file(
        file, [&](Files &files, const std::string &path) { return read_dat(files, set, dim, type, path, name); });
  });
}

op_status op_get_const_hdf5(const char *name, int dim, const char *type, void *data, const char *file) {
  return guarded("op_get_const_hdf5", [&] {
    with_file(file, [&](Files &files, const std::string &path) { read_constant(files, path, name, dim, type, data); });
  });
}

int op_get_text_hdf5(const char *name, const char *key, char *buffer, size_t capacity, const char *file) {
  return guarded_value("op_get_text_hdf5", -1, [&] {
    const std::string found =
        with_file(file, [&](Files &files, const std::string &path) { return read_text(files, path, name, key); });
    return copy_text(found, buffer, capacity);
  });
}

op_status op_write_const_hdf5(const char *name, int dim, const char *type, const void *data, const char *file) {
  return guarded("op_write_const_hdf5", [&] {
    with_file(file, [&](Files &files, const std::string &path) { write_constant(files, path, name, dim, type, data); });
  });
}

op_status op_fetch_data_hdf5_file(op_dat dat, const char *file) {
  return write_one("op_fetch_data_hdf5_file", dat, file, true, nullptr, false);
}

op_status op_fetch_data_hdf5_file_path(op_dat dat, const char *file, const char *path) {
  return write_one("op_fetch_data_hdf5_file_path", dat, file, false, path, false);
}

op_status op_fetch_data_hdf5_file_async(op_dat dat, const char *file) {
  return write_one("op_fetch_data_hdf5_file_async", dat, file, true, nullptr, true);
}

op_status op_fetch_data_hdf5_file_path_async(op_dat dat, const char *file, const char *path) {
  return write_one("op_fetch_data_hdf5_file_path_async", dat, file, false, path, true);
}

op_status op_io_wait(const char *file) {
  return guarded("op_io_wait", [&] {
    collectively([&](Mesh &) {
      if (file) need_path(file);
      session().async->wait(file ? file : "");
    });
  });
}

op_status op_dump_to_hdf5(const char *file) {
  return guarded("op_dump_to_hdf5",
                 [&] { with_file(file, [](Files &files, const std::string &path) { dump(files, path); }); });
}

op_status op_print_dat_to_txtfile(op_dat dat, const char *file) {
  return guarded("op_print_dat_to_txtfile", [&] {
    with_file(file,
              [&](Files &files, const std::string &path) { print_text(files, need_dat_to_write(files, dat), path); });
  });
}

op_status op_print_dat_to_binfile(op_dat dat, const char *file) {
  return guarded("op_print_dat_to_binfile", [&] {
    with_file(file,
              [&](Files &files, const std::string &path) { print_binary(files, need_dat_to_write(files, dat), path); });
  });
}

// SPDX-License-Identifier: MIT
