#include "distributed/halo/channel_trial.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "distributed/halo/device_halo.hpp"

namespace op2::core {

namespace {

constexpr int rounds = 4;       // buffers that are used in turns are used twice
constexpr double patience = 30; // seconds; the first message may have to set up a lot
constexpr double head_start = 0.005;
constexpr std::size_t row = 16;     // bytes
constexpr int most_neighbours = 32; // else some of the processes

int rows_between(int from, int to) { return 40 + 13 * ((3 * from + to) % 7); }

unsigned char value(int from, int to, int round, std::size_t i) {
  return static_cast<unsigned char>(static_cast<std::size_t>(from * 31 + to * 17 + round * 71) + i * 37);
}

// To whom process `rank` sends, ascending: all, or those 1, 2, 4, ... further on. direction -1: from whom it receives.
std::vector<int> neighbours(int rank, int size, int direction) {
  std::vector<int> out;
  for (int distance = 1; distance < size; distance = size <= most_neighbours ? distance + 1 : 2 * distance)
    out.push_back(((rank + direction * distance) % size + size) % size);
  std::sort(out.begin(), out.end());
  return out;
}

// A dat whose first rows leave and whose others come.
class Trial {
 public:
  Trial(DeviceChannel &channel, Executor &executor, Communicator &communicator)
      : executor_(executor),
        me_(communicator.rank()),
        to_(neighbours(me_, communicator.size(), 1)),
        from_(neighbours(me_, communicator.size(), -1)) {
    for (const int rank : to_) out_.add(rows_between(me_, rank), rows_);
    for (const int rank : from_) in_.add(rows_between(rank, me_), rows_);
    halo_ = std::make_unique<DeviceHalo>(executor, channel, 1, out_.side, DeviceHalo::Ends{to_, out_.offset}, in_.side,
                                         DeviceHalo::Ends{from_, in_.offset});
    // Not before: others would wait for this process if there were no memory.
    dat_ = Storage(executor, executor.caps().space, static_cast<std::size_t>(rows_) * row);
  }

  // What is sent in this round leaves, and is taken out when it comes.
  void start(int round) {
    bytes_.assign(dat_.bytes(), 0xEE);
    fill(out_, to_, bytes_, [&](std::size_t n, std::size_t i) { return value(me_, to_[n], round, i); });
    executor_.copy(dat_.data(), dat_.space(), bytes_.data(), OP_SPACE_HOST, bytes_.size());
    const op_exec_halo_item item{dat_.data(), row, 0, 0, 0, 0};
    halo_->pack({&item, 1});
    halo_->send();
    halo_->unpack({&item, 1});
  }
  bool over(double seconds) const {
    const double begin = now();
    while (!halo_->unpacked()) {
      if (now() - begin > seconds) return false;
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    return true;
  }
  // "" = what came is what was sent.
  std::string finish(int round) {
    if (!over(patience)) fail(OP_ERR_PLUGIN, "nothing has come for ", patience, " seconds");
    executor_.copy(bytes_.data(), OP_SPACE_HOST, dat_.data(), dat_.space(), bytes_.size());
    std::vector<unsigned char> right = bytes_;
    fill(in_, from_, right, [&](std::size_t n, std::size_t i) { return value(from_[n], me_, round, i); });
    return right == bytes_ ? "" : "other values arrive than were sent";
  }

 private:
  struct Half {
    DeviceHalo::Side side{{}, 0, 0};
    std::vector<std::size_t> offset{0};
    std::vector<int> first;
    void add(int count, int &rows) {
      side.rows.push_back({0, side.messages++, {}, rows, count});
      side.bytes += static_cast<std::size_t>(count) * row;
      offset.push_back(side.bytes);
      first.push_back(rows);
      rows += count;
    }
  };
  template <class Value>
  static void fill(const Half &half, const std::vector<int> &ranks, std::vector<unsigned char> &bytes,
                   const Value &value_of) {
    for (std::size_t n = 0; n < ranks.size(); ++n)
      for (std::size_t i = 0; i < half.offset[n + 1] - half.offset[n]; ++i)
        bytes[static_cast<std::size_t>(half.first[n]) * row + i] = value_of(n, i);
  }

  Executor &executor_;
  int me_;
  std::vector<int> to_, from_;
  int rows_ = 0;
  std::vector<unsigned char> bytes_;
  Half out_, in_;
  Storage dat_;
  std::unique_ptr<DeviceHalo> halo_;
};

} // namespace

ChannelProblem problem_with_channel(DeviceChannel &channel, Executor &executor, Communicator &communicator) {
  std::string problem, failure;
  std::unique_ptr<Trial> trial;
  const auto attempt = [&](const auto &body) {
    if (failure.empty()) try {
        body();
      } catch (const Error &error) {
        failure = error.what();
      }
  };
  attempt([&] { trial = std::make_unique<Trial>(channel, executor, communicator); });
  // All rounds whatever comes, since others wait for what this process sends. In each, one of the processes is late:
  // would the others wait for it?
  for (int round = 0; round < rounds; ++round) {
    const bool late = round % communicator.size() == communicator.rank();
    if (late) communicator.barrier();
    attempt([&] {
      trial->start(round);
      if (!late) trial->over(head_start);
    });
    if (!late) communicator.barrier();
    attempt([&] {
      const std::string found = trial->finish(round);
      if (problem.empty()) problem = found;
    });
  }
  const bool wrong = communicator.min(failure.empty() && !problem.empty() ? 0 : 1) == 0;
  if (!failure.empty()) problem = failure;
  const std::vector<std::string> all = communicator.allgather(problem);
  const auto first = std::find_if(all.begin(), all.end(), [](const std::string &one) { return !one.empty(); });
  if (first == all.end()) return {};
  channel.give_up(); // streams may still wait
  const bool same = std::all_of(all.begin(), all.end(), [&](const std::string &one) { return one == *first; });
  return {same ? *first : text("process ", first - all.begin(), ": ", *first), wrong};
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
