#include "io/driver.hpp"

#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "host/plugins/tables.hpp"

namespace op2::core {

ElementType builtin_type(op_type_id id) {
  constexpr std::array names = {"", "double", "float", "int", "uint", "ll", "ull", "bool"};
  return id > 0 && static_cast<std::size_t>(id) < names.size() ? parse_type(names[static_cast<std::size_t>(id)])
                                                               : ElementType();
}

Driver::Driver(Registry &registry, const Services &services, const std::string &name)
    : name_(name), services_(services), ops_(io_table(registry, registry.get(OP_PLUGIN_IO, name))) {
  std::string why;
  if (registry.score(OP_PLUGIN_IO, name, &why) <= 0) fail(OP_ERR_BACKEND, "driver ", name, ": ", why);
}

bool Driver::takes(const std::string &path) const {
  for (const std::string &extension : split(ops_.extensions, ' '))
    if (!extension.empty() && path.size() > extension.size() && path.ends_with(extension)) return true;
  return false;
}

OpenFile::OpenFile(const Driver &driver, const std::string &path, std::string title, int mode, const FileGroup &group)
    : driver_(driver), title_(std::move(title)) {
  op_io_params params{};
  params.size = sizeof params;
  params.host = driver.services().table();
  params.rank = group.rank;
  params.nprocs = group.processes;
  params.native_communicator = group.native;
  check(driver.ops().open(&params, path.c_str(), mode, &file_), "");
  if (!file_) fail(OP_ERR_PLUGIN, title_, ": driver ", driver.name(), " reports success but opened nothing");
}

OpenFile::~OpenFile() {
  if (!file_) return;
  driver_.ops().close(file_);
  driver_.services().take_failure();
}

void OpenFile::sync() { check(driver_.ops().sync(file_), ""); }

void OpenFile::close() {
  if (file_) check(driver_.ops().close(std::exchange(file_, nullptr)), "");
}

void OpenFile::check(op_status status, const std::string &name) const {
  if (status == OP_OK) return;
  const std::string message = driver_.services().take_failure();
  fail(status, title_, name.empty() ? "" : text(", '", name, "'"), ": ",
       message.empty() ? status_name(status) : message);
}

int OpenFile::what_is(const std::string &name) {
  std::int32_t what = 0;
  check(driver_.ops().exists(file_, name.c_str(), &what), name);
  return what;
}

FileArray OpenFile::describe(const std::string &name) {
  op_io_array found{};
  found.size = sizeof found;
  check(driver_.ops().describe(file_, name.c_str(), &found), name);
  FileArray out{found.rows,       found.dim,    builtin_type(found.type), found.rank == 1 ? 1 : 2,
                found.chunk_rows, found.deflate};
  if (!out.type.builtin()) {
    out.type.name = found.type_name ? found.type_name : "";
    out.type.size = found.type_size;
  }
  return out;
}

namespace {

op_io_array request_of(const FileArray &array) {
  op_io_array request{};
  request.size = sizeof request;
  request.rows = array.rows;
  request.dim = array.dim;
  request.type = array.type.id;
  request.type_size = array.type.size;
  request.rank = array.rank;
  request.type_name = array.type.name.c_str();
  request.deflate = array.deflate;
  return request;
}

} // namespace

void OpenFile::create(const std::string &name, const FileArray &array) {
  const op_io_array request = request_of(array);
  check(driver_.ops().create(file_, name.c_str(), &request), name);
}

void OpenFile::create_virtual(const std::string &name, const FileArray &array, const std::vector<std::string> &files,
                              const std::vector<std::int64_t> &first) {
  const auto entry = driver_.ops().create_virtual;
  if (!entry) fail(OP_ERR_UNSUPPORTED, title_, ": driver ", driver_.name(), " makes no arrays of subfiles");
  const op_io_array request = request_of(array);
  std::vector<const char *> names;
  for (const std::string &each : files) names.push_back(each.c_str());
  check(entry(file_, name.c_str(), &request, static_cast<std::int32_t>(names.size()), names.data(), first.data()),
        name);
}

void OpenFile::read_rows(const std::string &name, std::int64_t first, std::int64_t rows, op_type_id type, void *data) {
  check(driver_.ops().read_rows(file_, name.c_str(), first, rows, type, data), name);
}

void OpenFile::write_rows(const std::string &name, std::int64_t first, std::int64_t rows, op_type_id type,
                          const void *data) {
  check(driver_.ops().write_rows(file_, name.c_str(), first, rows, type, data), name);
}

void OpenFile::write_attribute(const std::string &name, const char *key, op_type_id type, int count,
                               const void *values) {
  check(driver_.ops().write_attribute(file_, name.c_str(), key, type, count, values), name);
}

void OpenFile::read_attribute(const std::string &name, const char *key, op_type_id type, int count, void *values) {
  check(driver_.ops().read_attribute(file_, name.c_str(), key, type, count, values), name);
}

void OpenFile::write_text(const std::string &name, const char *key, const std::string &words, int length) {
  check(driver_.ops().write_text(file_, name.c_str(), key, words.c_str(), length), name);
}

std::string OpenFile::read_text(const std::string &name, const char *key) {
  for (std::size_t capacity = 1024;; capacity *= 4) { // drivers cut what is longer
    std::string words(capacity, '\0');
    check(driver_.ops().read_text(file_, name.c_str(), key, words.data(), static_cast<std::int32_t>(capacity)), name);
    words.resize(words.find('\0'));
    if (words.size() + 1 < capacity || capacity > (std::size_t{1} << 26)) return words;
  }
}

void OpenFile::create_group(const std::string &name) { check(driver_.ops().create_group(file_, name.c_str()), name); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
