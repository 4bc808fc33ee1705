// project.cpp: see project.hpp.
#include "jit/fortran/parse/project.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/text.hpp"
#include "jit/fortran/parse/words.hpp"

namespace op2::core::jit::fortran {

namespace {

constexpr std::uintmax_t largest_file = 4u << 20;

// What a text may define: the names behind `module`, `subroutine` and `function`, wherever they stand.
std::set<std::string> names_of(const std::string &text) {
  std::set<std::string> out;
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
  return out;
}

} // namespace

const std::set<std::string> &Project::names_in(const std::string &path) {
  const auto [known, added] = names_.try_emplace(path);
  if (!added) return known->second;
  if (const SourceFile *given = files_.embedded(path)) return known->second = names_of(given->text);
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error || size > largest_file) return known->second;
  std::ifstream in(path, std::ios::binary);
  return known->second = names_of({std::istreambuf_iterator<char>(in), {}});
}

std::vector<std::string> Project::with(const std::vector<std::string> &paths, const std::string &key) {
  std::vector<std::string> out;
  for (const std::string &path : paths)
    if (is_fortran_name(path) && names_in(path).contains(key)) out.push_back(path);
  std::sort(out.begin(), out.end());
  return out;
}

const Unit *Project::unit_in(const std::string &path, const std::string &name, bool module) {
  std::unique_ptr<SourceText> &text = texts_[path];
  if (!text) {
    const SourceFile *file = files_.find(path);
    if (!file) return nullptr;
    text = read_units(*file, files_);
  }
  for (const std::unique_ptr<Unit> &unit : text->units)
    if (unit->name == name && (module ? unit->kind == Unit::Kind::module : unit->is_procedure())) return unit.get();
  return nullptr;
}

const Unit *Project::find(const std::string &name, bool module) {
  const std::string key = text(module ? "module " : "procedure ", name);
  if (const auto known = found_.find(key); known != found_.end()) return known->second;
  std::vector<std::vector<std::string>> groups = {files_.all_embedded()};
  for (std::size_t next = 0; next <= folders_.size(); ++next) {
    if (next > 0) {
      groups.emplace_back();
      for (const std::string &folder : folders_[next - 1])
        for (const std::string &path : files_.files_below(folder)) groups.back().push_back(path);
    }
    const Unit *found = nullptr;
    for (const std::string &path : with(groups.back(), key)) {
      const Unit *unit = unit_in(path, name, module);
      if (!unit) continue;
      if (found && files_.find(found->text->path)->text != files_.find(path)->text)
        throw Refusal(text("'", name, "' is defined more than once (", found->text->path, ", ", path, ")"));
      if (!found) found = unit;
    }
    if (found) return found_[key] = found;
  }
  return found_[key] = nullptr;
}

std::string Project::places() const {
  std::string out;
  for (const std::vector<std::string> &group : folders_)
    for (const std::string &folder : group) out += text(out.empty() ? "" : ", ", folder);
  return out;
}

} // namespace op2::core::jit::fortran
