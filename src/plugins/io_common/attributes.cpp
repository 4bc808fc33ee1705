// Attributes, texts and groups.
#include <algorithm>
#include <cstring>
#include <vector>

#include "plugins/io_common/file.hpp"

namespace hdf5 {

namespace {

// An array, a group, or with "" the whole file.
Handle open_owner(const op_io_file &file, const char *name) {
  return Handle(H5Oopen(file.file.id(), name[0] ? name : "/", H5P_DEFAULT), H5Oclose, "cannot be opened");
}

std::string called(const char *key) { return std::string("attribute '") + key + "'"; }

Handle open_attribute(const Handle &owner, const char *key) {
  if (H5Aexists(owner.id(), key) <= 0) refuse(OP_ERR_FILE, called(key) + " is not there");
  return Handle(H5Aopen(owner.id(), key, H5P_DEFAULT), H5Aclose, called(key));
}

Handle new_attribute(const Handle &owner, const char *key, hid_t type, const Handle &space) {
  if (H5Aexists(owner.id(), key) > 0) check(H5Adelete(owner.id(), key), called(key));
  return Handle(H5Acreate2(owner.id(), key, type, space.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, called(key));
}

// The bytes of a text of fixed length, without what fills it up.
std::string fixed_text(const Handle &attribute, const Handle &type, const char *key) {
  std::vector<char> bytes(H5Tget_size(type.id()));
  check(H5Aread(attribute.id(), type.id(), bytes.data()), called(key));
  std::string out(bytes.data(), strnlen(bytes.data(), bytes.size()));
  if (H5Tget_strpad(type.id()) == H5T_STR_SPACEPAD) out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string free_text(const Handle &attribute, const Handle &type, const char *key) {
  char *text = nullptr;
  check(H5Aread(attribute.id(), type.id(), &text), called(key));
  const std::string out = text ? text : "";
  H5free_memory(text);
  return out;
}

// One after the other, so that a name whose groups are missing is no failure.
bool link_exists(const op_io_file &file, const std::string &name) {
  for (std::size_t end = 0; end != std::string::npos;) {
    end = name.find('/', end + 1);
    const std::string part = name.substr(0, end);
    if (H5Lexists(file.file.id(), part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (H5Oexists_by_name(file.file.id(), part.c_str(), H5P_DEFAULT) <= 0) return false; // a link into nowhere
  }
  return true;
}

} // namespace

void need_writable(const op_io_file &file) {
  if (!file.writable) refuse(OP_ERR_FILE, "the file is open for reading only");
}

Handle link_properties() {
  Handle out(H5Pcreate(H5P_LINK_CREATE), H5Pclose, "");
  check(H5Pset_create_intermediate_group(out.id(), 1), "");
  return out;
}

void read_attribute(op_io_file &file, const char *name, const char *key, op_type_id type, int count, void *data) {
  const Handle owner = open_owner(file, name), attribute = open_attribute(owner, key);
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, called(key));
  const Handle in_file(H5Aget_type(attribute.id()), H5Tclose, called(key));
  const hssize_t values = H5Sget_simple_extent_npoints(space.id());
  if (values != count)
    refuse(OP_ERR_DIM,
           called(key) + " has " + std::to_string(values) + " values where " + std::to_string(count) + " are expected");
  need_convertible(in_file.id(), type);
  check(H5Aread(attribute.id(), memory_type(type), data), called(key));
}

void write_attribute(op_io_file &file, const char *name, const char *key, op_type_id type, int count,
                     const void *data) {
  need_writable(file);
  const hsize_t extent = static_cast<hsize_t>(count);
  const Handle owner = open_owner(file, name), space(H5Screate_simple(1, &extent, nullptr), H5Sclose, called(key));
  const Handle made = new_attribute(owner, key, memory_type(type), space);
  check(H5Awrite(made.id(), memory_type(type), data), called(key));
}

void read_text(op_io_file &file, const char *name, const char *key, char *text, int capacity) {
  const Handle owner = open_owner(file, name), attribute = open_attribute(owner, key);
  const Handle type(H5Aget_type(attribute.id()), H5Tclose, called(key));
  const Handle space(H5Aget_space(attribute.id()), H5Sclose, called(key));
  if (H5Tget_class(type.id()) != H5T_STRING || H5Sget_simple_extent_npoints(space.id()) != 1)
    refuse(OP_ERR_TYPE, called(key) + " is not one text");
  const std::string found =
      H5Tis_variable_str(type.id()) > 0 ? free_text(attribute, type, key) : fixed_text(attribute, type, key);
  if (capacity > 0) text[found.copy(text, static_cast<std::size_t>(capacity) - 1)] = '\0';
}

void write_text(op_io_file &file, const char *name, const char *key, const char *text, int length) {
  need_writable(file);
  std::vector<char> bytes(text, text + std::strlen(text));
  bytes.resize(length > 0 ? static_cast<std::size_t>(length) : std::max<std::size_t>(bytes.size(), 1));
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose, ""), space(H5Screate(H5S_SCALAR), H5Sclose, "");
  check(H5Tset_size(type.id(), bytes.size()), called(key));
  const Handle owner = open_owner(file, name), made = new_attribute(owner, key, type.id(), space);
  check(H5Awrite(made.id(), type.id(), bytes.data()), called(key));
}

int exists(op_io_file &file, const char *name) {
  if (!name[0] || std::strcmp(name, "/") == 0) return 2;
  if (!link_exists(file, name)) return 0;
  const Handle object(H5Oopen(file.file.id(), name, H5P_DEFAULT), H5Oclose, "cannot be opened");
  const H5I_type_t type = H5Iget_type(object.id());
  return type == H5I_DATASET ? 1 : type == H5I_GROUP ? 2 : 0;
}

void create_group(op_io_file &file, const char *name) {
  need_writable(file);
  if (exists(file, name) == 2) return;
  const Handle links = link_properties();
  const Handle made(H5Gcreate2(file.file.id(), name, links.id(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose, "cannot be made");
}

} // namespace hdf5

// SPDX-License-Identifier: MIT
