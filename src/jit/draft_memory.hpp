// Drafts of earlier runs of the same program, kept beside the compiled code: a loop whose code is in the cache is ready
// without its program's text being read, and one whose text was refused is refused at once.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "jit/draft.hpp"

namespace op2::core::jit {

class DraftMemory {
 public:
  explicit DraftMemory(CodeStore &store) : store_(store) {}

  // The draft, with its code loaded. Empty if none is remembered, or if the code has left the cache. key: all that a
  // draft depends on.
  std::optional<Draft> recall(const std::string &key, const std::string &loop);
  // That there is no code because of `why`; nothing where the key is "".
  void keep_refusal(const std::string &key, std::string_view why);
  // That `code` is used for it, which has no vectors because of `why`; "" = it has.
  void keep(const Draft &draft, const LoopCode &code, std::string_view why);

 private:
  CodeStore &store_;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
