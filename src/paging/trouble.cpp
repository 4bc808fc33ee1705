#include "paging/trouble.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "paging/system_calls.hpp"

namespace op2::core::paging {

Trouble trouble_with(Trouble::Kind kind, const std::string &name, int error) {
  Trouble trouble;
  trouble.kind = kind;
  trouble.error = error;
  std::memcpy(trouble.name, name.data(), std::min(name.size(), sizeof trouble.name - 1));
  return trouble;
}

std::size_t Trouble::write_text(char *buffer, std::size_t capacity, const std::string &folder) const {
  const char *reason = error == file_ended ? "the file ends early" : strerrordesc_np(error);
  std::array<std::string_view, 6> words;
  if (kind == Kind::memory)
    words = {"cannot move ",
             name,
             " between memory and the file in '",
             folder,
             "': the kernel has no memory, or no more ranges of pages (vm.max_map_count); larger chunks need fewer",
             ""};
  else if (kind == Kind::writing)
    words = {
        "cannot write ", name, " to the file in '", folder, "' (OP2_OOC_DIR): ", reason ? reason : "unknown error"};
  else
    words = {
        "cannot read ", name, " from the file in '", folder, "' (OP2_OOC_DIR): ", reason ? reason : "unknown error"};
  std::size_t length = 0;
  for (const std::string_view word : words) {
    const std::size_t part = std::min(word.size(), capacity - 1 - length);
    std::memcpy(buffer + length, word.data(), part);
    length += part;
  }
  buffer[length] = '\0';
  return length;
}

std::string Trouble::text(const std::string &folder) const {
  std::string out(folder.size() + 300, '\0');
  out.resize(write_text(out.data(), out.size(), folder));
  return out;
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
