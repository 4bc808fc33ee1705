// loop.hpp: OP2's op_par_loop for C++17: the one of op2.hpp, with kernels whose names are overloaded.
#ifndef OP2_COMPAT_CPP_LOOP_HPP
#define OP2_COMPAT_CPP_LOOP_HPP

#include "op2/compat/cpp/kernel_types.hpp"

namespace op2::compat {

// Which of the functions below is tried first.
struct second_choice {};
struct first_choice : second_choice {};

// The kernel is known by its name in the program.
template <class Closure, class Kernel, class... A>
op_status par_loop(first_choice, const Closure &closure, const Kernel &kernel, const char *text, const char *file,
                   int line, const char *name, op_set set, const A &...args) {
  return detail::par_loop(closure, kernel, text, file, line, name, set, args...);
}

// One of several functions of that name: the one with as many parameters as there are arguments. Pointer: its type,
// which the range function needs to call the right one.
template <class Closure, class... P, class... A>
op_status par_loop_of(const Closure &closure, void (*kernel)(P...), const char *text, const char *file, int line,
                      const char *name, op_set set, const A &...args) {
  using parameters = detail::types<P...>;
  using this_loop = detail::loop<parameters, detail::arg_facts_t<A>...>;
  static_assert(this_loop::arguments());
  op_range_fn range = nullptr;
  if constexpr (std::is_empty_v<Closure>) {
    detail::stateless<Closure>::remember(closure);
    range = &detail::range_function<detail::named_kernel<Closure>, parameters, detail::arg_facts_t<A>...>::run;
  }
  static op_loop_site site = {sizeof(op_loop_site),
                              reinterpret_cast<op_kernel_fn>(kernel),
                              range,
                              text,
                              file,
                              line,
                              OP_SITE_INDEX_BY_KIND,
                              nullptr,
                              0,
                              nullptr};
  return this_loop::run(site, name, set, args...);
}
#define OP2_OVERLOADED_KERNEL(N)                                                                                \
  template <class Closure, OP2_TYPES_##N, class... A, std::enable_if_t<sizeof...(A) == N, int> = 0>             \
  op_status par_loop(second_choice, const Closure &closure, void (*kernel)(OP2_POINTERS_##N), const char *text, \
                     const char *file, int line, const char *name, op_set set, const A &...args) {              \
    return par_loop_of(closure, kernel, text, file, line, name, set, args...);                                  \
  }
OP2_FOR_KERNEL_TYPES(OP2_OVERLOADED_KERNEL)
#undef OP2_OVERLOADED_KERNEL

} // namespace op2::compat

#undef op_par_loop
#define op_par_loop(kernel, name, set, ...)                                                                         \
  (::op2::compat::par_loop(                                                                                         \
      ::op2::compat::first_choice(), [&](int op_n, auto &...op_row) OP2_INLINE_ALL { kernel(op_row.at(op_n)...); }, \
      kernel, #kernel, __FILE__, __LINE__, name, set, __VA_ARGS__))

#endif
