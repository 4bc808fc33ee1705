// What differs between a checkpoint and the program that is to go on from it.
#include "base/text.hpp"
#include "io/checkpoint/checkpoint_contents.hpp"

namespace op2::core {

namespace {

std::string shape(const SavedDat &dat) { return text(dat.dim, " x ", dat.type, " of ", dat.type_size, " bytes"); }

const std::string &name_of(const std::vector<SavedSet> &sets, int number) {
  return sets[static_cast<std::size_t>(number)].name;
}

class Comparison {
 public:
  Comparison(const CheckpointContents &saved, const CheckpointContents &here) : saved_(saved), here_(here) {}

  std::vector<std::string> run() {
    each("set", here_.sets, saved_.sets, [this](const SavedSet &mine, const SavedSet &theirs) {
      if (mine.size != theirs.size)
        add("set '", mine.name, "' has ", theirs.size, " elements there and ", mine.size, " here");
    });
    each("map", here_.maps, saved_.maps, [this](const SavedMap &mine, const SavedMap &theirs) { map(mine, theirs); });
    each("dat", here_.dats, saved_.dats, [this](const SavedDat &mine, const SavedDat &theirs) { dat(mine, theirs); });
    const auto value = [this](const char *kind) {
      return [this, kind](const SavedValue &mine, const SavedValue &theirs) {
        if (mine.type != theirs.type || mine.type_size != theirs.type_size || mine.count != theirs.count)
          add(kind, " '", mine.name, "' is ", theirs.count, " x ", theirs.type, " there and ", mine.count, " x ",
              mine.type, " here");
      };
    };
    each("constant", here_.constants, saved_.constants, value("constant"));
    each("value", here_.values, saved_.values, value("value"));
    return std::move(out_);
  }

 private:
  template <class... T>
  void add(const T &...parts) {
    out_.push_back(text(parts...));
  }

  template <class Item, class Compare>
  void each(const char *kind, const std::vector<Item> &here, const std::vector<Item> &saved, const Compare &compare) {
    const std::vector<int> found = same_names(here, saved);
    std::vector<bool> used(saved.size(), false);
    for (std::size_t n = 0; n < here.size(); ++n) {
      if (found[n] < 0) {
        add(kind, " '", here[n].name, "' is not in it");
        continue;
      }
      used[static_cast<std::size_t>(found[n])] = true;
      compare(here[n], saved[static_cast<std::size_t>(found[n])]);
    }
    for (std::size_t s = 0; s < saved.size(); ++s)
      if (!used[s]) add(kind, " '", saved[s].name, "' is in it and is not declared here");
  }

  void map(const SavedMap &mine, const SavedMap &theirs) {
    const std::string &from = name_of(saved_.sets, theirs.from), &to = name_of(saved_.sets, theirs.to);
    if (from != name_of(here_.sets, mine.from) || to != name_of(here_.sets, mine.to))
      add("map '", mine.name, "' leads from '", from, "' to '", to, "' there and from '",
          name_of(here_.sets, mine.from), "' to '", name_of(here_.sets, mine.to), "' here");
    else if (mine.dim != theirs.dim)
      add("map '", mine.name, "' has dim ", theirs.dim, " there and ", mine.dim, " here");
    else if (mine.sum != theirs.sum)
      add("map '", mine.name, "' has other entries there");
  }

  void dat(const SavedDat &mine, const SavedDat &theirs) {
    const std::string &set = name_of(saved_.sets, theirs.set);
    if (set != name_of(here_.sets, mine.set))
      add("dat '", mine.name, "' lies on '", set, "' there and on '", name_of(here_.sets, mine.set), "' here");
    else if (mine.dim != theirs.dim || mine.type != theirs.type || mine.type_size != theirs.type_size)
      add("dat '", mine.name, "' is ", shape(theirs), " there and ", shape(mine), " here");
  }

  const CheckpointContents &saved_, &here_;
  std::vector<std::string> out_;
};

} // namespace

std::vector<std::string> differences(const CheckpointContents &saved, const CheckpointContents &here) {
  return Comparison(saved, here).run();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
