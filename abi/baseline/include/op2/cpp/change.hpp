// change.hpp: meshes that change, see op2/change.h.
#ifndef OP2_CPP_CHANGE_HPP
#define OP2_CPP_CHANGE_HPP

#include <vector>

#include "op2/change.h"
#include "op2/cpp/dat.hpp"
#include "op2/cpp/mesh.hpp"

namespace op2 {

// Replaces rows of a map: elements[i], a number from 0, gets entries[i][dim of the map]. Collective; each process
// passes rows of any elements. Errors: as op_put_map_rows(), and OP_ERR_ARGUMENT (length).
inline void put_rows(op_map map, const std::vector<op_gindex> &elements, const std::vector<op_gindex> &entries) {
  detail::check_length(entries.size(), elements.size() * static_cast<std::size_t>(op_map_dim(map)), op_map_name(map));
  check(op_put_map_rows(map, static_cast<int>(elements.size()), elements.data(), entries.data()));
}

// Carries data to a mesh that was declared anew. parents[declared size of the set of `to`]: numbers of elements of the
// old set, -1: none. carry(): each child gets the values of its parent. carry_sums(): shares of them, by weights, one
// for each parent; none: equal shares. Elements without a parent get zeros. Collective. Errors: as op_carry(), and
// OP_ERR_ARGUMENT (length).
template <class T, int Dim>
void carry(const dat<T, Dim> &from, const dat<T, Dim> &to, const std::vector<op_gindex> &parents) {
  detail::check_length(parents.size(), static_cast<std::size_t>(to.set().declared_size()), to.name());
  check(op_carry(from, to, parents.data(), OP_CARRY_VALUES, nullptr, nullptr));
}
template <class T, int Dim>
void carry_sums(const dat<T, Dim> &from, const dat<T, Dim> &to, const std::vector<op_gindex> &parents,
                const std::vector<double> &weights = {}) {
  detail::check_length(parents.size(), static_cast<std::size_t>(to.set().declared_size()), to.name());
  if (!weights.empty()) detail::check_length(weights.size(), parents.size(), to.name());
  check(op_carry(from, to, parents.data(), OP_CARRY_SUMS, weights.empty() ? nullptr : weights.data(), nullptr));
}

} // namespace op2

#endif
// SPDX-License-Identifier: MIT
