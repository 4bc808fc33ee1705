// loop.hpp: OP2's op_par_loop for C++17: that of op2.hpp, which also accepts overloaded kernel names.
#ifndef OP2_COMPAT_CPP_LOOP_HPP
#define OP2_COMPAT_CPP_LOOP_HPP

#include <memory>
#include <string>

#include "op2/compat/cpp/kernel_types.hpp"

namespace op2::compat {

// Finds the kernel in the first arguments of the macro below. They are parts of one expression if it has commas between
// < and >: op_par_loop(flux<double, 2>, "flux", ...). P: the types of the rows, which select among overloaded
// functions.
template <class... P>
struct kernel_of {
  template <class... Others>
  OP2_INLINE static constexpr auto take(void (*kernel)(P...), const Others &...) {
    return kernel;
  }
  template <class Kernel, class... Others>
  OP2_INLINE static constexpr auto take(Kernel kernel, const Others &...) {
    return kernel;
  }
};

// The text of the kernel, joined from two parts.
inline std::string kernel_text(const char *first, const char *second) {
  std::string text = first;
  if (text[0] == '[') return text; // a lambda may contain < as a comparison
  long open = 0;
  for (const char letter : text) open += letter == '<' ? 1 : letter == '>' ? -1 : 0;
  return open > 0 ? text + ", " + second : text.substr(0, text.find(", \""));
}

// The site of a loop points to the text, possibly after the destruction of static objects.
inline const std::string &for_ever(const std::string &text) { return *std::make_unique<std::string>(text).release(); }

// The order in which the compiler tries the functions below.
struct second_choice {};
struct first_choice : second_choice {};

// The kernel has a unique name in the program.
template <class Closure, class Kernel, class... A>
op_status par_loop(first_choice, const Closure &closure, const char *second, const detail::program_place &place,
                   const Kernel &kernel, const char *name, op_set set, const A &...args) {
  static const std::string &text = for_ever(kernel_text(place.expression, second));
  return detail::par_loop(closure, kernel, {text.c_str(), place.file, place.line, place.unit}, name, set, args...);
}

// The kernel name is overloaded: selects the function with as many parameters as the loop has arguments. Pointer: its
// type, which the range function needs to call that function.
template <class Closure, class... P, class... A>
op_status par_loop_of(const Closure &closure, const char *second, const detail::program_place &place,
                      void (*kernel)(P...), const char *name, op_set set, const A &...args) {
  static const std::string &text = for_ever(kernel_text(place.expression, second));
  using parameters = detail::types<P...>;
  using this_loop = detail::loop<parameters, detail::arg_facts_t<A>...>;
  static_assert(this_loop::arguments());
  OP2_ASSERT_CONST(parameters, detail::types<A...>);
  op_range_fn range = nullptr;
  const op_range_lanes *lanes = nullptr;
  if constexpr (std::is_empty_v<Closure>) {
    detail::stateless<Closure>::remember(closure);
    range = &detail::range_function<detail::named_kernel<Closure>, parameters, detail::arg_facts_t<A>...>::run;
    lanes = detail::lanes_of<detail::named_kernel<Closure>, parameters, detail::arg_facts_t<A>...>();
  }
  static op_loop_site site = {sizeof(op_loop_site),
                              reinterpret_cast<op_kernel_fn>(kernel),
                              range,
                              text.c_str(),
                              place.file,
                              place.line,
                              OP_SITE_INDEX_BY_KIND,
                              place.unit,
                              0,
                              nullptr,
                              lanes};
  return this_loop::run(op_par_loop_site, site, name, set, args...);
}
#define OP2_OVERLOADED_KERNEL(N)                                                                                    \
  template <class Closure, OP2_TYPES_##N, class... A, std::enable_if_t<sizeof...(A) == N, int> = 0>                 \
  op_status par_loop(second_choice, const Closure &closure, const char *second, const detail::program_place &place, \
                     void (*kernel)(OP2_POINTERS_##N), const char *name, op_set set, const A &...args) {            \
    return par_loop_of(closure, second, place, kernel, name, set, args...);                                         \
  }
OP2_FOR_KERNEL_TYPES(OP2_OVERLOADED_KERNEL)
#undef OP2_OVERLOADED_KERNEL

} // namespace op2::compat

// The number of leading arguments of the macro below that form the kernel: 2 for an expression without a comma (the
// second is then the name of the loop, which take() skips) or with one comma, and one more for each further comma. The
// preprocessor does not parse templates, but op_arg_dat() and similar macros expand to text that begins with a
// parenthesis, which shows where the arguments of the loop begin. If the first of these are variables, the number may
// be too large; take() then skips more. A list has at most 12 arguments, since each length needs a macro.
#define OP2_BRACKETS(...) ~, 1,
#define OP2_HAS_BRACKETS(argument) OP2_SECOND(OP2_BRACKETS argument, 0, ~)
#define OP2_SECOND(...) OP2_SECOND_OF(__VA_ARGS__)
#define OP2_SECOND_OF(first, second, ...) second
#define OP2_NO_BRACKETS ~, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~, ~
#define OP2_IF(condition) OP2_IF_VALUE(condition)
#define OP2_IF_VALUE(condition) OP2_IF_##condition
#define OP2_IF_0(yes, no) no
#define OP2_IF_1(yes, no) yes
#define OP2_LOOP_OF(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_2, OP2_LOOP_OF_2)(__VA_ARGS__)
#define OP2_LOOP_OF_2(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_2, OP2_LOOP_OF_3)(__VA_ARGS__)
#define OP2_LOOP_OF_3(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_3, OP2_LOOP_OF_4)(__VA_ARGS__)
#define OP2_LOOP_OF_4(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_4, OP2_LOOP_OF_5)(__VA_ARGS__)
#define OP2_LOOP_OF_5(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_5, OP2_LOOP_OF_6)(__VA_ARGS__)
#define OP2_LOOP_OF_6(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_6, OP2_LOOP_OF_7)(__VA_ARGS__)
#define OP2_LOOP_OF_7(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_7, OP2_LOOP_OF_8)(__VA_ARGS__)
#define OP2_LOOP_OF_8(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_8, OP2_LOOP_OF_9)(__VA_ARGS__)
#define OP2_LOOP_OF_9(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_9, OP2_LOOP_OF_10)(__VA_ARGS__)
#define OP2_LOOP_OF_10(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_10, OP2_LOOP_OF_11)(__VA_ARGS__)
#define OP2_LOOP_OF_11(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_11, OP2_LOOP_OF_12)(__VA_ARGS__)
#define OP2_LOOP_OF_12(a, ...) OP2_IF(OP2_HAS_BRACKETS(a))(OP2_TAKE_12, OP2_TAKE_2)(__VA_ARGS__)
#define OP2_TAKE_2(...) OP2_LOOP_2
#define OP2_TAKE_3(...) OP2_LOOP_3
#define OP2_TAKE_4(...) OP2_LOOP_4
#define OP2_TAKE_5(...) OP2_LOOP_5
#define OP2_TAKE_6(...) OP2_LOOP_6
#define OP2_TAKE_7(...) OP2_LOOP_7
#define OP2_TAKE_8(...) OP2_LOOP_8
#define OP2_TAKE_9(...) OP2_LOOP_9
#define OP2_TAKE_10(...) OP2_LOOP_10
#define OP2_TAKE_11(...) OP2_LOOP_11
#define OP2_TAKE_12(...) OP2_LOOP_12

#define OP2_LOOP_2(text1, text2, text3, a1, a2, ...) OP2_LOOP((a1, a2), text1, text2, a1, a2, __VA_ARGS__)
#define OP2_LOOP_3(text1, text2, text3, a1, a2, a3, ...) \
  OP2_LOOP((a1, a2, a3), text1 ", " text2, text3, a1, a2, a3, __VA_ARGS__)
#define OP2_LOOP_4(text1, text2, text3, a1, a2, a3, a4, ...) \
  OP2_LOOP((a1, a2, a3, a4), text1 ", " text2 ", " text3, #a4, a1, a2, a3, a4, __VA_ARGS__)
#define OP2_LOOP_5(text1, text2, text3, a1, a2, a3, a4, a5, ...) \
  OP2_LOOP((a1, a2, a3, a4, a5), text1 ", " text2 ", " text3 ", " #a4, #a5, a1, a2, a3, a4, a5, __VA_ARGS__)
#define OP2_LOOP_6(text1, text2, text3, a1, a2, a3, a4, a5, a6, ...)                                             \
  OP2_LOOP((a1, a2, a3, a4, a5, a6), text1 ", " text2 ", " text3 ", " #a4 ", " #a5, #a6, a1, a2, a3, a4, a5, a6, \
           __VA_ARGS__)
#define OP2_LOOP_7(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, ...)                                              \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7), text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6, #a7, a1, a2, a3, a4, \
           a5, a6, a7, __VA_ARGS__)
#define OP2_LOOP_8(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, a8, ...)                                           \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7, a8), text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6 ", " #a7, #a8, a1, \
           a2, a3, a4, a5, a6, a7, a8, __VA_ARGS__)
#define OP2_LOOP_9(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, a8, a9, ...)                                      \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7, a8, a9),                                                                      \
           text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6 ", " #a7 ", " #a8, #a9, a1, a2, a3, a4, a5, a6, a7, \
           a8, a9, __VA_ARGS__)
#define OP2_LOOP_10(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, ...)                              \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7, a8, a9, a10),                                                               \
           text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6 ", " #a7 ", " #a8 ", " #a9, #a10, a1, a2, a3, a4, \
           a5, a6, a7, a8, a9, a10, __VA_ARGS__)
#define OP2_LOOP_11(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, ...)                           \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11),                                                            \
           text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6 ", " #a7 ", " #a8 ", " #a9 ", " #a10, #a11, a1, a2, \
           a3, a4, a5, a6, a7, a8, a9, a10, a11, __VA_ARGS__)
#define OP2_LOOP_12(text1, text2, text3, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, ...)                  \
  OP2_LOOP((a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12),                                                   \
           text1 ", " text2 ", " text3 ", " #a4 ", " #a5 ", " #a6 ", " #a7 ", " #a8 ", " #a9 ", " #a10 ", " #a11, \
           #a12, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, __VA_ARGS__)
#define OP2_LOOP(parts, first, second, ...)                                                                           \
  (::op2::compat::par_loop(                                                                                           \
      ::op2::compat::first_choice(),                                                                                  \
      [&](int op_n, auto &...op_row)                                                                                  \
          OP2_INLINE_ALL { ::op2::compat::kernel_of<decltype(op_row.at(op_n))...>::take parts(op_row.at(op_n)...); }, \
      second, {first, __FILE__, __LINE__, OP_UNIT_TEXT}, __VA_ARGS__))

#undef op_par_loop
#define op_par_loop(kernel, name, set, ...) \
  OP2_LOOP_OF(__VA_ARGS__, OP2_NO_BRACKETS)(#kernel, #name, #set, kernel, name, set, __VA_ARGS__)

#endif

// SPDX-License-Identifier: MIT
