// Compiled code on disk, so that the next run of a program need not compile it: a folder of this user's own, and
// folders with code that was compiled beforehand.
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

// What is looked for: the label it would have. An entry is taken only if it says of itself that it is this.
struct CodeQuery {
  CodeLabel label;                // compiler "" = there is none: code of any compiler will do
  std::vector<CodeLabel> instead; // code for other machines that runs here, too; not looked for when it can be compiled
};

struct FoundCode {
  std::string file; // the bytes of the entry
  std::string_view code() const { return std::string_view(file).substr(0, code_bytes); }
  std::size_t code_bytes = 0;
  std::string path;
};

// While this lives, other processes that want to compile the same wait for it.
class CodeClaim {
 public:
  CodeClaim() = default;
  CodeClaim(CodeClaim &&) noexcept = default;
  CodeClaim &operator=(CodeClaim &&) noexcept = default;
  ~CodeClaim();

 private:
  friend class CodeCache;
  int folder_ = -1; // the cache's, which lives longer
  std::string name_;
  Descriptor file_;
};

class CodeCache {
 public:
  // Settings OP2_JIT_CACHE, OP2_JIT_CACHE_SIZE and OP2_JIT_PATH. A folder that cannot be used is named in one line; the
  // cache is then without it. Never throws.
  CodeCache(const Settings &settings, const Log &log);

  // Everything in an entry has been verified when it is returned. A damaged one is named in one line.
  std::optional<FoundCode> find(const CodeQuery &query);

  std::optional<FoundCode> find_again(const CodeQuery &query); // what another process may have compiled meanwhile
  // Keeps the code for later runs. A failure is named in one line, and nothing more is stored by this process.
  void store(const CodeLabel &label, std::string_view code);

  // Before compiling: waits while another process compiles the same, but no longer than `seconds`. Then look again:
  // code may be there. Without a folder, and when the other one has failed, there is nobody to wait for.
  CodeClaim claim(const CodeLabel &label, double seconds, const std::stop_token &stop);
  // Puts a text for the user's eyes into the folder, replacing one of that name. Returns its path, "" if it cannot.
  std::string keep(const std::string &name, std::string_view contents);

  const std::string &folder() const { return folder_.path; } // "" = none
  bool has_shipped() const { return !shipped_.empty(); }     // a folder of OP2_JIT_PATH that can be read
  std::string describe() const;                              // lines for the user

 private:
  struct Folder {
    std::string path;
    Descriptor opened;
    std::set<std::string> names; // of the entries, for folders that nobody changes
  };
  void open_own(const Settings &settings);
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
  std::mutex mutex_; // of what follows
  bool may_store_ = true;
  unsigned stored_ = 0;
};

} // namespace op2::core::jit
