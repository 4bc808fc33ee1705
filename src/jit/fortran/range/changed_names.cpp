#include "jit/fortran/range/changed_names.hpp"

#include <algorithm>
#include <vector>

namespace op2::core::jit::fortran {

namespace {

constexpr std::size_t by_keyword = static_cast<std::size_t>(-1); // an argument at a place that is not looked for

bool opens(const Word &word) { return word.is("(") || word.is("[") || word.is("(/"); }
bool closes(const Word &word) { return word.is(")") || word.is("]") || word.is("/)"); }

// What stands behind a variable with its subscripts and components.
std::size_t behind(const Words &words, std::size_t at) {
  int depth = 0;
  for (++at; at < words.size(); ++at) {
    if (depth == 0 && words[at].is("%")) {
      ++at;
      continue;
    }
    if (depth == 0 && !words[at].is("(")) break;
    depth += opens(words[at]) ? 1 : closes(words[at]) ? -1 : 0;
  }
  return at;
}

struct Bracket {
  std::string procedure; // "" for others
  bool subroutine = false;
  std::size_t argument = 0;
};

} // namespace

std::set<std::size_t> ChangedNames::in(const Words &words) {
  std::set<std::size_t> out;
  std::vector<Bracket> open;
  bool calls = false, reads = false; // statements: call, read
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool before = i > 0;
    if (opens(words[i])) {
      const bool named = before && words[i].is("(") && words[i - 1].kind == WordKind::name;
      open.push_back({named ? words[i - 1].text : "", calls && open.empty(), 0});
    } else if (closes(words[i])) {
      if (!open.empty()) open.pop_back();
    } else if (words[i].is(",") && !open.empty()) {
      ++open.back().argument;
    }
    if (words[i].kind != WordKind::name || (before && words[i - 1].is("%"))) continue;
    if (open.empty() && words[i].is("call")) calls = true;
    if (open.empty() && words[i].is("read")) reads = true;
    const std::size_t end = behind(words, i);
    const auto then = [&](const char *sign) { return end < words.size() && words[end].is(sign); };
    bool changed = open.empty() && (then("=") || reads);
    changed = changed || (before && words[i - 1].is("=>"));
    if (!open.empty() && before && (then(",") || then(")"))) {
      const bool keyword = words[i - 1].is("=");
      const bool whole = keyword || words[i - 1].is("(") || words[i - 1].is(",");
      const Bracket &in = open.back();
      changed = changed || (whole && changes(in.procedure, keyword ? by_keyword : in.argument, in.subroutine));
    }
    if (changed) out.insert(i);
  }
  return out;
}

// What has no text may be an array or a function of the language; a subroutine may do anything.
bool ChangedNames::changes(const std::string &procedure, std::size_t argument, bool subroutine) {
  if (procedure.empty()) return false;
  const Unit *const unit = find_(procedure, subroutine);
  return unit ? changes(*unit, argument) : subroutine;
}

bool ChangedNames::changes(const Unit &procedure, std::size_t argument) {
  if (argument >= procedure.dummies.size()) return true;
  const std::string &dummy = procedure.dummies[argument];
  const auto declared = procedure.symbols.find(dummy);
  if (declared != procedure.symbols.end() && declared->second.intent == Symbol::Intent::in) return false;
  if (declared != procedure.symbols.end() && declared->second.intent != Symbol::Intent::none) return true;
  const auto [known, added] = known_.try_emplace({&procedure, argument}, false); // what calls itself changes no more
  if (!added) return known->second;
  const std::vector<Line> &all = procedure.text->statements.lines;
  bool out = false;
  for (std::size_t at = procedure.begin; !out && at < procedure.end && at < all.size(); ++at) {
    const std::set<std::size_t> changed = in(all[at].words);
    out = std::any_of(changed.begin(), changed.end(), [&](std::size_t i) { return all[at].words[i].text == dummy; });
  }
  return known_[{&procedure, argument}] = out;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
