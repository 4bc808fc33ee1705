// Compiled code on disk, so that later runs of a program need not compile it: a folder of this user, and folders with
// code compiled beforehand.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "host/plugins/descriptor.hpp"
#include "jit/code/code_entry.hpp"

namespace op2::core::jit {

// What CodeLabel::compiler begins with in entries that are notes of this library.
inline constexpr std::string_view maker_of_notes = "libop2's ";

// The label of the wanted code. The cache uses only an entry with this label.
struct CodeQuery {
  CodeLabel label;                // compiler "" = there is none: accepts code of any compiler
  std::vector<CodeLabel> instead; // other code that runs here; in the user's folder only without a compiler
};

struct FoundCode {
  std::string file; // contents of the entry
  std::string_view code() const { return std::string_view(file).substr(0, code_bytes); }
  std::size_t code_bytes = 0;
  std::string path;
};

// During its lifetime, other processes that want to compile the same text wait.
class CodeClaim {
 public:
  CodeClaim() = default;
  CodeClaim(CodeClaim &&) noexcept = default;
  CodeClaim &operator=(CodeClaim &&) noexcept = default;
  ~CodeClaim();

 private:
  friend class CodeCache;
  int folder_ = -1; // of the cache, which must outlive the claim
  std::string name_;
  Descriptor file_;
};

class CodeCache {
 public:
  // The folders of setting OP2_JIT_CACHE: the first is the cache ("" = the usual one, "off" = none), the others have
  // code compiled beforehand and are only read. most_bytes: of code in the cache. Logs one line for a folder that
  // cannot be used, and works without it. Never throws.
  CodeCache(const Settings &settings, const Log &log, std::uint64_t most_bytes = std::uint64_t{256} << 20);

  // Returns only verified entries. Logs one line for a damaged one.
  std::optional<FoundCode> find(const CodeQuery &query);

  std::optional<FoundCode> find_again(const CodeQuery &query); // after claim()
  // Keeps the code for later runs. After a failure, logs one line, and this process stores no more code.
  void store(const CodeLabel &label, std::string_view code);

  // Before compiling: waits while another process compiles the same text, at most `seconds`. The caller then calls
  // find_again(). Without a folder, or after a failure of store(), it does not wait.
  CodeClaim claim(const CodeLabel &label, double seconds, const std::stop_token &stop);
  // Writes a text for users to the folder, replacing a file of that name. Returns its path, "" on failure.
  std::string keep(const std::string &name, std::string_view contents);

  const std::string &folder() const { return folder_.path; } // "" = none
  // Where files with loaded code may be, for debuggers and profilers; "" = nowhere. They count as the cache's, too.
  std::string folder_to_load();
  // OP2_JIT_CACHE has a readable folder of code compiled beforehand.
  bool has_shipped() const { return !shipped_.empty(); }
  std::string describe() const; // lines for the user

 private:
  struct Folder {
    std::string path;
    Descriptor opened;
    std::set<std::string> names; // of the entries, for shipped folders
  };
  void open_own(const std::string &requested);
  void open_shipped(const std::string &path);
  std::optional<FoundCode> take(const Folder &folder, const std::string &name, const CodeLabel &label, bool own,
                                bool warn = true);
  std::optional<FoundCode> take_any(const Folder &folder, const std::set<std::string> &names, const CodeQuery &query,
                                    bool own);
  bool replace(const std::string &name, std::string_view contents, std::string &problem);
  void evict();

  const Log &log_;
  Folder folder_;
  std::vector<Folder> shipped_;
  std::string problems_; // lines of describe()
  std::uint64_t most_bytes_;
  std::mutex mutex_; // protects the members below
  bool may_store_ = true;
  unsigned stored_ = 0;
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
