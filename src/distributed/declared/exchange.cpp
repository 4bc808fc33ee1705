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
  Groups to_declared;           // owned rows by the process that declared them, by number
  std::vector<op_gindex> first; // element of the declared part of each of these processes
  Groups to_owner;              // places in the declared part by the process that owns them, in the order of its rows
};

namespace {

// So that a piece of a declared part is a range of each group.
void sort_by_number(Groups &groups, std::span<const op_gindex> number) {
  const auto of = [number](int item) { return number[static_cast<std::size_t>(item)]; };
  for (std::size_t g = 0; g + 1 < groups.offset.size(); ++g) {
    const std::span<int> items =
        std::span(groups.order).subspan(groups.offset[g], groups.offset[g + 1] - groups.offset[g]);
    if (!std::ranges::is_sorted(items, {}, of)) std::ranges::sort(items, {}, of);
  }
}

DeclaredExchange &exchange_of(Mesh &mesh, const Set &set) {
  if (set.declared_exchange) return *set.declared_exchange;
  Communicator &communicator = mesh.communicator();
  const std::span<const op_gindex> own(set.global.data(), static_cast<std::size_t>(set.size));
  Directory holders(communicator, set.global_size);
  holders.enter_range(set.declared_first, set.declared_size, communicator.rank());
  auto exchange = std::make_shared<DeclaredExchange>();
  exchange->to_declared = group_by_rank(holders.ask(own));
  sort_by_number(exchange->to_declared, own);
  const SparseMessages received = post<op_gindex>(communicator, exchange->to_declared, own);
  exchange->to_owner.offset = {0};
  for (int m = 0; m < received.count(); ++m) {
    exchange->to_owner.ranks.push_back(received.sender(m));
    for (const op_gindex number : received.values<op_gindex>(m))
      exchange->to_owner.order.push_back(static_cast<int>(number - set.declared_first));
    exchange->to_owner.offset.push_back(exchange->to_owner.order.size());
  }
  const std::vector<op_gindex> mine(static_cast<std::size_t>(received.count()), set.declared_first);
  const SparseMessages theirs = answer(communicator, received, mine, [](int) { return 1; });
  exchange->first.assign(theirs.all<op_gindex>().begin(), theirs.all<op_gindex>().end());
  set.declared_exchange = std::move(exchange);
  return *set.declared_exchange;
}

void scatter(const SparseMessages &received, const Groups &places, void *to, std::size_t row_bytes) {
  scatter_rows(static_cast<char *>(to), received.all<char>().data(), places.order, row_bytes);
}

// The items of group g with number(g, item) in the n-th piece of the declared part that begins at first(g).
template <class First, class Number>
Groups in_piece(const Groups &all, std::int64_t step, std::int64_t n, const First &first, const Number &number) {
  Groups out;
  for (int g = 0; g < all.count(); ++g) {
    const std::span<const int> items = all.items(g);
    const op_gindex begin = (first(g) / step + n) * step;
    const auto of = [&](int item) { return number(g, item); };
    const auto from = std::ranges::lower_bound(items, begin, {}, of);
    const auto to = std::ranges::lower_bound(from, items.end(), begin + step, {}, of);
    if (from == to) continue;
    out.ranks.push_back(all.ranks[static_cast<std::size_t>(g)]);
    out.order.insert(out.order.end(), from, to);
    out.offset.push_back(out.order.size());
  }
  return out;
}

// Owned rows, by the processes that declared them.
Groups owned_in_piece(const DeclaredExchange &exchange, const Set &set, const OnePiece &piece) {
  return in_piece(
      exchange.to_declared, piece.pieces.step, piece.number,
      [&](int g) { return exchange.first[static_cast<std::size_t>(g)]; },
      [&](int, int row) { return set.global[static_cast<std::size_t>(row)]; });
}

// Places in this process's piece, by the processes that own the rows.
Groups declared_in_piece(const DeclaredExchange &exchange, const Set &set, const OnePiece &piece) {
  Groups out = in_piece(
      exchange.to_owner, piece.pieces.step, piece.number, [&](int) { return set.declared_first; },
      [&](int, int place) { return set.declared_first + place; });
  for (int &place : out.order) place -= static_cast<int>(piece.pieces[piece.number].at);
  return out;
}

SparseMessages send(Mesh &mesh, const Groups &groups, std::size_t row_bytes, const std::vector<char> &packed) {
  std::vector<std::size_t> offset;
  for (const std::size_t at : groups.offset) offset.push_back(at * row_bytes);
  return mesh.communicator().sparse_exchange(groups.ranks, offset, packed.data());
}

} // namespace

void piece_to_declared(Mesh &mesh, const Set &set, const OnePiece &piece, char *declared,
                       const std::function<void(std::span<const int> rows, char *to)> &get) {
  const DeclaredExchange &exchange = exchange_of(mesh, set);
  const Groups own = owned_in_piece(exchange, set, piece), places = declared_in_piece(exchange, set, piece);
  std::vector<char> packed(own.order.size() * piece.row_bytes);
  get(own.order, packed.data());
  scatter(send(mesh, own, piece.row_bytes, packed), places, declared, piece.row_bytes);
}

void piece_from_declared(Mesh &mesh, const Set &set, const OnePiece &piece, const char *declared,
                         const std::function<void(std::span<const int> rows, const char *from)> &put) {
  const DeclaredExchange &exchange = exchange_of(mesh, set);
  const Groups own = owned_in_piece(exchange, set, piece), places = declared_in_piece(exchange, set, piece);
  const SparseMessages received = post_rows(mesh.communicator(), places, declared, piece.row_bytes);
  put(own.order, received.all<char>().data());
}

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
