// context.hpp: start and end of the library as the lifetime of an object.
#ifndef OP2_CPP_CONTEXT_HPP
#define OP2_CPP_CONTEXT_HPP

#include <utility>

#include "op2/cpp/error.hpp"
#include "op2/init.h"

namespace op2 {

namespace detail {

// Number of contexts that have ended; owners of handles detect by it that their handles are invalid.
inline unsigned contexts_ended = 0;

} // namespace detail

// The constructor calls op_init(), the destructor op_exit(). The program makes a context before all other objects, and
// destroys it after all sets, maps and dats. Collective.
// Errors (see error.hpp): OP_ERR_STATE, OP_ERR_BACKEND, OP_ERR_PLUGIN.
class context {
 public:
  // Settings come from the environment only.
  context() : context(0, nullptr) {}

  // The program's arguments may contain settings, too. Borrowed for the call, not changed. diags: as for op_init().
  explicit context(int argc, char **argv, int diags = 1) { check(op_init(argc, argv, diags)); }

  // An explicit back end ("openmp", "mpi+cuda"; NULL = OP2_BACKEND) and number of threads (0 = the default).
  explicit context(const char *backend, int threads = 0) {
    op_init_params params = OP_INIT_PARAMS;
    params.diags = 1;
    params.backend = backend;
    params.threads = threads;
    check(op_init_with(&params));
  }

  // Move only: the library ends with the context that was moved to.
  context(context &&other) noexcept : live_(std::exchange(other.live_, false)) {}
  context &operator=(context &&other) noexcept {
    if (this != &other) {
      end();
      live_ = std::exchange(other.live_, false);
    }
    return *this;
  }
  context(const context &) = delete;
  context &operator=(const context &) = delete;
  ~context() { end(); }

  // The back end in use, e.g. "self+openmp"; owned by the library.
  [[nodiscard]] const char *backend() const { return op_backend(); }

 private:
  void end() noexcept {
    if (!std::exchange(live_, false)) return;
    ++detail::contexts_ended;
    (void)op_exit();
  }

  bool live_ = true;
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
