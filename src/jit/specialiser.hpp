// From a place in the program that calls op_par_loop to code made for that loop: finds the kernel's text, generates,
// compiles or takes from the cache, loads.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "jit/code/code_store.hpp"
#include "jit/loop/device_text.hpp"
#include "jit/loop/loop_code.hpp"
#include "jit/text/find_kernel.hpp"

namespace op2::core::jit {

// Texts that the program gives instead of files: whole files under the name __FILE__ has, and kernels by their address
// or name. Lives as long as the process; may be filled before there is a context.
class GivenTexts {
 public:
  struct Kernel {
    op_kernel_fn address; // NULL = any kernel of that name
    std::string name, file, text;
  };
  void add_file(const std::string &path, const std::string &text);
  void add_kernel(const Kernel &kernel); // replaces an earlier one of the same address and name
  std::optional<Kernel> kernel(op_kernel_fn address, const std::string &name) const;
  void embed_into(SourceFiles &files) const;
  std::size_t revision() const;

 private:
  mutable std::mutex mutex_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::vector<Kernel> kernels_;
  std::size_t revision_ = 0;
};

struct ConstantValue {
  ConstantShape shape;
  const void *value; // stays where it is
};

struct SpecialiseRequest {
  std::string loop; // for messages and dumps
  op_kernel_fn element;
  op_range_fn range;
  const char *expression, *file; // of the site; may be NULL
  int line;
  const char *text; // may be NULL
  LoopShape shape;  // without constants
  std::span<const ConstantValue> constants;
  bool vectors; // false: scalar code, e.g. because floating-point exceptions trap
};

// The text of a loop's code, before it is compiled.
struct Draft {
  std::string loop;
  LoopCode code;
  std::vector<LoopCode> otherwise;  // what to try when there is no code of that text, the best first
  std::vector<const void *> values; // of the constants it reads
  std::shared_ptr<Pending> pending; // NULL = nobody has begun to compile it
  std::string why;                  // why there is no code; "" = there is
};

struct Specialised {
  op_range_fn range = nullptr;          // NULL = there is none
  std::string form;                     // "vector x8", "scalar"
  std::string why;                      // why there is none, or why it is not a vector form
  bool surprising = false;              // `why` is worth a warning: text was found and yet cannot be used
  std::string how;                      // where the code came from
  std::shared_ptr<CodeLibrary> library; // keeps the code
};

// The text of a loop's kernel for an executor that compiles itself.
struct DeviceDraft {
  DeviceText text;
  std::vector<const void *> values; // of the constants it reads
  std::string why;                  // why there is none; "" = there is
};

class Specialiser {
 public:
  Specialiser(const Settings &settings, const Log &log, const GivenTexts &given);
  bool in_background() const { return background_; }
  int least_elements() const { return least_elements_; }
  int vector_bytes() const { return store_.machine().vector_bytes; } // 0 = scalar code

  // Finds the kernel's text and generates code. Never throws a Refusal: it becomes `why`.
  Draft draft(const SpecialiseRequest &request);
  DeviceDraft device(const SpecialiseRequest &request); // the same for a device
  // Begins to compile in the background.
  void start(Draft &draft) { draft.pending = store_.start(draft.code.text, draft.loop, draft.code.title); }
  // Compiled and loaded code; waits for it.
  Specialised finish(const Draft &draft);
  CodeStore &store() { return store_; }

 private:
  KernelText find(const SpecialiseRequest &request);
  // The shape with the constants that the kernel reads, whose values come to `values`.
  static LoopShape shape_with_constants(const KernelText &kernel, const SpecialiseRequest &request,
                                        std::vector<const void *> &values);
  std::vector<LoopCode> alternatives(const KernelText &kernel, const LoopShape &shape, const LoopCode &code) const;
  SourceFiles &files_of(const SpecialiseRequest &request);
  Specialised load(const LoopCode &code, const Code &compiled, const Draft &draft) const;

  const GivenTexts &given_;
  std::size_t given_revision_ = 0;
  bool background_;
  int least_elements_;
  std::map<std::string, SourceFiles> files_; // by the program or library that the kernel is in
  CodeStore store_;
};

} // namespace op2::core::jit
