// Makes callable code from text, by the cache, the compiler and the loader.
#pragma once

#include <condition_variable>
#include <deque>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "host/code_library.hpp"
#include "jit/code/code_cache.hpp"
#include "jit/code/compiler.hpp"
#include "jit/code/machine.hpp"
#include "jit/text/tokens.hpp"

namespace op2::core::jit {

struct Code {
  std::shared_ptr<CodeLibrary> library;
  bool from_cache = false;
  double seconds = 0;     // to read the code, or to compile and load it
  std::string why;        // "compiled by /usr/bin/c++ in 0.08 s", "from the cache, /home/..."
  bool vectorised = true; // false: the compiler was to make vectors and did not
};

// Code that is being made. Any thread may call both functions, and get() more than once.
class Pending {
 public:
  explicit Pending(std::shared_future<Code> code) : code_(std::move(code)) {}
  bool ready() const { return code_.wait_for(std::chrono::seconds(0)) == std::future_status::ready; }
  Code get() const { return code_.get(); } // waits; throws Refusal as CodeStore::get() does

 private:
  std::shared_future<Code> code_;
};

// Text with this line has a loop over lanes that the compiler is to vectorise, in what #line calls the file lanes_file.
// If it does not, the text is refused with the sentence no_vectors, unless it has also the line without_vectors_too.
inline constexpr const char *compiler_vectors = "// vectors by the compiler", *lanes_file = "op2_in_lanes",
                            *without_vectors_too = "// or without", *no_vectors = "the compiler makes no vectors of it";

// Text with this line gains from vectors that the compiler makes of straight-line code. With compiler_vectors only
// where it makes none of the loop over lanes.
inline constexpr const char *straight_line = "// vectors of straight lines";

// For text with this line the compiler may compute both sides of a branch, if it thinks that faster: the program does
// not let floating-point exceptions trap.
inline constexpr const char *both_sides = "// both sides of branches";

// Text with this line is waited for, and replaced later on: the compiler is not to spend time on it.
inline constexpr const char *compiled_quickly = "// to be compiled quickly";

// Text that begins with this line is in Fortran.
inline constexpr const char *fortran_text = "! for a compiler of Fortran";

struct CodeStatistics {
  int compiled = 0; // texts
  int hits = 0;     // found in a cache
  int shared = 0;   // requested again in this process
  int refused = 0;
  double compile_seconds = 0, cache_seconds = 0;
};

// Thread-safe.
class CodeStore {
 public:
  // Throws OP_ERR_ARGUMENT for invalid settings (OP2_JIT_ISA, OP2_CXX), but not for a missing compiler: a cache
  // may have the code. timeout: seconds for one run of the compiler. Reads settings only here; the log must outlive the
  // store.
  CodeStore(const Settings &settings, const Log &log, double timeout = 120);
  ~CodeStore(); // ends a running compiler
  CodeStore(const CodeStore &) = delete;
  CodeStore &operator=(const CodeStore &) = delete;

  // Code of a text that includes only files of the compiler. name: of the loop, for messages. Throws Refusal with one
  // sentence, always the same one for the same text. Code::library keeps the code loaded. title: written before the
  // text where it is kept for readers.
  // form: what the file with the code is called besides.
  Code get(const std::string &text, const std::string &name, const std::string &title = "",
           const std::string &form = "");

  // The same in background threads. Code in the cache is ready at once. when_idle: other programs come before the
  // compiler.
  std::shared_ptr<Pending> start(const std::string &text, const std::string &name, const std::string &title = "",
                                 bool when_idle = false, const std::string &form = "");
  bool idle() const; // nothing is compiled in the background
  // For the thread that asks for code. It takes no lock: in a child of fork() that would be held for ever.
  bool has_threads() const noexcept { return !workers_.empty(); }
  // As long as it lives, nothing new begins in the background: the program waits for a compiler, and another one beside
  // it would slow it down.
  class Hold {
   public:
    explicit Hold(CodeStore &store);
    ~Hold();
    Hold(const Hold &) = delete;
    Hold &operator=(const Hold &) = delete;

   private:
    CodeStore &store_;
  };

  // The label of a text's code, and that code if it is loaded or in the cache; NULL if not. name, form: as in get().
  CodeLabel label_of(const std::string &text) const { return query_for(text).label; }
  std::shared_ptr<Pending> at_hand(const CodeLabel &label, const std::string &name, const std::string &form);
  bool has_folder() const { return !folder().empty(); }
  const std::string &folder() const { return cache_.folder(); } // that keeps code for later runs; "" = none
  bool may_have(const Compiler &compiler) const { return compiler.found() || cache_.has_shipped(); } // code of it
  bool dumps() const { return !dump_.empty(); }

  // Stores code of plugins with their own compilers. load_blob() returns "" if there is none.
  std::string load_blob(const std::string &maker, const std::string &key);
  void store_blob(const std::string &maker, const std::string &key, std::string_view data);

  const Machine &machine() const { return machine_; }
  const Compiler &compiler() const { return compiler_; }
  const Compiler &fortran_compiler() const { return fortran_; }
  CodeStatistics statistics() const;
  // Lines for the user: the compiler, the vectors, the folders.
  std::string describe() const;

 private:
  struct Job {
    std::string text, name, title;
    CodeQuery query;
    std::promise<Code> result;
    bool when_idle = false;
    std::string form;
  };
  std::shared_ptr<CodeLibrary> open(const Job &job, std::string_view code);
  CodeQuery query_for(const std::string &text) const;
  const Compiler &compiler_of(const std::string &text) const;
  // The future of a text; at the first request also the job that fulfils it.
  std::shared_future<Code> future_for(const std::string &text, const std::string &name, const std::string &title,
                                      std::unique_ptr<Job> &job);
  bool finish_from_cache(Job &job, bool again = false);
  void finish_by_compiling(Job &job, std::stop_token stop);
  Code compile(const Job &job, std::stop_token stop);
  std::vector<std::string> flags_for(const std::string &text, bool straight, const std::string &folder) const;
  void refuse(Job &job, const std::string &why);
  void tell_who_waits(double seconds);
  [[noreturn]] void refuse_compilation(const Job &job, const Compilation &result);
  void dump(const Job &job, const std::string &log);
  bool have_worker(); // starts one where all are at work; false if there is none
  void work(std::stop_token stop);

  const Log &log_;
  const std::string dump_;
  const double timeout_;
  const Machine machine_;
  const Compiler compiler_, fortran_;
  CodeCache cache_;

  mutable std::mutex mutex_;                         // protects the members below
  std::map<Digest, std::shared_future<Code>> known_; // by digest of the text
  CodeStatistics statistics_;
  std::map<const Compiler *, std::string> given_up_; // why a compiler is no longer started
  bool dump_failed_ = false;
  int holds_ = 0;
  double waited_ = 0; // seconds of the program for the compiler
  std::deque<std::unique_ptr<Job>> queue_;
  std::size_t working_ = 0; // threads that are at work on a job of the queue
  std::condition_variable_any queue_changed_;
  std::vector<std::jthread> workers_; // last member: they use the others
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
