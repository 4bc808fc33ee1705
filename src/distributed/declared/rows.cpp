#include "distributed/declared/rows.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/declared/exchange.hpp"
#include "distributed/directory.hpp"
#include "distributed/groups.hpp"
#include "distributed/redistribute/migrate.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

// The rows are on the host, in the order of the declaration if that is how they lie.
bool bring_to_host(Mesh &mesh, Dat &dat) {
  if (dat.acquired >= 0) fail(OP_ERR_STATE, "dat '", dat.label, "' is acquired; call op_dat_release() first");
  all_or_none(mesh, "rows on their way to the host", [&] { mesh.copies().prepare_host(dat, OP_READ, false); });
  return !dat.on().distributed && !dat.on().renumbered();
}

void bring_into_declared_order(Mesh &mesh, const Dat &dat, char *declared) {
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  if (mesh.several())
    rows_to_declared(mesh, set, dat.host.data(), declared, row);
  else
    gather_rows(declared, dat.host.data(), set.place, row);
}

} // namespace

DeclaredView fetch_declared(Mesh &mesh, Dat &dat) {
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes());
  if (bring_to_host(mesh, dat)) return DeclaredView(dat.host.data());
  std::vector<char> declared;
  all_or_none(mesh, "memory for rows", [&] {
    declared.resize(static_cast<std::size_t>(dat.on().declared_size) * static_cast<std::size_t>(dat.size));
  });
  bring_into_declared_order(mesh, dat, declared.data());
  return DeclaredView(std::move(declared));
}

void copy_declared(Mesh &mesh, Dat &dat, char *declared) {
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes());
  if (bring_to_host(mesh, dat))
    std::copy_n(dat.host.data(), static_cast<std::size_t>(dat.on().declared_size) * static_cast<std::size_t>(dat.size),
                declared);
  else
    bring_into_declared_order(mesh, dat, declared);
}

void put_declared(Mesh &mesh, Dat &dat, const char *rows) {
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "put", dat, dat.own_bytes());
  if (mesh.several())
    rows_from_declared(mesh, set, rows, dat.host.data(), row);
  else if (set.renumbered())
    scatter_rows(dat.host.data(), rows, set.place, row);
  else
    std::copy(rows, rows + dat.own_bytes(), dat.host.data());
  mesh.copies().note_host(dat, OP_WRITE);
}

std::vector<char> rows_of_numbers(Mesh &mesh, Dat &dat, std::span<const op_gindex> numbers) {
  const DeclaredView declared = fetch_declared(mesh, dat);
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  std::vector<char> out(numbers.size() * row);
  const auto copy = [&](std::span<const op_gindex> from, char *to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      std::copy_n(declared.rows() + static_cast<std::size_t>(from[i] - set.declared_first) * row, row, to + i * row);
  };
  if (!mesh.several()) {
    copy(numbers, out.data());
    return out;
  }
  Communicator &communicator = mesh.communicator();
  Directory holders(communicator, set.global_size);
  holders.enter_range(set.declared_first, set.declared_size, communicator.rank());
  const Groups groups = group_by_rank(holders.ask(numbers));
  const SparseMessages questions = post(communicator, groups, numbers);
  const std::span<const op_gindex> asked = questions.all<op_gindex>();
  std::vector<char> found(asked.size() * row);
  copy(asked, found.data());
  const SparseMessages answers =
      answer(communicator, questions, found, [&](int m) { return questions.values<op_gindex>(m).size() * row; });
  scatter_rows(out.data(), answers.all<char>().data(), groups.order, row);
  return out;
}

std::vector<op_gindex> declared_entries(Mesh &mesh, const Map &map) {
  const Set &from = map.source(), &to = map.target();
  const std::size_t dim = static_cast<std::size_t>(map.dim), rows = static_cast<std::size_t>(from.declared_size);
  if (mesh.several()) {
    if (!map.built && map.in_declared_order) return map.targets;
    std::vector<op_gindex> declared(rows * dim);
    rows_to_declared(mesh, from, own_targets(map).data(), declared.data(), dim * sizeof(op_gindex));
    return declared;
  }
  std::vector<op_gindex> declared(rows * dim);
  for (std::size_t number = 0; number < rows; ++number) {
    const std::size_t row = from.renumbered() ? static_cast<std::size_t>(from.place[number]) : number;
    for (std::size_t c = 0; c < dim; ++c) {
      const int entry = map.table[row * dim + c];
      declared[number * dim + c] = to.renumbered() ? to.original[static_cast<std::size_t>(entry)] : entry;
    }
  }
  return declared;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
