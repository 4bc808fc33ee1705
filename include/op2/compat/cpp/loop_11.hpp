// loop_11.hpp: OP2's op_par_loop before C++17: it calls the kernel through its pointer. It records the kernel's name
// and file, so that the library can still generate code for the loop.
#ifndef OP2_COMPAT_CPP_LOOP_11_HPP
#define OP2_COMPAT_CPP_LOOP_11_HPP

#include <string>
#include <type_traits>

#include "op2/compat/cpp/kernel_types.hpp"

namespace op2 {
namespace compat {

// The expression of the kernel in the text of a loop's arguments: everything before the first comma outside brackets.
inline std::string first_of(const char *text) {
  std::string out;
  int depth = 0;
  for (; *text != '\0' && !(*text == ',' && depth == 0); ++text) {
    if (*text == '(' || *text == '<' || *text == '[' || *text == '{') ++depth;
    if (*text == ')' || *text == '>' || *text == ']' || *text == '}') --depth;
    out += *text;
  }
  while (!out.empty() && (out[out.size() - 1] == ' ' || out[out.size() - 1] == '\t')) out.resize(out.size() - 1);
  return out;
}

template <class... A>
op_status element_loop(op_loop_site &site, op_kernel_fn kernel, const char *name, op_set set, const A &...args) {
  const op_arg list[] = {op_arg(args)...};
  site.element = kernel;
  return op_par_loop_site(&site, name, set, static_cast<int>(sizeof...(A)), list);
}

// The kernel with as many parameters as the loop has arguments, also among overloaded functions.
#define OP2_ELEMENT_LOOP(N)                                                                                   \
  template <OP2_TYPES_##N, class... A>                                                                        \
  typename std::enable_if<sizeof...(A) == N, op_status>::type par_loop(                                       \
      op_loop_site &site, void (*kernel)(OP2_POINTERS_##N), const char *name, op_set set, const A &...args) { \
    return element_loop(site, reinterpret_cast<op_kernel_fn>(kernel), name, set, args...);                    \
  }
OP2_FOR_KERNEL_TYPES(OP2_ELEMENT_LOOP)
#undef OP2_ELEMENT_LOOP
template <class... P, class... A>
typename std::enable_if<(sizeof...(A) > 20) && sizeof...(A) == sizeof...(P), op_status>::type par_loop(
    op_loop_site &site, void (*kernel)(P *...), const char *name, op_set set, const A &...args) {
  return element_loop(site, reinterpret_cast<op_kernel_fn>(kernel), name, set, args...);
}

} // namespace compat
} // namespace op2

#undef op_par_loop
#define op_par_loop(...)                                                            \
  (::op2::compat::par_loop(                                                         \
      []() -> op_loop_site & {                                                      \
        static const std::string op_kernel = ::op2::compat::first_of(#__VA_ARGS__); \
        static op_loop_site op_site = OP_LOOP_SITE(NULL, NULL, op_kernel.c_str());  \
        return op_site;                                                             \
      }(),                                                                          \
      __VA_ARGS__))

#endif

// SPDX-License-Identifier: MIT
