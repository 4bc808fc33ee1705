// Makes code for a loop from its call site: finds the kernel's text, generates code, compiles it or takes it from the
// cache, and loads it.
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
#include "jit/constant_places.hpp"
#include "jit/draft_memory.hpp"
#include "jit/fortran/parse/project.hpp"
#include "jit/loop/device_text.hpp"
#include "jit/loop/loop_code.hpp"
#include "jit/text/find_kernel.hpp"
#include "jit/unit/unit_text.hpp"

namespace op2::core::jit {

// Texts that the program gives for kernels, by address or name. Lives as long as the process; programs may add texts
// before op_init(). Thread-safe.
class GivenTexts {
 public:
  struct Kernel {
    op_kernel_fn address; // NULL = any kernel of that name
    std::string name, text;
  };
  void add_kernel(const Kernel &kernel); // replaces an earlier one of the same address and name
  std::optional<Kernel> kernel(op_kernel_fn address, const std::string &name) const;

 private:
  mutable std::mutex mutex_;
  std::vector<Kernel> kernels_;
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
  bool vectors;         // false: scalar code, e.g. because floating-point exceptions trap
  bool fortran = false; // `expression` is the symbol of a procedure in Fortran
};

struct Specialised {
  op_range_fn range = nullptr;          // NULL = no code
  std::string form;                     // "vector x8", "scalar"
  std::string why;                      // why there is no code, or why it is not a vector form
  bool warns = false;                   // `why` deserves a warning: the text was found but cannot be used
  std::string how;                      // the origin of the code
  std::shared_ptr<CodeLibrary> library; // keeps the code loaded
};

// The text of a loop's kernel for an executor that compiles kernels.
struct DeviceDraft {
  DeviceText text;
  std::vector<const void *> values; // of the constants it reads
  std::string why;                  // why there is no text; "" = there is
};

// "auto" for the values of OP2_JIT_FORM that leave the choice to measurements.
std::string pinned_form(const std::string &setting);

class Specialiser {
 public:
  Specialiser(const Settings &settings, const Log &log, const GivenTexts &given);
  bool verifies() const { return verifies_; } // OP2_JIT=verify
  // OP2_JIT=auto: loops begin with the program's own code, then with scalar code until vectors are compiled.
  bool quick_first() const { return quick_first_; }
  int least_elements() const { return least_elements_; }
  // The form that OP2_JIT_FORM names, "auto" = by time, and the seconds that a loop has taken before forms are
  // compared.
  const std::string &form() const { return form_; }
  double measure_after() const { return measure_after_; }
  int vector_bytes() const { return store_.machine().vector_bytes; } // 0 = scalar code

  // Finds the kernel's text and generates code. Reports a Refusal in `why`.
  Draft draft(const SpecialiseRequest &request);
  // The same of an earlier run of the program, without `source`; empty if there is none, or its code is not at hand.
  // form: "" = what draft() gives, or the other form of that name.
  std::optional<Draft> recall(const SpecialiseRequest &request, const std::string &form = "");
  // The key by which recall() finds the draft later on; "" where nothing is remembered.
  std::string key_to(const SpecialiseRequest &request, const std::string &form = "") const;
  DeviceDraft device(const SpecialiseRequest &request); // the text for a device
  // Other forms that give the same bits. Where one cannot be compiled, finish() gives scalar code.
  static std::vector<Draft> others(const Draft &draft);
  // The form that was the fastest in an earlier run, "" if none is known. key: all on which that depends besides
  // machine and text.
  std::string remembered(const Draft &draft, const std::string &key);
  void remember(const Draft &draft, const std::string &key, const std::string &form);
  // Scalar code with the same bits that is compiled in a fraction of the time; none where a form is set.
  std::optional<Draft> quick(const Draft &draft) const;
  // Begins to compile in the background.
  void start(Draft &draft, bool when_idle = false) {
    draft.pending = store_.start(draft.code.text, draft.loop, draft.code.title, when_idle, draft.code.form);
  }
  bool compiling() const { return !store_.idle(); }
  // Waits for the compiled code and loads it. Where vectors cannot be compiled: scalar code; where that cannot be
  // either: none, and the loop runs as compiled with the program.
  Specialised finish(const Draft &draft);
  CodeStore &store() { return store_; }

 private:
  KernelText find(const SpecialiseRequest &request);
  KernelText find_in_unit(KernelRequest wanted, const SpecialiseRequest &request);
  static KernelText find_in_given(KernelRequest wanted, const std::string &text);
  void in_fortran(Draft &draft, const SpecialiseRequest &request);
  bool reads_fortran(const SpecialiseRequest &request) const;
  std::string key_of(const SpecialiseRequest &request, const std::string &form) const;
  const ConstantValue *recall_constant(const std::string &place, const SpecialiseRequest &request) const;
  void find_constants(KernelText &kernel, const SpecialiseRequest &request);
  // The shape with the constants that the kernel reads; `values` receives their addresses.
  static LoopShape shape_with_constants(const KernelText &kernel, const SpecialiseRequest &request,
                                        std::vector<const void *> &values);
  bool remembers() const { return store_.has_folder() && !store_.dumps(); }
  void take_shipped(Draft &draft, const KernelText &kernel, LoopShape &shape, int vector_bytes);
  static std::optional<LoopCode> scalar_instead_of(const Draft &draft);
  fortran::Project &fortran_of(const SpecialiseRequest &request);
  Specialised load(const LoopCode &code, const Code &compiled, const Draft &draft) const;

  const GivenTexts &given_;
  bool told_of_text_ = false;
  bool quick_first_, verifies_;
  int least_elements_;
  std::string form_;
  double measure_after_;
  std::map<std::string, fortran::Project> fortran_; // the units in Fortran of programs and libraries
  struct Unit {
    UnitText text;
    Preprocessed tokens;
  };
  std::map<std::string, Unit> units_; // by digest
  ConstantPlaces constant_places_;
  CodeStore store_;
  DraftMemory memory_{store_};
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
