// Meshes and results in OP2's layout: one array for each set, map, dat and constant, under its name. Collective.
#pragma once

#include "io/files.hpp"

namespace op2::core {

Set &read_set(Files &files, const std::string &path, const char *name);
// As many elements as `array` has rows.
Set &infer_set(Files &files, const std::string &path, const char *name, const char *array);
// NULL and a warning when there is no such array.
Map *read_map(Files &files, op_set from, op_set to, int dim, const std::string &path, const char *name);
Dat *read_dat(Files &files, op_set set, int dim, const char *type, const std::string &path, const char *name);
std::string read_text(Files &files, const std::string &path, const char *array, const char *key);
void read_constant(Files &files, const std::string &path, const char *name, int dim, const char *type, void *values);

// These make the file when it is not there.
void write_constant(Files &files, const std::string &path, const char *name, int dim, const char *type,
                    const void *values);
void write_dat(Files &files, Dat &dat, const std::string &path, const std::string &name);
// What a file says of a dat, and which of its rows this process has. It lives on without the dat.
struct DatRows {
  std::string name; // of the dataset
  FileArray array;
  int row_bytes;
  std::string type;
  std::int64_t first, rows;
};
// How a dat stands in files.
FileArray dat_array(const FileAccess &files, const Dat &dat);
DatRows rows_of(const FileAccess &files, const Dat &dat, const std::string &name);
// All that is to be written to a file: writer was made with Files::room_of(dat.array) bytes.
void write_rows(FileWriter &writer, const DatRows &dat, const char *rows);
// The same where the rows stand in other files, as OpenFile::create_virtual() takes them; `note` says which. Returns
// the note of the dataset that it takes the place of, or "". `begun`: the file may refer to them.
std::string write_virtual(FileWriter &writer, const DatRows &dat, const std::vector<std::string> &files,
                          const std::vector<std::int64_t> &first, const std::string &note, bool &begun);
// All sets, maps and dats, in place of whatever the file was.
void dump(Files &files, const std::string &path);

// Text and bytes, for people and for other programs.
void print_text(Files &files, Dat &dat, const std::string &path);
void print_binary(Files &files, Dat &dat, const std::string &path);

} // namespace op2::core
