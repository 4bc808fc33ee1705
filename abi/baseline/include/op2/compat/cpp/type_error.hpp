// type_error.hpp: checks the type name of a variable: 0 if it is right. Programs add overloads for user types.
#ifndef OP2_COMPAT_CPP_TYPE_ERROR_HPP
#define OP2_COMPAT_CPP_TYPE_ERROR_HPP

namespace op2 {
namespace compat {

inline int not_in(const char *type, std::initializer_list<const char *> names) {
  if (type == NULL) return 1;
  std::string plain = type;
  if (plain.size() > 4 && plain.compare(plain.size() - 4, 4, ":soa") == 0) plain.resize(plain.size() - 4);
  for (const char *name : names)
    if (plain == name) return 0;
  return 1;
}

} // namespace compat
} // namespace op2

inline int type_error(const double *, const char *type) {
  return ::op2::compat::not_in(type, {"double", "r8", "real(8)", "real*8"});
}
inline int type_error(const float *, const char *type) {
  return ::op2::compat::not_in(type, {"float", "r4", "real(4)", "real*4"});
}
inline int type_error(const int *, const char *type) {
  return ::op2::compat::not_in(type, {"int", "i4", "integer(4)", "integer*4"});
}
inline int type_error(const uint *, const char *type) {
  return ::op2::compat::not_in(type, {"uint", "unsigned int", "unsigned"});
}
inline int type_error(const ll *, const char *type) {
  return ::op2::compat::not_in(type, {"ll", "long long", "i8", "integer(8)"});
}
inline int type_error(const ull *, const char *type) {
  return ::op2::compat::not_in(type, {"ull", "unsigned long long"});
}
inline int type_error(const bool *, const char *type) { return ::op2::compat::not_in(type, {"bool"}); }

#endif

// SPDX-License-Identifier: MIT
