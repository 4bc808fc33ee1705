#include "jit/code/code_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <thread>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "host/files.hpp"

namespace op2::core::jit {

namespace {

constexpr std::size_t largest_entry = 64u << 20;
constexpr unsigned stores_per_eviction = 64;
constexpr std::time_t abandoned_after = 3600; // seconds; no process takes that long to write a file
constexpr std::time_t access_noted_after = 3600;

constexpr std::string_view temporary_prefix = ".tmp-", kept_prefix = "failed-";
constexpr const char *loaded_folder = "loaded"; // below that of the cache

// "<key>-<compiler>.so": the key first, so that entries of any compiler can be found by it. Notes, which are of no use
// elsewhere, are no code to ship.
std::string name_of(const CodeLabel &label) {
  const bool note = label.compiler.starts_with(maker_of_notes);
  return text(hex(label.key), "-", hex(sha256(label.compiler), 16), note ? ".note" : ".so");
}
bool is_entry(std::string_view name) {
  constexpr std::size_t stem = 64 + 1 + 16;
  return name.size() > stem && (name.substr(stem) == ".so" || name.substr(stem) == ".note") && name[64] == '-' &&
         name.substr(0, 64).find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::set<std::string> names_in(const Descriptor &folder) {
  std::set<std::string> out;
  // A descriptor of its own, since reading moves on in it.
  Descriptor again(openat(folder.number(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  const std::unique_ptr<DIR, int (*)(DIR *)> listing(again.valid() ? fdopendir(again.number()) : nullptr, closedir);
  if (!listing) return out;
  again.release(); // closed with the listing
  while (const dirent *entry = readdir(listing.get())) out.insert(entry->d_name);
  return out;
}

// Opens a folder and checks that nobody but its owner can put code into it. Returns "" or why it is not used.
std::string open_folder(const std::string &path, bool own, Descriptor &opened) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0) return std::strerror(errno);
  // In a folder that everyone may write to (/tmp), a link of somebody else could lead anywhere.
  if (S_ISLNK(info.st_mode) && info.st_uid != geteuid() && info.st_uid != 0)
    return text("it is a link of another user (", info.st_uid, ")");
  opened =
      Descriptor(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (S_ISLNK(info.st_mode) ? 0 : O_NOFOLLOW)));
  if (!opened.valid()) return std::strerror(errno);
  // From here on the open folder counts, whatever is put at its path.
  if (fstat(opened.number(), &info) != 0) return std::strerror(errno);
  if (own && info.st_uid != geteuid())
    return text("it belongs to user ", info.st_uid, ", this program runs as ", geteuid());
  if (info.st_mode & (own ? S_IWGRP | S_IWOTH : S_IWOTH))
    return text("others may write to it (mode ", std::oct, info.st_mode & 0777, "); chmod ", own ? "go-w" : "o-w",
                " makes it usable");
  return {};
}

std::string environment_folder(const char *name) {
  const char *value = secure_getenv(name);
  return value && value[0] == '/' ? value : "";
}

// Where the cache may be by default, the best first.
std::vector<std::string> default_folders() {
  std::vector<std::string> out;
  const std::string xdg = environment_folder("XDG_CACHE_HOME"), home = environment_folder("HOME");
  if (!xdg.empty())
    out.push_back(xdg + "/op2");
  else if (!home.empty())
    out.push_back(home + "/.cache/op2");
  out.push_back(text("/tmp/op2-", geteuid()));
  return out;
}

} // namespace

CodeCache::CodeCache(const Settings &settings, const Log &log, std::uint64_t most_bytes)
    : log_(log), most_bytes_(most_bytes) {
  const std::string &request = settings.get("OP2_JIT_CACHE");
  const std::size_t colon = std::min(request.find(':'), request.size());
  for (const std::string &path : split(request.substr(colon), ':'))
    if (!path.empty()) open_shipped(path);
  open_own(request.substr(0, colon));
}

void CodeCache::open_shipped(const std::string &path) {
  Folder folder{path, {}, {}};
  const std::string problem = open_folder(path, false, folder.opened);
  if (!problem.empty()) {
    log_.write(OP_LOG_WARN, text("compiled code in ", path, " (OP2_JIT_CACHE) is not used: ", problem));
    problems_ += text("  not used: ", path, " (OP2_JIT_CACHE): ", problem, "\n");
    return;
  }
  folder.names = names_in(folder.opened);
  shipped_.push_back(std::move(folder));
}

void CodeCache::open_own(const std::string &requested) {
  if (requested == "off") return;
  std::string refused;
  for (const std::string &path : requested.empty() ? default_folders() : std::vector<std::string>{requested}) {
    Descriptor opened;
    std::string problem = make_folders(path, 0700);
    if (problem.empty()) problem = open_folder(path, true, opened);
    if (problem.empty()) {
      if (!refused.empty())
        log_.write(OP_LOG_INFO, text("the cache of compiled code is in ", path, ", not in ", refused));
      folder_ = {path, std::move(opened), {}};
      return;
    }
    if (!problem.starts_with(path)) problem = text(path, ": ", problem);
    refused += refused.empty() ? problem : "; " + problem;
  }
  problems_ += text("  not used: ", refused, "\n");
  log_.write(OP_LOG_WARN, text("compiled code is not kept for later runs: ", refused,
                               " (OP2_JIT_CACHE names another "
                               "folder, or is off)"));
}

std::string CodeCache::describe() const {
  const auto entries = [](const std::set<std::string> &names) {
    return std::count_if(names.begin(), names.end(), is_entry);
  };
  std::string out;
  for (const Folder &folder : shipped_)
    out += text("  shipped code: ", folder.path, ", loops: ", entries(folder.names), "\n");
  out += "  cache: ";
  out += folder_.opened.valid() ? text(folder_.path, ", loops: ", entries(names_in(folder_.opened))) : "none";
  return out + text("\n", problems_);
}

std::optional<FoundCode> CodeCache::take(const Folder &folder, const std::string &name, const CodeLabel &label,
                                         bool own, bool warn) {
  const Descriptor file(
      openat(folder.opened.number(), name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | (own ? O_NOFOLLOW : 0)));
  if (!file.valid()) return std::nullopt;
  const std::string path = text(folder.path, "/", name);
  std::string problem;
  struct stat info {};
  std::optional<std::string> bytes;
  if (fstat(file.number(), &info) != 0 || !S_ISREG(info.st_mode))
    problem = "it is no file";
  else if ((own && info.st_uid != geteuid()) || info.st_mode & S_IWOTH)
    problem = "others may write to it";
  else if (!(bytes = read_all(file.number(), largest_entry)))
    problem = "it cannot be read";
  if (problem.empty()) {
    FoundCode found{std::move(*bytes), 0, path};
    const Unpacked entry = unpack(found.file);
    problem = entry.problem;
    if (problem.empty()) {
      CodeLabel expected = label;
      if (label.compiler.empty() || !own) expected.compiler = entry.label.compiler; // any will do
      if (entry.label != expected) problem = "it holds other code";
    }
    if (problem.empty()) {
      found.code_bytes = entry.code.size();
      // Which entries are used, for the eviction; once an hour is enough, and many file systems do not note reading.
      const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
      if (own && std::time(nullptr) - info.st_atim.tv_sec > access_noted_after) futimens(file.number(), times);
      return found;
    }
  }
  if (warn) log_.write(OP_LOG_WARN, text("compiled code in ", path, " is not used: ", problem));
  return std::nullopt;
}

std::optional<FoundCode> CodeCache::take_any(const Folder &folder, const std::set<std::string> &names,
                                             const CodeQuery &query, bool own) {
  const auto with = [&](const CodeLabel &label) -> std::optional<FoundCode> {
    const std::string start = hex(label.key) + "-";
    for (auto name = names.lower_bound(start); name != names.end() && name->starts_with(start); ++name)
      if (is_entry(*name))
        if (std::optional<FoundCode> found = take(folder, *name, label, own)) return found;
    return std::nullopt;
  };
  std::optional<FoundCode> found = with(query.label);
  for (const CodeLabel &label : query.instead)
    if (!found) found = with(label);
  return found;
}

std::optional<FoundCode> CodeCache::find(const CodeQuery &query) {
  for (const Folder &folder : shipped_)
    if (std::optional<FoundCode> found = take_any(folder, folder.names, query, false)) return found;
  if (!folder_.opened.valid()) return std::nullopt;
  if (query.label.compiler.empty()) return take_any(folder_, names_in(folder_.opened), query, true);
  return take(folder_, name_of(query.label), query.label, true);
}

// What is damaged was named the first time.
std::optional<FoundCode> CodeCache::find_again(const CodeQuery &query) {
  if (!folder_.opened.valid()) return std::nullopt;
  return take(folder_, name_of(query.label), query.label, true, false);
}

// A new file beside, then one step to its place: readers see the old one or the new one, whole, whoever else writes.
bool CodeCache::replace(const std::string &name, std::string_view contents, std::string &problem) {
  const int folder = folder_.opened.number();
  std::string temporary;
  Descriptor file;
  for (int attempt = 0; attempt < 100 && !file.valid(); ++attempt) {
    timespec time{};
    clock_gettime(CLOCK_REALTIME, &time); // with the process, what makes names differ; O_EXCL makes sure
    temporary = text(temporary_prefix, getpid(), "-", time.tv_nsec, "-", attempt);
    file = Descriptor(
        openat(folder, temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
    if (!file.valid() && errno != EEXIST) break;
  }
  if (!file.valid()) {
    problem = std::strerror(errno);
    return false;
  }
  problem = write_all(file.number(), contents);
  // Some file systems (NFS, quotas) tell about a full disk only when the file is closed.
  if (::close(file.release()) != 0 && problem.empty()) problem = std::strerror(errno);
  if (problem.empty() && renameat(folder, temporary.c_str(), folder, name.c_str()) != 0) problem = std::strerror(errno);
  if (!problem.empty()) unlinkat(folder, temporary.c_str(), 0);
  return problem.empty();
}

CodeClaim::~CodeClaim() {
  if (file_.valid()) unlinkat(folder_, name_.c_str(), 0); // the lock goes with the descriptor
}

// The system frees the lock of a process that ends, however it does.
CodeClaim CodeCache::claim(const CodeLabel &label, double seconds, const std::stop_token &stop) {
  CodeClaim out;
  {
    const std::lock_guard lock(mutex_);
    if (!may_store_ || !folder_.opened.valid()) return out;
  }
  const std::string name = text(temporary_prefix, "lock-", hex(label.key));
  Descriptor file(openat(folder_.opened.number(), name.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
                         S_IRUSR | S_IWUSR));
  if (!file.valid()) return out;
  const double end = now() + seconds;
  bool waited = false;
  while (flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || now() > end || stop.stop_requested()) return out;
    waited = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  struct stat locked {
  }, named{};
  const bool still = fstat(file.number(), &locked) == 0 &&
                     fstatat(folder_.opened.number(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
                     locked.st_ino == named.st_ino && locked.st_dev == named.st_dev;
  if (waited || !still) return out; // all who waited go on at once
  out.folder_ = folder_.opened.number();
  out.name_ = name;
  out.file_ = std::move(file);
  return out;
}

void CodeCache::store(const CodeLabel &label, std::string_view code) {
  const std::lock_guard lock(mutex_);
  if (!may_store_ || !folder_.opened.valid()) return;
  const std::string file = pack(label, code);
  if (file.size() > std::min<std::uint64_t>(largest_entry, most_bytes_)) return;
  std::string problem;
  may_store_ = replace(name_of(label), file, problem);
  if (!may_store_)
    log_.write(OP_LOG_WARN,
               text("compiled code cannot be kept in ", folder_.path, ": ", problem, " (the program runs on with it)"));
  else if (stored_++ % stores_per_eviction == 0)
    evict();
}

std::string CodeCache::keep(const std::string &name, std::string_view contents) {
  const std::lock_guard lock(mutex_);
  std::string problem;
  const std::string whole = text(kept_prefix, name);
  if (!may_store_ || !folder_.opened.valid() || !replace(whole, contents, problem)) return {};
  return text(folder_.path, "/", whole);
}

std::string CodeCache::folder_to_load() {
  const std::lock_guard lock(mutex_);
  if (!may_store_ || !folder_.opened.valid()) return {};
  if (mkdirat(folder_.opened.number(), loaded_folder, S_IRWXU) != 0 && errno != EEXIST) return {};
  char real[PATH_MAX];
  return realpath(text(folder_.path, "/", loaded_folder).c_str(), real) ? std::string(real) : "";
}

namespace {

struct Old {
  std::time_t used;
  std::uint64_t bytes;
  int folder;
  std::string name;
};

// The files of a folder that are the cache's, without those that are being written; what was left of such is removed.
template <class IsOurs>
void add_files(const Descriptor &folder, const IsOurs &is_ours, std::vector<Old> &out) {
  const std::time_t now = std::time(nullptr);
  for (const std::string &name : names_in(folder)) {
    const bool temporary = name.starts_with(temporary_prefix);
    struct stat info {};
    if (!temporary && !is_ours(name)) continue;
    if (fstatat(folder.number(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (temporary) {
      if (now - info.st_mtim.tv_sec > abandoned_after) unlinkat(folder.number(), name.c_str(), 0);
      continue;
    }
    const std::uint64_t bytes = static_cast<std::uint64_t>(info.st_blocks) * 512; // what it takes on the disk
    out.push_back({std::max(info.st_atim.tv_sec, info.st_mtim.tv_sec), bytes, folder.number(), name});
  }
}

} // namespace

// A file that is loaded may go: the processes that have loaded it keep it.
void CodeCache::evict() {
  std::vector<Old> files;
  const Descriptor loaded(
      openat(folder_.opened.number(), loaded_folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  add_files(
      folder_.opened, [](const std::string &name) { return is_entry(name) || name.starts_with(kept_prefix); }, files);
  if (loaded.valid())
    add_files(
        loaded, [](const std::string &name) { return name.ends_with(".so"); }, files);
  std::sort(files.begin(), files.end(), [](const Old &a, const Old &b) { return a.used < b.used; });
  std::uint64_t total = 0;
  for (const Old &file : files) total += file.bytes;
  for (const Old &file : files) {
    if (total <= most_bytes_) return;
    if (unlinkat(file.folder, file.name.c_str(), 0) == 0) total -= file.bytes;
  }
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
