// Rows that some elements have written, in a message for processes that have the same rows or copies of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "loop/until/written_rows.hpp"

namespace op2::core {

class RowMessages {
 public:
  // `rows` must outlive the object.
  explicit RowMessages(const WrittenRows &rows);
  // Appends what the element has written.
  void add(int element, std::string &message) const;
  // Puts rows of a message into those of this process.
  void apply(std::string_view message) const;

 private:
  using Places = std::unordered_map<std::int64_t, int>; // row by global number
  const WrittenRows &rows_;
  std::unordered_map<const Set *, Places> places_;
  std::vector<const Places *> places_of_; // by position in rows_.rows()
};

} // namespace op2::core
