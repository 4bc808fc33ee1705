// Decodes base64.
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

// Decodes consecutive base64 pieces, at most `most` bytes. Skips blanks; stops at any other character.
std::string from_base64(std::string_view text, std::size_t most);

} // namespace op2::core

// SPDX-License-Identifier: MIT
