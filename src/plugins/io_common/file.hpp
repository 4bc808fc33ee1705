// An open HDF5 file, and what the parts of the driver know of each other.
#pragma once

#include <cstdint>
#include <string>

#include "plugins/io_common/handle.hpp"

struct op_io_file_s {
  const op_host_v1 *host;
  hdf5::Handle file;
  hdf5::Handle transfer; // how rows are moved: by all processes together, or not
  bool writable;
  int processes;
  std::string type_name; // of the array described last
};

namespace hdf5 {

// What a driver for one process and one for many have of their own (flavour.cpp).
extern const op_plugin_v1 plugin;
// Refuses processes that it is not made for.
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

// Arrays whose rows stand in other files (subfiles.cpp).
// All that one call moves: whole rows, in memory behind each other.
struct RowTransfer {
  std::int64_t first, count;
  op_type_id type;
  void *read;        // NULL: they are written
  const void *write; // NULL: they are read
};
// False when the array is an ordinary one, or one that only HDF5 can read. Refuses when a file is missing.
bool moved_in_subfiles(op_io_file &file, const Handle &array, const RowTransfer &rows);
// Throws when the array has files and one is missing.
void need_subfiles(const op_io_file &file, const Handle &array);
// HDF5 serves them in files of one process only.
void refuse_subfiles(const op_io_file &file);
Handle type_in_file(const op_io_array &array);

// Types of values.
struct Kind {
  op_type_id id;
  int size;
};
Kind kind_of(hid_t type);                                   // in a file
hid_t memory_type(op_type_id type);                         // a builtin one of the library's; refuses OP_TYPE_USER
void need_convertible(hid_t in_file, op_type_id in_memory); // never from fractions to integers, nor texts to numbers
// A transfer in which values that do not fit are a failure.
Handle checked_transfer(const op_io_file &file);

void need_writable(const op_io_file &file);

// Makes the groups in a name.
Handle link_properties();

extern const op_io_ops_v1 ops;

} // namespace hdf5
