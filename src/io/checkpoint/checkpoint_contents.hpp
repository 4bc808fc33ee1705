// The table of contents of a checkpoint: a text in the file, with its own sum.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace op2::core {

struct SavedSet {
  std::string name;
  std::int64_t size = 0;
};

struct SavedMap {
  std::string name;
  int from = 0, to = 0; // indices into the contents' sets
  int dim = 0;
  std::uint64_t sum = 0;
};

struct SavedDat {
  std::string name;
  int set = 0;
  std::string type;
  int type_size = 0, dim = 0;
  std::uint64_t sum = 0;
  std::string place; // path of the dataset
};

// A constant, or a value of the program.
struct SavedValue {
  std::string name, type;
  int type_size = 0, count = 0;
  std::string bytes;
};

struct CheckpointContents {
  std::string library; // its version
  std::vector<SavedSet> sets;
  std::vector<SavedMap> maps;
  std::vector<SavedDat> dats;
  std::vector<SavedValue> constants, values;
};

// Its length does not depend on the sums. Lines of words; names follow their length, bytes are hexadecimal.
std::string contents_text(const CheckpointContents &contents);
// Throws OP_ERR_FILE for a text that is damaged or of another version; `title` names the file.
CheckpointContents parse_contents(std::string_view words, const std::string &title);

// Why a program with `here` cannot continue from `saved`; sums of dats and bytes are not compared.
std::vector<std::string> differences(const CheckpointContents &saved, const CheckpointContents &here);

// For each item of `here`, the index in `saved` of its name: the n-th of a name for the n-th; -1: none.
template <class Item>
std::vector<int> same_names(const std::vector<Item> &here, const std::vector<Item> &saved) {
  std::vector<int> out(here.size(), -1);
  std::vector<bool> taken(saved.size(), false);
  for (std::size_t n = 0; n < here.size(); ++n)
    for (std::size_t s = 0; s < saved.size() && out[n] < 0; ++s)
      if (!taken[s] && saved[s].name == here[n].name) {
        taken[s] = true;
        out[n] = static_cast<int>(s);
      }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
