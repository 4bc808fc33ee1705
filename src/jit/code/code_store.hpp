// Text in, callable code out: the cache, the compiler and the loader behind one function.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "host/code_library.hpp"
#include "jit/code/code_cache.hpp"
#include "jit/code/compiler.hpp"
#include "jit/code/machine.hpp"
#include "jit/preprocess/tokens.hpp"

namespace op2::core::jit {

struct Code {
  std::shared_ptr<CodeLibrary> library;
  bool from_cache = false;
  double seconds = 0; // that getting it took: reading it, or compiling and loading it
  std::string why;    // "compiled by /usr/bin/c++ in 0.08 s", "from the cache, /home/..."
};

// Code that is being made. Both functions may be called by any thread, get() more than once.
class Pending {
 public:
  explicit Pending(std::shared_future<Code> code) : code_(std::move(code)) {}
  bool ready() const { return code_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  Code get() const { return code_.get(); } // waits; throws Refusal as CodeStore::get() does

 private:
  std::shared_future<Code> code_;
};

struct CodeStatistics {
  int compiled = 0; // texts
  int hits = 0;     // found in a cache
  int shared = 0;   // asked for again in this process
  int refused = 0;
  double compile_seconds = 0, cache_seconds = 0;
};

// The functions may be called by several threads at once.
class CodeStore {
 public:
  // OP_ERR_ARGUMENT for settings that cannot be meant (OP2_JIT_ISA, OP2_CXXFLAGS). A missing compiler is none:
  // compiled code may be in a cache. `timeout`: seconds for one run of the compiler. Settings are read here only; the
  // log must outlive the store.
  CodeStore(const Settings &settings, const Log &log, double timeout = 120);
  ~CodeStore(); // ends a compiler that runs
  CodeStore(const CodeStore &) = delete;
  CodeStore &operator=(const CodeStore &) = delete;

  // Code of a text that needs no other file but the compiler's. `name` (of the loop) is for people. Throws Refusal
  // with one sentence, the same one each time for the same text. The code stays loaded as long as anyone has it.
  // `title` is written before the text where it is kept for readers.
  Code get(const std::string &text, const std::string &name, const std::string &title = "");

  // The same by another thread, one text after another. What is in the cache is ready at once.
  std::shared_ptr<Pending> start(const std::string &text, const std::string &name, const std::string &title = "");

  // What others compiled, for whoever they name: plugins with compilers of their own. "" when there is nothing.
  std::string load_foreign(const std::string &maker, const std::string &key);
  void keep_foreign(const std::string &maker, const std::string &key, std::string_view data);

  const Machine &machine() const { return machine_; }
  const Compiler &compiler() const { return compiler_; }
  CodeStatistics statistics() const;
  // Lines for the user: the compiler, the vectors, the folders.
  std::string describe() const;

 private:
  struct Job {
    std::string text, name, title;
    CodeQuery query;
    std::promise<Code> result;
  };
  CodeQuery query_for(const std::string &text) const;
  // The future of a text, and the job to do for it if this is the first time.
  std::shared_future<Code> future_for(const std::string &text, const std::string &name, const std::string &title,
                                      std::unique_ptr<Job> &job);
  bool finish_from_cache(Job &job, bool again = false);
  void finish_by_compiling(Job &job, std::stop_token stop);
  Code compile(const Job &job, std::stop_token stop);
  void refuse(Job &job, const std::string &why);
  [[noreturn]] void refuse_compilation(const Job &job, const Compilation &result);
  void dump(const Job &job, const std::string &log);
  bool have_worker(); // starts it the first time
  void work(std::stop_token stop);

  const Log &log_;
  const std::string dump_;
  const double timeout_;
  const Machine machine_;
  const Compiler compiler_;
  CodeCache cache_;

  mutable std::mutex mutex_;                         // of what follows
  std::map<Digest, std::shared_future<Code>> known_; // by the text
  CodeStatistics statistics_;
  std::string given_up_; // why the compiler is not started any more
  bool dump_failed_ = false;
  std::deque<std::unique_ptr<Job>> queue_;
  std::condition_variable_any queue_changed_;
  std::jthread worker_; // last: it uses all the others
};

} // namespace op2::core::jit
