#include "tools/op2_mesh_external.hpp"

#include <hdf5.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "tools/op2_mesh_sorter.hpp"

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

// Airfoil's arrays: maps have a target.
struct Array {
  const char *name, *set, *target;
};
constexpr std::array<Array, 11> arrays = {{{"p_x", "nodes", ""},
                                           {"pcell", "cells", "nodes"},
                                           {"p_q", "cells", ""},
                                           {"p_qold", "cells", ""},
                                           {"p_adt", "cells", ""},
                                           {"p_res", "cells", ""},
                                           {"pedge", "edges", "nodes"},
                                           {"pecell", "edges", "cells"},
                                           {"pbedge", "bedges", "nodes"},
                                           {"pbecell", "bedges", "cells"},
                                           {"p_bound", "bedges", ""}}};

class Handle {
 public:
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string &what) : id_(id), close_(close) {
    if (id < 0) throw std::runtime_error(what + ": HDF5 cannot open it");
  }
  Handle(Handle &&other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  hid_t id() const { return id_; }

 private:
  hid_t id_;
  herr_t (*close_)(hid_t);
};

// Rows of one array, read or written from the first to the last.
class Rows {
 public:
  Rows(const Handle &file, const std::string &name)
      : name_(name),
        array_(H5Dopen2(file.id(), name.c_str(), H5P_DEFAULT), H5Dclose, "array '" + name + "'"),
        space_(H5Dget_space(array_.id()), H5Sclose, name),
        type_(H5Dget_type(array_.id()), H5Tclose, name) {
    std::array<hsize_t, 2> extent = {0, 1};
    if (H5Sget_simple_extent_ndims(space_.id()) != 2)
      throw std::runtime_error("array '" + name + "' does not have two dimensions");
    H5Sget_simple_extent_dims(space_.id(), extent.data(), nullptr);
    rows_ = extent[0];
    dim_ = extent[1];
    bytes_ = dim_ * H5Tget_size(type_.id());
    step_ = std::max<hsize_t>(1, piece_bytes / bytes_);
  }

  std::int64_t rows() const { return static_cast<std::int64_t>(rows_); }
  std::size_t dim() const { return dim_; }
  std::size_t bytes() const { return bytes_; } // of a row
  bool is_stored() const { return H5Dget_storage_size(array_.id()) > 0; }
  bool has_class(H5T_class_t wanted, std::size_t size) const {
    return H5Tget_class(type_.id()) == wanted && H5Tget_size(type_.id()) == size;
  }

  const char *next() {
    if (at_ == filled_) {
      first_ += filled_;
      filled_ = std::min(step_, rows_ - first_);
      buffer_.resize(filled_ * bytes_);
      move(first_, filled_, false);
      at_ = 0;
    }
    return buffer_.data() + at_++ * bytes_;
  }
  void put(const char *row) {
    buffer_.insert(buffer_.end(), row, row + bytes_);
    if (++at_ == step_) flush();
  }
  void flush() {
    move(first_, at_, true);
    first_ += at_;
    at_ = 0;
    buffer_.clear();
  }

 private:
  void move(hsize_t first, hsize_t count, bool write) {
    if (count == 0) return;
    const std::array<hsize_t, 2> begin = {first, 0}, extent = {count, dim_};
    const hsize_t values = count * dim_;
    const Handle memory(H5Screate_simple(1, &values, nullptr), H5Sclose, name_);
    H5Sselect_hyperslab(space_.id(), H5S_SELECT_SET, begin.data(), nullptr, extent.data(), nullptr);
    const herr_t done = write ? H5Dwrite(array_.id(), type_.id(), memory.id(), space_.id(), H5P_DEFAULT, buffer_.data())
                              : H5Dread(array_.id(), type_.id(), memory.id(), space_.id(), H5P_DEFAULT, buffer_.data());
    if (done < 0) throw std::runtime_error("array '" + name_ + "' cannot be " + (write ? "written" : "read"));
  }

  std::string name_;
  Handle array_, space_, type_;
  hsize_t rows_ = 0, dim_ = 1, step_ = 1, first_ = 0, filled_ = 0, at_ = 0;
  std::size_t bytes_ = 0;
  std::vector<char> buffer_;
};

// Numbers, one after the other, in a scratch file.
class Numbers {
 public:
  explicit Numbers(const std::string &folder) : file_(folder) {}
  void put(int number) {
    buffer_.push_back(number);
    if (buffer_.size() * sizeof(int) >= piece_bytes) flush();
  }
  void rewind() {
    flush();
    at_ = 0;
  }
  int next() {
    if (at_ == buffer_.size()) {
      buffer_.resize(static_cast<std::size_t>(std::min<std::int64_t>(piece_bytes / sizeof(int), size_ - read_)));
      file_.read(read_ * static_cast<std::int64_t>(sizeof(int)), buffer_.data(), buffer_.size() * sizeof(int));
      read_ += static_cast<std::int64_t>(buffer_.size());
      at_ = 0;
    }
    return buffer_[at_++];
  }

 private:
  void flush() {
    if (read_ == 0) {
      file_.write(buffer_.data(), buffer_.size() * sizeof(int));
      size_ += static_cast<std::int64_t>(buffer_.size());
    }
    read_ = 0;
    buffer_.clear();
  }
  Scratch file_;
  std::vector<int> buffer_;
  std::size_t at_ = 0;
  std::int64_t size_ = 0, read_ = 0;
};

// Place of (x, y) along the Hilbert curve through a grid of 2^32 x 2^32 cells.
std::uint64_t hilbert(std::uint32_t x, std::uint32_t y) {
  std::uint64_t out = 0;
  for (std::uint32_t side = 1u << 31; side > 0; side >>= 1) {
    const std::uint32_t right = (x & side) != 0, up = (y & side) != 0;
    out = out << 2 | ((3 * right) ^ up);
    if (up == 0) {
      if (right != 0) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return out;
}

class Renumbering {
 public:
  Renumbering(const Handle &in, const Handle &out, const std::string &folder, std::size_t memory)
      : in_(in), out_(out), folder_(folder), memory_(memory / 2) {} // two sorters at once

  void run() {
    need_known_arrays();
    for (const char *set : {"nodes", "cells", "edges", "bedges"}) order(set);
  }

 private:
  // Arrays that nobody renumbers would be those of other rows afterwards.
  void need_known_arrays() const {
    H5G_info_t group{};
    H5Gget_info(in_.id(), &group);
    for (hsize_t n = 0; n < group.nlinks; ++n) {
      char name[256] = "";
      H5Lget_name_by_idx(in_.id(), ".", H5_INDEX_NAME, H5_ITER_INC, n, name, sizeof name, H5P_DEFAULT);
      const bool known =
          std::any_of(arrays.begin(), arrays.end(), [&](const Array &a) { return !std::strcmp(a.name, name); });
      const Handle object(H5Oopen(in_.id(), name, H5P_DEFAULT), H5Oclose, name);
      if (H5Iget_type(object.id()) != H5I_DATASET) throw std::runtime_error(std::string("'") + name + "' is no array");
      const Handle space(H5Dget_space(object.id()), H5Sclose, name);
      if (!known && H5Sget_simple_extent_ndims(space.id()) == 2)
        throw std::runtime_error(std::string("array '") + name + "' is none of airfoil's, so its order is not known");
    }
  }

  std::vector<const Array *> arrays_of(const std::string &set) const {
    std::vector<const Array *> out;
    for (const Array &array : arrays)
      if (set == array.set && H5Lexists(in_.id(), array.name, H5P_DEFAULT) > 0 &&
          (array.target[0] || Rows(in_, array.name).is_stored()))
        out.push_back(&array);
    return out;
  }

  void look_at_coordinates() {
    Rows rows(in_, "p_x");
    if (rows.dim() != 2 || !rows.has_class(H5T_FLOAT, sizeof(double)))
      throw std::runtime_error("array 'p_x' has no rows of two doubles");
    constexpr double far = std::numeric_limits<double>::max();
    std::array<double, 2> most = {-far, -far}, x{};
    least_ = {far, far};
    for (std::int64_t n = 0; n < rows.rows(); ++n) {
      std::memcpy(x.data(), rows.next(), sizeof x);
      for (std::size_t k = 0; k < 2; ++k) {
        least_[k] = std::min(least_[k], x[k]);
        most[k] = std::max(most[k], x[k]);
      }
    }
    side_ = std::max({most[0] - least_[0], most[1] - least_[1], std::numeric_limits<double>::min()});
  }

  std::uint64_t place_on_curve(const char *row) const {
    std::array<double, 2> x{};
    std::memcpy(x.data(), row, sizeof x);
    const auto cell = [&](std::size_t k) {
      return static_cast<std::uint32_t>(std::clamp((x[k] - least_[k]) / side_, 0.0, 1.0) * 4294967295.0);
    };
    return hilbert(cell(0), cell(1));
  }

  // The lowest new number among the entries.
  static std::uint64_t least_entry(const char *row, std::size_t dim) {
    int least = std::numeric_limits<int>::max();
    for (std::size_t k = 0; k < dim; ++k) {
      int entry = 0;
      std::memcpy(&entry, row + k * sizeof entry, sizeof entry);
      least = std::min(least, entry);
    }
    return static_cast<std::uint64_t>(least);
  }

  // Entries of a map as new numbers, in the present order of its rows: sorted by target, joined with the new numbers of
  // the targets, and sorted back.
  void translate(const Array &array) {
    Rows map(in_, array.name);
    Numbers &places = places_.at(array.target);
    const std::int64_t targets = sizes_.at(array.target);
    if (!map.has_class(H5T_INTEGER, sizeof(int)))
      throw std::runtime_error(std::string("map '") + array.name + "' has no ints");
    Sorter by_target(sizeof(std::int64_t), memory_, folder_), by_position(sizeof(int), memory_, folder_);
    std::vector<int> row(map.dim());
    const int base = base_of(array.name);
    for (std::int64_t n = 0, position = 0; n < map.rows(); ++n) {
      std::memcpy(row.data(), map.next(), map.bytes());
      for (std::size_t k = 0; k < row.size(); ++k, ++position) {
        if (row[k] < base || row[k] - base >= targets)
          throw std::runtime_error(std::string("map '") + array.name + "', row " + std::to_string(n) + ": entry " +
                                   std::to_string(row[k]) + " is outside set '" + array.target + "'");
        by_target.add(static_cast<std::uint64_t>(row[k] - base), &position);
      }
    }
    places.rewind();
    std::int64_t target = -1;
    int place = 0;
    by_target.sorted([&](std::uint64_t key, const char *payload) {
      for (; target < static_cast<std::int64_t>(key); ++target) place = places.next();
      std::int64_t position = 0;
      std::memcpy(&position, payload, sizeof position);
      const int entry = place + base;
      by_position.add(static_cast<std::uint64_t>(position), &entry);
    });
    Numbers &out = translated_.try_emplace(array.name, folder_).first->second;
    by_position.sorted([&](std::uint64_t, const char *payload) {
      int entry = 0;
      std::memcpy(&entry, payload, sizeof entry);
      out.put(entry);
    });
    out.rewind();
  }

  int base_of(const char *map) const {
    int base = 0;
    const Handle array(H5Dopen2(in_.id(), map, H5P_DEFAULT), H5Dclose, map);
    if (H5Aexists(array.id(), "base") <= 0) return 0;
    const Handle attribute(H5Aopen(array.id(), "base", H5P_DEFAULT), H5Aclose, map);
    H5Aread(attribute.id(), H5T_NATIVE_INT, &base);
    return base;
  }

  // An array of the set that is being ordered.
  struct Column {
    Rows from, to;
    Numbers *entries; // new ones, of maps
  };

  std::vector<Column> columns_of(const std::string &set) {
    std::vector<Column> out;
    for (const Array *array : arrays_of(set)) {
      if (array->target[0]) translate(*array);
      out.push_back(
          {Rows(in_, array->name), Rows(out_, array->name), array->target[0] ? &translated_.at(array->name) : nullptr});
      if (out.back().from.rows() != out.front().from.rows())
        throw std::runtime_error("the arrays on set '" + set + "' have different lengths");
    }
    if (out.empty()) throw std::runtime_error("there is no array on set '" + set + "'");
    return out;
  }

  // The next row of all arrays, one after the other, behind the bytes that are there. Returns its key: that of the
  // coordinates, or of the last map.
  std::uint64_t next_row(std::vector<Column> &columns, std::vector<char> &row) const {
    std::uint64_t key = 0;
    for (Column &column : columns) {
      const std::size_t begin = row.size();
      row.resize(begin + column.from.bytes());
      char *const place = row.data() + begin;
      if (!column.entries) {
        std::memcpy(place, column.from.next(), column.from.bytes());
        if (places_.empty()) key = place_on_curve(place);
        continue;
      }
      for (std::size_t k = 0; k < column.from.dim(); ++k) {
        const int entry = column.entries->next();
        std::memcpy(place + k * sizeof entry, &entry, sizeof entry);
      }
      key = least_entry(place, column.from.dim());
    }
    return key;
  }

  // Sorts all arrays of a set, and keeps the new number of each row.
  void order(const std::string &set) {
    if (places_.empty()) look_at_coordinates();
    std::vector<Column> columns = columns_of(set);
    const std::int64_t rows = columns.front().from.rows();
    std::size_t bytes = sizeof rows;
    for (const Column &column : columns) bytes += column.from.bytes();
    Sorter by_key(bytes, memory_, folder_), back(sizeof(int), memory_, folder_);
    std::vector<char> row;
    for (std::int64_t old = 0; old < rows; ++old) {
      row.resize(sizeof old);
      std::memcpy(row.data(), &old, sizeof old);
      const std::uint64_t key = next_row(columns, row);
      by_key.add(key, row.data());
    }
    const bool is_target = std::any_of(arrays.begin(), arrays.end(), [&](const Array &a) { return set == a.target; });
    int number = 0;
    by_key.sorted([&](std::uint64_t, const char *sorted) {
      std::uint64_t was = 0;
      std::memcpy(&was, sorted, sizeof was);
      if (is_target) back.add(was, &number);
      ++number;
      sorted += sizeof was;
      for (Column &column : columns) {
        column.to.put(sorted);
        sorted += column.to.bytes();
      }
    });
    for (Column &column : columns) column.to.flush();
    Numbers &places = places_.try_emplace(set, folder_).first->second;
    back.sorted([&](std::uint64_t, const char *place) {
      int value = 0;
      std::memcpy(&value, place, sizeof value);
      places.put(value);
    });
    sizes_[set] = rows;
    translated_.clear();
  }

  const Handle &in_, &out_;
  std::string folder_;
  std::size_t memory_;
  std::map<std::string, Numbers> places_, translated_; // by set; by map
  std::map<std::string, std::int64_t> sizes_;
  std::array<double, 2> least_{}; // corner of the box of all nodes, and its longer side
  double side_ = 1;
};

} // namespace

void renumber_in_files(const std::string &in, const std::string &out, std::size_t memory) {
  namespace fs = std::filesystem;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const std::string part = out + ".part" + std::to_string(getpid());
  try {
    const Handle from(H5Fopen(in.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose, in);
    fs::copy_file(in, part); // with all that keeps its order
    const Handle to(H5Fopen(part.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), H5Fclose, part);
    Renumbering(from, to, fs::path(out).parent_path().string(), memory).run();
    if (H5Fflush(to.id(), H5F_SCOPE_LOCAL) < 0) throw std::runtime_error(part + " cannot be written");
  } catch (...) {
    std::error_code error;
    fs::remove(part, error);
    throw;
  }
  fs::rename(part, out);
}

// SPDX-License-Identifier: MIT
