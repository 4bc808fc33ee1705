#include "families.hpp"

#include <algorithm>
#include <tuple>

namespace cgns {

namespace {

// A text below a family whose name is no name of a node.
constexpr const char *full_name = "FullName";

std::string name_of(const char *node) {
  int count = 0;
  check(cg_ndescriptors(&count));
  for (int number = 1; number <= count; ++number) {
    Name name{};
    char *words = nullptr;
    check(cg_descriptor_read(number, name.data(), &words));
    const std::string found = words;
    cg_free(words);
    if (name.data() == std::string_view(full_name)) return found;
  }
  return node;
}

} // namespace

std::vector<Family> read_families(const File &file) {
  std::vector<Family> out;
  int count = 0;
  check(cg_nfamilies(file.number(), 1, &count));
  for (int number = 1; number <= count; ++number) {
    Name name{};
    int conditions = 0, shapes = 0;
    check(cg_family_read(file.number(), 1, number, name.data(), &conditions, &shapes));
    check(cg_goto(file.number(), 1, "Family_t", number, "end"));
    out.push_back({name.data(), name_of(name.data())});
  }
  return out;
}

void write_family(int file, int base, const Family &family) {
  int number = 0, condition = 0;
  check(cg_family_write(file, base, family.node.c_str(), &number));
  check(cg_fambc_write(file, base, number, "FamilyBC", CGNS_ENUMV(BCTypeUserDefined), &condition));
  if (family.node == family.name) return;
  check(cg_goto(file, base, "Family_t", number, "end"));
  check(cg_descriptor_write(full_name, family.name.c_str()));
}

std::string NodeNames::take(const std::string &request) {
  constexpr std::size_t most = std::tuple_size_v<Name> - 1;
  std::string name = request.substr(0, most);
  std::replace(name.begin(), name.end(), '/', '_');
  if (name.empty() || name == "." || name == "..") name.assign(1, '_');
  for (int again = 2; !taken_.insert(name).second; ++again) {
    const std::string end = std::string("_").append(std::to_string(again));
    name = name.substr(0, most - end.size()) + end;
  }
  return name;
}

} // namespace cgns

// SPDX-License-Identifier: MIT
