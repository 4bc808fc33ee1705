// type_name.hpp: the library's name of a C++ type.
#ifndef OP2_CPP_TYPE_NAME_HPP
#define OP2_CPP_TYPE_NAME_HPP

namespace op2 {

// type_name<T>::value is the name of T in declarations and arguments; type_name<T>::builtin tells whether the library
// knows the type. The program names each user type that may be copied bytewise once, at global scope:
//
//   struct state { double rho, p; };
//   OP2_TYPE_NAME(state, "state");
template <class T>
struct type_name;

// See type_name. The second macro is for the built-in types.
#define OP2_TYPE_NAME(T, name) OP2_TYPE_NAME_AS(T, name, false)
#define OP2_TYPE_NAME_AS(T, name, is_builtin)   \
  template <>                                   \
  struct op2::type_name<T> {                    \
    static constexpr const char *value = name;  \
    static constexpr bool builtin = is_builtin; \
  }

} // namespace op2

OP2_TYPE_NAME_AS(double, "double", true);
OP2_TYPE_NAME_AS(float, "float", true);
OP2_TYPE_NAME_AS(int, "int", true);
OP2_TYPE_NAME_AS(unsigned, "uint", true);
OP2_TYPE_NAME_AS(long long, "ll", true);
OP2_TYPE_NAME_AS(unsigned long long, "ull", true);
OP2_TYPE_NAME_AS(bool, "bool", true);

static_assert(sizeof(int) == 4 && sizeof(long long) == 8 && sizeof(bool) == 1, "the library's types have these sizes");

#endif

// SPDX-License-Identifier: MIT
