// json.hpp: a small strict JSON reader for tests: what it accepts, any reader accepts.
#pragma once

#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace unit {

struct Json {
  enum Kind { null, boolean, number, string, array, object } kind = null;
  double value = 0; // a number; 0 or 1
  std::string text;
  std::vector<Json> items;
  std::map<std::string, Json> fields;

  const Json &operator[](const std::string &name) const {
    const auto found = fields.find(name);
    if (found == fields.end()) throw std::runtime_error("no field '" + name + "'");
    return found->second;
  }
  bool has(const std::string &name) const { return fields.count(name) != 0; }
};

class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : rest_(text), whole_(text) {}

  Json document() {
    Json out = value();
    blanks();
    if (!rest_.empty()) fail("something follows the document");
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string &why) const {
    throw std::runtime_error("JSON, byte " + std::to_string(whole_.size() - rest_.size()) + ": " + why + " at '" +
                             std::string(rest_.substr(0, 40)) + "'");
  }
  void blanks() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
  }
  bool take(char c) {
    blanks();
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(char c) {
    if (!take(c)) fail(std::string("'") + c + "' is missing");
  }
  bool word(std::string_view expected) {
    if (rest_.substr(0, expected.size()) != expected) return false;
    rest_.remove_prefix(expected.size());
    return true;
  }

  Json value() {
    blanks();
    Json out;
    if (rest_.empty()) fail("a value is missing");
    if (rest_.front() == '"') {
      out.kind = Json::string;
      out.text = text();
    } else if (take('[')) {
      out.kind = Json::array;
      if (take(']')) return out;
      do out.items.push_back(value());
      while (take(','));
      need(']');
    } else if (take('{')) {
      out.kind = Json::object;
      if (take('}')) return out;
      do {
        blanks();
        const std::string name = text();
        need(':');
        if (!out.fields.emplace(name, value()).second) fail("field '" + name + "' is there twice");
      } while (take(','));
      need('}');
    } else if (word("null")) {
      out.kind = Json::null;
    } else if (const bool yes = word("true"); yes || word("false")) {
      out.kind = Json::boolean;
      out.value = yes;
    } else {
      out.kind = Json::number;
      out.value = number();
    }
    return out;
  }

  double number() {
    std::size_t n = 0;
    const auto digits = [&] {
      const std::size_t before = n;
      while (n < rest_.size() && rest_[n] >= '0' && rest_[n] <= '9') ++n;
      if (n == before) fail("no number");
    };
    const auto is = [&](std::string_view any) { return n < rest_.size() && any.find(rest_[n]) != any.npos; };
    if (is("-")) ++n;
    if (is("0") && ++n && is("0123456789")) fail("a number begins with 0");
    if (n == 0 || rest_[n - 1] != '0') digits();
    if (is(".")) ++n, digits();
    if (is("eE")) {
      if (++n, is("+-")) ++n;
      digits();
    }
    const double out = std::strtod(std::string(rest_.substr(0, n)).c_str(), nullptr);
    rest_.remove_prefix(n);
    return out;
  }

  std::string text() {
    if (rest_.empty() || rest_.front() != '"') fail("a string is missing");
    rest_.remove_prefix(1);
    std::string out;
    for (;;) {
      if (rest_.empty()) fail("a string does not end");
      const char c = rest_.front();
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      rest_.remove_prefix(1);
      if (c == '"') return out;
      out += c == '\\' ? escape() : std::string(1, c);
    }
  }

  std::string escape() {
    static constexpr std::string_view names = "\"\\/bfnrt", means = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) fail("a string does not end");
    const char c = rest_.front();
    if (const std::size_t which = names.find(c); which != names.npos) {
      rest_.remove_prefix(1);
      return std::string(1, means[which]);
    }
    const std::string digits(rest_.substr(1, 4));
    if (c != 'u' || digits.size() < 4 || digits.find_first_not_of("0123456789abcdefABCDEF") != digits.npos)
      fail("a wrong escape");
    rest_.remove_prefix(5);
    const unsigned code = static_cast<unsigned>(std::strtoul(digits.c_str(), nullptr, 16));
    if (code < 0x80) return std::string(1, static_cast<char>(code));
    const auto byte = [](unsigned bits) { return static_cast<char>(bits); };
    if (code < 0x800) return {byte(0xc0 | code >> 6), byte(0x80 | (code & 0x3f))};
    return {byte(0xe0 | code >> 12), byte(0x80 | (code >> 6 & 0x3f)), byte(0x80 | (code & 0x3f))};
  }

  std::string_view rest_, whole_;
};

inline Json parse_json(std::string_view text) { return JsonReader(text).document(); }

} // namespace unit

// SPDX-License-Identifier: MIT
