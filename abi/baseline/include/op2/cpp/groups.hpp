// groups.hpp: a guess which arguments of a loop share a dat and a map.
//
// The program text does not contain the number of columns of a map, nor the fact that two arguments use the same dat.
// But arguments that agree in everything except the column, as in
//     q column 0, q column 1, res column 0, res column 1
// nearly always are columns of one map into one dat, and the loop uses all columns of the map. The range function
// assumes so and checks the assumption against the library's description at each call. This gives literal strides and
// needs fewer registers.
#ifndef OP2_CPP_GROUPS_HPP
#define OP2_CPP_GROUPS_HPP

#include <array>
#include <cstddef>
#include <utility>

#include "op2/cpp/kernel.hpp"

namespace op2::detail {

template <class P, class... A>
struct groups;

template <class... P, class... A>
struct groups<types<P...>, A...> {
  // The first argument of the group that argument i belongs to.
  static constexpr std::size_t leader(std::size_t i) { return members[i].leader; }

  // Number of columns of the map of argument i; unknown if the argument has no map or its facts do not contain it.
  static constexpr int stride(std::size_t i) { return members[i].stride; }

  // Distance in columns from the leader to argument i.
  static constexpr std::ptrdiff_t shift(std::size_t i) { return members[i].column - members[leader(i)].column; }

  // Whether the members of every group have the dat and the map of the leader.
  OP2_INLINE static bool fits(const op_range_arg *args) { return fits(args, std::index_sequence_for<P...>()); }

  // Whether no two groups overlap in memory, except where both are OP_READ. InPlace: the kernel receives a pointer to
  // the data itself.
  template <bool... InPlace>
  OP2_INLINE static bool apart(const op_range_arg *args) {
    return apart<InPlace...>(args, std::index_sequence_for<P...>());
  }

 private:
  struct fact {
    std::size_t parameter; // position of the first parameter of the same type
    int kind, dim, column, access;
    bool optional;

    constexpr bool grouped() const { return kind == OP_RANGE_INDIRECT && !optional; }
    constexpr bool like(const fact &other) const {
      return grouped() && other.grouped() && parameter == other.parameter && dim == other.dim &&
             access == other.access && (column == unknown) == (other.column == unknown);
    }
  };
  struct member {
    std::size_t leader;
    int column; // known or guessed
    int stride;
  };
  static constexpr std::size_t size = sizeof...(P);

  template <class T>
  static constexpr std::size_t first_of() {
    constexpr bool same[] = {std::is_same_v<T, P>...};
    std::size_t i = 0;
    while (!same[i]) ++i;
    return i;
  }
  static constexpr std::array<fact, size> facts{
      {{first_of<P>(), A::kind, A::dim, A::column, A::access, A::optional}...}};

  // Known columns: the number of arguments before i that are like i and have the same column. The second q0 begins
  // another group.
  static constexpr int repetition(std::size_t i) {
    int count = 0;
    for (std::size_t j = 0; j < i; ++j) count += facts[j].like(facts[i]) && facts[j].column == facts[i].column ? 1 : 0;
    return count;
  }

  static constexpr member find_member(std::size_t i) {
    std::size_t j = i;
    if (facts[i].column == unknown) { // consecutive arguments that are alike: columns 0, 1, 2 ...
      while (j > 0 && facts[j - 1].like(facts[i])) --j;
      return {j, static_cast<int>(i - j), unknown};
    }
    for (j = 0; !(facts[j].like(facts[i]) && repetition(j) == repetition(i));) ++j;
    return {j, facts[i].column, unknown};
  }

  static constexpr std::array<member, size> find_members() {
    std::array<member, size> out{};
    for (std::size_t i = 0; i < size; ++i)
      out[i] = facts[i].grouped() ? find_member(i)
                                  : member{i, 0, facts[i].kind == OP_RANGE_VECTOR ? facts[i].column : unknown};
    for (std::size_t i = 0; i < size; ++i)
      for (std::size_t j = 0; j < size; ++j)
        if (facts[i].grouped() && out[j].leader == out[i].leader && out[j].column >= out[i].stride)
          out[i].stride = out[j].column + 1;
    for (std::size_t i = 0; i < size; ++i) // a single unknown column says nothing about the map
      if (facts[i].column == unknown && out[i].stride == 1) out[i].stride = unknown;
    return out;
  }
  static constexpr std::array<member, size> members = find_members();

  template <std::size_t... I>
  OP2_INLINE static bool fits(const op_range_arg *args, std::index_sequence<I...>) {
    return (
        (leader(I) == I || (args[I].base == args[leader(I)].base && args[I].map == args[leader(I)].map + shift(I))) &&
        ...);
  }

  template <bool... InPlace, std::size_t... I>
  OP2_INLINE static bool apart(const op_range_arg *args, std::index_sequence<I...>) {
    return (apart_from_earlier<I, InPlace...>(args, std::index_sequence_for<P...>()) && ...);
  }
  template <std::size_t I, bool... InPlace, std::size_t... J>
  OP2_INLINE static bool apart_from_earlier(const op_range_arg *args, std::index_sequence<J...>) {
    constexpr bool in_place[] = {InPlace...};
    return ((J >= I || !in_place[I] || !in_place[J] || leader(I) == leader(J) || apart(args[I], args[J])) && ...);
  }
  OP2_INLINE static bool apart(const op_range_arg &a, const op_range_arg &b) {
    return a.base != b.base || a.base == nullptr || (a.access == OP_READ && b.access == OP_READ);
  }
};

} // namespace op2::detail

#endif

// SPDX-License-Identifier: MIT
