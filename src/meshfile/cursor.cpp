#include "meshfile/cursor.hpp"

#include <charconv>
#include <cmath>

namespace op2::core {

namespace {

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

} // namespace

// Does a number end before this character?
bool Cursor::number_ends(const char *at) const {
  if (at == bytes_.data() + bytes_.size() || is_blank(*at)) return true;
  return *at == comment_ || std::string_view("(){};,<", 8).find(*at) != std::string_view::npos;
}

bool Cursor::comment_starts() const {
  if (comment_ == 0 || bytes_[at_] != comment_) return false;
  return comment_ != '/' || (at_ + 1 < bytes_.size() && (bytes_[at_ + 1] == '/' || bytes_[at_ + 1] == '*'));
}

void Cursor::skip_comment() {
  const bool block = comment_ == '/' && bytes_[at_ + 1] == '*';
  const std::size_t end = block ? bytes_.find("*/", at_ + 2) : bytes_.find('\n', at_);
  at_ = end == bytes_.npos ? bytes_.size() : end + (block ? 2 : 1);
}

void Cursor::skip_blanks() {
  while (at_ < bytes_.size()) {
    if (is_blank(bytes_[at_]))
      ++at_;
    else if (comment_starts())
      skip_comment();
    else
      return;
  }
}

bool Cursor::at_end() {
  skip_blanks();
  return at_ == bytes_.size();
}

char Cursor::peek() { return at_end() ? '\0' : bytes_[at_]; }

std::string_view Cursor::word(const char *expected) {
  if (at_end()) fail_expected(expected);
  const std::size_t begin = at_;
  while (at_ < bytes_.size() && !is_blank(bytes_[at_])) ++at_;
  return bytes_.substr(begin, at_ - begin);
}

std::string_view Cursor::line() {
  const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
  std::string_view out = bytes_.substr(at_, end - at_);
  at_ = std::min(end + 1, bytes_.size());
  if (out.ends_with('\r')) out.remove_suffix(1);
  return out;
}

std::string_view Cursor::rest_of_line_trimmed() {
  std::string_view out = line();
  while (!out.empty() && is_blank(out.front())) out.remove_prefix(1);
  while (!out.empty() && is_blank(out.back())) out.remove_suffix(1);
  return out;
}

char Cursor::next(const char *expected) { return raw(1, expected)[0]; }

void Cursor::skip_to(std::string_view what) { seek(bytes_.find(what, at_)); }

bool Cursor::take(std::string_view what) {
  skip_blanks();
  if (bytes_.substr(at_, what.size()) != what) return false;
  at_ += what.size();
  return true;
}

void Cursor::expect(std::string_view what) {
  if (!take(what)) fail_expected(text("'", what, "'").c_str());
}

long long Cursor::whole(const char *expected) {
  skip_blanks();
  const char *const end = bytes_.data() + bytes_.size();
  const char *begin = bytes_.data() + at_;
  if (begin < end && *begin == '+') ++begin;
  long long out = 0;
  const auto [after, error] = std::from_chars(begin, end, out);
  if (error != std::errc() || !number_ends(after)) fail_expected(expected);
  at_ = static_cast<std::size_t>(after - bytes_.data());
  return out;
}

int Cursor::number(const char *expected, long long least, long long most) {
  skip_blanks();
  const std::size_t begin = at_;
  const long long out = whole(expected);
  if (out < least || out > most) {
    at_ = begin;
    fail_here(text("expected ", expected, " from ", least, " to ", most, ", found ", out));
  }
  return static_cast<int>(out);
}

double Cursor::real(const char *expected) {
  skip_blanks();
  const char *const end = bytes_.data() + bytes_.size();
  const char *begin = bytes_.data() + at_;
  if (begin < end && *begin == '+') ++begin;
  double out = 0;
  const auto [after, error] = std::from_chars(begin, end, out);
  const bool tiny = error == std::errc::result_out_of_range && std::abs(out) < 1; // becomes 0 or stays what it was
  if ((error != std::errc() && !tiny) || !number_ends(after) || !std::isfinite(out)) fail_expected(expected);
  at_ = static_cast<std::size_t>(after - bytes_.data());
  return out;
}

std::size_t Cursor::believe(long long count, const char *expected, std::size_t least) const {
  if (count < 0) fail_here(text("expected ", expected, ", found ", count));
  // The last row may lack its separator.
  if (least > 0 && static_cast<unsigned long long>(count) > (left() + 1) / least)
    fail_here(text("expected ", expected, ", found ", count, ", for which the file is too short"));
  if (count > 2147483647LL) fail_here(text("expected ", expected, ", found ", count, "; 2147483647 are possible"));
  return static_cast<std::size_t>(count);
}

std::size_t Cursor::count(const char *expected, std::size_t least) { return believe(whole(expected), expected, least); }

std::string_view Cursor::raw(std::size_t bytes, const char *expected) {
  if (bytes > left()) fail_here(text("the file ends before ", expected));
  const std::string_view out = bytes_.substr(at_, bytes);
  at_ += bytes;
  return out;
}

std::ptrdiff_t Cursor::line_number() const {
  return 1 + std::count(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(at_), '\n');
}

void Cursor::fail_here(std::string_view message) const {
  if (!bytes_.data()) fail(OP_ERR_FILE, file_, ": ", message); // what was read has no lines
  fail(OP_ERR_FILE, file_, ": line ", line_number(), ": ", message);
}

void Cursor::fail_expected(const char *expected) const {
  std::size_t end = at_;
  while (end < bytes_.size() && end < at_ + 24 && !is_blank(bytes_[end])) ++end;
  if (at_ >= bytes_.size()) fail_here(text("expected ", expected, ", but the file ends"));
  std::string found(bytes_.substr(at_, end - at_));
  for (char &c : found)
    if (static_cast<unsigned char>(c) < 32 || static_cast<unsigned char>(c) > 126) c = '?';
  fail_here(text("expected ", expected, ", found '", found, "'"));
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
