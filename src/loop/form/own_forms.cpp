#include "loop/form/own_forms.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr int longest_row = 16; // of which functions in lanes are made (op2/cpp/lane_row.hpp)

// Bytes of the vectors of an instruction set that the processor has; -1 for others.
int vector_bytes_of([[maybe_unused]] std::string_view isa) {
  if (isa == "scalar" || isa == range_form) return 0;
#if defined(__x86_64__)
  if (isa == "avx2" && __builtin_cpu_supports("avx2")) return 32;
#elif defined(__aarch64__)
  if (isa == "neon") return 16;
#endif
  return -1;
}

// Whether numbers with a fraction are added up over all elements.
bool sums_up(const LoopSignature &what) {
  return std::ranges::any_of(what.args, [](const LoopArg &arg) {
    const bool real = arg.element.id == OP_TYPE_DOUBLE || arg.element.id == OP_TYPE_FLOAT;
    return real && arg.access == OP_INC && arg.reduces();
  });
}

std::string name_of(const op_range_lanes &one) {
  if (one.lanes > 1) return text("own vector x", one.lanes, ", ", one.isa);
  return std::string(one.isa == range_form ? range_form : "own scalar");
}

} // namespace

std::vector<jit::Specialised> own_forms(const FastFormRequest &request, int vector_bytes) {
  const LoopSignature &what = *request.what;
  std::vector<jit::Specialised> out;
  const bool payload = std::ranges::any_of(what.args, [](const LoopArg &arg) { return arg.payload_of >= 0; });
  if (!what.site.lanes || request.known != what.site.range || payload) return out;
  for (const op_range_lanes *one = what.site.lanes; one->range; ++one) {
    const int bytes = vector_bytes_of(one->isa);
    if (bytes < 0 || bytes > vector_bytes) continue;
    jit::Specialised &form = out.emplace_back();
    form.range = one->range;
    form.form = name_of(*one);
  }
  for (const jit::Specialised &form : out)
    if (form.range != request.known && copies_may_tell(what) && !try_own_form(request, form.range).difference.empty())
      return {};
  return out;
}

bool copies_may_tell(const LoopSignature &what) {
  for (std::size_t i = 0; i < what.args.size(); ++i) {
    const LoopArg &arg = what.args[i];
    if (arg.through_map() || arg.reduces()) return true;
    for (std::size_t j = 0; j < i; ++j)
      if (arg.dat && what.args[j].dat == arg.dat) return true;
  }
  return false;
}

bool fuses(const op_loop_site &site) {
  const op_range_lanes *one = site.lanes;
  while (one && one->range && std::string_view(one->isa) != range_form) ++one;
  return one && one->range;
}

bool may_round(const FastFormRequest &request) {
  const LoopSignature &what = *request.what;
  if (!request.last_bits_free) return false;
  const auto is_long = [](const LoopArg &arg) { return arg.dat && arg.dim > longest_row; };
  if (std::ranges::any_of(what.args, is_long)) return true;
  return fuses(what.site) && !sums_up(what);
}

std::vector<jit::Specialised> rivals(const FastFormRequest &request, int lanes) {
  const LoopSignature &what = *request.what;
  if (request.known != what.site.range || request.reduction->by_rows()) return {};
  std::vector<jit::Specialised> out;
  if (sums_alike(what, lanes)) out = own_forms(request, request.own_vectors);
  std::erase_if(out, [](const jit::Specialised &form) { return form.form == range_form; });
  const bool replaced =
      std::ranges::any_of(out, [](const jit::Specialised &form) { return form.form == "own scalar"; });
  if (request.last_bits_free && !replaced && (!sums_up(what) || may_round(request))) {
    jit::Specialised &range = out.emplace_back();
    range.range = request.known;
    range.form = range_form;
  }
  return out;
}

bool adds_to_rows(const LoopSignature &what) {
  return std::ranges::any_of(what.args, [](const LoopArg &arg) { return arg.access == OP_INC && arg.through_map(); });
}

bool sums_alike(const LoopSignature &what, int lanes) {
  if (!sums_up(what)) return true;
  if (adds_to_rows(what)) return true;
  int own = 1;
  for (const op_range_lanes *one = what.site.lanes; one && one->range; ++one) own = std::max(own, one->lanes);
  return own == lanes;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
