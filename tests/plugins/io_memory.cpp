// io_memory.cpp: a file driver whose files live in memory until the process ends. With OP2TEST_IO_GATE=FILE it writes
// no row before FILE is there: a test sees who waits for whom.
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "op2/plugin/io.h"

namespace {

struct Array {
  op_io_array shape;
  std::string type_name;
  std::vector<char> bytes;
  std::map<std::string, std::vector<char>> attributes;

  std::size_t row_bytes() const {
    return static_cast<std::size_t>(shape.dim) * static_cast<std::size_t>(shape.type_size);
  }
};
using Content = std::map<std::string, Array>;

std::map<std::string, Content> &files() {
  static std::map<std::string, Content> all;
  return all;
}

} // namespace

struct op_io_file_s {
  const op_host_v1 *host;
  Content *content;
  bool writable;
};

namespace {

op_status refuse(op_io_file *file, op_status code, const std::string &why) {
  return file->host->fail(file->host, code, why.c_str());
}

Array *find(op_io_file *file, const char *name) {
  const auto found = file->content->find(name);
  return found == file->content->end() ? nullptr : &found->second;
}

op_status open_file(const op_io_params *params, const char *path, int32_t mode, op_io_file **file) {
  if (mode == OP_IO_CREATE) files()[path] = {};
  const auto found = files().find(path);
  if (found == files().end()) return params->host->fail(params->host, OP_ERR_FILE, "there is no such file");
  *file = new op_io_file_s{params->host, &found->second, mode != OP_IO_READ};
  return OP_OK;
}

op_status close_file(op_io_file *file) {
  delete file;
  return OP_OK;
}

op_status describe(op_io_file *file, const char *name, op_io_array *array) {
  const Array *found = find(file, name);
  if (!found) return refuse(file, OP_ERR_FILE, std::string("there is no array ") + name);
  *array = found->shape;
  array->type_name = found->type_name.c_str();
  return OP_OK;
}

op_status create(op_io_file *file, const char *name, const op_io_array *shape) {
  if (!file->writable) return refuse(file, OP_ERR_FILE, "the file is open for reading");
  Array array{*shape, shape->type_name ? shape->type_name : "", {}, {}};
  array.bytes.resize(static_cast<std::size_t>(shape->rows) * array.row_bytes());
  (*file->content)[name] = array;
  return OP_OK;
}

bool inside(const Array *array, int64_t first, int64_t rows) {
  return array && first >= 0 && rows >= 0 && first + rows <= array->shape.rows;
}

#ifndef MEMORY_WITHOUT_READ_ROWS
op_status read_rows(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id, void *data) {
  const Array *array = find(file, name);
  if (!inside(array, first, rows)) return refuse(file, OP_ERR_RANGE, "no such rows");
  const std::size_t row = array->row_bytes();
  if (rows > 0)
    std::memcpy(data, array->bytes.data() + static_cast<std::size_t>(first) * row,
                static_cast<std::size_t>(rows) * row);
  return OP_OK;
}
#endif

// Five seconds are enough for whoever is to open the gate, unless it is waiting for this very write.
bool gate_is_open() {
  const char *const gate = std::getenv("OP2TEST_IO_GATE");
  if (!gate) return true;
  struct stat facts;
  for (int i = 0; i < 500; ++i, usleep(10000))
    if (stat(gate, &facts) == 0) return true;
  return false;
}

op_status write_rows(op_io_file *file, const char *name, int64_t first, int64_t rows, op_type_id, const void *data) {
  Array *array = find(file, name);
  if (!file->writable || !inside(array, first, rows)) return refuse(file, OP_ERR_RANGE, "no such rows to write");
  if (!gate_is_open()) return refuse(file, OP_ERR_FILE, "nobody opens the gate");
  const std::size_t row = array->row_bytes();
  if (rows > 0)
    std::memcpy(array->bytes.data() + static_cast<std::size_t>(first) * row, data,
                static_cast<std::size_t>(rows) * row);
  return OP_OK;
}

std::size_t bytes_of(op_type_id type, int32_t count) {
  const std::size_t size = type == OP_TYPE_BOOL ? 1 : type >= OP_TYPE_FLOAT && type <= OP_TYPE_UINT ? 4 : 8;
  return size * static_cast<std::size_t>(count);
}

op_status read_attribute(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                         void *data) {
  const Array *array = find(file, name);
  if (!array || !array->attributes.count(key)) return refuse(file, OP_ERR_FILE, "there is no such attribute");
  const std::vector<char> &value = array->attributes.at(key);
  if (value.size() != bytes_of(type, count)) return refuse(file, OP_ERR_TYPE, "the attribute has another size");
  std::memcpy(data, value.data(), value.size());
  return OP_OK;
}

op_status write_attribute(op_io_file *file, const char *name, const char *key, op_type_id type, int32_t count,
                          const void *data) {
  Array *array = find(file, name);
  if (!file->writable || !array) return refuse(file, OP_ERR_FILE, "there is no such array to write to");
  const char *bytes = static_cast<const char *>(data);
  array->attributes[key].assign(bytes, bytes + bytes_of(type, count));
  return OP_OK;
}

op_status exists(op_io_file *file, const char *name, int32_t *what) {
  *what = find(file, name) ? 1 : 0;
  return OP_OK;
}

op_status create_group(op_io_file *, const char *) { return OP_OK; }

op_status read_text(op_io_file *file, const char *name, const char *key, char *text, int32_t capacity) {
  const Array *array = find(file, name);
  if (!array || !array->attributes.count(key)) return refuse(file, OP_ERR_FILE, "there is no such attribute");
  const std::vector<char> &value = array->attributes.at(key);
  const std::string whole(value.begin(), value.end());
  text[whole.copy(text, static_cast<std::size_t>(capacity) - 1)] = 0;
  return OP_OK;
}

op_status write_text(op_io_file *file, const char *name, const char *key, const char *text, int32_t) {
  Array *array = find(file, name);
  if (!file->writable || !array) return refuse(file, OP_ERR_FILE, "there is no such array to write to");
  array->attributes[key].assign(text, text + std::strlen(text));
  return OP_OK;
}

op_status sync_file(op_io_file *) { return OP_OK; }

int score(const op_host_v1 *) { return 1; }

constexpr op_io_ops_v1 ops = {sizeof(op_io_ops_v1),
                              ".mem .memory",
                              open_file,
                              close_file,
                              describe,
                              create,
#ifdef MEMORY_WITHOUT_READ_ROWS
                              nullptr,
#else
                              read_rows,
#endif
                              write_rows,
                              read_attribute,
                              write_attribute,
                              exists,
                              create_group,
                              read_text,
                              write_text,
                              sync_file,
                              nullptr};

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_IO,
                                 0,
                                 "memory",
                                 "files in memory",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

} // namespace

extern "C" OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) { return &plugin; }

// SPDX-License-Identifier: MIT
