// support.hpp: a session and a folder for each test, and HDF5's own interface to look at files and to make them: what
// the library writes must not be judged by the library.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "op2/op2.h"

#define EXPECT_STATUS(status, call) EXPECT_STREQ(op_status_name(status), op_status_name(call)) << op_last_error()
#define EXPECT_OK(call) EXPECT_STATUS(OP_OK, call)

namespace files {

class Session : public testing::Test {
 protected:
  void SetUp() override {
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
    setenv("OP2_ERROR", "return", 1);
    setenv("OP2_BACKEND", "self+seq", 1);
    setenv("OP2_LOG", "error", 1);
    folder = std::filesystem::temp_directory_path() / ("op2_io_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder);
    start();
  }
  void TearDown() override {
    op_exit();
    std::filesystem::remove_all(folder);
    unsetenv("OP2_MAPS_BASE_INDEX");
    unsetenv("OP2_HDF5_DEFLATE");
    unsetenv("OP2_IO_DRIVER");
  }
  static void start() { ASSERT_EQ(OP_OK, op_init(0, nullptr, 0)); }
  static void restart() {
    op_exit();
    start();
  }
  std::string path(const std::string &name) const { return (folder / name).string(); }

  std::filesystem::path folder;
};

// A failed call: its status, and words of its message.
inline void expect_failure(op_status status, const std::vector<std::string> &words) {
  EXPECT_STREQ(op_status_name(status), op_status_name(op_last_status()));
  for (const std::string &word : words)
    EXPECT_NE(std::string::npos, std::string(op_last_error()).find(word))
        << "'" << word << "' is not in: " << op_last_error();
  op_clear_error();
}

inline std::string bytes_of(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}
inline void write_bytes(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
inline std::size_t files_in(const std::filesystem::path &folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

// A file as HDF5 sees it.
class RawFile {
 public:
  enum Mode { read, change, make };
  RawFile(const std::string &path, Mode mode)
      : id_(mode == make ? H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT)
                         : H5Fopen(path.c_str(), mode == read ? H5F_ACC_RDONLY : H5F_ACC_RDWR, H5P_DEFAULT)) {
    EXPECT_GE(id_, 0) << path;
  }
  ~RawFile() { H5Fclose(id_); }
  RawFile(const RawFile &) = delete;
  RawFile &operator=(const RawFile &) = delete;
  hid_t id() const { return id_; }

  std::vector<hsize_t> extents(const std::string &name) const {
    const hid_t array = H5Dopen2(id_, name.c_str(), H5P_DEFAULT), space = H5Dget_space(array);
    EXPECT_GE(array, 0) << name;
    const int rank = H5Sget_simple_extent_ndims(space);
    std::vector<hsize_t> out(rank > 0 ? static_cast<std::size_t>(rank) : 0);
    H5Sget_simple_extent_dims(space, out.data(), nullptr);
    H5Sclose(space);
    H5Dclose(array);
    return out;
  }
  bool has_type(const std::string &name, hid_t type) const {
    const hid_t array = H5Dopen2(id_, name.c_str(), H5P_DEFAULT), found = H5Dget_type(array);
    const bool same = H5Tequal(found, type) > 0;
    H5Tclose(found);
    H5Dclose(array);
    return same;
  }
  int attributes(const std::string &name) const {
    H5O_info_t facts;
    EXPECT_GE(H5Oget_info_by_name(id_, name.c_str(), &facts, H5P_DEFAULT), 0) << name;
    return static_cast<int>(facts.num_attrs);
  }
  template <class T>
  std::vector<T> values(const std::string &name, hid_t type, std::size_t count) const {
    std::vector<T> out(count);
    const hid_t array = H5Dopen2(id_, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name;
    H5Dclose(array);
    return out;
  }
  template <class T>
  void add(const std::string &name, hid_t type, const std::vector<hsize_t> &extents, const std::vector<T> &values) {
    const hid_t space = extents.empty() ? H5Screate(H5S_SCALAR)
                                        : H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr);
    const hid_t array = H5Dcreate2(id_, name.c_str(), type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Dwrite(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), 0) << name;
    H5Dclose(array);
    H5Sclose(space);
  }
  void add_text(const std::string &name, const char *key, const std::string &words) {
    const hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, words.size());
    const hid_t made = H5Acreate_by_name(id_, name.c_str(), key, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    EXPECT_GE(H5Awrite(made, type, words.data()), 0) << key;
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
  }

 private:
  hid_t id_;
};

// An attribute as it stands in the file.
struct RawAttribute {
  H5T_class_t sort = H5T_NO_CLASS;
  std::size_t bytes = 0;
  int rank = -1;
  hssize_t count = 0;
  std::string raw; // all bytes
};
inline RawAttribute attribute(const RawFile &file, const std::string &name, const char *key) {
  RawAttribute out;
  const hid_t attribute = H5Aopen_by_name(file.id(), name.c_str(), key, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(attribute, 0) << name << "." << key;
  const hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
  out.sort = H5Tget_class(type);
  out.bytes = H5Tget_size(type);
  out.rank = H5Sget_simple_extent_ndims(space);
  out.count = H5Sget_simple_extent_npoints(space);
  out.raw.resize(out.bytes * static_cast<std::size_t>(out.count));
  H5Aread(attribute, type, out.raw.data());
  H5Sclose(space);
  H5Tclose(type);
  H5Aclose(attribute);
  return out;
}
// It must be int[1].
inline int int_attribute(const RawFile &file, const std::string &name, const char *key) {
  const RawAttribute found = attribute(file, name, key);
  EXPECT_TRUE(found.sort == H5T_INTEGER && found.bytes == sizeof(int) && found.rank == 1 && found.count == 1)
      << name << "." << key;
  int value = 0;
  if (found.raw.size() == sizeof value) found.raw.copy(reinterpret_cast<char *>(&value), sizeof value);
  return value;
}

} // namespace files

// SPDX-License-Identifier: MIT
