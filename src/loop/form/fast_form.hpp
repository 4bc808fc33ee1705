// Chooses the form of a loop's kernel: generated code if there is any and it passed its trial, else the code compiled
// with the program.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "jit/specialiser.hpp"
#include "loop/reduce/reduce.hpp"
#include "loop/signature.hpp"

namespace op2::core {

struct FastFormRequest {
  Mesh *mesh;
  const LoopSignature *what;
  op_range_fn known;                        // of the program, or the core's over the kernel pointer
  std::span<const op_range_arg> range_args; // without bases
  std::span<const op_arg> call_args;
  const Reduction *reduction;
  double bytes; // moved by one call
};

// A request for the code of a loop; `request` refers to `constants`.
struct WantedCode {
  jit::SpecialiseRequest request{};
  std::vector<jit::ConstantValue> constants;
};
WantedCode wanted_code(const FastFormRequest &request);

// The first layout that is not AoS: "soa" or "aosoa"; "aos" if there is none.
const char *layout_name(const std::vector<op_range_layout> &layouts);

// The generated code of a loop: its request, compilation and trial.
class FastForm {
 public:
  void prepare(jit::Specialiser &specialiser, const FastFormRequest &request);
  // waiting(): code is compiled in the background. arrived(): that has ended, and the caller may call adopt().
  bool waiting() const { return draft_.pending != nullptr; }
  bool arrived() const { return draft_.pending && draft_.pending->ready(); }
  void adopt(const FastFormRequest &request);
  void give_up(const std::string &why);

  op_range_fn range() const { return made_.range; } // NULL = the program's own
  const std::string &form() const { return made_.form; }
  // The layouts that the code expects, one per argument; empty: all rows are contiguous.
  const std::vector<op_range_layout> &layouts() const { return layouts_; }
  const std::string &why() const { return made_.why; }
  const std::string &how() const { return made_.how; }
  bool surprising() const { return made_.surprising; }

 private:
  jit::Draft draft(const FastFormRequest &request, bool in_layouts);
  void finish(const FastFormRequest &request);

  jit::Specialiser *specialiser_ = nullptr;
  std::vector<op_range_layout> layouts_, drafted_; // of the code in use, of the draft
  jit::Draft draft_;
  jit::Specialised made_;
};

} // namespace op2::core
