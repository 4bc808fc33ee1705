#include "file.hpp"

#include <cgns_io.h>

namespace cgns {

File::File(const char *path) {
  check(cg_open(path, CG_MODE_READ, &number_));
  if (cg_get_cgio(number_, &low_) == CG_OK && cg_root_id(number_, &root_) == CG_OK) return;
  const std::string message = cg_get_error();
  cg_close(number_);
  refuse(message);
}

bool File::holds(const std::string &node, int dims, cgsize_t items) const {
  double id = 0;
  if (cgio_get_node_id(low_, root_, node.c_str(), &id) != CGIO_ERR_NONE) return false;
  std::array<cgsize_t, 32> extents{}; // as many as HDF5 has
  int count = 0;
  const int status = cgio_get_dimensions(low_, id, &count, extents.data());
  cgio_release_id(low_, id);
  if (status != CGIO_ERR_NONE || count != dims)
    refuse(node + " has " + std::to_string(count) + " dimensions instead of " + std::to_string(dims));
  const cgsize_t first = dims > 1 ? extents[0] : 1, last = extents[static_cast<std::size_t>(dims) - 1];
  if (first != 1 || (items >= 0 && last != items))
    refuse(node + " has " + (dims > 1 ? std::to_string(first) + " x " : std::string()) + std::to_string(last) +
           " numbers instead of " + std::to_string(items));
  return true;
}

std::vector<std::int64_t> File::columns(const std::string &node, cgsize_t rows) const {
  double id = 0;
  if (cgio_get_node_id(low_, root_, node.c_str(), &id) != CGIO_ERR_NONE) return {};
  std::array<cgsize_t, 32> extents{};
  std::array<char, 33> type{};
  int count = 0;
  const bool known = cgio_get_dimensions(low_, id, &count, extents.data()) == CGIO_ERR_NONE &&
                     cgio_get_data_type(low_, id, type.data()) == CGIO_ERR_NONE;
  const std::string kind = type.data();
  constexpr cgsize_t most = 4; // columns that such nodes have
  const bool possible = known && count == 2 && extents[0] == rows && extents[1] >= 1 && extents[1] <= most;
  std::vector<std::int64_t> out;
  int status = CGIO_ERR_NONE;
  if (possible && kind == "I4") {
    std::vector<std::int32_t> narrow(static_cast<std::size_t>(rows * extents[1]));
    status = cgio_read_all_data(low_, id, narrow.data());
    out.assign(narrow.begin(), narrow.end());
  } else if (possible && kind == "I8") {
    out.resize(static_cast<std::size_t>(rows * extents[1]));
    status = cgio_read_all_data(low_, id, out.data());
  }
  cgio_release_id(low_, id);
  if (out.empty())
    refuse(node + " has " + std::to_string(extents[0]) + " x " + std::to_string(extents[1]) + " values of type " +
           kind + " instead of whole numbers for " + std::to_string(rows) + " rows");
  if (status != CGIO_ERR_NONE) refuse(node + " cannot be read");
  return out;
}

} // namespace cgns

// SPDX-License-Identifier: MIT
