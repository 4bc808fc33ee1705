// Bringing copies of other processes' rows up to date: all dats of a loop in one message to each neighbour.
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

// A dat and which of its copies are wanted.
struct HaloItem {
  Dat *dat;
  bool exec, nonexec;
  const Map *through = nullptr; // only those that this map reaches, of both kinds
  bool changed = false;         // somebody may write the dat while its copies come
  friend bool operator==(const HaloItem &, const HaloItem &) = default;
};

// Its messages have the same sizes each time, so the communicator may keep them ready. Making one is collective, as are
// start() and finish(), and fails on all processes or on none. The mesh's halos must stay what they are.
class HaloExchange {
 public:
  HaloExchange(Mesh &mesh, std::vector<HaloItem> items, const Transport &transport = {});
  ~HaloExchange();
  HaloExchange(const HaloExchange &) = delete;
  HaloExchange &operator=(const HaloExchange &) = delete;

  const std::vector<HaloItem> &items() const { return items_; }
  bool valid() const { return revision() == revision_; } // none of its dats, sets and maps has changed since
  // Some rows must come to the host's copy first, which loops then take from there: finish() before they are prepared.
  // on_host: so does the loop.
  bool through_host(bool on_host = false) const;
  void start(bool on_host = false);
  // What start() has left to be packed elsewhere, when it is; waits for it. finish() does so, too. With a device
  // channel there is nothing left: neither this nor finish() waits for anything.
  void send();
  bool wants_progress() const { return wants_progress_; } // while it is under way, or messages wait for finish()
  bool progress() { return mesh_.communicator().halo_test(halo_); } // moves messages on; true: all have arrived
  void finish();
  // After a failure, for others who wait: does what is left of an exchange, from start() on unless that was called
  // (`begun`), whatever the messages hold, and takes nothing out of them.
  void give_up(bool begun);

  // What this process sends.
  int messages() const { return static_cast<int>(send_rank_.size()); }
  std::size_t bytes() const { return send_offset_.back(); }
  std::size_t bytes_of(std::size_t item) const { return bytes_of_[item]; }
  std::size_t saved_bytes_of(std::size_t item) const; // how much more all copies of the dat would be
  std::string summary() const;                        // its messages and where they lie, for the log
  // Messages come to the rows themselves. The communicator may still have better places for some.
  bool received_in_place() const { return in_rows_ != nullptr; }

 private:
  struct NeighbourRows {    // of one dat for or from one neighbour
    std::size_t item, part; // parts: the executed and the read copies of each item, numbered
    int rank;
    std::span<const int> listed;         // these, or if there are none
    int first = 0, count = 0;            // a run of consecutive ones
    std::size_t message = 0, offset = 0; // where they are: bytes into a message
  };
  Revision revision() const;
  std::vector<NeighbourRows> rows_to_send() const;
  std::vector<NeighbourRows> rows_to_receive() const;
  void lay_out(std::vector<NeighbourRows> &rows, std::vector<int> &ranks, std::vector<std::size_t> &offset) const;

  char *rows_in_place() const;
  void make_buffers(const Transport &transport);
  std::vector<op_exec_halo_item> on_device() const;
  void pack_here();
  void unpack_here();
  void note(bool on_exec);
  void give_up_channel() noexcept;

  Mesh &mesh_;
  std::vector<HaloItem> items_;
  const Revision revision_;
  std::vector<NeighbourRows> out_, in_; // in the order of the buffers
  std::vector<int> send_rank_, recv_rank_;
  std::vector<std::size_t> send_offset_, recv_offset_;
  std::vector<std::size_t> bytes_of_;
  std::size_t longest_ = 0; // bytes of a message, sent or received
  // The communicator may have better places for messages: memory is not touched before it is needed.
  std::unique_ptr<char[]> send_, recv_;
  char *in_rows_ = nullptr; // of a dat, instead of recv_
  std::vector<void *> send_at_;
  std::vector<const void *> recv_at_;
  std::unique_ptr<DeviceHalo> device_;      // NULL: rows are packed and unpacked here
  std::vector<char> sent_here_, came_here_; // by way of the host, where it cannot reach the device's buffers
  bool packing_ = false;                    // by the device
  bool unsent_ = false, under_way_ = false;
  op_comm_halo *halo_ = nullptr;
  bool wants_progress_ = false;
};

// Those of all loops: loops that want the same share one.
class HaloExchanges {
 public:
  explicit HaloExchanges(const Transport &transport = {}, const Log *log = nullptr)
      : transport_(transport), log_(log) {}
  const Transport &transport() const { return transport_; }
  HaloExchange &get(Mesh &mesh, const std::vector<HaloItem> &items);
  void clear() { all_.clear(); }
  void forget_invalid() {
    std::erase_if(all_, [](const auto &exchange) { return !exchange->valid(); });
  }

 private:
  Transport transport_;
  const Log *log_; // NULL: it is told nothing
  std::vector<std::unique_ptr<HaloExchange>> all_;
};

} // namespace op2::core
