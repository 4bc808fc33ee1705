// project.cpp: see project.hpp.
#include "jit/fortran/parse/project.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "jit/fortran/parse/words.hpp"

namespace op2::core::jit::fortran {

namespace {

// The same statements, whatever stands between them.
bool same_text(const Unit &a, const Unit &b) {
  const std::vector<Line> &left = a.text->statements.lines, &right = b.text->statements.lines;
  const auto same = [](const Line &one, const Line &other) {
    return one.label == other.label &&
           std::equal(one.words.begin(), one.words.end(), other.words.begin(), other.words.end(),
                      [](const Word &x, const Word &y) { return x.kind == y.kind && x.text == y.text; });
  };
  const auto at = [](const std::vector<Line> &lines, std::size_t n) {
    return lines.begin() + static_cast<std::ptrdiff_t>(std::min(n, lines.size()));
  };
  return std::equal(at(left, a.begin), at(left, a.end), at(right, b.begin), at(right, b.end), same);
}

std::string place_of(const Unit &unit) { return unit.text->place(unit.file, unit.line); }

// What a text may define: the names behind `module`, `subroutine` and `function`, wherever they stand.
void add_names(const std::string &text, std::set<std::string> &out) {
  for (const std::string &line : split(text, '\n')) {
    if (line.size() > 1000) continue;
    const std::string small = lower(line);
    for (const std::string_view word : {"module", "subroutine", "function"}) {
      const std::size_t at = small.find(word);
      if (at == std::string::npos ||
          (at > 0 && (std::isalnum(static_cast<unsigned char>(small[at - 1])) || small[at - 1] == '_')))
        continue;
      std::size_t begin = at + word.size();
      if (begin >= small.size() || (small[begin] != ' ' && small[begin] != '\t')) continue;
      begin = small.find_first_not_of(" \t", begin);
      if (begin == std::string::npos) continue;
      std::size_t end = begin;
      while (end < small.size() && (std::isalnum(static_cast<unsigned char>(small[end])) || small[end] == '_')) ++end;
      out.insert(core::text(word == "module" ? "module " : "procedure ", small.substr(begin, end - begin)));
    }
  }
}

} // namespace

void Project::add(FortranUnit unit) {
  if (unit.files.empty() || !is_fortran_name(unit.files[0].path)) return;
  Source source{std::move(unit), {}, nullptr};
  for (const SourceFile &file : source.unit.files) add_names(file.text, source.names);
  const auto path = [](const Source &one) -> const std::string & { return one.unit.files[0].path; };
  const auto behind = std::ranges::upper_bound(sources_, path(source), std::ranges::less(), path);
  sources_.insert(behind, std::move(source));
  found_.clear();
}

const Unit *Project::unit_in(Source &source, const std::string &name, bool module) {
  if (!source.text) source.text = read_units(source.unit);
  for (const std::unique_ptr<Unit> &unit : source.text->units)
    if (unit->name == name && (module ? unit->kind == Unit::Kind::module : unit->is_procedure())) return unit.get();
  return nullptr;
}

const Unit *Project::find(const std::string &name, bool module) {
  const std::string key = text(module ? "module " : "procedure ", name);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  const Unit *found = nullptr;
  for (Source &source : sources_) {
    if (!source.names.contains(key)) continue;
    const Unit *unit = unit_in(source, name, module);
    if (!unit) continue;
    if (found && !same_text(*found, *unit))
      throw Refusal(text(place_of(*unit), ": ", module ? "module '" : "procedure '", name, "' has another text in ",
                         place_of(*found)));
    if (!found) found = unit;
  }
  return found_[key] = found;
}

} // namespace op2::core::jit::fortran

// SPDX-License-Identifier: MIT
