// Dats as text and as bytes.
#include <fcntl.h>

#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "distributed/declared/rows.hpp"
#include "host/files.hpp"
#include "io/op2_layout.hpp"

namespace op2::core {

namespace {

template <class Value>
Value value_at(const char *at) {
  Value value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

// One value with a blank and a sign before it, in no language's own way. Fractions have as many digits as it takes to
// get the same bits back: " +1.2500000000000000E+00".
template <class Value, class... Format>
void append_signed(std::string &out, Value value, Format... format) {
  std::array<char, 64> words;
  const char *const end = std::to_chars(words.data(), words.data() + words.size(), value, format...).ptr;
  out += words.front() == '-' ? " " : " +";
  for (const char *at = words.data(); at < end; ++at)
    out += *at >= 'a' && *at <= 'z' ? static_cast<char>(*at - 'a' + 'A') : *at;
}

void append_value(std::string &out, op_type_id type, const char *at) {
  switch (type) {
    case OP_TYPE_DOUBLE:
      return append_signed(out, value_at<double>(at), std::chars_format::scientific, 16);
    case OP_TYPE_FLOAT:
      return append_signed(out, value_at<float>(at), std::chars_format::scientific, 8);
    case OP_TYPE_INT:
      return append_signed(out, value_at<int>(at));
    case OP_TYPE_LL:
      return append_signed(out, value_at<long long>(at));
    case OP_TYPE_UINT:
      out += text(" ", std::to_string(value_at<unsigned>(at)));
      return;
    case OP_TYPE_ULL:
      out += text(" ", std::to_string(value_at<unsigned long long>(at)));
      return;
    default:
      out += *at ? " 1" : " 0";
  }
}

// The rows of a dat to a file of its own: head, then what write() makes of them.
void print(Files &files, Dat &dat, const std::string &path, const std::string &head,
           const std::function<void(std::string &, std::int64_t rows, const char *)> &add) {
  Mesh &mesh = files.mesh();
  Agreement &agreement = mesh.agreement();
  std::optional<NewFile> fresh;
  Descriptor out;
  const auto write = [&](const std::string &bytes) {
    const std::string why = write_all(out.number(), bytes);
    if (!why.empty()) fail(OP_ERR_FILE, "file '", path, "': ", why);
  };
  const DeclaredView rows = fetch_declared(mesh, dat);
  agreement.together(text("file '", path, "'"), [&] {
    if (mesh.communicator().rank() != 0) return 0;
    fresh.emplace(path);
    out = Descriptor(::open(fresh->path().c_str(), O_WRONLY | O_CLOEXEC));
    if (!out.valid()) fail(OP_ERR_FILE, "file '", path, "': ", std::strerror(errno));
    write(head);
    return 0;
  });
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  agreement.together(text("rows in file '", path, "'"), [&] {
    rows_to_first(mesh.communicator(), set.declared_first, set.declared_size, row, rows.rows(),
                  [&](std::int64_t, std::int64_t count, const char *data) {
                    constexpr std::int64_t at_once = 4096;
                    std::string bytes;
                    for (std::int64_t first = 0; first < count; first += at_once) {
                      bytes.clear();
                      add(bytes, std::min(at_once, count - first), data + static_cast<std::size_t>(first) * row);
                      write(bytes);
                    }
                  });
    return 0;
  });
  agreement.together(text("the end of file '", path, "'"), [&] {
    if (fresh) fresh->finish();
    return 0;
  });
}

void agree_on_print(Files &files, const Dat &dat, const std::string &path) {
  files.mesh().agreement().agree(text("dat '", dat.label, "' to file '", path, "'"));
  files.mesh().declare().settle();
}

} // namespace

void print_text(Files &files, Dat &dat, const std::string &path) {
  agree_on_print(files, dat, path);
  if (!dat.element.builtin())
    fail(OP_ERR_TYPE, "dat '", dat.label, "' is of type ", dat.type_label,
         ", which has no text; op_print_dat_to_binfile() writes its bytes");
  const std::size_t value = static_cast<std::size_t>(dat.element.size);
  print(files, dat, path, text(dat.on().global_size, " ", dat.dim, "\n"),
        [&](std::string &out, std::int64_t rows, const char *data) {
          for (std::int64_t r = 0; r < rows; ++r, out += '\n')
            for (int c = 0; c < dat.dim; ++c, data += value) append_value(out, dat.element.id, data);
        });
}

void print_binary(Files &files, Dat &dat, const std::string &path) {
  agree_on_print(files, dat, path);
  if (dat.on().global_size > std::numeric_limits<int>::max())
    fail(OP_ERR_RANGE, "dat '", dat.label, "' has ", dat.on().global_size,
         " rows, more than the 32 bits of this format; op_fetch_data_hdf5_file() can write it");
  const std::array<int, 2> head = {static_cast<int>(dat.on().global_size), dat.dim};
  const std::size_t row = static_cast<std::size_t>(dat.size);
  print(files, dat, path, std::string(reinterpret_cast<const char *>(head.data()), sizeof head),
        [&](std::string &out, std::int64_t rows, const char *data) {
          out.append(data, static_cast<std::size_t>(rows) * row);
        });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
