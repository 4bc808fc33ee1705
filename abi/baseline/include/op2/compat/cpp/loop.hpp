// loop.hpp: OP2's op_par_loop for C++17: the one of op2.hpp, with kernels whose names are overloaded.
#ifndef OP2_COMPAT_CPP_LOOP_HPP
#define OP2_COMPAT_CPP_LOOP_HPP

#include <memory>
#include <string>

#include "op2/compat/cpp/kernel_types.hpp"

namespace op2::compat {

// The kernel out of the first two arguments of the macro below, which are one where a comma stands between < and >:
// op_par_loop(flux<double, 2>, "flux", ...). P: the types of the rows, which choose among functions of one name.
template <class... P>
struct kernel_of {
  OP2_INLINE static constexpr auto take(void (*kernel)(P...), const char *) { return kernel; }
  OP2_INLINE static constexpr auto take(void (*kernel)(P...)) { return kernel; }
  template <class Kernel>
  OP2_INLINE static constexpr auto take(Kernel kernel, const char *) {
    return kernel;
  }
  template <class Kernel>
  OP2_INLINE static constexpr auto take(Kernel kernel) {
    return kernel;
  }
};

// Its text, put together again.
inline std::string kernel_text(const char *first, const char *second) {
  std::string text = first;
  long open = 0;
  for (const char letter : text) open += letter == '<' ? 1 : letter == '>' ? -1 : 0;
  const bool split = text[0] != '[' && open > 0; // a lambda may compare
  return split ? text + ", " + second : text;
}

// A loop's site points to it, perhaps after static objects have gone.
inline const std::string &for_ever(const std::string &text) { return *std::make_unique<std::string>(text).release(); }

// Which of the functions below is tried first.
struct second_choice {};
struct first_choice : second_choice {};

// The kernel is known by its name in the program.
template <class Closure, class Kernel, class... A>
op_status par_loop(first_choice, const Closure &closure, const char *first, const char *second, const char *file,
                   int line, const Kernel &kernel, const char *name, op_set set, const A &...args) {
  static const std::string &text = for_ever(kernel_text(first, second));
  return detail::par_loop(closure, kernel, text.c_str(), file, line, name, set, args...);
}

// One of several functions of that name: the one with as many parameters as there are arguments. Pointer: its type,
// which the range function needs to call the right one.
template <class Closure, class... P, class... A>
op_status par_loop_of(const Closure &closure, const char *first, const char *second, const char *file, int line,
                      void (*kernel)(P...), const char *name, op_set set, const A &...args) {
  static const std::string &text = for_ever(kernel_text(first, second));
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
                              text.c_str(),
                              file,
                              line,
                              OP_SITE_INDEX_BY_KIND,
                              nullptr,
                              0,
                              nullptr};
  return this_loop::run(site, name, set, args...);
}
#define OP2_OVERLOADED_KERNEL(N)                                                                                     \
  template <class Closure, OP2_TYPES_##N, class... A, std::enable_if_t<sizeof...(A) == N, int> = 0>                  \
  op_status par_loop(second_choice, const Closure &closure, const char *first, const char *second, const char *file, \
                     int line, void (*kernel)(OP2_POINTERS_##N), const char *name, op_set set, const A &...args) {   \
    return par_loop_of(closure, first, second, file, line, kernel, name, set, args...);                              \
  }
OP2_FOR_KERNEL_TYPES(OP2_OVERLOADED_KERNEL)
#undef OP2_OVERLOADED_KERNEL

} // namespace op2::compat

#undef op_par_loop
#define op_par_loop(kernel, name, set, ...)                                                             \
  (::op2::compat::par_loop(                                                                             \
      ::op2::compat::first_choice(),                                                                    \
      [&](int op_n, auto &...op_row) OP2_INLINE_ALL {                                                   \
        ::op2::compat::kernel_of<decltype(op_row.at(op_n))...>::take(kernel, name)(op_row.at(op_n)...); \
      },                                                                                                \
      #kernel, #name, __FILE__, __LINE__, kernel, name, set, __VA_ARGS__))

#endif
