#include "distributed/declared/exchange.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "distributed/directory.hpp"
#include "distributed/global_index.hpp"
#include "distributed/groups.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

// Made when it is first asked for after each change of owners. Not kept: a copy of any row.
struct DeclaredExchange {
  GlobalIndex own; // owned rows by number, made when somebody asks for a few elements
  bool own_known = false;
  Groups to_declared; // owned rows by the process that declared them
  Groups to_owner;    // places in the declared part by the process that owns them, in the order of its rows
};

namespace {

DeclaredExchange &exchange_of(Mesh &mesh, const Set &set) {
  if (set.declared_exchange) return *set.declared_exchange;
  Communicator &communicator = mesh.communicator();
  const std::span<const op_gindex> own(set.global.data(), static_cast<std::size_t>(set.size));
  Directory holders(communicator, set.global_size);
  holders.enter_range(set.declared_first, set.declared_size, communicator.rank());
  auto exchange = std::make_shared<DeclaredExchange>();
  exchange->to_declared = group_by_rank(holders.ask(own));
  const SparseMessages received = post<op_gindex>(communicator, exchange->to_declared, own);
  exchange->to_owner.offset = {0};
  for (int m = 0; m < received.count(); ++m) {
    exchange->to_owner.ranks.push_back(received.sender(m));
    for (const op_gindex number : received.values<op_gindex>(m))
      exchange->to_owner.order.push_back(static_cast<int>(number - set.declared_first));
    exchange->to_owner.offset.push_back(exchange->to_owner.order.size());
  }
  set.declared_exchange = std::move(exchange);
  return *set.declared_exchange;
}

void scatter(const SparseMessages &received, const Groups &places, void *to, std::size_t row_bytes) {
  scatter_rows(static_cast<char *>(to), received.all<char>().data(), places.order, row_bytes);
}

} // namespace

void rows_to_declared(Mesh &mesh, const Set &set, const void *own, void *declared, std::size_t row_bytes) {
  if (!set.distributed) {
    if (set.size > 0) std::memcpy(declared, own, static_cast<std::size_t>(set.size) * row_bytes);
    return;
  }
  const DeclaredExchange &exchange = exchange_of(mesh, set);
  const SparseMessages received =
      post_rows(mesh.communicator(), exchange.to_declared, static_cast<const char *>(own), row_bytes);
  scatter(received, exchange.to_owner, declared, row_bytes);
}

void rows_from_declared(Mesh &mesh, const Set &set, const void *declared, void *own, std::size_t row_bytes) {
  if (!set.distributed) {
    if (set.size > 0) std::memcpy(own, declared, static_cast<std::size_t>(set.size) * row_bytes);
    return;
  }
  const DeclaredExchange &exchange = exchange_of(mesh, set);
  const SparseMessages received =
      post_rows(mesh.communicator(), exchange.to_owner, static_cast<const char *>(declared), row_bytes);
  scatter(received, exchange.to_declared, own, row_bytes);
}

std::vector<OwnRow> own_rows_between(Mesh &mesh, const Set &set, op_gindex low, op_gindex high) {
  std::vector<OwnRow> out;
  if (!set.distributed) {
    const op_gindex last = std::min(high, set.declared_first + set.declared_size - 1);
    for (op_gindex number = std::max(low, set.declared_first); number <= last; ++number)
      out.push_back({number, static_cast<int>(number - set.declared_first)});
    return out;
  }
  DeclaredExchange &exchange = exchange_of(mesh, set); // together, whichever way each process goes
  if (high - low >= set.size) {                        // fewer rows than numbers
    for (int row = 0; row < set.size; ++row)
      if (const op_gindex number = set.global[static_cast<std::size_t>(row)]; number >= low && number <= high)
        out.push_back({number, row});
    return out;
  }
  if (!exchange.own_known) exchange.own = GlobalIndex(std::span(set.global.data(), static_cast<std::size_t>(set.size)));
  exchange.own_known = true;
  for (op_gindex number = low; number <= high; ++number)
    if (const int row = exchange.own.find(number); row >= 0) out.push_back({number, row});
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
