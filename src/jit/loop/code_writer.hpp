// Writes program text line by line, with its indentation.
#pragma once

#include <string>
#include <string_view>

#include "base/text.hpp"

namespace op2::core::jit {

class CodeWriter {
 public:
  template <class... Part>
  void line(const Part &...parts) {
    if constexpr (sizeof...(parts) > 0) out_.append(static_cast<std::size_t>(2 * depth_), ' ').append(text(parts...));
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
  int depth_ = 0;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
