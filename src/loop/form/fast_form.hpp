// Chooses the form of a loop's kernel: generated code if there is any and it passed its trial, else the code compiled
// with the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "host/cache_size.hpp"
#include "jit/specialiser.hpp"
#include "loop/trial/trial.hpp"
#include "loop/reduce/reduce.hpp"
#include "loop/signature/signature.hpp"

namespace op2::core {

struct FastFormRequest {
  Mesh *mesh;
  const LoopSignature *what;
  op_range_fn known;                        // of the program, or the core's over the kernel pointer
  std::span<const op_range_arg> range_args; // without bases
  std::span<const op_arg> call_args;
  const Reduction *reduction;
  double bytes; // moved by one call
  int last;     // elements before this one run
  int own_vectors = 0; // LoopOptions
  Caches caches{};
  bool last_bits_free = false; // last bits may depend on the form: no other process and no setting asks for the same ones
};

// A request for the code of a loop; `request` refers to `constants`.
struct WantedCode {
  jit::SpecialiseRequest request{};
  std::vector<jit::ConstantValue> constants;
};
WantedCode wanted_code(const FastFormRequest &request);

// The same with what its maps look like, on which code for the host depends. layouts: receives those of the dats, one
// for each argument, if the loop can do with them; NULL = rows are to be contiguous.
WantedCode wanted_host_code(const FastFormRequest &request, std::vector<op_range_layout> *layouts);

// "soa" if one of them is SoA, else "aos".
const char *layout_name(const std::vector<op_range_layout> &layouts);

// Compares two forms of a loop on copies of some of its elements. known: over contiguous rows, or in the layouts.
TrialResult try_form(const FastFormRequest &request, op_range_fn known, op_range_fn made,
                     std::span<const op_range_layout> layouts, std::span<const int> elements = {});
// The same of the program's own forms.
TrialResult try_own_form(const FastFormRequest &request, op_range_fn made, std::span<const int> elements = {});

// What the choice of a form depends on, besides machine and text. threads: that share the loop.
std::string form_key(const FastFormRequest &request, int threads);

// The generated code of a loop: its request, compilation and trial.
class FastForm {
 public:
  // threads: that share the loop. may_change: code may be replaced by other code on the way (replace()).
  void prepare(jit::Specialiser &specialiser, const FastFormRequest &request, int threads, bool may_change);
  // Most loops of a short run are not worth a compiler: a loop begins with the program's own code, and prepare()
  // follows after so many runs, whether or not the code is at hand. Results tell when the code came, so nothing but the
  // set's size decides.
  bool begin_young(const jit::Specialiser &specialiser, const FastFormRequest &request);
  bool young() const { return young_; }
  bool grown() const { return young_ && runs_left_ < 0; }
  bool grows() { return young_ && --runs_left_ < 0; } // before each run
  void give_up(const std::string &why);

  op_range_fn range() const { return loaded_.range; } // NULL = the program's own
  const std::string &form() const { return loaded_.form; }
  // The layouts that the code expects, one per argument; empty: all rows are contiguous.
  const std::vector<op_range_layout> &layouts() const { return layouts_; }
  const std::string &why() const { return loaded_.why; }
  const std::string &how() const { return loaded_.how; }
  // Scalar code runs until the vectors of draft() are compiled.
  bool provisional() const { return active_draft_.pending != nullptr; }
  // For the choice among forms: the draft of the code in use, and that code. chosen(): it was chosen before.
  const jit::Draft &draft() const { return active_draft_; }
  const jit::Specialised &made() const { return loaded_; }
  bool chosen() const { return chosen_; }
  // Of the vectors that were first proposed, whose number shapes sums in all forms; 0: scalar code.
  int lanes() const { return lanes_; }
  jit::Specialiser *specialiser() const { return specialiser_; }
  void arrive(const jit::Specialised &vectors); // in place of provisional code
  void replace(const jit::Specialised &other);  // by another form, which ends the choice
  bool warns() const { return loaded_.warns; }
  const std::string &differs() const { return differs_; } // from the program's own code; "" = it does not
  // Whether the program's own code had other last bits in the trial.
  bool rounds_otherwise() const { return rounds_otherwise_; }

 private:
  jit::Draft draft(const FastFormRequest &request, bool in_layouts);
  void choose(jit::Draft &draft, const FastFormRequest &request, const jit::SpecialiseRequest &wanted);
  void take_own(const FastFormRequest &request, const std::string &name);
  bool begin_with_own(const FastFormRequest &request);
  bool begin_quickly(const FastFormRequest &request);
  void adopt(const FastFormRequest &request);
  void finish(const FastFormRequest &request);

  jit::Specialiser *specialiser_ = nullptr;
  int threads_ = 1, lanes_ = 0;
  std::vector<op_range_layout> layouts_, pending_layouts_; // of the code in use, of the draft
  jit::Draft pending_draft_, active_draft_;                // to be compiled, of the code in use
  jit::Specialised loaded_, own_;                          // own_: the program's own form, if it is to be taken
  bool chosen_ = false; // by the setting, or by time in an earlier run
  bool young_ = false, rounds_otherwise_ = false;
  int runs_left_ = 0; // while it is young
  std::string differs_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
