#include "jit/draft_memory.hpp"

#include <charconv>
#include <map>

#include "base/text.hpp"
#include "jit/code/code_entry.hpp"

namespace op2::core::jit {

namespace {

constexpr const char *maker = "libop2's drafts of loops"; // whose entries in the cache these are

// An entry is a list of names and values, each of them ended by a zero, which no value contains but the last one.
void add(std::string &entry, std::string_view name, std::string_view value) {
  entry.append(name).push_back('\0');
  entry.append(value).push_back('\0');
}

std::map<std::string, std::string> values_of(const std::string &entry) {
  std::map<std::string, std::string> out;
  for (std::size_t at = 0; at < entry.size();) {
    const std::size_t name_end = entry.find('\0', at);
    if (name_end == std::string::npos) break;
    const std::string name = entry.substr(at, name_end - at);
    std::size_t end = name == "code" ? entry.size() - 1 : entry.find('\0', name_end + 1);
    if (end == std::string::npos || end < name_end + 1) break;
    out[name] = entry.substr(name_end + 1, end - name_end - 1);
    at = end + 1;
  }
  return out;
}

int number(const std::string &word) {
  int out = 0;
  std::from_chars(word.data(), word.data() + word.size(), out);
  return out;
}

} // namespace

std::optional<Draft> DraftMemory::recall(const std::string &key, const std::string &loop) {
  const std::string entry = store_.load_blob(maker, key);
  if (entry.empty()) return std::nullopt;
  std::map<std::string, std::string> values = values_of(entry);
  Draft out;
  if (const auto refused = values.find("refused"); refused != values.end()) {
    out.why = refused->second;
    return out;
  }
  const Unpacked label = unpack(values["code"]);
  if (!label.problem.empty()) return std::nullopt;
  out.pending = store_.at_hand(label.label, loop, values["form"]);
  if (!out.pending) return std::nullopt;
  out.code.form = values["form"];
  out.code.why_scalar = values["why"];
  out.code.by_compiler = values["by_compiler"] == "1";
  out.code.by_element = values["by_element"] == "1";
  out.code.fortran = values["fortran"] == "1";
  out.code.runs = number(values["runs"]);
  out.code.lanes = number(values["lanes"]);
  out.identity = values["identity"];
  out.from = values["from"];
  for (const std::string &name : split(values["constants"], ' '))
    if (!name.empty()) out.constants.push_back(name);
  return out;
}

void DraftMemory::keep_refusal(const std::string &key, std::string_view why) {
  if (key.empty()) return;
  std::string entry;
  add(entry, "refused", why);
  store_.store_blob(maker, key, entry);
}

void DraftMemory::keep(const Draft &draft, const LoopCode &code, std::string_view why) {
  if (draft.key.empty()) return;
  std::string entry, constants;
  for (const std::string &name : draft.constants) constants += name + " ";
  add(entry, "form", code.form);
  add(entry, "why", why);
  add(entry, "by_compiler", code.by_compiler ? "1" : "0");
  add(entry, "by_element", code.by_element ? "1" : "0");
  add(entry, "fortran", code.fortran ? "1" : "0");
  add(entry, "runs", text(code.runs));
  add(entry, "lanes", text(code.lanes));
  add(entry, "identity", draft.identity);
  add(entry, "from", draft.from);
  add(entry, "constants", constants);
  add(entry, "code", pack(store_.label_of(code.text), ""));
  store_.store_blob(maker, draft.key, entry);
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
