// A driver of files and a file that it has opened: the table of io.h, with failures as exceptions that name the file
// and the array.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "host/plugins/registry.hpp"
#include "op2/plugin/io.h"

namespace op2::core {

// A named array of rows. `type`: the nearest type of the library.
struct FileArray {
  std::int64_t rows = 0;
  int dim = 1;
  ElementType type;
  int rank = 2; // dimensions in the file; 1: only with one value per row
  std::int64_t chunk_rows = 0;
  int deflate = 0;
};

// The built-in type of this id.
ElementType builtin_type(op_type_id id);

class Driver {
 public:
  // Throws OP_ERR_PLUGIN, OP_ERR_BACKEND.
  Driver(Registry &registry, const Services &services, const std::string &name);

  const std::string &name() const { return name_; }
  const op_io_ops_v1 &ops() const { return ops_; }
  const Services &services() const { return services_; }
  bool takes(const std::string &path) const; // by its extension

 private:
  std::string name_;
  const Services &services_;
  op_io_ops_v1 ops_;
};

// The processes that open a file together.
struct FileGroup {
  int rank = 0, processes = 1;
  std::int64_t native = 0;
};

class OpenFile {
 public:
  // mode: as in io.h. title: for messages. Collective over the group, as all calls. Throws OP_ERR_UNSUPPORTED if the
  // driver does not serve several processes.
  OpenFile(const Driver &driver, const std::string &path, std::string title, int mode, const FileGroup &group);
  ~OpenFile(); // ignores errors; close() throws them
  OpenFile(const OpenFile &) = delete;
  OpenFile &operator=(const OpenFile &) = delete;

  void sync(); // all writes are on the disk afterwards
  void close();
  const std::string &title() const { return title_; } // "file 'mesh.h5'"

  bool has(const std::string &name) { return what_is(name) == 1; }
  int what_is(const std::string &name); // 0 nothing, 1 an array, 2 a group
  FileArray describe(const std::string &name);
  void create(const std::string &name, const FileArray &array);
  // files[p] holds the rows first[p] ... first[p + 1] - 1; see io.h.
  void create_virtual(const std::string &name, const FileArray &array, const std::vector<std::string> &files,
                      const std::vector<std::int64_t> &first);
  void read_rows(const std::string &name, std::int64_t first, std::int64_t rows, op_type_id type, void *data);
  void write_rows(const std::string &name, std::int64_t first, std::int64_t rows, op_type_id type, const void *data);
  void write_attribute(const std::string &name, const char *key, op_type_id type, int count, const void *values);
  void read_attribute(const std::string &name, const char *key, op_type_id type, int count, void *values);
  void write_text(const std::string &name, const char *key, const std::string &text, int length = 0);
  std::string read_text(const std::string &name, const char *key);
  void create_group(const std::string &name);

 private:
  void check(op_status status, const std::string &name) const;

  const Driver &driver_;
  std::string title_;
  op_io_file *file_ = nullptr;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
