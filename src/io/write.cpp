// Datasets as OP2 writes them: extents, types and attributes are what its readers look for.
#include <algorithm>
#include <array>
#include <limits>

#include "base/error.hpp"
#include "distributed/declared/pieces.hpp"
#include "io/op2_layout.hpp"
#include "mesh/checks.hpp"

namespace op2::core {

namespace {

constexpr const char *subfiles_key = "subfiles";
constexpr int map_type_length = 10; // of the attribute that says the type of a map's entries

bool fits_int(op_gindex value) { return value <= std::numeric_limits<int>::max(); }

// 32 bits unless that is not enough.
void write_number(OpenFile &file, const std::string &name, const char *key, op_gindex value) {
  const int narrow = static_cast<int>(value);
  if (fits_int(value))
    file.write_attribute(name, key, OP_TYPE_INT, 1, &narrow);
  else
    file.write_attribute(name, key, OP_TYPE_LL, 1, &value);
}

std::string type_text(const Dat &dat) { return dat.element.soa ? dat.type_label + ":soa" : dat.type_label; }

// What is there already must be the same; true when there is nothing.
bool must_be_made(OpenFile &file, const std::string &name, const FileArray &request) {
  const int what = file.what_is(name);
  if (what == 0) return true;
  if (what == 2) fail(OP_ERR_FILE, file.title(), ", '", name, "': there is a group of that name");
  const FileArray found = file.describe(name);
  const bool same_type = found.type.builtin() == request.type.builtin() && found.type == request.type &&
                         found.type.size == request.type.size;
  if (found.rows == request.rows && found.dim == request.dim && same_type) return false;
  fail(OP_ERR_FILE, file.title(), ", '", name, "': the dataset that is there has ", found.rows, " rows of ", found.dim,
       " x ", found.type.name, ", and ", request.rows, " rows of ", request.dim, " x ", request.type.name,
       " are to be written; use another name or another file");
}

// What a file that is there grows by. Chunks that are written again may find no place where they were.
std::int64_t growth(OpenFile &file, const std::string &name, const FileArray &request) {
  if (must_be_made(file, name, request)) return Files::room_of(request);
  const FileArray found = file.describe(name);
  return found.chunk_rows > 0 ? Files::room_of(found) : 0;
}

FileArray map_array(const FileAccess &files, const Map &map) {
  const bool narrow = fits_int(map.target().global_size);
  return files.new_array(map.source().global_size, map.dim, builtin_type(narrow ? OP_TYPE_INT : OP_TYPE_LL));
}

void put_attributes(OpenFile &file, const DatRows &dat) {
  write_number(file, dat.name, "size", dat.row_bytes);
  write_number(file, dat.name, "dim", dat.array.dim);
  file.write_text(dat.name, "type", dat.type);
}

// Of the files that have its rows; "": it has them itself.
std::string note_of(OpenFile &file, const std::string &name) {
  try {
    return file.read_text(name, subfiles_key);
  } catch (const Error &) {
    return "";
  }
}

// In the file `writer`, or a new dataset there.
void need_dataset(FileWriter &writer, const DatRows &dat) {
  writer.step(text("dat '", dat.name, "'"), [&](OpenFile &file) {
    if (!must_be_made(file, dat.name, dat.array)) return;
    file.create(dat.name, dat.array);
    put_attributes(file, dat);
  });
}

void put_dat(Files &files, FileWriter &writer, Dat &dat, const std::string &name) {
  const DatRows rows = rows_of(files, dat, name);
  const std::size_t row = static_cast<std::size_t>(rows.row_bytes);
  DatPieces pieces(files.mesh(), dat, rows_in_piece(row));
  need_dataset(writer, rows);
  writer.write_pieces(name, rows.first, rows.rows, row, rows.array.type.id,
                      [&](std::int64_t n) { return pieces.get(n); });
}

// Of everything that op_dump_to_hdf5() writes.
std::int64_t room_of(const Files &files) {
  const Mesh &mesh = files.mesh();
  std::int64_t bytes = 0;
  for (const auto &set : mesh.sets())
    bytes += Files::room_of({1, 1, builtin_type(OP_TYPE_LL)}) + static_cast<std::int64_t>(set->label.size());
  for (const auto &map : mesh.maps()) bytes += Files::room_of(map_array(files, *map));
  for (const auto &dat : mesh.dats())
    if (!dat->freed) bytes += Files::room_of(dat_array(files, *dat));
  return bytes;
}

void put_set(Files &files, FileWriter &writer, const Set &set) {
  writer.step(text("set '", set.label, "'"), [&](OpenFile &file) {
    const bool narrow = fits_int(set.global_size);
    FileArray one = files.new_array(1, 1, builtin_type(narrow ? OP_TYPE_INT : OP_TYPE_LL), 1);
    one.deflate = 0;
    file.create(set.label, one);
    const int size = static_cast<int>(set.global_size);
    file.write_rows(set.label, 0, 1, one.type.id, narrow ? static_cast<const void *>(&size) : &set.global_size);
  });
}

// Entries are written as they were given: from 1 where maps count from 1.
void put_map(Files &files, FileWriter &writer, const Map &map) {
  Mesh &mesh = files.mesh();
  const Set &from = map.source();
  const bool narrow = fits_int(map.target().global_size);
  const FileArray request = map_array(files, map);
  writer.step(text("map '", map.label, "'"), [&](OpenFile &file) {
    file.create(map.label, request);
    write_number(file, map.label, "size", from.global_size);
    write_number(file, map.label, "dim", map.dim);
    file.write_text(map.label, "type", narrow ? "int" : "long long", map_type_length);
    write_base(file, map.label, mesh.declare().map_base());
  });
  const std::size_t row = static_cast<std::size_t>(map.dim) * static_cast<std::size_t>(request.type.size);
  MapPieces pieces(mesh, map, rows_in_piece(row));
  std::vector<op_gindex> wide;
  std::vector<int> small;
  writer.write_pieces(map.label, from.declared_first, from.declared_size, row, request.type.id, [&](std::int64_t n) {
    const std::vector<op_gindex> &entries = pieces.get(n);
    const int base = mesh.declare().map_base();
    wide.resize(narrow ? 0 : entries.size());
    small.resize(narrow ? entries.size() : 0);
    if (!narrow) {
      std::ranges::transform(entries, wide.begin(), [base](op_gindex entry) { return entry + base; });
      return reinterpret_cast<const char *>(wide.data());
    }
    std::ranges::transform(entries, small.begin(), [base](op_gindex entry) { return static_cast<int>(entry) + base; });
    return reinterpret_cast<const char *>(small.data());
  });
}

// Names become datasets, so each may stand for one thing only.
void need_different_names(const Mesh &mesh) {
  std::unordered_map<std::string, const char *> seen;
  const auto add = [&](const std::string &name, const char *kind) {
    const auto [place, fresh] = seen.try_emplace(name, kind);
    if (name.empty()) fail(OP_ERR_STATE, "a ", kind, " has no name, and datasets need one");
    if (!fresh)
      fail(OP_ERR_STATE, "a ", place->second, " and a ", kind, " are called '", name,
           "'; in a file their names must differ");
  };
  for (const auto &set : mesh.sets()) add(set->label, "set");
  for (const auto &map : mesh.maps()) add(map->label, "map");
  for (const auto &dat : mesh.dats())
    if (!dat->freed) add(dat->file_name(), "dat");
}

} // namespace

void write_base(OpenFile &file, const std::string &map, int base) {
  file.write_attribute(map, base_key, OP_TYPE_INT, 1, &base);
}

FileArray dat_array(const FileAccess &files, const Dat &dat) {
  return files.new_array(dat.on().global_size, dat.dim, dat.element);
}

DatRows rows_of(const FileAccess &files, const Dat &dat, const std::string &name) {
  const Set &set = dat.on();
  return {name, dat_array(files, dat), dat.size, type_text(dat), set.declared_first, set.declared_size};
}

void write_rows(FileWriter &writer, const DatRows &dat, const char *rows) {
  writer.need_room([&](OpenFile &file) { return growth(file, dat.name, dat.array); });
  need_dataset(writer, dat);
  writer.write_rows(dat.name, dat.first, dat.rows, static_cast<std::size_t>(dat.row_bytes), dat.array.type.id, rows);
  writer.commit();
}

std::string write_virtual(FileWriter &writer, const DatRows &dat, const std::vector<std::string> &files,
                          const std::vector<std::int64_t> &first, const std::string &note, bool &begun) {
  std::string before;
  writer.step(text("dat '", dat.name, "'"), [&](OpenFile &file) {
    if (!must_be_made(file, dat.name, dat.array)) before = note_of(file, dat.name);
    begun = true;
    file.create_virtual(dat.name, dat.array, files, first);
    put_attributes(file, dat);
    if (!files.empty()) file.write_text(dat.name, subfiles_key, note);
  });
  return before;
}

void write_dat(Files &files, Dat &dat, const std::string &path, const std::string &name) {
  if (name.empty()) fail(OP_ERR_ARGUMENT, "the name of the dataset is empty");
  Mesh &mesh = files.mesh();
  mesh.agreement().agree(text("dat '", dat.label, "' to file '", path, "', '", name, "'"));
  mesh.declare().settle();
  const FileArray request = dat_array(files, dat);
  FileWriter writer(files, path, FileWriter::Mode::extend, Files::room_of(request));
  writer.need_room([&](OpenFile &file) { return growth(file, name, request); });
  put_dat(files, writer, dat, name);
  writer.commit();
}

void dump(Files &files, const std::string &path) {
  Mesh &mesh = files.mesh();
  mesh.agreement().agree(text("the mesh to file '", path, "'"));
  mesh.declare().settle();
  mesh.agreement().together("the names of all objects", [&] {
    need_different_names(mesh);
    if (mesh.dialect().replaces_tables) mesh.declare().take_new_tables();
    return 0;
  });
  FileWriter writer(files, path, FileWriter::Mode::replace, room_of(files));
  for (const auto &set : mesh.sets()) put_set(files, writer, *set);
  for (const auto &map : mesh.maps()) put_map(files, writer, *map);
  for (const auto &dat : mesh.dats())
    if (!dat->freed) put_dat(files, writer, *dat, dat->file_name());
  writer.commit();
}

void write_constant(Files &files, const std::string &path, const char *name, int dim, const char *type,
                    const void *values) {
  if (!name || !name[0]) fail(OP_ERR_ARGUMENT, "the name of the constant is ", name ? "empty" : "NULL");
  const ElementType element = sized_type(type, 0, name);
  row_bytes(dim, element, name);
  if (!values) fail(OP_ERR_ARGUMENT, "the value of constant '", name, "' is NULL");
  files.mesh().agreement().agree(text("constant '", name, "', ", dim, " x ", element.name, " to file '", path, "'"));
  FileArray request = files.new_array(dim, 1, element, 1);
  request.deflate = 0;
  FileWriter writer(files, path, FileWriter::Mode::extend, Files::room_of(request));
  writer.need_room([&](OpenFile &file) { return growth(file, name, request); });
  writer.step(text("constant '", name, "'"), [&](OpenFile &file) {
    if (!must_be_made(file, name, request)) return;
    file.create(name, request);
    write_number(file, name, "dim", dim);
    file.write_text(name, "type", element.id == OP_TYPE_LL ? "long long" : element.name);
  });
  const int rows = files.mesh().communicator().rank() == 0 ? dim : 0; // what others pass does not count
  writer.write_rows(name, 0, rows, static_cast<std::size_t>(element.size), element.id,
                    static_cast<const char *>(values));
  writer.commit();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
