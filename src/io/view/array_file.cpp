#include "io/view/array_file.hpp"

#include "base/text.hpp"

namespace op2::core {

namespace {

FileArray stored(const Files &files, const ViewArray &array) {
  return files.new_array(array.rows, array.dim, builtin_type(array.type), array.flat ? 1 : 2);
}

std::int64_t room_of(const Files &files, std::span<const ViewArray> arrays) {
  std::int64_t bytes = 0;
  for (const ViewArray &array : arrays)
    bytes += Files::room_of(stored(files, array)) + static_cast<std::int64_t>(array.name.size());
  return bytes;
}

} // namespace

ViewArray one_number(Communicator &communicator, const std::string &name, op_gindex value) {
  return {name, 1,
          1,    OP_TYPE_LL,
          true, [&communicator, value](const PutRows &put) { put(0, communicator.rank() == 0 ? 1 : 0, &value); }};
}

ArrayFile::ArrayFile(Files &files, const std::string &path, std::span<const ViewArray> arrays)
    : files_(files), file_(files, path, FileWriter::Mode::replace, room_of(files, arrays)) {}

void ArrayFile::group(const std::string &name) {
  file_.step("groups", [&](OpenFile &file) { file.create_group(name); });
}

void ArrayFile::mark(const std::string &group, const char *key, std::span<const int> numbers) {
  file_.step("attributes", [&](OpenFile &file) {
    file.write_attribute(group, key, OP_TYPE_INT, static_cast<int>(numbers.size()), numbers.data());
  });
}

void ArrayFile::mark(const std::string &group, const char *key, const char *word) {
  file_.step("attributes", [&](OpenFile &file) { file.write_text(group, key, word); });
}

void ArrayFile::array(const ViewArray &array) {
  const ElementType type = builtin_type(array.type);
  file_.step(text("array '", array.name, "'"), [&](OpenFile &file) { file.create(array.name, stored(files_, array)); });
  const std::size_t row = static_cast<std::size_t>(array.dim) * static_cast<std::size_t>(type.size);
  array.put([&](op_gindex first, op_gindex rows, const void *data) {
    file_.write_rows(array.name, first, rows, row, array.type, static_cast<const char *>(data));
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
