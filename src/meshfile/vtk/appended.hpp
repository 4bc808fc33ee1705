// Parts of files in VTK's XML format, with arrays behind the text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "meshfile/cursor.hpp"

namespace op2::core {

// Arrays behind the rest of the file: their tags, and their bytes with a length before each.
class Appended {
 public:
  template <class T>
  std::string array(const char *type, const char *name, int components, const std::vector<T> &values) {
    const std::size_t offset = bytes_.size();
    const std::uint64_t length = values.size() * sizeof(T);
    bytes_.append(reinterpret_cast<const char *>(&length), sizeof length);
    bytes_.append(reinterpret_cast<const char *>(values.data()), static_cast<std::size_t>(length));
    return text("<DataArray type=\"", type, "\" Name=\"", name, "\" NumberOfComponents=\"", components,
                "\" format=\"appended\" offset=\"", offset, "\"/>\n");
  }
  // The first line of a file of this type, and the arrays at its end.
  static std::string head(const char *type) {
    return text("<?xml version=\"1.0\"?>\n<VTKFile type=\"", type, "\" version=\"1.0\" byte_order=\"",
                little_endian ? "LittleEndian" : "BigEndian", "\" header_type=\"UInt64\">\n");
  }
  std::string tail() const { return "<AppendedData encoding=\"raw\">\n_" + bytes_ + "\n</AppendedData>\n</VTKFile>\n"; }

 private:
  std::string bytes_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
