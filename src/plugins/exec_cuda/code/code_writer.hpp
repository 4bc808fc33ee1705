// Writes program text line by line, with its indentation.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace op2::exec_cuda {

inline void append_text(std::string &out, std::string_view part) { out += part; }
inline void append_text(std::string &out, char part) { out += part; }
inline void append_text(std::string &out, int part) { out += std::to_string(part); }
inline void append_text(std::string &out, long part) { out += std::to_string(part); }
inline void append_text(std::string &out, size_t part) { out += std::to_string(part); }

template <class... Part>
std::string words(const Part &...parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

class CodeWriter {
 public:
  template <class... Part>
  void line(const Part &...parts) {
    out_.append(2 * depth_, ' ');
    (append_text(out_, parts), ...);
    out_ += '\n';
  }
  template <class... Part>
  void open(const Part &...parts) { // "...{"; indents the lines that follow
    line(parts..., "{");
    ++depth_;
  }
  void close(std::string_view behind = "") {
    --depth_;
    line("}", behind);
  }
  void verbatim(std::string_view text) { out_ += text; }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
  size_t depth_ = 0;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
