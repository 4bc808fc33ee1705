// source_files.cpp: see source_files.hpp.
#include "jit/preprocess/source_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/text.hpp"
#include "jit/preprocess/tokens.hpp"

namespace op2::core::jit {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t largest_file = 4u << 20;

std::string normal(const std::string &path) { return fs::path(path).lexically_normal().generic_string(); }

// The names a path consists of, without "/" and leading "..".
std::vector<std::string> parts(const std::string &path) {
  std::vector<std::string> out;
  for (const fs::path &part : fs::path(path).lexically_normal())
    if (part != "/" && !part.empty() && part != "." && !(part == ".." && out.empty())) out.push_back(part.string());
  return out;
}

// How many names two paths share, if one is the end of the other.
std::size_t shared_end(const std::string &left, const std::string &right) {
  const std::vector<std::string> a = parts(left), b = parts(right);
  const std::size_t shorter = std::min(a.size(), b.size());
  return std::equal(a.rbegin(), a.rbegin() + static_cast<std::ptrdiff_t>(shorter), b.rbegin()) ? shorter : 0;
}

// Hidden folders, and those that are built in, which may have thousands of files and copies of headers and sources.
bool holds_no_sources(const fs::path &folder) {
  std::error_code error;
  const std::string name = folder.filename().string();
  return name.starts_with(".") || name == "CMakeFiles" || fs::exists(folder / "CMakeCache.txt", error);
}

} // namespace

SourceFiles::SourceFiles(std::optional<Time> not_newer_than, std::vector<std::string> folders)
    : not_newer_than_(not_newer_than), folders_(std::move(folders)) {}

SourceFiles SourceFiles::embedded_only() {
  SourceFiles out;
  out.reads_disk_ = false;
  return out;
}

void SourceFiles::embed(const std::string &path, std::string text) {
  embedded_[normal(path)] = std::make_unique<SourceFile>(SourceFile{path, std::move(text)});
}

std::vector<std::string> SourceFiles::all_embedded() const {
  std::vector<std::string> out;
  for (const auto &[path, file] : embedded_) out.push_back(path);
  return out;
}

const SourceFile *SourceFiles::embedded(const std::string &path) const {
  const auto found = embedded_.find(path);
  return found == embedded_.end() ? nullptr : found->second.get();
}

const SourceFile *SourceFiles::find(const std::string &path) {
  if (path.empty()) return nullptr;
  if (const SourceFile *file = find_embedded(normal(path))) return file;
  if (fs::path(path).is_absolute()) return find_on_disk(normal(path));
  if (const SourceFile *file = find_on_disk(normal(path))) return file;
  for (const std::string &folder : folders_)
    if (const SourceFile *file = find_on_disk((fs::path(folder) / path).lexically_normal().generic_string()))
      return file;
  return nullptr;
}

std::string SourceFiles::on_disk(const std::string &path) const {
  if (!reads_disk_) return {};
  std::error_code error;
  if (fs::is_regular_file(path, error)) return normal(path);
  for (const std::string &folder : folders_)
    if (const fs::path there = (fs::path(folder) / path).lexically_normal(); fs::is_regular_file(there, error))
      return there.generic_string();
  return {};
}

const SourceFile *SourceFiles::find_included(const std::string &name, const std::string &from) {
  if (name.empty()) return nullptr;
  if (fs::path(name).is_absolute()) return find(name);
  const std::string path = (fs::path(from).parent_path() / name).lexically_normal().generic_string();
  if (const SourceFile *file = find_embedded(path)) return file;
  return find_on_disk(path);
}

const std::vector<std::string> &SourceFiles::files_below(const std::string &folder) {
  constexpr int deepest = 3;
  constexpr std::size_t most_entries = 5000;
  const auto [known, added] = below_.try_emplace(folder);
  if (!added) return known->second;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       !error && at != end && ++entries <= most_entries; at.increment(error)) {
    std::error_code unknown;
    if (at->is_directory(unknown) && (at.depth() >= deepest || holds_no_sources(at->path())))
      at.disable_recursion_pending();
    if (at->is_regular_file(unknown)) known->second.push_back(at->path().lexically_normal().generic_string());
  }
  if (entries > most_entries) known->second.clear(); // no folder of one program
  return known->second;
}

const SourceFile *SourceFiles::find_near(const std::string &name, const std::string &from) {
  if (!reads_disk_) return nullptr;
  const fs::path wanted = fs::path(name).lexically_normal();
  if (name.empty() || wanted.is_absolute() || *wanted.begin() == "..") return nullptr;
  const std::string end = text("/", wanted.generic_string());
  std::error_code error;
  const fs::path own = fs::absolute(from, error).lexically_normal().parent_path();
  for (const fs::path &folder : {own, own.parent_path()}) {
    const SourceFile *only = nullptr;
    if (error || folder == folder.root_path()) continue;
    for (const std::string &path : files_below(folder.generic_string())) {
      if (!path.ends_with(end)) continue;
      const SourceFile *const file = find_on_disk(path);
      if (only && file && file->text != only->text) return nullptr;
      if (!only) only = file;
    }
    if (only) return only;
  }
  return nullptr;
}

namespace {

// "size time path", "- path" where there is no file.
std::string state_of(const std::string &path) {
  std::error_code error;
  const bool there = fs::is_regular_file(path, error);
  const fs::file_time_type changed = there ? fs::last_write_time(path, error) : fs::file_time_type{};
  if (!there || error) return "- " + path;
  return text(fs::file_size(path, error), " ", changed.time_since_epoch().count(), " ", path);
}

} // namespace

std::string SourceFiles::state() const {
  std::string out;
  for (const std::string &path : looked_for_) out += state_of(path) + "\n";
  return out;
}

bool SourceFiles::is_state(const std::string &state) {
  for (const std::string &line : split(state, '\n')) {
    std::size_t path = line.find(' ');
    if (path != std::string::npos && line.front() != '-') path = line.find(' ', path + 1);
    if (path != std::string::npos && state_of(line.substr(path + 1)) != line) return false;
  }
  return true;
}

const SourceFile *SourceFiles::find_embedded(const std::string &path) const {
  const auto exact = embedded_.find(path);
  if (exact != embedded_.end()) return exact->second.get();
  const SourceFile *best = nullptr;
  std::size_t most = 0;
  bool unclear = false;
  for (const auto &[name, file] : embedded_) {
    const std::size_t shared = shared_end(name, path);
    if (shared > most) {
      best = file.get();
      most = shared;
      unclear = false;
    } else if (shared > 0 && shared == most && file->text != best->text) {
      unclear = true;
    }
  }
  if (unclear) throw Refusal(text("several embedded files could be ", path, "; embed it under its full path"));
  return best;
}

const SourceFile *SourceFiles::find_on_disk(const std::string &path) {
  if (!reads_disk_) return nullptr;
  const auto known = read_.find(path);
  if (known != read_.end()) return known->second.get();
  looked_for_.insert(path);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return nullptr; // a pipe or a folder is no source either
  const Time changed = fs::last_write_time(path, error);
  if (error) return nullptr;
  if (not_newer_than_ && changed > *not_newer_than_)
    throw Refusal(text(path, " is newer than the program; rebuild it"));
  const std::uintmax_t size = fs::file_size(path, error);
  if (!error && size > largest_file) throw Refusal(text(path, " is larger than ", largest_file >> 20, " MiB"));
  std::ifstream in(path, std::ios::binary);
  std::string whole(static_cast<std::size_t>(std::min(size, largest_file)) + 1, '\0');
  in.read(whole.data(), static_cast<std::streamsize>(whole.size()));
  if (in.bad() || (in.fail() && !in.eof())) throw Refusal(text(path, " cannot be read"));
  whole.resize(static_cast<std::size_t>(in.gcount()));
  if (whole.size() > largest_file) throw Refusal(text(path, " is larger than ", largest_file >> 20, " MiB"));
  if (whole.find('\0') != std::string::npos) throw Refusal(text(path, " is not text"));
  whole.shrink_to_fit();
  return read_.emplace(path, std::make_unique<SourceFile>(SourceFile{path, std::move(whole)})).first->second.get();
}

} // namespace op2::core::jit
