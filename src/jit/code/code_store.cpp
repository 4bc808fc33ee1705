#include "jit/code/code_store.hpp"

#include <algorithm>
#include <cctype>
#include <csignal>
#include <system_error>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "host/files.hpp"
#include "op2/version.h"

namespace op2::core::jit {

namespace {

constexpr std::size_t largest_code = 48u << 20; // of one loop; far more than any has

std::string library_version() { return text("op2 ", OP2_VERSION); }

// The name of a loop as part of a file's name.
std::string file_name(const std::string &name) {
  std::string out = name.substr(0, 60);
  for (char &sign : out)
    if (!std::isalnum(static_cast<unsigned char>(sign)) && sign != '_') sign = '_';
  return out.empty() ? "loop" : out;
}

bool contains(const std::string &source, std::string_view what) { return source.find(what) != std::string::npos; }
bool in_fortran(const std::string &source) { return source.starts_with(fortran_text); }
const char *ending_of(const std::string &source) { return in_fortran(source) ? ".f90" : ".cpp"; }
bool by_compiler(const std::string &source) { return contains(source, compiler_vectors); }

std::string dump_name(const std::string &name, const Digest &source) {
  return text(file_name(name), "_", hex(source, 12));
}

} // namespace

CodeStore::CodeStore(const Settings &settings, const Log &log, double timeout)
    : log_(log),
      dump_(settings.get("OP2_JIT_DUMP")),
      timeout_(timeout),
      machine_(find_machine(settings.get("OP2_JIT_ISA"), settings.get("OP2_JIT_MATH") == "vector")),
      compiler_(settings, timeout),
      fortran_(settings, timeout, Language::fortran),
      cache_(settings, log) {
  if (settings.get("OP2_JIT_MATH") == "vector" && machine_.vector_bytes > 0 && !machine_.vector_math)
    log_.write(OP_LOG_WARN,
               "OP2_JIT_MATH=vector: there is no library of vector functions here (glibc 2.35 has one on "
               "x86-64); functions of mathematics are called lane by lane");
}

CodeStore::~CodeStore() {
  for (std::jthread &worker : workers_) worker.request_stop();
  for (std::jthread &worker : workers_) worker.join();
  for (const std::unique_ptr<Job> &job : queue_) refuse(*job, "the library was shut down");
}

const Compiler &CodeStore::compiler_of(const std::string &source) const {
  return in_fortran(source) ? fortran_ : compiler_;
}

CodeQuery CodeStore::query_for(const std::string &source) const {
  CodeQuery query;
  const Digest digest = sha256(source); // once: texts are long
  const Compiler &compiler = compiler_of(source);
  const auto label_for = [&](const std::string &machine) {
    CodeLabel label{{}, digest, source.size(), compiler.identity(), machine, library_version()};
    Sha256 key;
    key.add_field("op2 code 2").add_field(label.library).add_field(machine).add_field(hex(digest));
    for (const std::string &flag : compiler.flags()) key.add_field(flag);
    label.key = key.digest();
    return label;
  };
  query.label = label_for(machine_.identity);
  for (const std::string &machine : machine_.others) query.instead.push_back(label_for(machine));
  return query;
}

namespace {

CodeLabel foreign_label(const std::string &maker, const std::string &key) {
  CodeLabel label{{}, sha256(key), key.size(), maker, "as the key says", library_version()};
  Sha256 all;
  all.add_field("op2 foreign code 1").add_field(label.library).add_field(maker).add_field(key);
  label.key = all.digest();
  return label;
}

} // namespace

std::string CodeStore::load_blob(const std::string &maker, const std::string &key) {
  const std::optional<FoundCode> found = cache_.find({foreign_label(maker, key), {}});
  return found ? std::string(found->code()) : "";
}

void CodeStore::store_blob(const std::string &maker, const std::string &key, std::string_view data) {
  cache_.store(foreign_label(maker, key), data);
}

std::shared_future<Code> CodeStore::future_for(const std::string &source, const std::string &name,
                                               const std::string &title, std::unique_ptr<Job> &job) {
  CodeQuery query = query_for(source);
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(query.label.source);
  if (known != known_.end()) {
    ++statistics_.shared;
    return known->second;
  }
  const Digest digest = query.label.source;
  job = std::make_unique<Job>(Job{source, name, title, std::move(query), {}, false, {}});
  return known_[digest] = job->result.get_future().share();
}

Code CodeStore::get(const std::string &source, const std::string &name, const std::string &title,
                    const std::string &form) {
  std::unique_ptr<Job> job;
  const std::shared_future<Code> code = future_for(source, name, title, job);
  if (job) job->form = form;
  if (job && !finish_from_cache(*job)) {
    const double begin = now();
    finish_by_compiling(*job, {});
    tell_who_waits(now() - begin);
  }
  return code.get();
}

CodeStore::Hold::Hold(CodeStore &store) : store_(store) {
  const std::lock_guard lock(store_.mutex_);
  ++store_.holds_;
}
CodeStore::Hold::~Hold() {
  const std::lock_guard lock(store_.mutex_);
  --store_.holds_;
  store_.queue_changed_.notify_all();
}

// Once, when it begins to be felt.
void CodeStore::tell_who_waits(double seconds) {
  constexpr double felt = 1;
  {
    const std::lock_guard lock(mutex_);
    const double before = std::exchange(waited_, waited_ + seconds);
    if (before >= felt || waited_ < felt) return;
  }
  log_.tell(text("loops are being compiled, which takes a moment when they run for the first time",
                 cache_.folder().empty() ? "" : "; later runs take them from ", cache_.folder()));
}

std::shared_ptr<Pending> CodeStore::start(const std::string &source, const std::string &name, const std::string &title,
                                          bool when_idle, const std::string &form) {
  std::unique_ptr<Job> job;
  const std::shared_future<Code> code = future_for(source, name, title, job);
  if (job) job->form = form;
  if (job && !finish_from_cache(*job)) {
    job->when_idle = when_idle;
    if (have_worker()) {
      const std::lock_guard lock(mutex_);
      queue_.push_back(std::move(job));
      queue_changed_.notify_one();
    } else {
      finish_by_compiling(*job, {});
    }
  }
  return std::make_shared<Pending>(code);
}

std::shared_ptr<Pending> CodeStore::at_hand(const CodeLabel &label, const std::string &name, const std::string &form) {
  std::unique_lock lock(mutex_);
  const auto known = known_.find(label.source);
  if (known == known_.end()) {
    lock.unlock();
    Job job{{}, name, {}, {label, {}}, {}, false, form};
    std::shared_future<Code> code = job.result.get_future().share();
    if (!finish_from_cache(job)) return nullptr;
    lock.lock();
    return std::make_shared<Pending>(known_.emplace(label.source, std::move(code)).first->second);
  }
  auto pending = std::make_shared<Pending>(known->second);
  lock.unlock();
  if (!pending->ready()) return nullptr;
  try {
    pending->get();
  } catch (const Refusal &) {
    return nullptr;
  }
  return pending;
}

bool CodeStore::idle() const {
  const std::lock_guard lock(mutex_);
  return queue_.empty() && working_ == 0;
}

bool CodeStore::have_worker() {
  const std::lock_guard lock(mutex_);
  // Half of the processors are left to the program.
  const std::size_t most = std::clamp(std::thread::hardware_concurrency() / 2, 1u, 4u);
  if (workers_.size() == most || workers_.size() > queue_.size() + working_) return true;
  // Signals of the program are for its own threads; a new thread starts with the mask of the one that makes it.
  sigset_t all, before;
  sigfillset(&all);
  for (const int own : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) sigdelset(&all, own);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  try {
    workers_.emplace_back([this](std::stop_token stop) { work(std::move(stop)); });
  } catch (const std::system_error &) { // no more threads: one can also wait
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return !workers_.empty();
}

void CodeStore::work(std::stop_token stop) {
  for (;;) {
    std::unique_ptr<Job> job;
    {
      std::unique_lock lock(mutex_);
      if (!queue_changed_.wait(lock, stop, [&] { return !queue_.empty() && holds_ == 0; })) return;
      if (stop.stop_requested()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
      ++working_;
    }
    finish_by_compiling(*job, stop);
    const std::lock_guard lock(mutex_);
    --working_;
  }
}

bool CodeStore::finish_from_cache(Job &job, bool again) {
  const double begin = now();
  try {
    const bool vectorised = !(by_compiler(job.text) && !load_blob(no_vectors, hex(job.query.label.key)).empty());
    if (!vectorised && !contains(job.text, without_vectors_too)) {
      refuse(job, no_vectors);
      return true;
    }
    const std::optional<FoundCode> found = again ? cache_.find_again(job.query) : cache_.find(job.query);
    if (!found) return false;
    Code code{nullptr, true, 0, text("from the cache, ", found->path)};
    code.library = open(job, found->code());
    code.seconds = now() - begin;
    code.vectorised = vectorised;
    dump(job, {});
    {
      const std::lock_guard lock(mutex_);
      ++statistics_.hits;
      statistics_.cache_seconds += code.seconds;
    }
    job.result.set_value(std::move(code));
    return true;
  } catch (const std::exception &error) { // whole, and yet the dynamic linker does not like it
    log_.write(OP_LOG_WARN, text("compiled code of loop '", job.name, "' cannot be opened: ", error.what()));
    return false;
  }
}

// The key is in the name, since the same loop may have code for several meshes.
std::shared_ptr<CodeLibrary> CodeStore::open(const Job &job, std::string_view code) {
  const std::string form = job.form.empty() ? "" : "-" + file_name(job.form);
  return std::make_shared<CodeLibrary>(code, text(file_name(job.name), form, "-", hex(job.query.label.key, 16)),
                                       cache_.folder_to_load());
}

// The processes of a job all want the same at the same time: one compiles, the others take it from the cache.
void CodeStore::finish_by_compiling(Job &job, std::stop_token stop) {
  try {
    CodeClaim claim;
    if (compiler_of(job.text).found()) {
      claim = cache_.claim(job.query.label, timeout_, stop);
      if (finish_from_cache(job, true)) return;
    }
    Code code = compile(job, std::move(stop));
    {
      const std::lock_guard lock(mutex_);
      ++statistics_.compiled;
      statistics_.compile_seconds += code.seconds;
    }
    job.result.set_value(std::move(code));
  } catch (const std::exception &error) {
    try {
      refuse(job, error.what());
    } catch (const std::bad_alloc &) { // in a thread, which nobody would catch
      job.result.set_exception(std::current_exception());
    }
  }
}

void CodeStore::refuse(Job &job, const std::string &why) {
  {
    const std::lock_guard lock(mutex_);
    ++statistics_.refused;
  }
  job.result.set_exception(std::make_exception_ptr(Refusal(why)));
}

// straight: although the flags for it take wider vectors away.
std::vector<std::string> CodeStore::flags_for(const std::string &text, bool straight, const std::string &folder) const {
  constexpr int avx512 = 64;
  std::vector<std::string> out = machine_.flags;
  const auto add = [&](const std::vector<std::string> &more) { out.insert(out.end(), more.begin(), more.end()); };
  if (contains(text, straight_line) && (straight || !by_compiler(text) || machine_.vector_bytes < avx512))
    add(machine_.straight_line_flags);
  if (by_compiler(text)) add(compiler_.vector_flags());
  if (contains(text, both_sides)) out.emplace_back("-fno-trapping-math");
  if (contains(text, compiled_quickly)) {
    out.emplace_back("-O1");
    if (contains(text, straight_line) && !machine_.straight_line_flags.empty()) out.emplace_back("-ftree-vectorize");
  }
  if (in_fortran(text)) add(fortran_.fortran_flags(folder));
  return out;
}

Code CodeStore::compile(const Job &job, std::stop_token stop) {
  const double begin = now();
  const Compiler &compiler = compiler_of(job.text);
  {
    const std::lock_guard lock(mutex_);
    if (const auto given_up = given_up_.find(&compiler); given_up != given_up_.end()) throw Refusal(given_up->second);
  }
  if (!compiler.found()) {
    dump(job, {});
    throw Refusal(cache_.has_shipped() ? text(compiler.missing(),
                                              ", and the folders of OP2_JIT_CACHE have no code for this loop on this "
                                              "processor (OP2_JIT_ISA=",
                                              machine_.isa, ")")
                                       : compiler.missing());
  }
  const std::string name = file_name(job.name);
  const TemporaryFolder folder("op2-jit-");
  const std::string source = text(folder.path(), "/", name, ending_of(job.text)),
                    output = text(folder.path(), "/", name, ".so");
  const std::string problem = write_file(source, job.text);
  if (!problem.empty()) throw Refusal(problem);
  const std::vector<std::string> flags = flags_for(job.text, false, folder.path());
  CompilerRun run{source,        output,        flags,
                  folder.path(), job.when_idle, !contains(job.text, "\n#include <") && !in_fortran(job.text)};
  Compilation result = compiler.compile(run, stop);
  const auto look = [&] {
    dump(job, result.log);
    if (!result.done) refuse_compilation(job, result);
  };
  look();
  const bool vectorised = !by_compiler(job.text) || says_vectorised(result.log, lanes_file);
  if (!vectorised) {
    store_blob(no_vectors, hex(job.query.label.key), "none");
    if (!contains(job.text, without_vectors_too)) throw Refusal(no_vectors);
    run.flags = flags_for(job.text, true, folder.path());
    if (run.flags != flags) {
      result = compiler.compile(run, std::move(stop));
      look();
    }
  }
  const std::optional<std::string> bytes = read_file(output, largest_code);
  if (!bytes) throw Refusal(text("what ", compiler.path(), " made of loop '", job.name, "' cannot be read"));

  Code code;
  code.vectorised = vectorised;
  try {
    code.library = open(job, *bytes);
  } catch (const std::exception &error) {
    throw Refusal(text("what ", compiler.path(), " made of loop '", job.name, "' cannot be opened: ", error.what()));
  }
  cache_.store(job.query.label, *bytes); // after it was opened: what is no code is not kept
  code.seconds = now() - begin;
  code.why = text("compiled by ", compiler.path(), " in ", fixed(code.seconds, 2), " s");
  return code;
}

void CodeStore::refuse_compilation(const Job &job, const Compilation &result) {
  std::string why = text("the compiler ", compiler_of(job.text).path(), " ", result.what_happened);
  if (result.end == ProcessEnd::stopped) throw Refusal("the library was shut down");
  if (result.end == ProcessEnd::timed_out || result.end == ProcessEnd::not_started) {
    const std::lock_guard lock(mutex_); // the next loop would only wait as long again
    why += text("; it is not used any more (", in_fortran(job.text) ? "OP2_FC" : "OP2_CXX", " names another one)");
    given_up_[&compiler_of(job.text)] = why;
    throw Refusal(why);
  }
  const std::string file = dump_name(job.name, job.query.label.source);
  std::string kept = dump_.empty() ? cache_.keep(file + ending_of(job.text), job.title + job.text)
                                   : text(dump_, "/", file, ending_of(job.text));
  if (dump_.empty() && !kept.empty()) cache_.keep(file + ".log", result.log);
  kept = kept.empty() ? "OP2_JIT_DUMP=folder keeps the source" : text("the source is kept in ", kept);
  throw Refusal(text(why, " on the code of loop '", job.name, "'",
                     result.first_error.empty() ? "" : text(": ", result.first_error), " (", kept, ")"));
}

void CodeStore::dump(const Job &job, const std::string &log) {
  if (dump_.empty()) return;
  const std::string start = text(dump_, "/", dump_name(job.name, job.query.label.source));
  std::string problem = make_folders(dump_, 0777); // as the user's own mkdir would
  if (problem.empty()) problem = write_file(start + ending_of(job.text), job.title + job.text, 0666);
  if (problem.empty() && !log.empty()) problem = write_file(start + ".log", log, 0666);
  const std::lock_guard lock(mutex_);
  if (!problem.empty() && !std::exchange(dump_failed_, true))
    log_.write(OP_LOG_WARN, text("sources cannot be kept (OP2_JIT_DUMP): ", problem));
}

std::string CodeStore::describe() const {
  std::string out = text("  compiler: ", compiler_.found() ? compiler_.path() : compiler_.missing());
  if (fortran_.found()) out += text("\n  compiler for Fortran: ", fortran_.path());
  const std::string bits = machine_.vector_bytes ? text(8 * machine_.vector_bytes, " bits") : "none";
  out += text("\n  vectors: ", bits, " (OP2_JIT_ISA=", machine_.isa, ")",
              machine_.vector_math ? ", with functions of mathematics for vectors (OP2_JIT_MATH)" : "", "\n");
  return out + cache_.describe();
}

CodeStatistics CodeStore::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
