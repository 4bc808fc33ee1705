// same_arrays A B: whether two HDF5 files have the same arrays, with the same types, extents, values and attributes.
#include <hdf5.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using Facts = std::vector<std::pair<std::string, std::vector<char>>>; // what is compared, under a name for messages

// Values of a dataset or an attribute, with their type and extents.
void add(Facts &facts, const std::string &name, hid_t type, hid_t space, const std::function<bool(void *)> &read) {
  hsize_t extent[2] = {0, 0};
  const int rank = H5Sget_simple_extent_dims(space, extent, nullptr);
  const std::size_t size = H5Tget_size(type);
  std::vector<char> bytes(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)) * size);
  const bool good = bytes.empty() || read(bytes.data());
  facts.emplace_back(name + " is " + (good ? "" : "not readable, ") + std::to_string(rank) + ": " +
                         std::to_string(extent[0]) + " x " + std::to_string(extent[1]) + " of class " +
                         std::to_string(H5Tget_class(type)) + ", bytes " + std::to_string(size),
                     std::move(bytes));
}

Facts facts_of(const char *file) {
  Facts facts;
  const hid_t opened = H5Fopen(file, H5F_ACC_RDONLY, H5P_DEFAULT);
  H5G_info_t group{};
  if (opened < 0 || H5Gget_info(opened, &group) < 0) return facts;
  for (hsize_t n = 0; n < group.nlinks; ++n) {
    char name[256] = "";
    H5Lget_name_by_idx(opened, ".", H5_INDEX_NAME, H5_ITER_INC, n, name, sizeof name, H5P_DEFAULT);
    const hid_t array = H5Dopen2(opened, name, H5P_DEFAULT), type = H5Dget_type(array), space = H5Dget_space(array);
    add(facts, name, type, space,
        [&](void *to) { return H5Dread(array, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, to) >= 0; });
    for (const char *key : {"size", "dim", "type", "base"}) {
      if (H5Aexists(array, key) <= 0) continue;
      const hid_t attribute = H5Aopen(array, key, H5P_DEFAULT), its = H5Aget_type(attribute);
      const hid_t one = H5Aget_space(attribute);
      add(facts, std::string(name) + "." + key, its, one, [&](void *to) { return H5Aread(attribute, its, to) >= 0; });
      H5Sclose(one);
      H5Tclose(its);
      H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(array);
  }
  H5Fclose(opened);
  return facts;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const Facts first = facts_of(argv[1]), second = facts_of(argv[2]);
  if (first.empty() || first.size() != second.size()) {
    std::printf("%zu and %zu arrays and attributes\n", first.size(), second.size());
    return 1;
  }
  int differences = 0;
  for (std::size_t n = 0; n < first.size(); ++n)
    if (first[n] != second[n]) {
      std::printf("%s, and %s\n", first[n].first.c_str(), second[n].first.c_str());
      ++differences;
    }
  return differences > 0;
}

// SPDX-License-Identifier: MIT
