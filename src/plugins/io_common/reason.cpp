#include <array>

#include "plugins/io_common/handle.hpp"

namespace hdf5 {

namespace {

// The message of the innermost function that has one.
herr_t remember(unsigned, const H5E_error2_t *error, void *out) {
  std::string &message = *static_cast<std::string *>(out);
  if (message.empty() && error->desc) message = error->desc;
  return 0;
}

struct Words {
  const char *part, *meaning; // "" as meaning: what stands in quotes behind "error message = "
};
constexpr std::array known = {
    Words{"unable to lock",
          "another program has it open for writing (HDF5_USE_FILE_LOCKING=FALSE turns this check off)"},
    Words{"error message = '", ""},
    Words{"file signature not found", "it is no HDF5 file"},
    Words{"truncated file", "the file has been cut off"},
    Words{"file is already open for write", "another program has it open for writing"},
    Words{"filter 'deflate' is not available", "this build of HDF5 cannot compress"},
};

} // namespace

std::string reason() {
  std::string message;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, remember, &message);
  for (const Words &words : known) {
    const std::size_t at = message.find(words.part);
    if (at == std::string::npos) continue;
    if (words.meaning[0]) return words.meaning;
    const std::size_t begin = at + std::string(words.part).size();
    return message.substr(begin, message.find('\'', begin) - begin);
  }
  return message.empty() ? "HDF5 does not say why" : "HDF5 says: " + message;
}

void refuse(op_status code, std::string message) { throw Failure{code, std::move(message)}; }

void refuse_with_reason(const std::string &what) {
  refuse(OP_ERR_FILE, what.empty() ? reason() : what + ": " + reason());
}

} // namespace hdf5

// SPDX-License-Identifier: MIT
