#include "distributed/partition/repartition.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "distributed/all_or_none.hpp"
#include "distributed/halo/halo_exchange.hpp"

namespace op2::core {

namespace {

template <class Value>
std::vector<double> rows_as_doubles(const Dat &dat, int rows) {
  const Value *const first = reinterpret_cast<const Value *>(dat.host.data());
  return {first, first + static_cast<std::ptrdiff_t>(rows) * dat.dim};
}

std::vector<double> rows_as_doubles(const Dat &dat, int rows) {
  return dat.element.id == OP_TYPE_DOUBLE ? rows_as_doubles<double>(dat, rows) : rows_as_doubles<float>(dat, rows);
}

} // namespace

ElementPoints points_of_elements(Mesh &mesh, const Set &set, Dat &coordinates, const Map *map,
                                 const Transport &transport) {
  if (coordinates.set == &set) {
    all_or_none(mesh, "coordinates on their way to the host",
                [&] { mesh.copies().prepare_host(coordinates, OP_READ, false); });
    return {rows_as_doubles(coordinates, set.size), coordinates.dim};
  }
  bring_copies(mesh, coordinates, transport);
  const std::vector<double> rows = rows_as_doubles(coordinates, coordinates.on().rows());
  const std::size_t dim = static_cast<std::size_t>(coordinates.dim), columns = static_cast<std::size_t>(map->dim);
  ElementPoints out{std::vector<double>(static_cast<std::size_t>(set.size) * dim), coordinates.dim};
  for (std::size_t n = 0; n < static_cast<std::size_t>(set.size); ++n)
    for (std::size_t c = 0; c < columns; ++c)
      for (std::size_t d = 0; d < dim; ++d)
        out.of[n * dim + d] +=
            rows[static_cast<std::size_t>(map->table[n * columns + c]) * dim + d] / static_cast<double>(columns);
  return out;
}

namespace {

struct Overlap { // so many own elements of a process are in a part
  std::int64_t elements;
  int process, part;
};

// The largest few of each process: most others are small, and no process needs all pairs.
std::vector<Overlap> largest_overlaps(Communicator &communicator, const std::vector<int> &part) {
  constexpr std::size_t most = 8;
  std::map<int, std::int64_t> counts;
  for (const int p : part) ++counts[p];
  std::vector<Overlap> own;
  for (const auto &[p, elements] : counts) own.push_back({elements, communicator.rank(), p});
  std::ranges::stable_sort(own, std::greater(), &Overlap::elements);
  if (own.size() > most) own.resize(most);
  const std::string bytes(reinterpret_cast<const char *>(own.data()), own.size() * sizeof(Overlap));
  std::vector<Overlap> all;
  for (const std::string &of_one : communicator.allgather(bytes)) {
    const std::size_t before = all.size();
    all.resize(before + of_one.size() / sizeof(Overlap));
    if (!of_one.empty()) std::memcpy(all.data() + before, of_one.data(), of_one.size());
  }
  std::ranges::stable_sort(all, std::greater(), &Overlap::elements);
  return all;
}

} // namespace

void keep_places(Communicator &communicator, std::vector<int> &part) {
  constexpr int nobody = -1;
  const std::size_t processes = static_cast<std::size_t>(communicator.size());
  std::vector<int> process_of(processes, nobody);
  std::vector<bool> taken(processes, false);
  for (const Overlap &overlap : largest_overlaps(communicator, part)) {
    int &process = process_of[static_cast<std::size_t>(overlap.part)];
    if (process != nobody || taken[static_cast<std::size_t>(overlap.process)]) continue;
    process = overlap.process;
    taken[static_cast<std::size_t>(process)] = true;
  }
  int next = 0;
  for (int &process : process_of) {
    if (process != nobody) continue;
    while (taken[static_cast<std::size_t>(next)]) ++next;
    process = next++;
  }
  for (int &p : part) p = process_of[static_cast<std::size_t>(p)];
}

} // namespace op2::core
// SPDX-License-Identifier: MIT
