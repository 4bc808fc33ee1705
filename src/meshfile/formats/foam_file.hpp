// One file of OpenFOAM's: a header, then lists and dictionaries of words, texts in quotes and numbers, which blanks,
// ends of lines and comments separate as they like.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meshfile/cursor.hpp"
#include "meshfile/mesh_file.hpp"

namespace op2::core {

class FoamFile {
 public:
  explicit FoamFile(Cursor &in); // reads the header

  bool compact() const { return class_.find("Compact") != class_.npos; }

  // A word, or a text in quotes without them.
  std::string word(const char *expected);
  std::string name(const char *expected); // a word that OpenFOAM does not replace by other text
  // { KEY VALUE; ... }: entry(KEY) takes the value with what ends it, or returns false to have it passed over.
  template <class Entry>
  void dictionary(const Entry &entry) {
    in_.expect("{");
    while (!in_.take("}")) {
      const std::string key = name("an entry or '}'");
      if (!entry(key)) skip_value();
    }
  }
  void skip_value(); // up to the ';', or a dictionary

  // N(...), (...), also with List<TYPE> before: item() takes one. `least`: bytes of an item. room(N) comes first.
  template <class Item, class Room = void (*)(std::size_t)>
  void list(
      const char *what, std::size_t least, const Item &item, const Room &room = [](std::size_t) {}) {
    skip_type();
    if (in_.take("(")) {
      while (!in_.take(")")) item();
      return;
    }
    const std::size_t count = in_.count(what, least);
    room(count);
    if (count == 0) return empty_list();
    in_.expect("(");
    for (std::size_t i = 0; i < count; ++i) item();
    in_.expect(")");
  }

  // A list of whole numbers, each from `least` to `most`; binary if the header says so. N{VALUE} for at most so many
  // that are equal, since the file has no bytes for them.
  void labels(std::vector<int> &out, const char *what, int least, int most, std::size_t most_equal = 0);
  std::size_t count_labels();            // of a list that is passed over
  void skip_flags();                     // List<bool>
  void points(std::vector<double> &out); // three coordinates for each
  void faces(Lists &out, int points);    // of so many points

 private:
  void arch(const std::string &value);
  void skip_type();
  std::optional<long long> equal();
  void empty_list();
  void need_possible(const Lists &faces, int face) const;
  void compact_faces(Lists &out, int points);
  int label(const char *what, std::size_t entry, int least, int most);
  double coordinate();

  Cursor &in_;
  std::string class_;
  bool binary_ = false, swap_ = !little_endian;
  std::size_t label_bytes_ = 4, real_bytes_ = 8;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
