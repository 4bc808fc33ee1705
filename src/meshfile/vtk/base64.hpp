// Bytes from base64.
#pragma once

#include <string>
#include <string_view>

namespace op2::core {

// The first bytes, `most` at most, of one encoded piece after the other. Blanks are skipped; it ends at what is no
// base64.
std::string from_base64(std::string_view text, std::size_t most);

} // namespace op2::core
