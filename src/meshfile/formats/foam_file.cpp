#include "meshfile/formats/foam_file.hpp"

#include <algorithm>
#include <cmath>

namespace op2::core {

FoamFile::FoamFile(Cursor &in) : in_(in) {
  in_.comments('/');
  if (!in_.take("FoamFile")) in_.fail_expected("'FoamFile'");
  dictionary([&](const std::string &key) {
    if (key != "format" && key != "class" && key != "arch") return false;
    const std::string value = word("a value");
    if (key == "format" && value != "ascii" && value != "binary") in_.fail_here("expected format ascii or binary");
    if (key == "format") binary_ = value == "binary";
    if (key == "class") class_ = value;
    if (key == "arch") arch(value);
    in_.expect(";");
    return true;
  });
}

// "LSB;label=32;scalar=64"
void FoamFile::arch(const std::string &value) {
  swap_ = (value.find("MSB") != value.npos) == little_endian;
  if (value.find("label=64") != value.npos) label_bytes_ = 8;
  if (value.find("scalar=32") != value.npos) real_bytes_ = 4;
}

std::string FoamFile::word(const char *expected) {
  std::string out;
  if (in_.at_end()) in_.fail_expected(expected);
  if (in_.take("\"")) {
    for (char c = in_.raw(1, "the end of a text in quotes")[0]; c != '"';
         c = in_.raw(1, "the end of a text in quotes")[0])
      out += c == '\\' && in_.next() == '"' ? in_.raw(1, "a quote")[0] : c;
    return out;
  }
  int depth = 0; // a word may have brackets, but none that it does not open
  for (char c = in_.next(); c > ' ' && std::string_view("\"'/;{}").find(c) == std::string_view::npos; c = in_.next()) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0 || (c == '(' && out.empty())) break;
    out += in_.raw(1, expected);
  }
  if (out.empty()) in_.fail_expected(expected);
  return out;
}

std::string FoamFile::name(const char *expected) {
  const bool quoted = in_.peek() == '"';
  std::string out = word(expected);
  if (!quoted && (out[0] == '#' || out[0] == '$'))
    in_.fail_here(
        text("the file has ", out, ", which OpenFOAM replaces by other text; only plain entries can be read"));
  return out;
}

void FoamFile::skip_value() {
  const bool is_dictionary = in_.peek() == '{';
  for (int depth = 0;;) {
    const char c = in_.peek();
    if (c == 0 || (depth == 0 && (c == '}' || c == ')'))) in_.fail_expected("a value or ';'");
    if (c == '"') {
      word("a value");
      continue;
    }
    in_.raw(1, "a value");
    if (c == '{' || c == '(') ++depth;
    if (c == '}' || c == ')') --depth;
    if (depth == 0 && c == (is_dictionary ? '}' : ';')) return;
  }
}

void FoamFile::skip_type() {
  if (in_.peek() != 'L') return;
  if (const std::string type = word("a list"); !type.starts_with("List<"))
    in_.fail_here(text("expected a list, found '", type, "'"));
}

// 0(), 0{}, and in binary files 0 alone.
void FoamFile::empty_list() {
  if (in_.take("("))
    in_.expect(")");
  else if (in_.take("{"))
    in_.expect("}");
}

int FoamFile::label(const char *what, std::size_t entry, int least, int most) {
  if (!binary_) return in_.number(what, least, most);
  const long long out = label_bytes_ == 8 ? in_.value<long long>(swap_, what) : in_.value<int>(swap_, what);
  if (out < least || out > most)
    in_.fail_here(text("expected ", what, " from ", least, " to ", most, " in entry ", entry, ", found ", out));
  return static_cast<int>(out);
}

// N if a list N{VALUE} is here: the cursor then stands before the value.
std::optional<long long> FoamFile::equal() {
  skip_type();
  const std::size_t here = in_.at();
  if (const char c = in_.peek(); binary_ || c < '0' || c > '9') return std::nullopt;
  const long long count = in_.whole("the length of a list");
  if (in_.take("{")) return count;
  in_.seek(here);
  return std::nullopt;
}

void FoamFile::labels(std::vector<int> &out, const char *what, int least, int most, std::size_t most_equal) {
  if (const std::optional<long long> count = equal()) {
    if (*count > static_cast<long long>(most_equal))
      in_.fail_here(text("expected at most ", most_equal, " equal numbers, found ", *count));
    if (*count > 0) out.insert(out.end(), static_cast<std::size_t>(*count), label(what, 0, least, most));
    return in_.expect("}");
  }
  const std::size_t begin = out.size();
  list(
      what, binary_ ? label_bytes_ : 2, [&] { out.push_back(label(what, out.size() - begin, least, most)); },
      [&](std::size_t count) {
        if (begin == 0) out.reserve(count);
      });
}

std::size_t FoamFile::count_labels() {
  std::size_t count = 0;
  const auto pass = [&] { label("a label", count++, -2147483647 - 1, 2147483647); };
  if (const std::optional<long long> all = equal()) {
    if (*all > 0) pass();
    in_.expect("}");
    return static_cast<std::size_t>(*all);
  }
  list("the number of labels", binary_ ? label_bytes_ : 2, pass);
  return count;
}

void FoamFile::skip_flags() {
  skip_type();
  if (binary_)
    list("the number of flags", 1, [&] { in_.raw(1, "a flag"); });
  else
    while (in_.peek() != ';') in_.raw(1, "';'");
}

double FoamFile::coordinate() {
  if (!binary_) return in_.real("a coordinate");
  const double out =
      real_bytes_ == 8 ? in_.value<double>(swap_, "a coordinate") : in_.value<float>(swap_, "a coordinate");
  if (!std::isfinite(out)) in_.fail_here("a coordinate is not a finite number");
  return out;
}

void FoamFile::points(std::vector<double> &out) {
  list(
      "the number of points", binary_ ? real_bytes_ * 3 : 7,
      [&] {
        if (!binary_) in_.expect("(");
        for (int k = 0; k < 3; ++k) out.push_back(coordinate());
        if (!binary_) in_.expect(")");
      },
      [&](std::size_t count) { out.reserve(3 * count); });
}

void FoamFile::faces(Lists &out, int points) {
  if (compact()) return compact_faces(out, points);
  list(
      "the number of faces", 4,
      [&] { // each a list, in binary files before version 2.0 as well
        labels(out.items, "the number of a point", 0, points - 1);
        out.close();
        need_possible(out, out.size() - 1);
      },
      [&](std::size_t count) { out.begin.reserve(count + 1), out.items.reserve(4 * count); });
}

void FoamFile::need_possible(const Lists &faces, int face) const {
  if (const std::size_t length = faces[face].size(); length < 2 || length > most_face_nodes)
    in_.fail_here(text("face ", face, " has ", length, " points; 2 to ", most_face_nodes, " are possible"));
}

// Where each face begins, one entry more than faces, then all nodes.
void FoamFile::compact_faces(Lists &out, int points) {
  std::vector<int> begins;
  labels(begins, "the beginning of a face", 0, 2147483647);
  labels(out.items, "the number of a point", 0, points - 1);
  if (begins.empty() && out.items.empty()) return;
  if (begins.empty() || begins.front() != 0 || static_cast<std::size_t>(begins.back()) != out.items.size() ||
      !std::is_sorted(begins.begin(), begins.end()))
    in_.fail_here("the beginnings of the faces do not fit to their nodes");
  out.begin.assign(begins.begin(), begins.end());
  for (int i = 0; i < out.size(); ++i) need_possible(out, i);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
