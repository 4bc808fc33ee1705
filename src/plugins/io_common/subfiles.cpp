// Arrays whose rows stand in other files: HDF5's virtual datasets. HDF5 reads zeros where one of the files is missing,
// so rows are moved file by file here.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <vector>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

namespace {

constexpr const char *mark = "op2_subfiles"; // attribute of files that have such arrays

} // namespace

void refuse_subfiles(const op_io_file &file) {
  if (H5Aexists(file.file.id(), mark) > 0)
    refuse(OP_ERR_UNSUPPORTED, "rows of it stand in subfiles, which HDF5 serves to one process at a time");
}

#if H5_VERSION_GE(1, 10, 0)

namespace {

// Rows first ... first + rows - 1 of the array are all rows of array `name` in file `path`.
struct Piece {
  std::string path, name;
  std::int64_t first, rows;
};

// Every "%" in names of sources means something, unless it is doubled.
std::string doubled(const std::string &name) {
  std::string out;
  for (const char c : name) out.append(c == '%' ? 2 : 1, c);
  return out;
}
std::optional<std::string> undoubled(const std::string &name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '%' && (++i == name.size() || name[i] != '%')) return std::nullopt;
    out += name[i];
  }
  return out;
}

using NameOf = ssize_t (*)(hid_t, std::size_t, char *, std::size_t);
std::optional<std::string> source_name(const Handle &properties, std::size_t number, NameOf name_of) {
  const ssize_t length = name_of(properties.id(), number, nullptr, 0);
  if (length <= 0) return std::nullopt;
  std::string out(static_cast<std::size_t>(length) + 1, '\0');
  if (name_of(properties.id(), number, out.data(), out.size()) < 0) return std::nullopt;
  out.pop_back();
  return undoubled(out);
}

// Beside the file, also where that was opened by a link.
std::string beside(const op_io_file &file, const std::string &name) {
  std::string path(static_cast<std::size_t>(std::max<ssize_t>(0, H5Fget_name(file.file.id(), nullptr, 0))) + 1, '\0');
  H5Fget_name(file.file.id(), path.data(), path.size());
  path.pop_back();
  std::error_code error;
  const std::filesystem::path here = std::filesystem::path(path).parent_path() / name;
  if (std::filesystem::exists(here, error)) return here.string();
  const std::filesystem::path there = std::filesystem::weakly_canonical(path, error).parent_path() / name;
  if (!error && std::filesystem::exists(there, error)) return there.string();
  refuse(OP_ERR_FILE, "its subfile '" + here.string() + "' is missing");
}

bool is_virtual(const Handle &properties) { return H5Pget_layout(properties.id()) == H5D_VIRTUAL; }

Handle properties_of(const Handle &array) { return Handle(H5Dget_create_plist(array.id()), H5Pclose, ""); }

struct Extent {
  int rank;
  hsize_t rows, dim;
};
Extent extent_of(const Handle &space) {
  std::array<hsize_t, 2> extent = {1, 1};
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 1 || rank > 2) return {rank, 0, 0};
  H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
  return {rank, extent[0], rank == 2 ? extent[1] : 1};
}

// The rows that are selected, where those are whole and follow each other.
bool block_of(const Handle &space, hsize_t dim, std::int64_t &first, std::int64_t &rows) {
  std::array<hsize_t, 2> low = {0, 0}, high = {0, 0};
  const hssize_t points = H5Sget_select_npoints(space.id());
  if (points <= 0 || H5Sget_select_bounds(space.id(), low.data(), high.data()) < 0) return false;
  first = static_cast<std::int64_t>(low[0]);
  rows = static_cast<std::int64_t>(high[0] - low[0] + 1);
  return low[1] == 0 && static_cast<hsize_t>(points) == (high[0] - low[0] + 1) * dim;
}

// Nothing: the array is not made of blocks of rows that follow each other, and only HDF5 knows what it has.
std::optional<std::vector<Piece>> pieces_of(const op_io_file &file, const Handle &array, const Handle &properties) {
  std::size_t count = 0;
  const Extent whole = extent_of(Handle(H5Dget_space(array.id()), H5Sclose, ""));
  if (whole.rank < 1 || whole.rank > 2) return std::nullopt;
  check(H5Pget_virtual_count(properties.id(), &count), "");
  std::vector<Piece> out;
  for (std::size_t i = 0; i < count; ++i) {
    const std::optional<std::string> path = source_name(properties, i, H5Pget_virtual_filename),
                                     name = source_name(properties, i, H5Pget_virtual_dsetname);
    const Handle here(H5Pget_virtual_vspace(properties.id(), i), H5Sclose, ""),
        there(H5Pget_virtual_srcspace(properties.id(), i), H5Sclose, "");
    const bool all = H5Sget_select_type(there.id()) == H5S_SEL_ALL; // HDF5 does not say of how many rows
    Piece piece{};
    std::int64_t from = 0, rows = 0;
    if (!path || !name || *path == "." || !block_of(here, whole.dim, piece.first, piece.rows) ||
        !(all || (block_of(there, whole.dim, from, rows) && from == 0 && rows == piece.rows)))
      return std::nullopt;
    piece.path = *path;
    piece.name = *name;
    out.push_back(std::move(piece));
  }
  std::ranges::sort(out, {}, &Piece::first);
  std::int64_t end = 0;
  for (const Piece &piece : out) {
    if (piece.first != end) return std::nullopt;
    end += piece.rows;
  }
  if (end != static_cast<std::int64_t>(whole.rows)) return std::nullopt;
  for (Piece &piece : out) piece.path = beside(file, piece.path);
  return out;
}

Handle opened(const std::string &path, bool to_write, const op_io_params &alone) {
  return Handle(H5Fopen(path.c_str(), to_write ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access_properties(alone).id()),
                H5Fclose, "its subfile '" + path + "' cannot be opened");
}

op_io_params alone_for(const op_io_file &file) { return {sizeof(op_io_params), file.host, 0, 1, 0}; }

void move(op_io_file &file, const Piece &piece, hsize_t dim, const RowTransfer &rows) {
  op_io_file part{file.host, {}, {}, rows.write != nullptr, 1, ""};
  const std::string title = "its subfile '" + piece.path + "'";
  part.transfer = transfer_properties(alone_for(file));
  part.file = opened(piece.path, rows.write != nullptr, alone_for(file));
  {
    const Handle array(H5Dopen2(part.file.id(), piece.name.c_str(), H5P_DEFAULT), H5Dclose, title);
    const Extent found = extent_of(Handle(H5Dget_space(array.id()), H5Sclose, title));
    if (found.rows != static_cast<hsize_t>(piece.rows) || found.dim != dim || is_virtual(properties_of(array)))
      refuse(OP_ERR_FILE, title + " has other rows than were written");
  }
  if (rows.write) {
    write_rows(part, piece.name.c_str(), rows.first, rows.count, rows.type, rows.write);
    check(H5Fflush(part.file.id(), H5F_SCOPE_GLOBAL), title + " cannot be written");
    sync_to_disk(part);
    if (!part.file.reset()) refuse_with_reason(title + " cannot be completed");
  } else {
    read_rows(part, piece.name.c_str(), rows.first, rows.count, rows.type, rows.read);
  }
}

// Where only HDF5 knows what rows there are.
void need_sources(const op_io_file &file, const Handle &properties, bool whole) {
  std::size_t count = 0;
  check(H5Pget_virtual_count(properties.id(), &count), "");
  for (std::size_t i = 0; i < count; ++i)
    if (const std::optional<std::string> path = source_name(properties, i, H5Pget_virtual_filename);
        path && *path != ".") {
      const std::string found = beside(file, *path);
      if (whole) opened(found, false, alone_for(file));
    }
}

} // namespace

void need_subfiles(const op_io_file &file, const Handle &array) {
  const Handle properties = properties_of(array);
  if (!is_virtual(properties) || pieces_of(file, array, properties)) return;
  need_sources(file, properties, false);
}

bool moved_in_subfiles(op_io_file &file, const Handle &array, const RowTransfer &rows) {
  const Handle properties = properties_of(array);
  if (!is_virtual(properties)) return false;
  if (file.processes > 1)
    refuse(OP_ERR_UNSUPPORTED, "its rows stand in subfiles, which this driver cannot read; use driver hdf5");
  const std::optional<std::vector<Piece>> pieces = pieces_of(file, array, properties);
  if (!pieces) {
    need_sources(file, properties, true);
    return false;
  }
  const hsize_t dim = extent_of(Handle(H5Dget_space(array.id()), H5Sclose, "")).dim;
  const Handle in_file(H5Dget_type(array.id()), H5Tclose, "");
  const hid_t type = rows.type == OP_TYPE_USER ? in_file.id() : memory_type(rows.type);
  const std::int64_t row_bytes = static_cast<std::int64_t>(H5Tget_size(type)) * static_cast<std::int64_t>(dim);
  for (const Piece &piece : *pieces) {
    const std::int64_t begin = std::max(piece.first, rows.first),
                       end = std::min(piece.first + piece.rows, rows.first + rows.count);
    if (begin >= end) continue;
    const std::int64_t skipped = (begin - rows.first) * row_bytes;
    const RowTransfer part{begin - piece.first, end - begin, rows.type,
                           rows.read ? static_cast<char *>(rows.read) + skipped : nullptr,
                           rows.write ? static_cast<const char *>(rows.write) + skipped : nullptr};
    move(file, piece, dim, part);
  }
  return true;
}

void create_virtual(op_io_file &file, const char *name, const op_io_array &array, int count, const char *const *files,
                    const std::int64_t *first) {
  need_writable(file);
  if (file.processes > 1) refuse(OP_ERR_UNSUPPORTED, "this driver makes no arrays of subfiles; use driver hdf5");
  if (array.dim < 1 || array.rank == 1 || array.type_size < 1 || (count > 0 && first[count] != array.rows))
    refuse(OP_ERR_DIM, "these subfiles do not make it up");
  if (exists(file, name) != 0) check(H5Ldelete(file.file.id(), name, H5P_DEFAULT), "cannot be replaced");
  if (count == 0) return create(file, name, array);
  const std::array<hsize_t, 2> extent = {static_cast<hsize_t>(array.rows), static_cast<hsize_t>(array.dim)};
  const Handle space(H5Screate_simple(2, extent.data(), nullptr), H5Sclose, ""), type = type_in_file(array);
  const Handle links = link_properties(), properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "");
  check(H5Pset_obj_track_times(properties.id(), 0), "");
  for (int p = 0; p < count; ++p) {
    const std::array<hsize_t, 2> begin = {static_cast<hsize_t>(first[p]), 0},
                                 rows = {static_cast<hsize_t>(first[p + 1] - first[p]), extent[1]};
    check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, rows.data(), nullptr), "");
    const Handle part(H5Screate_simple(2, rows.data(), nullptr), H5Sclose, "");
    check(H5Pset_virtual(properties.id(), space.id(), doubled(files[p]).c_str(), doubled(name).c_str(), part.id()), "");
  }
  check(H5Sselect_all(space.id()), "");
  const Handle made(H5Dcreate2(file.file.id(), name, type.id(), space.id(), links.id(), properties.id(), H5P_DEFAULT),
                    H5Dclose, "cannot be made");
  const int yes = 1;
  write_attribute(file, "", mark, OP_TYPE_INT, 1, &yes);
}

#else

void need_subfiles(const op_io_file &, const Handle &) {}
bool moved_in_subfiles(op_io_file &, const Handle &, const RowTransfer &) { return false; }
void create_virtual(op_io_file &, const char *, const op_io_array &, int, const char *const *, const std::int64_t *) {
  refuse(OP_ERR_UNSUPPORTED, "this build of HDF5 has no arrays of subfiles");
}

#endif

} // namespace hdf5

// SPDX-License-Identifier: MIT
