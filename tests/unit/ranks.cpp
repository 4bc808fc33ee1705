// ranks.cpp: see ranks.hpp.
#include "ranks.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <memory>
#include <set>
#include <thread>
#include <type_traits>

#include "base/error.hpp"
#include "base/types.hpp"
#include "ranks_world.hpp"

namespace unit {

namespace {

using op2::core::text;

// A rank's end of the world: what op_comm stands for here.
struct Seat {
  World *world;
  int rank;
  const op_host_v1 *host = nullptr;
  std::int64_t halos = 0; // made so far, the same on all ranks
};
thread_local Seat *own_seat = nullptr; // found by open

Seat &seat_of(op_comm *comm) { return *reinterpret_cast<Seat *>(comm); }

struct Halo {
  op_comm_halo_params params;
  std::vector<int> send_rank, recv_rank;
  std::vector<std::size_t> send_offset, recv_offset;
  std::int64_t number, exchanges;
  std::vector<World::Key> keys; // of what was started
};
Halo &halo_of(op_comm_halo *halo) { return *reinterpret_cast<Halo *>(halo); }

op_status failed(const Seat &seat, const std::string &why) {
  return seat.host->fail(seat.host, OP_ERR_PLUGIN, why.c_str());
}

// All ranks bring a post, then each calls read(post of rank r, r) for all r, which returns "" or what is wrong.
template <class Read>
op_status collective(op_comm *comm, const Post &post, Read &&read) {
  Seat &seat = seat_of(comm);
  std::string why = seat.world->meet(seat.rank, post);
  if (!why.empty()) return failed(seat, why);
  for (int r = 0; r < seat.world->size() && why.empty(); ++r) why = read(seat.world->post(r), r);
  const std::string later = seat.world->part(seat.rank);
  if (why.empty()) why = later;
  return why.empty() ? OP_OK : failed(seat, text(post.entry, ": ", why));
}

op_status open(const op_comm_params *params, op_comm **comm) {
  if (!own_seat) return params->host->fail(params->host, OP_ERR_BACKEND, "threads are ranks inside run_ranks() only");
  *comm = reinterpret_cast<op_comm *>(
      std::make_unique<Seat>(Seat{own_seat->world, own_seat->rank, params->host, 0}).release());
  return OP_OK;
}
void close(op_comm *comm) { const std::unique_ptr<Seat> last(&seat_of(comm)); }
void abort_ranks(op_comm *comm, int code) {
  seat_of(comm).world->give_up(text("rank ", seat_of(comm).rank, " has ended the job with code ", code));
}
std::int32_t rank(op_comm *comm) { return seat_of(comm).rank; }
std::int32_t size_of(op_comm *comm) { return seat_of(comm).world->size(); }
int claim_failure(op_comm *comm) { return seat_of(comm).world->claim(); }

op_status caps(op_comm *, op_comm_caps *caps) {
  caps->spaces[0] = OP_SPACE_HOST;
  caps->spaces[1] = OP_SPACE_NONE;
  caps->thread_multiple = 0;
  return OP_OK;
}

op_status barrier(op_comm *comm) {
  return collective(comm, {.entry = "barrier"}, [](const Post &, int) { return std::string(); });
}

void copy(void *into, const void *from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(into, from, bytes);
}

op_status bcast(op_comm *comm, void *data, std::size_t bytes, std::int32_t root) {
  const int own = seat_of(comm).rank;
  return collective(comm, {.entry = "bcast", .data = data, .bytes = bytes, .number = root}, [&](const Post &p, int r) {
    if (p.bytes != bytes || p.number != root) return text("rank ", r, " has ", p.bytes, " bytes and root ", p.number);
    if (r == root && own != root) copy(data, p.data, bytes);
    return std::string();
  });
}

template <class T>
void fold(T *into, const T *from, std::size_t count, std::int32_t operation) {
  for (std::size_t i = 0; i < count; ++i)
    if (operation == OP_COMM_SUM)
      into[i] = static_cast<T>(into[i] + from[i]);
    else
      into[i] = operation == OP_COMM_MIN ? std::min(into[i], from[i]) : std::max(into[i], from[i]);
}

op_status allreduce(op_comm *comm, void *data, std::size_t count, op_type_id type, std::int32_t operation) {
  return op2::core::with_type(type, [&](auto *any) {
    using T = std::remove_pointer_t<decltype(any)>;
    const std::string own(static_cast<const char *>(data), count * sizeof(T)); // others read it while data changes
    const Post post{.entry = "allreduce", .data = own.data(), .bytes = own.size(), .number = operation * 16 + type};
    return collective(comm, post, [&](const Post &p, int r) {
      if (p.bytes != own.size() || p.number != post.number)
        return text("rank ", r, " has another size, type or operation");
      if (r == 0)
        copy(data, p.data, p.bytes);
      else
        fold(static_cast<T *>(data), static_cast<const T *>(p.data), count, operation);
      return std::string();
    });
  });
}

op_status allreduce_record(op_comm *comm, void *record, std::size_t bytes, op_comm_combine_fn combine, void *context) {
  const std::string own(static_cast<const char *>(record), bytes);
  return collective(comm, {.entry = "allreduce_record", .data = own.data(), .bytes = bytes}, [&](const Post &p, int r) {
    if (p.bytes != bytes) return text("rank ", r, " has ", p.bytes, " bytes instead of ", bytes);
    if (r == 0)
      copy(record, p.data, bytes);
    else
      combine(context, record, p.data);
    return std::string();
  });
}

op_status allgatherv(op_comm *comm, const void *send, std::size_t bytes, void *recv, const std::size_t *offsets) {
  return collective(comm, {.entry = "allgatherv", .data = send, .bytes = bytes}, [&](const Post &p, int r) {
    if (p.bytes != offsets[r + 1] - offsets[r])
      return text("rank ", r, " sends ", p.bytes, " bytes, expected are ", offsets[r + 1] - offsets[r]);
    copy(static_cast<char *>(recv) + offsets[r], p.data, p.bytes);
    return std::string();
  });
}

op_status exscan(op_comm *comm, const std::int64_t *send, std::int64_t *recv, std::size_t count) {
  const int own = seat_of(comm).rank;
  std::fill(recv, recv + count, 0);
  return collective(comm, {.entry = "exscan", .data = send, .bytes = count}, [&](const Post &p, int r) {
    if (p.bytes != count) return text("rank ", r, " has ", p.bytes, " numbers instead of ", count);
    if (r < own) fold(recv, static_cast<const std::int64_t *>(p.data), count, OP_COMM_SUM);
    return std::string();
  });
}

// Messages as the host's own memory.
void deliver(const op_host_v1 &host, const std::vector<int> &ranks, const std::vector<std::size_t> &offsets,
             const std::string &data, op_comm_messages *received) {
  received->count = static_cast<std::int32_t>(ranks.size());
  received->rank = static_cast<std::int32_t *>(host.alloc(ranks.size() * sizeof(std::int32_t), 64));
  received->offset = static_cast<std::size_t *>(host.alloc(offsets.size() * sizeof(std::size_t), 64));
  received->data = host.alloc(data.size(), 64);
  copy(received->rank, ranks.data(), ranks.size() * sizeof(std::int32_t));
  copy(received->offset, offsets.data(), offsets.size() * sizeof(std::size_t));
  copy(received->data, data.data(), data.size());
}

op_status sparse_exchange(op_comm *comm, std::int32_t nsend, const std::int32_t *send_rank,
                          const std::size_t *send_offset, const void *send, op_comm_messages *received) {
  const Seat &seat = seat_of(comm);
  std::vector<int> ranks;
  std::vector<std::size_t> offsets{0};
  std::string data;
  const Post post{
      .entry = "sparse_exchange", .data = send, .offsets = send_offset, .ranks = send_rank, .number = nsend};
  const op_status status = collective(comm, post, [&](const Post &p, int r) {
    std::set<int> named;
    for (int m = 0; m < p.number; ++m) {
      const int to = p.ranks[m];
      if (to < 0 || to >= seat.world->size() || !named.insert(to).second)
        return text("rank ", r, " sends to ", to, ", which does not exist or is named twice");
      if (to != seat.rank) continue;
      data.append(static_cast<const char *>(p.data) + p.offsets[m], p.offsets[m + 1] - p.offsets[m]);
      ranks.push_back(r);
      offsets.push_back(data.size());
    }
    return std::string();
  });
  if (status == OP_OK) deliver(*seat.host, ranks, offsets, data, received);
  return status;
}

op_status post(op_comm *comm, std::int32_t rank, const void *data, std::size_t bytes) {
  const Seat &seat = seat_of(comm);
  if (rank < 0 || rank >= seat.world->size() || rank == seat.rank) return failed(seat, "post: not another process");
  seat.world->drop(rank, seat.rank, {static_cast<const char *>(data), bytes});
  return OP_OK;
}

op_status poll(op_comm *comm, op_comm_messages *received) {
  const Seat &seat = seat_of(comm);
  World::Mail mail;
  if (const std::string why = seat.world->take(seat.rank, mail); !why.empty()) return failed(seat, why);
  std::stable_sort(mail.begin(), mail.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
  std::vector<int> ranks;
  std::vector<std::size_t> offsets{0};
  std::string data;
  for (const auto &[from, bytes] : mail) {
    ranks.push_back(from);
    data += bytes;
    offsets.push_back(data.size());
  }
  deliver(*seat.host, ranks, offsets, data, received);
  return OP_OK;
}

void halo_free(op_comm *comm, op_comm_halo *handle) {
  const std::unique_ptr<Halo> last(&halo_of(handle));
  seat_of(comm).world->withdraw(last->keys);
}

op_status halo_create(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo) {
  Seat &seat = seat_of(comm);
  const op_comm_halo_params &p = *params;
  if (p.space != OP_SPACE_HOST) return failed(seat, "halo_create: only host memory can be sent");
  Halo made{p, {p.send_rank, p.send_rank + p.nsend}, {p.recv_rank, p.recv_rank + p.nrecv}, {}, {}, seat.halos++, 0, {}};
  if (p.nsend > 0) made.send_offset.assign(p.send_offset, p.send_offset + p.nsend + 1);
  if (p.nrecv > 0) made.recv_offset.assign(p.recv_offset, p.recv_offset + p.nrecv + 1);
  *halo = reinterpret_cast<op_comm_halo *>(std::make_unique<Halo>(std::move(made)).release());
  const op_status status = collective(comm, {.entry = "halo_create"}, [](const Post &, int) { return std::string(); });
  if (status != OP_OK) halo_free(comm, *halo);
  return status;
}

op_status halo_start(op_comm *comm, op_comm_halo *handle) {
  Seat &seat = seat_of(comm);
  Halo &halo = halo_of(handle);
  if (!halo.keys.empty()) return failed(seat, "halo_start: it was started before and not waited for");
  std::string why;
  for (std::size_t m = 0; m < halo.recv_rank.size() && why.empty(); ++m) {
    halo.keys.emplace_back(halo.number, halo.exchanges, halo.recv_rank[m], seat.rank);
    why = seat.world->receive(halo.keys.back(), static_cast<char *>(halo.params.recv_buffer) + halo.recv_offset[m],
                              halo.recv_offset[m + 1] - halo.recv_offset[m]);
  }
  for (std::size_t m = 0; m < halo.send_rank.size() && why.empty(); ++m) {
    halo.keys.emplace_back(halo.number, halo.exchanges, seat.rank, halo.send_rank[m]);
    why = seat.world->send(halo.keys.back(), static_cast<const char *>(halo.params.send_buffer) + halo.send_offset[m],
                           halo.send_offset[m + 1] - halo.send_offset[m]);
  }
  ++halo.exchanges;
  return why.empty() ? OP_OK : failed(seat, "halo_start: " + why);
}

op_status halo_wait(op_comm *comm, op_comm_halo *handle) {
  Seat &seat = seat_of(comm);
  const std::vector<World::Key> keys = std::exchange(halo_of(handle).keys, {});
  const std::string why = seat.world->wait(seat.rank, keys);
  return why.empty() ? OP_OK : failed(seat, "halo_wait: " + why);
}

int halo_test(op_comm *comm, op_comm_halo *halo) { return seat_of(comm).world->done(halo_of(halo).keys) ? 1 : 0; }
int score(const op_host_v1 *) { return 1; }

constexpr op_comm_ops_v1 ops = [] {
  op_comm_ops_v1 t{};
  t.size = sizeof t;
  t.open = open;
  t.close = close;
  t.abort = abort_ranks;
  t.rank = rank;
  t.size_of = size_of;
  t.node_rank = rank; // all on one node
  t.node_size = size_of;
  t.caps = caps;
  t.barrier = barrier;
  t.bcast = bcast;
  t.post = post;
  t.poll = poll;
  t.allreduce = allreduce;
  t.allgatherv = allgatherv;
  t.exscan = exscan;
  t.halo_create = halo_create;
  t.halo_start = halo_start;
  t.halo_wait = halo_wait;
  t.halo_free = halo_free;
  t.halo_test = halo_test;
  t.sparse_exchange = sparse_exchange;
  t.allreduce_record = allreduce_record;
  t.claim_failure = claim_failure;
  return t;
}();

constexpr op_plugin_v1 plugin = {sizeof(op_plugin_v1),
                                 OP2_PLUGIN_ABI,
                                 OP2_PLUGIN_API,
                                 OP_PLUGIN_COMM,
                                 0,
                                 "threads",
                                 "ranks as threads",
                                 "",
                                 nullptr,
                                 score,
                                 &ops};

// The life of one thread.
void run_rank(World &world, int rank, const std::function<void(op2::core::Communicator &, Host &)> &body, Host &host) {
  Seat seat{&world, rank};
  own_seat = &seat;
  try {
    op2::core::Communicator communicator(*host.registry, host.services, "threads");
    body(communicator, host);
  } catch (const std::exception &error) {
    world.give_up(std::current_exception(), text("rank ", rank, " has failed: ", error.what()));
  } catch (...) {
    world.give_up(std::current_exception(), text("rank ", rank, " has failed"));
  }
  own_seat = nullptr;
  world.leave(rank);
}

} // namespace

void run_ranks(int processes, const std::function<void(op2::core::Communicator &, Host &)> &body) {
  World world(processes);
  std::vector<std::unique_ptr<Host>> hosts;
  for (int r = 0; r < processes; ++r) {
    hosts.push_back(std::make_unique<Host>());
    hosts.back()->registry->add_builtin(&plugin);
  }
  {
    std::vector<std::jthread> threads;
    for (int r = 0; r < processes; ++r)
      threads.emplace_back([&, r] { run_rank(world, r, body, *hosts[static_cast<std::size_t>(r)]); });
  }
  if (world.thrown()) std::rethrow_exception(world.thrown());
  if (!world.reason().empty()) op2::core::fail(OP_ERR_PLUGIN, world.reason());
}

void run_ranks(int processes, const std::function<void(op2::core::Communicator &)> &body) {
  run_ranks(processes, [&](op2::core::Communicator &communicator, Host &) { body(communicator); });
}

} // namespace unit

// SPDX-License-Identifier: MIT
