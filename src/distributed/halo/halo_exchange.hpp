// Updates copies of other processes' rows: all dats of a loop in one message to each neighbour.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "distributed/halo/device_halo.hpp"
#include "distributed/halo/transport.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// A dat and the kinds of its copies to update.
struct HaloItem {
  Dat *dat;
  bool exec, nonexec;
  const Map *through = nullptr; // not NULL: only copies it reaches, of both kinds
  bool changed = false;         // the dat may be written during the exchange
  int layer = 1;                // of the halo
  friend bool operator==(const HaloItem &, const HaloItem &) = default;
};

// The messages have fixed sizes, so the communicator may set them up once. The constructor, start() and finish() are
// collective; the constructor fails on all processes or on none. The mesh's halos must not change.
class HaloExchange {
 public:
  HaloExchange(Mesh &mesh, std::vector<HaloItem> items, const Transport &transport = {});
  ~HaloExchange();
  HaloExchange(const HaloExchange &) = delete;
  HaloExchange &operator=(const HaloExchange &) = delete;

  const std::vector<HaloItem> &items() const { return items_; }
  bool valid() const { return revision() == revision_; } // its dats, sets and maps are unchanged
  // Are rows received into the host's copy? Then the caller must call finish() before it prepares the loop.
  // on_host: the loop runs on the host.
  bool through_host(bool on_host = false) const;
  bool by_channel() const { return device_ && device_->has_channel(); } // else the host sends and waits
  void start(bool on_host = false);
  // Waits until the executor has packed the rows of start(), then sends them; finish() calls it. With a device channel,
  // start() has sent them, and neither send() nor finish() waits.
  void send();
  bool wants_progress() const { return wants_progress_; }           // call progress() or messages wait for finish()
  bool progress() { return mesh_.communicator().halo_test(halo_); } // true: all have arrived
  // Whether finish() will not wait; also if nobody can tell.
  bool arrived() { return !halo_ || !mesh_.communicator().can_test() || progress(); }
  void finish();
  // After a failure, since other processes wait: sends and receives the remaining messages with undefined contents,
  // and leaves the dats' copies out of date. begun: start() was called.
  void give_up(bool begun);

  // What this process sends.
  int messages() const { return static_cast<int>(send_rank_.size()); }
  std::size_t bytes() const { return send_offset_.back(); }
  std::size_t bytes_of(std::size_t item) const { return bytes_of_[item]; }
  std::size_t saved_bytes_of(std::size_t item) const; // less than with all copies of the dat
  // Its messages and their way, for the log.
  std::string summary(bool on_host = false) const;
  // The way of its bytes, for people: "from device to device by ipc", "through page-locked memory of the host, by shm:
  // OP2_GPU_DIRECT=off". "" where the executor has no memory of its own. on_host: as in start().
  const std::string &path(bool on_host) const { return path_[on_host ? 1 : 0]; }
  // Are messages received into the rows? The communicator may still use its own buffers for some.
  bool received_in_place() const { return in_rows_ != nullptr; }
  double set_up_seconds() const { return set_up_seconds_; } // that the constructor took

 private:
  struct NeighbourRows {    // of one part for or from one neighbour
    std::size_t item, part; // part 2 * item; + 1 for its nonexec copies
    int rank;
    std::span<const int> listed;         // these rows; if empty, the run
    int first = 0, count = 0;            // run of consecutive rows
    std::size_t message = 0, offset = 0; // position: bytes into the message
  };
  Revision revision() const;
  std::string find_path(const Transport &transport, bool on_host) const;
  std::vector<NeighbourRows> rows_to_send() const;
  std::vector<NeighbourRows> rows_to_receive() const;
  void lay_out(std::vector<NeighbourRows> &rows, std::vector<int> &ranks, std::vector<std::size_t> &offset) const;

  void make(const Transport &transport);
  char *rows_in_place() const;
  void make_buffers(const Transport &transport);
  std::vector<op_exec_halo_item> on_device() const;
  void pack_on_host();
  void pack_from_file(const Dat &dat);
  void unpack_on_host();
  void note(bool on_exec);
  void give_up_channel() noexcept;

  Mesh &mesh_;
  std::vector<HaloItem> items_;
  const Revision revision_;
  double set_up_seconds_;
  std::vector<NeighbourRows> out_, in_; // in the order of the buffers
  std::vector<int> send_rank_, recv_rank_;
  std::vector<std::size_t> send_offset_, recv_offset_;
  std::vector<std::size_t> bytes_of_;
  std::size_t longest_ = 0; // bytes of a message, sent or received
  // Not initialised: the communicator may use its own buffers, so that no pages are touched here.
  std::unique_ptr<char[]> send_, recv_;
  char *in_rows_ = nullptr; // a dat's rows, replace recv_
  std::vector<void *> send_at_;
  std::vector<const void *> recv_at_;
  std::unique_ptr<DeviceHalo> device_;      // NULL: the host packs and unpacks
  std::vector<char> sent_here_, came_here_; // for device buffers that the host cannot reach
  bool device_packs_ = false;               // the exchange that is under way; else the host packs and unpacks
  bool unsent_ = false, under_way_ = false;
  op_comm_halo *halo_ = nullptr;
  bool wants_progress_ = false;
  std::string path_[2]; // by on_host
};

// Updates all copies of the dat's rows, stale or not, on the host. Collective.
void bring_copies(Mesh &mesh, Dat &dat, const Transport &transport);

// The exchanges of all loops; loops with equal items share one.
class HaloExchanges {
 public:
  explicit HaloExchanges(const Transport &transport = {}, const Log *log = nullptr)
      : transport_(transport), log_(log) {}
  const Transport &transport() const { return transport_; }
  const Log *log() const { return log_; }
  // on_host: as in HaloExchange::start(), for the log. by_host: not by the device channel (Transport::chooses).
  HaloExchange &get(Mesh &mesh, const std::vector<HaloItem> &items, bool on_host = false, bool by_host = false);
  void clear() { all_.clear(); }
  void forget_invalid() {
    std::erase_if(all_, [](const auto &exchange) { return !exchange->valid(); });
  }

 private:
  Transport transport_;
  const Log *log_; // NULL: no log
  std::vector<std::unique_ptr<HaloExchange>> all_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
