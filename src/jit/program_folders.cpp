#include "jit/program_folders.hpp"

#include <filesystem>
#include <set>

#include "host/line_tables.hpp"
#include "jit/fortran/parse/lines.hpp"

namespace op2::core::jit {

namespace {

bool may_be_searched(const std::filesystem::path &folder) {
  std::error_code error;
  const auto mode = std::filesystem::status(folder, error).permissions();
  return !error && (mode & std::filesystem::perms::others_write) == std::filesystem::perms::none;
}

} // namespace

std::vector<std::string> folders_above(const std::string &program) {
  constexpr std::size_t most = 6;
  std::vector<std::string> out;
  for (std::filesystem::path path = program; path.has_relative_path() && out.size() < most;) {
    path = path.parent_path();
    if (!may_be_searched(path)) break;
    out.push_back(path.string());
  }
  return out;
}

std::vector<std::vector<std::string>> places_by_tables(const void *address, const SourceFiles &files) {
  constexpr std::size_t most_folders = 32;
  const CompiledFrom tables = compiled_from(address);
  std::vector<std::vector<std::string>> out(5);
  const auto folder = [](const std::string &path) { return std::filesystem::path(path).parent_path(); };
  const std::string own = tables.file.empty() ? "" : files.on_disk(tables.file);
  if (!own.empty()) {
    out[0].push_back(own);
    if (may_be_searched(folder(own))) out[2].push_back(folder(own).generic_string());
  }
  std::set<std::string> folders, above;
  for (const std::string &name : tables.all) {
    const std::string path = fortran::is_fortran_name(name) ? files.on_disk(name) : "";
    if (path.empty()) continue;
    out[1].push_back(path);
    if (folders.size() >= most_folders || !may_be_searched(folder(path))) continue;
    folders.insert(folder(path).generic_string());
    const std::string next = folder(folder(path).generic_string()).generic_string();
    if (may_be_searched(next)) above.insert(next);
  }
  out[3].assign(folders.begin(), folders.end());
  out[4].assign(above.begin(), above.end());
  return out;
}

} // namespace op2::core::jit
