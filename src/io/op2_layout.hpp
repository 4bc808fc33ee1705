// Meshes and results in OP2's layout: one array for each set, map, dat and constant, with its name. Calls are
// collective.
#pragma once

#include <optional>

#include "io/files.hpp"

namespace op2::core {

Set &read_set(Files &files, const std::string &path, const char *name);
// A set with as many elements as `array` has rows.
Set &infer_set(Files &files, const std::string &path, const char *name, const char *array);
// NULL and a warning if the array does not exist.
Map *read_map(Files &files, op_set from, op_set to, int dim, const std::string &path, const char *name);
// The first number that stands for an element in the entries of a map, 0 or 1, is in the attribute `base` of its array.
// No value: OP2's files, and those of older versions, have no such attribute.
inline constexpr const char *base_key = "base";
std::optional<int> base_of(OpenFile &file, const std::string &map);
void write_base(OpenFile &file, const std::string &map, int base);
Dat *read_dat(Files &files, op_set set, int dim, const char *type, const std::string &path, const char *name);
std::string read_text(Files &files, const std::string &path, const char *array, const char *key);
void read_constant(Files &files, const std::string &path, const char *name, int dim, const char *type, void *values);

// These make the file if it does not exist.
void write_constant(Files &files, const std::string &path, const char *name, int dim, const char *type,
                    const void *values);
void write_dat(Files &files, Dat &dat, const std::string &path, const std::string &name);
// The description of a dat in a file, and the rows of this process. Independent of the dat's lifetime.
struct DatRows {
  std::string name; // of the dataset
  FileArray array;
  int row_bytes;
  std::string type;
  std::int64_t first, rows;
};
// The array of a dat in files.
FileArray dat_array(const FileAccess &files, const Dat &dat);
DatRows rows_of(const FileAccess &files, const Dat &dat, const std::string &name);
// Writes a dat's array. The caller made `writer` with Files::room_of(dat.array) bytes.
void write_rows(FileWriter &writer, const DatRows &dat, const char *rows);
// The same for rows in other files (see OpenFile::create_virtual()), which `note` names. Returns the note of the
// dataset that it replaces, or "". `begun` becomes true when the file may refer to the other files.
std::string write_virtual(FileWriter &writer, const DatRows &dat, const std::vector<std::string> &files,
                          const std::vector<std::int64_t> &first, const std::string &note, bool &begun);
// Writes all sets, maps and dats; replaces the file.
void dump(Files &files, const std::string &path);

// Write a dat as text, or as bytes.
void print_text(Files &files, Dat &dat, const std::string &path);
void print_binary(Files &files, Dat &dat, const std::string &path);

} // namespace op2::core

// SPDX-License-Identifier: MIT
