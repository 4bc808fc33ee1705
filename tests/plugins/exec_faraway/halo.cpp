// halo.cpp: rows for the neighbours: one message for each, in it the rows of item after item.
#include <cstring>
#include <memory>
#include <new>

#include "exec_faraway.hpp"

struct op_exec_halo_s {
  struct List {
    std::vector<int32_t> offset, rows;
  };
  std::vector<List> lists;
};

namespace op2::exec_faraway {

op_status halo_upload(op_exec *exec, const op_exec_halo_lists *lists, int32_t nlists, op_exec_halo **halo) {
  if (fails(exec, "halo_upload")) return failed(exec);
  *halo = new (std::nothrow) op_exec_halo_s{};
  if (!*halo) return OP_ERR_MEMORY;
  for (int32_t l = 0; l < nlists; ++l) {
    const op_exec_halo_lists &list = lists[l];
    (*halo)->lists.push_back(
        {{list.offset, list.offset + list.neighbours + 1}, {list.rows, list.rows + list.offset[list.neighbours]}});
  }
  exec->halos.insert(*halo);
  return OP_OK;
}

void halo_free(op_exec *exec, op_exec_halo *halo) {
  if (finish_all(exec) != OP_OK) fault("work failed that waited when a halo was freed");
  if (exec->halos.erase(halo) == 0) fault("a halo is freed that is not alive");
  delete halo;
}

namespace {

// Calls move(row of a dat, its place in the buffer, bytes) for every row in the order of the messages.
template <class Move>
void each_row(op_exec *exec, const op_exec_halo *halo, const std::vector<op_exec_halo_item> &items, char *buffer,
              op_space space, const Move &move) {
  std::size_t place = 0;
  for (std::size_t neighbour = 0;; ++neighbour) {
    bool more = false;
    for (const op_exec_halo_item &item : items) {
      const op_exec_halo_s::List &list = halo->lists.at(static_cast<std::size_t>(item.list));
      if (neighbour + 1 >= list.offset.size()) continue;
      more = true;
      for (int32_t i = list.offset[neighbour]; i < list.offset[neighbour + 1]; ++i) {
        const std::size_t row = static_cast<std::size_t>(list.rows[static_cast<std::size_t>(i)]);
        char *far_row = reach(exec, item.base, (row + 1) * item.row_bytes, "a halo row is not in far memory") +
                        row * item.row_bytes;
        move(far_row, reach(exec, buffer + place, item.row_bytes, space, "a halo buffer is not in its space"),
             item.row_bytes);
        place += item.row_bytes;
      }
    }
    if (!more) return;
  }
}

} // namespace

op_status halo_pack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems, void *buffer,
                    op_space space, op_event *done) {
  if (fails(exec, "halo_pack")) return failed(exec);
  return enqueue(exec, done, [=, own = std::vector<op_exec_halo_item>(items, items + nitems)] {
    each_row(exec, halo, own, static_cast<char *>(buffer), space,
             [](char *row, char *place, std::size_t bytes) { std::memcpy(place, row, bytes); });
    return OP_OK;
  });
}

op_status halo_unpack(op_exec *exec, op_exec_halo *halo, const op_exec_halo_item *items, int32_t nitems,
                      const void *buffer, op_space space, op_event *done) {
  if (fails(exec, "halo_unpack")) return failed(exec);
  return enqueue(exec, done, [=, own = std::vector<op_exec_halo_item>(items, items + nitems)] {
    each_row(exec, halo, own, const_cast<char *>(static_cast<const char *>(buffer)), space,
             [](char *row, char *place, std::size_t bytes) { std::memcpy(row, place, bytes); });
    return OP_OK;
  });
}

} // namespace op2::exec_faraway

// SPDX-License-Identifier: MIT
