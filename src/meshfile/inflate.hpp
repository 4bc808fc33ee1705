// Unpacks data compressed with deflate, as zlib and gzip do (RFC 1950 to 1952).
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

// Appends to `out`, at most `most` bytes. What is wrong with the data, "" when nothing is.
std::string from_zlib(std::string_view packed, std::size_t most, std::string &out);

// The same for a file of gzip, which may have several parts.
std::string from_gzip(std::string_view packed, std::size_t most, std::string &out);

} // namespace op2::core
