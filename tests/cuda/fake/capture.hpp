// capture.hpp: work of streams recorded instead of queued, and the graphs that come of it.
#pragma once

#include <memory>
#include <vector>

#include "stream.hpp"

namespace fake {

struct Function;

// A piece of captured work; streams are numbered, the one where the capture began is 0.
struct Captured {
  std::size_t lane = 0;
  Op op; // nothing to run: a wait for another lane
  std::size_t other = 0;
  std::uint64_t position = 0;
  std::uint64_t node = 0;             // its number, of one that was added as a node
  const Function *function = nullptr; // that it launches
};

struct Graph {
  std::size_t lanes = 1;
  std::vector<Captured> items;
};

class Capture {
 public:
  explicit Capture(const std::shared_ptr<Stream> &origin) { lane(origin); }
  void add(const std::shared_ptr<Stream> &stream, Op op);
  void record(const std::shared_ptr<Stream> &stream, Event &event);
  void wait(const std::shared_ptr<Stream> &stream, const Event &event);
  bool began_in(const std::shared_ptr<Stream> &stream) const { return lanes_[0].stream == stream; }
  // Streams record no more. Something that the first stream never waited for makes the graph unusable.
  bool end();
  Graph graph() const { return {lanes_.size(), items_}; }
  void spoil() { spoilt_ = true; }
  bool spoilt() const { return spoilt_; }
  bool ended() const { return ended_; }

 private:
  struct Lane {
    std::shared_ptr<Stream> stream;
    std::uint64_t count = 0;
    bool open = false; // nobody has waited for its last work
  };
  std::size_t lane(const std::shared_ptr<Stream> &stream);

  std::vector<Lane> lanes_;
  std::vector<Captured> items_;
  bool spoilt_ = false, ended_ = false;
};

// Puts the work of a graph behind that of the stream, its lanes as streams of their own, and makes the stream wait for
// it.
void issue_graph(const std::shared_ptr<Stream> &stream, const Graph &graph);

// Whether a graph has the form of another, so that its work can replace the other's.
bool same_form(const Graph &a, const Graph &b);

} // namespace fake

// SPDX-License-Identifier: MIT
