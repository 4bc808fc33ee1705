#include "jit/code/code_entry.hpp"

#include <charconv>
#include <map>

#include "base/text.hpp"

namespace op2::core::jit {

namespace {

// From the end of the file: the mark with the version of this format, a digest of all before it, the size of the label,
// the label ("name value" lines), the code.
constexpr std::string_view mark = "OP2CODE1";
constexpr std::size_t size_bytes = 8, digest_bytes = sizeof(Digest);
constexpr std::size_t tail_bytes = size_bytes + digest_bytes + mark.size();

std::string_view as_text(const Digest &digest) {
  return {reinterpret_cast<const char *>(digest.data()), digest.size()};
}

std::string little_endian(std::uint64_t number) {
  std::string out;
  for (std::size_t i = 0; i < size_bytes; ++i) out.push_back(static_cast<char>(number >> (8 * i) & 0xff));
  return out;
}

std::uint64_t number_in(std::string_view bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size_bytes; ++i) out |= std::uint64_t{static_cast<unsigned char>(bytes[i])} << (8 * i);
  return out;
}

int digit(char sign) { return sign <= '9' ? sign - '0' : sign - 'a' + 10; }

Digest digest_in(const std::string &word) {
  Digest out{};
  if (word.size() != 2 * out.size() || word.find_first_not_of("0123456789abcdef") != std::string::npos) return out;
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = static_cast<unsigned char>(16 * digit(word[2 * i]) + digit(word[2 * i + 1]));
  return out;
}

CodeLabel label_in(std::string_view lines) {
  std::map<std::string, std::string> values;
  for (const std::string &line : split(lines, '\n'))
    if (const std::size_t blank = line.find(' '); blank != std::string::npos)
      values[line.substr(0, blank)] = line.substr(blank + 1);
  CodeLabel label{digest_in(values["key"]), digest_in(values["source"]), 0,
                  values["compiler"],       values["machine"],           values["library"]};
  const std::string &bytes = values["source_bytes"];
  std::from_chars(bytes.data(), bytes.data() + bytes.size(), label.source_bytes);
  return label;
}

} // namespace

std::string pack(const CodeLabel &label, std::string_view code) {
  const std::string lines =
      text("\nkey ", hex(label.key), "\nsource ", hex(label.source), "\nsource_bytes ", label.source_bytes,
           "\ncompiler ", label.compiler, "\nmachine ", label.machine, "\nlibrary ", label.library, "\n");
  std::string out(code);
  out += lines;
  out += little_endian(lines.size());
  out += as_text(sha256(out));
  out += mark;
  return out;
}

Unpacked unpack(std::string_view file) {
  Unpacked out;
  if (file.size() < tail_bytes) {
    out.problem = "it is cut short";
    return out;
  }
  const std::string_view last = file.substr(file.size() - mark.size());
  if (last != mark) {
    out.problem =
        last.starts_with("OP2CODE") ? "it has the format of another version" : "it is cut short or overwritten";
    return out;
  }
  const std::string_view counted = file.substr(0, file.size() - digest_bytes - mark.size());
  if (as_text(sha256(counted)) != file.substr(counted.size(), digest_bytes)) {
    out.problem = "its contents are damaged";
    return out;
  }
  const std::size_t before_size = counted.size() - size_bytes;
  const std::uint64_t label_bytes = number_in(counted.substr(before_size));
  if (label_bytes > before_size) {
    out.problem = "its label is damaged";
    return out;
  }
  const std::size_t code_bytes = before_size - static_cast<std::size_t>(label_bytes);
  out.label = label_in(counted.substr(code_bytes, static_cast<std::size_t>(label_bytes)));
  out.code = counted.substr(0, code_bytes);
  return out;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
