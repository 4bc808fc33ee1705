// Bringing copies of other processes' rows up to date: all dats of a loop in one message to each neighbour.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mesh/mesh.hpp"

namespace op2::core {

// A dat and which of its copies are wanted.
struct HaloItem {
  Dat *dat;
  bool exec, nonexec;
  friend bool operator==(const HaloItem &, const HaloItem &) = default;
};

// Its messages have the same sizes each time, so the communicator may keep them ready. Making one is collective, as are
// start() and finish(). The mesh's halos must stay what they are.
class HaloExchange {
 public:
  HaloExchange(Mesh &mesh, std::vector<HaloItem> items);
  ~HaloExchange();
  HaloExchange(const HaloExchange &) = delete;
  HaloExchange &operator=(const HaloExchange &) = delete;

  const std::vector<HaloItem> &items() const { return items_; }
  // Some rows must come to the host's copy first, which loops then take from there: finish() before they are prepared.
  bool through_host() const;
  void start();
  void progress() { mesh_.communicator().halo_test(halo_); } // moves messages on while something else is done
  void finish();

  int messages() const { return messages_; } // that this process sends
  std::size_t bytes() const { return send_.size(); }

 private:
  struct Run { // rows of one dat for or from one neighbour
    std::size_t item;
    const HaloPart *part;
    int neighbour; // position in the part's list
  };
  void collect(bool sending, std::vector<int> &ranks, std::vector<std::size_t> &offset, std::vector<Run> &runs) const;

  Mesh &mesh_;
  std::vector<HaloItem> items_;
  std::vector<int> send_rank_, recv_rank_;
  std::vector<std::size_t> send_offset_, recv_offset_;
  std::vector<Run> out_, in_; // in the order of the buffers
  std::vector<char> send_, recv_;
  op_comm_halo *halo_ = nullptr;
  int messages_ = 0;
};

// Those of all loops: loops that want the same share one.
class HaloExchanges {
 public:
  HaloExchange &get(Mesh &mesh, const std::vector<HaloItem> &items);
  void clear() { all_.clear(); }

 private:
  std::vector<std::unique_ptr<HaloExchange>> all_;
};

} // namespace op2::core
