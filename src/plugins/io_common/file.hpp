// An open HDF5 file, and the functions that the files of the driver share.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/io_common/handle.hpp"

struct op_io_file_s {
  const op_host_v1 *host;
  hdf5::Handle file;
  hdf5::Handle transfer; // of rows: collective or independent
  bool writable;
  int processes;
  std::string type_name; // of the array described last
};

namespace hdf5 {

// Different in the drivers for one process and for many (flavour.cpp).
extern const op_plugin_v1 plugin;
// Throws if the driver does not support this number of processes.
void need_processes(const op_io_params &params);
Handle access_properties(const op_io_params &params);
Handle common_access_properties();
Handle transfer_properties(const op_io_params &params);
void sync_to_disk(op_io_file &file);

// The entries (arrays.cpp, attributes.cpp); they throw Failure.
void describe(op_io_file &file, const char *name, op_io_array &array);
void create(op_io_file &file, const char *name, const op_io_array &array);
void read_rows(op_io_file &file, const char *name, std::int64_t first, std::int64_t rows, op_type_id type, void *data);
void write_rows(op_io_file &file, const char *name, std::int64_t first, std::int64_t rows, op_type_id type,
                const void *data);
void read_attribute(op_io_file &file, const char *name, const char *key, op_type_id type, int count, void *data);
void write_attribute(op_io_file &file, const char *name, const char *key, op_type_id type, int count, const void *data);
void read_text(op_io_file &file, const char *name, const char *key, char *text, int capacity);
void write_text(op_io_file &file, const char *name, const char *key, const char *text, int length);
int exists(op_io_file &file, const char *name);
void create_virtual(op_io_file &file, const char *name, const op_io_array &array, int count, const char *const *files,
                    const std::int64_t *first);
void create_group(op_io_file &file, const char *name);

// Arrays whose rows are in other files (subfiles.cpp). The rows that one call moves, contiguous in memory.
struct RowTransfer {
  std::int64_t first, count;
  op_type_id type;
  void *read;        // NULL: a write
  const void *write; // NULL: a read
};
// Moves the rows. False: the array is ordinary, or only HDF5 can read it. Throws if a file is missing.
bool moved_in_subfiles(op_io_file &file, const Handle &array, const RowTransfer &rows);
// Throws if a file of the array is missing.
void need_subfiles(const op_io_file &file, const Handle &array);
// Throws if the file has such arrays: HDF5 supports them for one process only.
void refuse_subfiles(const op_io_file &file);
Handle type_in_file(const op_io_array &array);

// Types of values.
struct Kind {
  op_type_id id;
  int size;
};
Kind kind_of(hid_t type);                                   // in a file
hid_t memory_type(op_type_id type);                         // of a builtin type; throws for OP_TYPE_USER
void need_convertible(hid_t in_file, op_type_id in_memory); // not from real to integer, nor text to number
// A transfer that fails on values out of range.
Handle checked_transfer(const op_io_file &file);

void need_writable(const op_io_file &file);

// Properties that create the groups in a name.
Handle link_properties();

extern const op_io_ops_v1 ops;

} // namespace hdf5

// SPDX-License-Identifier: MIT
