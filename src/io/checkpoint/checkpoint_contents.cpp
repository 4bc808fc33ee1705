#include "io/checkpoint/checkpoint_contents.hpp"

#include <array>
#include <charconv>
#include <limits>

#include "base/error.hpp"
#include "io/checkpoint/checkpoint_sum.hpp"

namespace op2::core {

namespace {

constexpr std::string_view title_line = "op2 checkpoint 1\n"; // 1: of the format
constexpr std::string_view title_start = "op2 checkpoint ";
constexpr std::string_view hex = "0123456789abcdef";
constexpr std::size_t hex_digits = 16; // of a sum

std::string hex_of(std::uint64_t number) {
  std::string out(hex_digits, '0');
  for (std::size_t n = hex_digits; n-- > 0; number >>= 4) out[n] = hex[number & 15];
  return out;
}

std::string hex_of(const std::string &bytes) {
  std::string out;
  for (const char byte : bytes) {
    out.push_back(hex[static_cast<unsigned char>(byte) >> 4]);
    out.push_back(hex[static_cast<unsigned char>(byte) & 15]);
  }
  return out;
}

std::string counted(const std::string &word) { return text(word.size(), ":", word); }

std::string sum_line(std::string_view words) {
  const std::uint64_t sum = sum_of_rows(0, static_cast<std::int64_t>(words.size()), 1, words.data());
  return text("sum ", hex_of(sum), "\n");
}

// Reads what contents_text() writes. Only a program that forges sums can bring it something else.
class Reader {
 public:
  Reader(std::string_view words, const std::string &title) : left_(words), title_(title) {}

  bool done() const { return left_.empty(); }
  // Up to the next blank or the end of the line.
  std::string_view word() {
    const std::size_t end = left_.find_first_of(" \n");
    if (end == std::string_view::npos || end == 0) refuse();
    return take(end, true);
  }
  template <class Number>
  Number number(Number least, Number most) {
    const std::string_view digits = word();
    Number value{};
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (result.ec != std::errc() || result.ptr != digits.data() + digits.size() || value < least || value > most)
      refuse();
    return value;
  }
  int positive() { return number(1, std::numeric_limits<int>::max()); }
  int place_in(std::size_t size) { return number(0, static_cast<int>(size) - 1); }
  std::uint64_t sum() {
    const std::string_view digits = word();
    std::uint64_t value = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (result.ec != std::errc() || result.ptr != digits.data() + digits.size()) refuse();
    return value;
  }
  std::string counted_word() {
    const std::size_t colon = left_.find(':');
    std::size_t length = 0;
    if (colon == std::string_view::npos) refuse();
    const auto result = std::from_chars(left_.data(), left_.data() + colon, length);
    if (result.ec != std::errc() || result.ptr != left_.data() + colon || length >= left_.size() - colon - 1) refuse();
    take(colon + 1, false);
    return std::string(take(length, true));
  }
  std::string bytes(std::size_t count) {
    const std::string_view digits = word();
    if (digits.size() != 2 * count) refuse();
    std::string out(count, '\0');
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t high = hex.find(digits[2 * n]), low = hex.find(digits[2 * n + 1]);
      if (high == std::string_view::npos || low == std::string_view::npos) refuse();
      out[n] = static_cast<char>(high << 4 | low);
    }
    return out;
  }
  [[noreturn]] void refuse() const { fail(OP_ERR_FILE, title_, ": its table of contents is not understood"); }

 private:
  std::string_view take(std::size_t length, bool and_separator) {
    const std::string_view out = left_.substr(0, length);
    left_.remove_prefix(length + (and_separator ? 1 : 0));
    return out;
  }

  std::string_view left_;
  const std::string &title_;
};

std::string value_line(const char *kind, const SavedValue &value) {
  return text(kind, " ", counted(value.name), " ", counted(value.type), " ", value.type_size, " ", value.count, " ",
              hex_of(value.bytes), "\n");
}

SavedValue read_value(Reader &reader) {
  SavedValue value;
  value.name = reader.counted_word();
  value.type = reader.counted_word();
  value.type_size = reader.positive();
  value.count = reader.positive();
  value.bytes = reader.bytes(static_cast<std::size_t>(value.type_size) * static_cast<std::size_t>(value.count));
  return value;
}

SavedMap read_map_line(Reader &reader, std::size_t sets) {
  SavedMap map;
  map.name = reader.counted_word();
  map.from = reader.place_in(sets);
  map.to = reader.place_in(sets);
  map.dim = reader.positive();
  map.sum = reader.sum();
  return map;
}

SavedDat read_dat_line(Reader &reader, std::size_t sets) {
  SavedDat dat;
  dat.name = reader.counted_word();
  dat.set = reader.place_in(sets);
  dat.type = reader.counted_word();
  dat.type_size = reader.positive();
  dat.dim = reader.positive();
  dat.sum = reader.sum();
  dat.place = reader.counted_word();
  return dat;
}

} // namespace

std::string contents_text(const CheckpointContents &contents) {
  std::string out(title_line);
  out += text("library ", counted(contents.library), "\n");
  for (const SavedSet &set : contents.sets) out += text("set ", counted(set.name), " ", set.size, "\n");
  for (const SavedMap &map : contents.maps)
    out += text("map ", counted(map.name), " ", map.from, " ", map.to, " ", map.dim, " ", hex_of(map.sum), "\n");
  for (const SavedDat &dat : contents.dats)
    out += text("dat ", counted(dat.name), " ", dat.set, " ", counted(dat.type), " ", dat.type_size, " ", dat.dim, " ",
                hex_of(dat.sum), " ", counted(dat.place), "\n");
  for (const SavedValue &constant : contents.constants) out += value_line("constant", constant);
  for (const SavedValue &value : contents.values) out += value_line("value", value);
  return out + sum_line(out);
}

CheckpointContents parse_contents(std::string_view words, const std::string &title) {
  if (!words.starts_with(title_start)) fail(OP_ERR_FILE, title, ": its table of contents is damaged");
  const std::size_t sum_length = sum_line("").size(), length = words.size() - std::min(words.size(), sum_length);
  if (words.substr(length) != sum_line(words.substr(0, length)))
    fail(OP_ERR_FILE, title, ": its table of contents is damaged");
  if (!words.starts_with(title_line))
    fail(OP_ERR_FILE, title, ": it is a checkpoint of format ",
         words.substr(title_start.size(), words.find('\n') - title_start.size()), "; this library reads format 1");
  Reader reader(words.substr(title_line.size(), length - title_line.size()), title);
  CheckpointContents out;
  while (!reader.done()) {
    const std::string_view kind = reader.word();
    if (kind == "library")
      out.library = reader.counted_word();
    else if (kind == "set") {
      std::string name = reader.counted_word();
      out.sets.push_back({std::move(name), reader.number<std::int64_t>(0, std::numeric_limits<std::int64_t>::max())});
    } else if (kind == "map")
      out.maps.push_back(read_map_line(reader, out.sets.size()));
    else if (kind == "dat")
      out.dats.push_back(read_dat_line(reader, out.sets.size()));
    else if (kind == "constant")
      out.constants.push_back(read_value(reader));
    else if (kind == "value")
      out.values.push_back(read_value(reader));
    else
      reader.refuse();
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
