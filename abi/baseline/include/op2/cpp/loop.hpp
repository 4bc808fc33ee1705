// loop.hpp: op_par_loop() of C++.
//
//   op_par_loop(res, "res", edges, op2::read(x, 0, edge_nodes), op2::inc(du, 0, edge_cells), op2::gbl_inc(&rms));
//
// The kernel is the name of a function (also of a static function or a template instance), a lambda without captures,
// or a pointer to a function. The compiler inlines the kernel into a loop over elements at the place of the call; a
// pointer, also &res, is called for each element. A kernel expression with a comma needs parentheses: op_par_loop((k<2,
// 3>), ...). An overloaded function must be passed as a pointer of one type.
//
// Collective. Returns an op_status as in C, with the errors of op_par_loop(). The C function is (op_par_loop)(...).
#ifndef OP2_CPP_LOOP_HPP
#define OP2_CPP_LOOP_HPP

#include <cstring>

#include "op2/cpp/lanes.hpp"
#include "op2/cpp/type_name.hpp"

namespace op2::detail {

// Checks of argument A against kernel parameter P at compile time.
template <class P, class A>
constexpr bool check_argument() {
  using target = std::remove_cv_t<std::remove_pointer_t<P>>;
  constexpr bool vector = std::is_pointer_v<target>;
  using value = std::remove_cv_t<std::remove_pointer_t<target>>;
  using given = typename A::value_type;
  static_assert(std::is_pointer_v<P>, "op_par_loop: every parameter of a kernel is a pointer");
  static_assert(A::kind != OP_RANGE_VECTOR || vector,
                "op_par_loop: a vector argument (op2::all<K>, idx <= -2) needs a kernel parameter 'T **'");
  static_assert(A::kind == unknown || A::kind == OP_RANGE_VECTOR || !vector,
                "op_par_loop: a kernel parameter 'T **' needs a vector argument (op2::all<K>, idx <= -2)");
  static_assert(std::is_void_v<given> || std::is_same_v<given, value>,
                "op_par_loop: the values of an argument and of the kernel's parameter have different types");
  return true;
}

// Whether kernel parameter P cannot change what argument A, as the program wrote it, only reads.
template <class P, class A>
constexpr bool keeps_const() {
  using target = std::remove_cv_t<std::remove_pointer_t<P>>;
  using value = std::remove_pointer_t<std::conditional_t<std::is_pointer_v<target>, target, P>>;
  return !is_read_only<A> || std::is_const_v<value>;
}
template <class... P, class... A>
constexpr bool all_keep_const(types<P...>, types<A...>) {
  return (keeps_const<P, A>() && ...);
}
// Asserted at each loop, so that the compiler names every line that is wrong.
#define OP2_ASSERT_CONST(parameters, arguments)                                                                     \
  static_assert(::op2::detail::all_keep_const(parameters(), arguments()),                                           \
                "op_par_loop: op2::read(...) and op2::gbl_read(...) need a kernel parameter that points to const: " \
                "const T *, or const T *const * with op2::all<K>; what the kernel changes is an argument of "       \
                "op2::write, op2::rw or op2::inc")

// The type of an op_dat is unknown at compile time. If the argument says "double" and the kernel takes floats, or the
// other way round, the argument receives the kernel's type, so that the library detects that the dat has another one.
template <class P, class A>
op_arg with_kernel_type(const op_arg &argument) {
  using value = std::remove_cv_t<std::remove_pointer_t<std::remove_cv_t<std::remove_pointer_t<P>>>>;
  constexpr bool real = std::is_same_v<value, float> || std::is_same_v<value, double>;
  op_arg out = argument;
  if constexpr (real && std::is_void_v<typename A::value_type>) {
    const char *const other = std::is_same_v<value, float> ? "double" : "float";
    if (out.argtype == OP_ARG_DAT && out.type != nullptr && std::strcmp(out.type, other) == 0) {
      out.type = type_name<value>::value;
      out.size = out.dim * static_cast<int>(sizeof(value));
    }
  }
  return out;
}

// op_par_loop_site(), or op_par_loop_until_site().
using site_call = op_status (*)(op_loop_site *site, const char *name, op_set set, int nargs, const op_arg *args);

// A loop with kernel parameters P and arguments A.
template <class>
using plain = op_arg;
template <class P, class... A>
struct loop;
template <class... P, class... A>
struct loop<types<P...>, A...> {
  static constexpr bool arity() {
    static_assert(sizeof...(P) == sizeof...(A),
                  "op_par_loop: the kernel's parameters and the loop's arguments differ in number");
    static_assert(sizeof...(A) <= OP_MAX_ARGS, "op_par_loop: too many arguments");
    return sizeof...(P) == sizeof...(A);
  }
  static constexpr bool arguments() { return (check_argument<P, A>() && ...); }

  static op_status run(site_call call, op_loop_site &site, const char *name, op_set set, const plain<A> &...args) {
    const op_arg list[] = {with_kernel_type<P, A>(args)...};
    return call(&site, name, set, static_cast<int>(sizeof...(A)), list);
  }
};

// The forms of a kernel that one call of op_par_loop offers to the library.
struct forms {
  op_kernel_fn element;
  op_range_fn range;
  const op_range_lanes *lanes;
};

template <class P, class... A, class Closure, class Kernel>
forms forms_of(const Closure &closure, const Kernel &kernel) {
  if constexpr (std::is_class_v<Kernel>) {
    static_assert(std::is_empty_v<Kernel>, "op_par_loop: a kernel must not capture anything");
    stateless<Kernel>::remember(kernel);
    return {reinterpret_cast<op_kernel_fn>(&element_of<Kernel, P>::call),
            &range_function<object_kernel<Kernel>, P, A...>::run, lanes_of<object_kernel<Kernel>, P, A...>()};
  } else if constexpr (std::is_function_v<Kernel> && std::is_empty_v<Closure>) {
    stateless<Closure>::remember(closure);
    return {reinterpret_cast<op_kernel_fn>(&kernel), &range_function<named_kernel<Closure>, P, A...>::run,
            lanes_of<named_kernel<Closure>, P, A...>()};
  } else {
    return {reinterpret_cast<op_kernel_fn>(static_cast<std::decay_t<Kernel>>(kernel)), nullptr, nullptr};
  }
}

// One place in the program: the kernel's expression, where it stands, and the text of the unit (OP_UNIT_TEXT).
struct program_place {
  const char *expression, *file;
  int line;
  const char *unit;
};

// Closure calls the kernel expression of one place in the program; its type is therefore unique to that place.
template <class Closure, class Kernel, class... A>
op_status loop_at(site_call call, const Closure &closure, const Kernel &kernel, const program_place &place,
                  const char *name, op_set set, const A &...args) {
  using P = typename decltype(parameters_of<Kernel, arg_facts_t<A>...>())::is;
  using this_loop = loop<P, arg_facts_t<A>...>;
  if constexpr (this_loop::arity()) {
    static_assert(this_loop::arguments());
    OP2_ASSERT_CONST(P, types<A...>);
    const forms kernel_forms = forms_of<P, arg_facts_t<A>...>(closure, kernel);
    static op_loop_site site = {sizeof(op_loop_site),
                                kernel_forms.element,
                                kernel_forms.range,
                                place.expression,
                                place.file,
                                place.line,
                                OP_SITE_INDEX_BY_KIND,
                                place.unit,
                                0,
                                nullptr,
                                kernel_forms.lanes};
    if (kernel_forms.range == nullptr) site.element = kernel_forms.element; // a pointer may change from call to call
    return this_loop::run(call, site, name, set, args...);
  } else {
    return OP_ERR_INTERNAL;
  }
}

template <class Closure, class Kernel, class... A>
op_status par_loop(const Closure &closure, const Kernel &kernel, const program_place &place, const char *name,
                   op_set set, const A &...args) {
  return loop_at(op_par_loop_site, closure, kernel, place, name, set, args...);
}

} // namespace op2::detail

// op_par_loop(kernel, "name", set, arguments...): runs the kernel on all elements of the set, see loop.h. The kernel
// may be a function, a template instance in parentheses, a lambda or a function object. Collective. Returns an
// op_status.
#define op_par_loop(kernel, name, set, ...)                                                                       \
  (::op2::detail::par_loop([&](int op_n, auto &...op_row) OP2_INLINE_ALL { kernel(op_row.at(op_n)...); }, kernel, \
                           {#kernel, __FILE__, __LINE__, OP_UNIT_TEXT}, name, set, __VA_ARGS__))

#endif

// SPDX-License-Identifier: MIT
