#include "distributed/declared/carry.hpp"

#include <algorithm>
#include <cstring>

#include "base/error.hpp"
#include "distributed/declared/rows.hpp"
#include "distributed/directory.hpp"
#include "distributed/groups.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

struct Child {
  op_gindex parent;
  double weight;
};

// What a declared part knows of the children of its elements.
struct Family {
  std::vector<double> weight; // [declared_size] the sums of weights
  std::vector<char> any;      // there are children
};

void need_all_divided(const Set &set, const Family &family) {
  for (std::size_t i = 0; i < family.weight.size(); ++i) {
    if (family.weight[i] > 0) continue;
    const op_gindex element = set.declared_first + static_cast<op_gindex>(i);
    fail(OP_ERR_ARGUMENT, "element ", element, " of set '", set.label,
         family.any[i] ? "' has children whose weights are all 0" : "' is nobody's parent",
         ", so its values would get lost; OP_CARRY_SUMS divides each value among the children");
  }
}

// The part of its parent's value that each child gets, in the order of `children`.
std::vector<double> shares(Mesh &mesh, const Set &set, const std::vector<Child> &children) {
  Communicator &communicator = mesh.communicator();
  std::vector<op_gindex> parents;
  for (const Child &child : children) parents.push_back(child.parent);
  Directory holders(communicator, set.global_size);
  holders.enter_range(set.declared_first, set.declared_size, communicator.rank());
  const Groups groups = group_by_rank(holders.ask(parents));
  const SparseMessages questions = post<Child>(communicator, groups, children);
  const std::span<const Child> asked = questions.all<Child>(); // by process, and so in the order of the declaration
  const auto place = [&](const Child &child) { return static_cast<std::size_t>(child.parent - set.declared_first); };
  const auto size = static_cast<std::size_t>(set.declared_size);
  Family family{std::vector<double>(size), std::vector<char>(size)};
  for (const Child &child : asked) family.weight[place(child)] += child.weight, family.any[place(child)] = 1;
  mesh.agreement().together(text("the children of elements of set '", set.label, "'"), [&] {
    need_all_divided(set, family);
    return 0;
  });
  std::vector<double> found;
  found.reserve(asked.size());
  for (const Child &child : asked) found.push_back(child.weight / family.weight[place(child)]);
  const SparseMessages answers =
      answer(communicator, questions, found, [&](int m) { return questions.values<Child>(m).size(); });
  std::vector<double> out(children.size());
  scatter_rows(reinterpret_cast<char *>(out.data()), answers.all<char>().data(), groups.order, sizeof(double));
  return out;
}

template <class T>
void multiply(char *row, int dim, double share) {
  for (int d = 0; d < dim; ++d) {
    T value;
    std::memcpy(&value, row + static_cast<std::size_t>(d) * sizeof(T), sizeof(T));
    value = static_cast<T>(value * share);
    std::memcpy(row + static_cast<std::size_t>(d) * sizeof(T), &value, sizeof(T));
  }
}

} // namespace

void carry_rows(Mesh &mesh, Dat &from, Dat &to, const Parentage &how) {
  const std::size_t row = static_cast<std::size_t>(to.size);
  std::vector<Child> children;
  std::vector<op_gindex> parents;
  for (std::size_t n = 0; n < how.parents.size(); ++n) {
    if (how.parents[n] < 0) continue;
    parents.push_back(how.parents[n]);
    if (how.sums) children.push_back({how.parents[n], how.weights.empty() ? 1.0 : how.weights[n]});
  }
  const std::vector<double> share = how.sums ? shares(mesh, from.on(), children) : std::vector<double>();
  const std::vector<char> values = rows_of_numbers(mesh, from, parents);
  std::vector<char> out(how.parents.size() * row, 0);
  std::size_t child = 0;
  for (std::size_t n = 0; n < how.parents.size(); ++n) {
    char *const to_row = out.data() + n * row;
    if (how.parents[n] < 0) {
      if (how.fill) std::memcpy(to_row, how.fill, row);
      continue;
    }
    std::memcpy(to_row, values.data() + child * row, row);
    if (how.sums && to.element.id == OP_TYPE_FLOAT) multiply<float>(to_row, to.dim, share[child]);
    if (how.sums && to.element.id != OP_TYPE_FLOAT) multiply<double>(to_row, to.dim, share[child]);
    ++child;
  }
  put_declared(mesh, to, out.data());
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
