#include "distributed/natural/rows.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/directory.hpp"
#include "distributed/groups.hpp"
#include "distributed/natural/exchange.hpp"
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

void bring_into_natural_order(Mesh &mesh, const Dat &dat, char *natural) {
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  if (mesh.several())
    rows_to_natural(mesh, set, dat.host.data(), natural, row);
  else
    gather_rows(natural, dat.host.data(), set.place, row);
}

} // namespace

NaturalView fetch_natural(Mesh &mesh, Dat &dat) {
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes());
  if (bring_to_host(mesh, dat)) return NaturalView(dat.host.data());
  std::vector<char> natural;
  all_or_none(mesh, "memory for rows", [&] {
    natural.resize(static_cast<std::size_t>(dat.on().natural_size) * static_cast<std::size_t>(dat.size));
  });
  bring_into_natural_order(mesh, dat, natural.data());
  return NaturalView(std::move(natural));
}

void copy_natural(Mesh &mesh, Dat &dat, char *natural) {
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes());
  if (bring_to_host(mesh, dat))
    std::copy_n(dat.host.data(), static_cast<std::size_t>(dat.on().natural_size) * static_cast<std::size_t>(dat.size),
                natural);
  else
    bring_into_natural_order(mesh, dat, natural);
}

void put_natural(Mesh &mesh, Dat &dat, const char *rows) {
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  const TraceSpan shown = mesh.copies().span(trace_lane::data, "put", dat, dat.own_bytes());
  if (mesh.several())
    rows_from_natural(mesh, set, rows, dat.host.data(), row);
  else if (set.renumbered())
    scatter_rows(dat.host.data(), rows, set.place, row);
  else
    std::copy(rows, rows + dat.own_bytes(), dat.host.data());
  mesh.copies().note_host(dat, OP_WRITE);
}

std::vector<char> rows_of_numbers(Mesh &mesh, Dat &dat, std::span<const op_gindex> numbers) {
  const NaturalView natural = fetch_natural(mesh, dat);
  const Set &set = dat.on();
  const std::size_t row = static_cast<std::size_t>(dat.size);
  std::vector<char> out(numbers.size() * row);
  const auto copy = [&](std::span<const op_gindex> from, char *to) {
    for (std::size_t i = 0; i < from.size(); ++i)
      std::copy_n(natural.rows() + static_cast<std::size_t>(from[i] - set.natural_first) * row, row, to + i * row);
  };
  if (!mesh.several()) {
    copy(numbers, out.data());
    return out;
  }
  Communicator &communicator = mesh.communicator();
  Directory holders(communicator, set.global_size);
  holders.enter_range(set.natural_first, set.natural_size, communicator.rank());
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

std::vector<op_gindex> natural_entries(Mesh &mesh, const Map &map) {
  const Set &from = map.source(), &to = map.target();
  const std::size_t dim = static_cast<std::size_t>(map.dim), rows = static_cast<std::size_t>(from.natural_size);
  if (mesh.several()) {
    if (!map.built && map.in_natural_order) return map.targets;
    std::vector<op_gindex> natural(rows * dim);
    rows_to_natural(mesh, from, own_targets(map).data(), natural.data(), dim * sizeof(op_gindex));
    return natural;
  }
  std::vector<op_gindex> natural(rows * dim);
  for (std::size_t number = 0; number < rows; ++number) {
    const std::size_t row = from.renumbered() ? static_cast<std::size_t>(from.place[number]) : number;
    for (std::size_t c = 0; c < dim; ++c) {
      const int entry = map.table[row * dim + c];
      natural[number * dim + c] = to.renumbered() ? to.original[static_cast<std::size_t>(entry)] : entry;
    }
  }
  return natural;
}

} // namespace op2::core
