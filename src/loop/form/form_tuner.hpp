// Chooses the form of a loop's generated code by time. All forms give the same bits; which is the fastest depends on
// mesh and machine. When a loop has taken enough time, its other forms are compiled beside the running program; then
// its calls try all forms in turn (choice/way_times.hpp), and those of the program's own compiler (own_forms.hpp),
// which have taken turns with the first form before. The choice is kept for later runs of the program. Without
// generated code the program's own forms are tried at once.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/choice/way_times.hpp"
#include "loop/form/fast_form.hpp"

namespace op2::core {

class FormTuner {
 public:
  // For the loop of that code; NULL if it has no other forms, or one of them has been chosen and is there. threads: of
  // the executor.
  static std::unique_ptr<FormTuner> of(const FastForm &code, const FastFormRequest &request, int threads);
  FormTuner(const FastForm &code, std::string key); // for of()
  // Of the program's own forms, at least one.
  explicit FormTuner(std::vector<jit::Specialised> own);

  // Before a run: the form that it and later runs use; NULL = as before.
  const jit::Specialised *before(const FastFormRequest &request);
  // Whether the time of the run's elements is wanted; then after() must follow.
  bool timing() const { return timing_; }
  void after(double seconds);
  bool waits() const { return stage_ == Stage::waiting; } // until it has seen enough of the loop's time
  bool done() const { return stage_ == Stage::done; }
  // Whether the last before() put the vectors in the place of provisional code, or found that there are none.
  bool arrived() const { return arrived_; }
  const jit::Specialised &first() const { return forms_.front(); }
  // Afterwards: the form that was chosen, and the times of all, "" if nothing was measured.
  const jit::Specialised &chosen() const { return forms_[chosen_]; }
  const std::string &figures() const { return figures_; }

 private:
  enum class Stage { arriving, waiting, due, compiling, measuring, done };
  bool arrive(const FastFormRequest &request);
  bool gives_the_bits(const FastFormRequest &request, const jit::Specialised &made) const;
  void start(const FastFormRequest &request);
  void adopt(const FastFormRequest &request);
  void add_own(const FastFormRequest &request);
  void adopt_own(const FastFormRequest &request);
  void compare();
  void finish();
  std::size_t unless_it_saves() const;

  jit::Specialiser *specialiser_; // NULL: the program's own forms only
  jit::Draft draft_;              // of the first form
  int lanes_ = 0;                 // of generated code
  std::string key_;
  std::vector<jit::Draft> others_;
  std::vector<jit::Specialised> forms_;      // the first one, then those that passed their trial
  bool alone_ = false;                       // it has no other generated form
  bool own_first_ = false;                   // the program's own code takes turns with it before others are compiled
  bool own_added_ = false, settled_ = false; // settled_: the next run takes the form that was the fastest so far
  Stage stage_;
  bool chosen_before_, arrived_ = false, timing_ = false;
  long calls_ = 0, looked_ = 0, next_look_; // runs so far; at the last look; at the next one
  double spent_ = 0;                        // seconds, estimated from a few runs
  std::unique_ptr<WayTimes> times_;
  std::size_t chosen_ = 0, used_ = 0;
  std::string figures_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
