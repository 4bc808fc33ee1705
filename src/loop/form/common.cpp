#include "loop/form/common.hpp"

#include "loop/form/arity_call.hpp"

namespace op2::core {

op_range_fn LoopCommon::own_range() const {
  const op_loop_site &site = what.site;
  const bool counts = described.looks_up_numbers() && !(site.flags & OP_SITE_INDEX_BY_KIND);
  return site.range && !(counts && site.element) ? site.range : nullptr;
}

op_range_fn LoopCommon::known_range() const { return own_range() ? own_range() : element_range; }

} // namespace op2::core

// SPDX-License-Identifier: MIT
