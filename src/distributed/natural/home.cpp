#include "distributed/natural/home.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

// Made when it is first asked for after each change of owners. Not kept: a copy of any row.
struct HomeWay {
  GlobalIndex own; // owned rows by number, made when somebody asks for a few elements
  bool own_known = false;
  Groups to_home;  // owned rows by the process that declared them
  Groups to_owner; // places in the home part by the process that owns them, in the order of its rows
};

namespace {

HomeWay &way_of(Mesh &mesh, const Set &set) {
  if (set.home) return *set.home;
  Communicator &communicator = mesh.communicator();
  const std::span<const idx_g_t> own(set.global.data(), static_cast<std::size_t>(set.size));
  Directory homes(communicator, set.global_size);
  homes.enter_range(set.home_first, set.home_size, communicator.rank());
  auto way = std::make_shared<HomeWay>();
  way->to_home = group_by_rank(homes.ask(own));
  const Mail mail = post<idx_g_t>(communicator, way->to_home, own);
  way->to_owner.offset = {0};
  for (int m = 0; m < mail.count(); ++m) {
    way->to_owner.ranks.push_back(mail.sender(m));
    for (const idx_g_t number : mail.values<idx_g_t>(m))
      way->to_owner.order.push_back(static_cast<int>(number - set.home_first));
    way->to_owner.offset.push_back(way->to_owner.order.size());
  }
  set.home = std::move(way);
  return *set.home;
}

void scatter(const Mail &mail, const Groups &places, void *to, std::size_t row_bytes) {
  scatter_rows(static_cast<char *>(to), mail.all<char>().data(), places.order, row_bytes);
}

} // namespace

void rows_to_home(Mesh &mesh, const Set &set, const void *own, void *home, std::size_t row_bytes) {
  if (!set.distributed) {
    if (set.size > 0) std::memcpy(home, own, static_cast<std::size_t>(set.size) * row_bytes);
    return;
  }
  const HomeWay &way = way_of(mesh, set);
  const Mail mail = post_rows(mesh.communicator(), way.to_home, static_cast<const char *>(own), row_bytes);
  scatter(mail, way.to_owner, home, row_bytes);
}

void rows_from_home(Mesh &mesh, const Set &set, const void *home, void *own, std::size_t row_bytes) {
  if (!set.distributed) {
    if (set.size > 0) std::memcpy(own, home, static_cast<std::size_t>(set.size) * row_bytes);
    return;
  }
  const HomeWay &way = way_of(mesh, set);
  const Mail mail = post_rows(mesh.communicator(), way.to_owner, static_cast<const char *>(home), row_bytes);
  scatter(mail, way.to_home, own, row_bytes);
}

std::vector<OwnRow> own_rows_between(Mesh &mesh, const Set &set, idx_g_t low, idx_g_t high) {
  std::vector<OwnRow> out;
  if (!set.distributed) {
    const idx_g_t last = std::min(high, set.home_first + set.home_size - 1);
    for (idx_g_t number = std::max(low, set.home_first); number <= last; ++number)
      out.push_back({number, static_cast<int>(number - set.home_first)});
    return out;
  }
  if (high - low >= set.size) { // fewer rows than numbers
    for (int row = 0; row < set.size; ++row)
      if (const idx_g_t number = set.global[static_cast<std::size_t>(row)]; number >= low && number <= high)
        out.push_back({number, row});
    return out;
  }
  HomeWay &way = way_of(mesh, set);
  if (!way.own_known) way.own = GlobalIndex(std::span(set.global.data(), static_cast<std::size_t>(set.size)));
  way.own_known = true;
  for (idx_g_t number = low; number <= high; ++number)
    if (const int row = way.own.find(number); row >= 0) out.push_back({number, row});
  return out;
}

} // namespace op2::core
