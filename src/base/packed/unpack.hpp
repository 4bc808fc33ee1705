// Unpacks data compressed as zlib and gzip do (RFC 1950 to 1952), if this library was built with zlib.
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

// Throws OP_ERR_UNSUPPORTED, naming the missing package, if there is no zlib. `file` is for messages.
void need_zlib(const std::string &file);

// Appends to `out`, at most `most` bytes. Returns what is wrong with the data, "" if nothing. Needs zlib.
std::string from_zlib(std::string_view packed, std::size_t most, std::string &out);

// The same for a file of gzip, which may have several parts.
std::string from_gzip(std::string_view packed, std::size_t most, std::string &out);

} // namespace op2::core

// SPDX-License-Identifier: MIT
