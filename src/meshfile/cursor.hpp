// A position in the bytes of a file; reading words, numbers and blocks of binary values moves it. Unexpected bytes
// throw OP_ERR_FILE with file, line and what was expected; nothing is read beyond the end.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace op2::core {

class Cursor {
 public:
  Cursor(std::string_view bytes, std::string file) : bytes_(bytes), file_(std::move(file)) {}

  const std::string &file() const { return file_; }
  std::size_t at() const { return at_; }
  std::size_t left() const { return bytes_.size() - at_; }
  void seek(std::size_t at) { at_ = at < bytes_.size() ? at : bytes_.size(); }
  // The character that starts a comment, up to the end of the line; '/': both comments of C.
  void comments(char character) { comment_ = character; }

  void skip_blanks(); // blanks, ends of lines, comments
  bool at_end();      // only blanks are left
  char peek();        // the next character that is no blank; 0 at the end
  char next() const { return at_ < bytes_.size() ? bytes_[at_] : '\0'; } // also a blank

  std::string_view word(const char *expected); // up to a blank
  std::string_view line();                     // the rest of the line, without its end; the cursor stands behind it
  std::string_view rest_of_line_trimmed();
  char next(const char *expected);     // one character, whatever it is
  void skip_to(std::string_view what); // to the end of the file if it does not come any more
  bool take(std::string_view what);    // if `what` is next: skips it, returns true
  void expect(std::string_view what);

  long long whole(const char *expected);
  int number(const char *expected, long long least, long long most);
  int number(const char *expected) { return number(expected, -2147483647LL - 1, 2147483647LL); }
  double real(const char *expected);

  // A count of rows of at least `least` bytes each. Throws if the rest of the file is too short for them.
  std::size_t count(const char *expected, std::size_t least);
  std::size_t believe(long long count, const char *expected, std::size_t least) const;

  // The next `bytes` bytes.
  std::string_view raw(std::size_t bytes, const char *expected);
  // One binary value, its bytes reversed if `swap`.
  template <class T>
  T value(bool swap, const char *expected) {
    return load<T>(raw(sizeof(T), expected).data(), swap);
  }

  std::ptrdiff_t line_number() const;
  [[noreturn]] void fail_here(std::string_view message) const; // "file: line N: message"
  [[noreturn]] void fail_expected(const char *expected) const; // "... expected E, found 'x'"

  template <class T>
  static T load(const char *from, bool swap) {
    std::array<char, sizeof(T)> copy;
    std::memcpy(copy.data(), from, sizeof(T));
    if (swap) std::reverse(copy.begin(), copy.end());
    return std::bit_cast<T>(copy);
  }

 private:
  bool comment_starts() const;
  bool number_ends(const char *at) const;
  void skip_comment();

  std::string_view bytes_;
  std::string file_;
  char comment_ = 0;
  std::size_t at_ = 0;
};

// Whether this machine stores the least significant byte first.
inline constexpr bool little_endian = std::endian::native == std::endian::little;

} // namespace op2::core

// SPDX-License-Identifier: MIT
