// chain.hpp: loops that run together.
#ifndef OP2_CPP_CHAIN_HPP
#define OP2_CPP_CHAIN_HPP

#include <utility>

#include "op2/chain.h"
#include "op2/cpp/context.hpp"
#include "op2/cpp/error.hpp"

namespace op2 {

// A chain of loops that is open while the object lives, see op_chain_begin(). Neither copied nor moved; collective.
//
//   {
//     op2::chain step("step");
//     op_par_loop(...);
//     op_par_loop(...);
//   } // here at the latest both have run
class chain {
 public:
  // name: for messages. Errors: as op_chain_begin().
  explicit chain(const char *name) { check(op_chain_begin(name)); }
  chain(const chain &) = delete;
  chain &operator=(const chain &) = delete;
  // As end(), without exceptions: op_last_status() tells of a failure.
  ~chain() {
    if (open_ && contexts_ended_ == detail::contexts_ended && op_is_initialised() != 0) (void)op_chain_end();
  }

  // Closes the chain and runs its loops. Once. Errors: as op_chain_end().
  void end() {
    if (std::exchange(open_, false)) check(op_chain_end());
  }

 private:
  bool open_ = true;
  unsigned contexts_ended_ = detail::contexts_ended; // the chain ends with its context
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
