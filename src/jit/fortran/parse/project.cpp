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

} // namespace

// What a text may define: the names behind `module`, `subroutine` and `function`, wherever they stand.
Project::Names Project::names_of(const std::string &text) {
  Names out;
  int number = 0;
  for (const std::string &line : split(text, '\n')) {
    ++number;
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
      out.emplace(core::text(word == "module" ? "module " : "procedure ", small.substr(begin, end - begin)), number);
    }
  }
  return out;
}

const Project::Names &Project::names_in(const std::string &path) {
  const auto [known, added] = names_.try_emplace(path);
  Names &names = known->second;
  if (!added) return names;
  if (const SourceFile *const given = files_.embedded(path)) names = names_of(given->text);
  return names;
}

std::vector<std::string> Project::with(const std::vector<std::string> &paths, const std::string &key) {
  std::vector<std::string> out;
  for (const std::string &path : paths)
    if (is_fortran_name(path) && names_in(path).contains(key)) out.push_back(path);
  std::sort(out.begin(), out.end());
  return out;
}

const Unit *Project::unit_in(const std::string &path, const std::string &name, bool module) {
  std::unique_ptr<SourceText> &known = texts_[path];
  if (!known) {
    const SourceFile *const file = files_.embedded(path);
    if (!file) return nullptr;
    known = read_units(*file, files_);
  }
  for (const std::unique_ptr<Unit> &unit : known->units)
    if (unit->name == name && (module ? unit->kind == Unit::Kind::module : unit->is_procedure())) return unit.get();
  return nullptr;
}

const Unit *Project::find(const std::string &name, bool module) {
  const std::string key = text(module ? "module " : "procedure ", name);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  const Unit *found = nullptr;
  for (const std::string &path : with(files_.all_embedded(), key)) {
    const Unit *unit = unit_in(path, name, module);
    if (!unit) continue;
    if (found && !same_text(*found, *unit))
      throw Refusal(text(place_of(*unit), ": ", module ? "module '" : "procedure '", name, "' has another text in ",
                         place_of(*found)));
    if (!found) found = unit;
  }
  return found_[key] = found;
}

} // namespace op2::core::jit::fortran
