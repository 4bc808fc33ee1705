#include "jit/text/names/specialised.hpp"

namespace op2::core::jit {

namespace {

class Search {
 public:
  explicit Search(const Text &text) : text_(text) {}

  SpecialisedTemplates run() {
    for (std::size_t at = 0; at < text_.size(); ++at) {
      if (text_.is(at, "namespace") && text_.is(at + 1, "std") && text_.is(at + 2, "{"))
        end_of_std_ = text_.partner(at + 2);
      if (text_.is(at, "template") && text_.is(at + 1, "<")) declaration(at);
      if (text_.is(at, "->") && at > 0 && text_.is(at - 1, ")")) guide(at + 1);
    }
    return std::move(out_);
  }

 private:
  // template <> struct X<S>, template <class T> struct X<T *>, template <> double x<S> = 2, template <> void f(S &).
  void declaration(std::size_t at) {
    bool whole = false; // an explicit specialisation
    while (text_.is(at, "template") && text_.is(at + 1, "<")) {
      whole = whole || text_.is(at + 2, ">");
      const std::size_t behind = text_.behind_angles(at + 1);
      if (behind == at + 1) return;
      at = behind;
    }
    bool record = false;
    for (; at < text_.size() && !ends(at); ++at) {
      record = record || text_.is(at, "struct") || text_.is(at, "class") || text_.is(at, "union");
      if (!text_.is_plain_name(at)) continue;
      if (text_.is(at + 1, "<")) {
        const std::size_t behind = text_.behind_angles(at + 1);
        if (whole || record || text_.is(behind, "=") || text_.is(behind, ";") || text_.is(behind, "{")) note(at);
        if (behind > at + 1) at = behind - 1;
      } else if (whole && text_.is(at + 1, "(")) {
        note(at);
      }
    }
  }
  bool ends(std::size_t at) const {
    return text_.is(at, "{") || text_.is(at, ";") || text_.is(at, "=") || text_.is(at, "(") || text_.is(at, ":");
  }

  // G(double) -> G<int>;
  void guide(std::size_t at) {
    if (text_.is_plain_name(at) && text_.is(at + 1, "<") && text_.is(text_.behind_angles(at + 1), ";")) note(at);
  }

  void note(std::size_t at) {
    out_.names.insert(text_.word(at));
    const bool named = at > 1 && text_.is(at - 1, "::") && text_.is(at - 2, "std");
    out_.of_std = out_.of_std || named || at < end_of_std_;
  }

  const Text &text_;
  SpecialisedTemplates out_;
  std::size_t end_of_std_ = 0;
};

} // namespace

SpecialisedTemplates specialised_templates(const Text &text) { return Search(text).run(); }

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
