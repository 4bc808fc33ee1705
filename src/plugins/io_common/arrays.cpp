// Arrays: HDF5's datasets of one or two dimensions.
#include <algorithm>
#include <array>
#include <limits>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

namespace {

struct Shape {
  int rank;
  hsize_t rows, dim;
};

Handle open_array(const op_io_file &file, const char *name) {
  return Handle(H5Dopen2(file.file.id(), name, H5P_DEFAULT), H5Dclose, "cannot be opened");
}

Handle space_of(const Handle &array) { return Handle(H5Dget_space(array.id()), H5Sclose, ""); }
Handle type_of(const Handle &array) { return Handle(H5Dget_type(array.id()), H5Tclose, ""); }

Shape shape_of(const Handle &space) {
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (rank < 0 || rank > 2)
    refuse(OP_ERR_DIM, "it has " + std::to_string(rank) + " dimensions; rows of values have one or two");
  std::array<hsize_t, 2> extent = {1, 1};
  H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr);
  return {rank, extent[0], rank == 2 ? extent[1] : 1};
}

// Selects rows of an array in its space, and returns the space of as many values in memory.
Handle select_rows(const Handle &space, std::int64_t first, std::int64_t rows) {
  const Shape shape = shape_of(space);
  if (first < 0 || rows < 0 || static_cast<hsize_t>(first) + static_cast<hsize_t>(rows) > shape.rows)
    refuse(OP_ERR_RANGE, "rows " + std::to_string(first) + " to " + std::to_string(first + rows - 1) +
                             " are asked for; it has " + std::to_string(shape.rows));
  const hsize_t count = static_cast<hsize_t>(rows) * shape.dim;
  Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose, "");
  if (count == 0) {
    check(H5Sselect_none(space.id()), "");
    check(H5Sselect_none(memory.id()), "");
  } else if (shape.rank > 0) {
    const std::array<hsize_t, 2> begin = {static_cast<hsize_t>(first), 0},
                                 extent = {static_cast<hsize_t>(rows), shape.dim};
    check(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr), "");
  }
  return memory;
}

// Of the values in memory. User types lie there as in the file.
Handle type_in_memory(const Handle &array, op_type_id type) {
  Handle in_file = type_of(array);
  if (H5Tdetect_class(in_file.id(), H5T_VLEN) > 0 || H5Tis_variable_str(in_file.id()) > 0)
    refuse(OP_ERR_TYPE, "its values have different lengths");
  if (type == OP_TYPE_USER) return in_file;
  need_convertible(in_file.id(), type);
  return Handle(H5Tcopy(memory_type(type)), H5Tclose, "");
}

Handle creation_properties(const op_io_array &array) {
  Handle out(H5Pcreate(H5P_DATASET_CREATE), H5Pclose, "");
  check(H5Pset_fill_time(out.id(), H5D_FILL_TIME_NEVER), "");
  check(H5Pset_obj_track_times(out.id(), 0), ""); // the same mesh makes the same file
  if (array.deflate <= 0 || array.rows == 0) return out;
  constexpr std::int64_t usual = 1 << 20; // bytes of a chunk
  const std::int64_t row = std::max<std::int64_t>(1, std::int64_t{array.dim} * array.type_size);
  const std::int64_t rows = std::clamp<std::int64_t>(usual / row, 1, array.rows);
  const std::array<hsize_t, 2> chunk = {static_cast<hsize_t>(rows), static_cast<hsize_t>(array.dim)};
  check(H5Pset_chunk(out.id(), array.rank == 1 ? 1 : 2, chunk.data()), "");
  check(H5Pset_shuffle(out.id()), "");
  check(H5Pset_deflate(out.id(), static_cast<unsigned>(array.deflate)), "");
  return out;
}

// Of an array whose values could not be moved: which of its filters this HDF5 has not, as a sentence. "": it has all.
std::string missing_filters(const Handle &array) {
  std::string out;
  const Handle properties(H5Dget_create_plist(array.id()), H5Pclose, "");
  const int count = H5Pget_nfilters(properties.id());
  for (int f = 0; f < count; ++f) {
    std::array<char, 256> name{};
    std::size_t values = 0;
    unsigned flags = 0;
    const H5Z_filter_t id = H5Pget_filter2(properties.id(), static_cast<unsigned>(f), &flags, &values, nullptr,
                                           name.size() - 1, name.data(), nullptr);
    if (id < 0 || H5Zfilter_avail(id) > 0) continue;
    out += (out.empty() ? "" : " and ") + std::to_string(id) + (name[0] ? " ('" + std::string(name.data()) + "')" : "");
  }
  if (out.empty()) return out;
  return "it is stored with filter " + out +
         ", which this HDF5 does not have (HDF5_PLUGIN_PATH names a folder with plugins of HDF5; where the filter is "
         "there, h5repack -f NONE makes a file without filters)";
}

const char *fits_not = "a value does not fit the type in memory";

// A bool that is neither in memory is undefined behaviour in any kernel.
void need_bools(const void *data, std::int64_t count) {
  const auto *const bytes = static_cast<const unsigned char *>(data);
  if (std::any_of(bytes, bytes + count, [](unsigned char byte) { return byte > 1; }))
    refuse(OP_ERR_RANGE, "a value of type bool is neither 0 nor 1");
}

} // namespace

Handle type_in_file(const op_io_array &array) {
  if (array.type != OP_TYPE_USER) return Handle(H5Tcopy(memory_type(array.type)), H5Tclose, "");
  Handle out(H5Tcreate(H5T_OPAQUE, static_cast<std::size_t>(array.type_size)), H5Tclose, "");
  const std::string tag = std::string(array.type_name ? array.type_name : "").substr(0, H5T_OPAQUE_TAG_MAX - 1);
  check(H5Tset_tag(out.id(), tag.c_str()), "");
  return out;
}

void describe(op_io_file &file, const char *name, op_io_array &array) {
  const Handle opened = open_array(file, name), type = type_of(opened), space = space_of(opened);
  need_subfiles(file, opened);
  const Shape shape = shape_of(space);
  const Kind kind = kind_of(type.id());
  if (shape.dim > static_cast<hsize_t>(std::numeric_limits<int>::max()))
    refuse(OP_ERR_DIM, "a row of it has " + std::to_string(shape.dim) + " values");
  file.type_name.clear();
  if (H5Tget_class(type.id()) == H5T_OPAQUE)
    if (char *const tag = H5Tget_tag(type.id())) {
      file.type_name = tag;
      H5free_memory(tag);
    }
  array.rows = static_cast<std::int64_t>(shape.rows);
  array.dim = static_cast<std::int32_t>(shape.dim);
  array.type = kind.id;
  array.type_size = kind.size;
  array.rank = shape.rank == 2 ? 2 : 1;
  array.type_name = file.type_name.c_str();
  const Handle properties(H5Dget_create_plist(opened.id()), H5Pclose, "");
  std::array<hsize_t, 2> chunk = {0, 0};
  array.chunk_rows = H5Pget_layout(properties.id()) == H5D_CHUNKED && H5Pget_chunk(properties.id(), 2, chunk.data()) > 0
                         ? static_cast<std::int64_t>(chunk[0])
                         : 0;
  array.deflate = 0;
  unsigned level = 0;
  std::size_t values = 1;
  unsigned flags = 0;
  if (array.chunk_rows > 0 &&
      H5Pget_filter_by_id2(properties.id(), H5Z_FILTER_DEFLATE, &flags, &values, &level, 0, nullptr, nullptr) >= 0)
    array.deflate = static_cast<std::int32_t>(level);
}

void create(op_io_file &file, const char *name, const op_io_array &array) {
  need_writable(file);
  if (array.rows < 0 || array.dim < 1 || (array.rank == 1 && array.dim != 1) || array.type_size < 1)
    refuse(OP_ERR_DIM, "it cannot have " + std::to_string(array.rows) + " rows of " + std::to_string(array.dim) +
                           " values of " + std::to_string(array.type_size) + " bytes");
  const std::array<hsize_t, 2> extent = {static_cast<hsize_t>(array.rows), static_cast<hsize_t>(array.dim)};
  const Handle space(H5Screate_simple(array.rank == 1 ? 1 : 2, extent.data(), nullptr), H5Sclose, "");
  const Handle type = type_in_file(array), links = link_properties(), properties = creation_properties(array);
  const Handle made(H5Dcreate2(file.file.id(), name, type.id(), space.id(), links.id(), properties.id(), H5P_DEFAULT),
                    H5Dclose, "cannot be made");
}

void read_rows(op_io_file &file, const char *name, std::int64_t first, std::int64_t rows, op_type_id type, void *data) {
  const Handle array = open_array(file, name), space = space_of(array), memory = select_rows(space, first, rows);
  const Handle values = type_in_memory(array, type), transfer = checked_transfer(file);
  if (shape_of(space).rows == 0) return; // it has no place in the file, and several processes would look for it
  if (moved_in_subfiles(file, array, {first, rows, type, data, nullptr})) return;
  char nothing = 0;
  if (H5Dread(array.id(), values.id(), memory.id(), space.id(), transfer.id(), data ? data : &nothing) >= 0) {
    if (type == OP_TYPE_BOOL && data) need_bools(data, H5Sget_select_npoints(memory.id()));
    return;
  }
  const std::string why = reason(), missing = missing_filters(array);
  if (!missing.empty()) refuse(OP_ERR_FILE, "cannot be read: " + missing);
  if (why.find("convert") != std::string::npos || why.find("xception") != std::string::npos)
    refuse(OP_ERR_RANGE, fits_not);
  refuse(OP_ERR_FILE, "cannot be read: " + why);
}

void write_rows(op_io_file &file, const char *name, std::int64_t first, std::int64_t rows, op_type_id type,
                const void *data) {
  need_writable(file);
  const Handle array = open_array(file, name), space = space_of(array), memory = select_rows(space, first, rows);
  const Handle values = type_in_memory(array, type), transfer = checked_transfer(file);
  if (shape_of(space).rows == 0) return;
  if (moved_in_subfiles(file, array, {first, rows, type, nullptr, data})) return;
  const char nothing = 0;
  if (H5Dwrite(array.id(), values.id(), memory.id(), space.id(), transfer.id(), data ? data : &nothing) >= 0) return;
  const std::string why = reason(), missing = missing_filters(array);
  refuse(OP_ERR_FILE, "cannot be written: " + (missing.empty() ? why : missing));
}

} // namespace hdf5

// SPDX-License-Identifier: MIT
