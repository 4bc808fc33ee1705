// capture.cpp: captured lanes wait for each other as the streams did; a graph that runs is as lazy as they are.
#include "capture.hpp"

#include <algorithm>

#include "state.hpp"

namespace fake {

std::size_t Capture::lane(const std::shared_ptr<Stream> &stream) {
  for (std::size_t i = 0; i < lanes_.size(); i++)
    if (lanes_[i].stream == stream) return i;
  lanes_.push_back(Lane{stream, 0, false});
  return lanes_.size() - 1;
}

void Capture::add(const std::shared_ptr<Stream> &stream, Op op) {
  const std::size_t mine = lane(stream);
  lanes_[mine].count++;
  lanes_[mine].open = true;
  items_.push_back(Captured{mine, std::move(op), 0, 0});
}

void Capture::record(const std::shared_ptr<Stream> &stream, Event &event) {
  event.lane = lane(stream);
  event.position = lanes_[event.lane].count;
}

void Capture::wait(const std::shared_ptr<Stream> &stream, const Event &event) {
  const std::size_t mine = lane(stream);
  if (mine == event.lane) return;
  lanes_[mine].count++;
  lanes_[mine].open = true;
  if (lanes_[event.lane].count == event.position) lanes_[event.lane].open = false;
  items_.push_back(Captured{mine, {}, event.lane, event.position});
}

bool Capture::end() {
  ended_ = true;
  for (const Lane &lane : lanes_) lane.stream->capture.reset();
  return std::none_of(lanes_.begin() + 1, lanes_.end(), [](const Lane &lane) { return lane.open; });
}

void issue_graph(const std::shared_ptr<Stream> &stream, const Graph &graph) {
  std::vector<std::shared_ptr<Stream>> lanes;
  for (std::size_t i = 0; i < graph.lanes; i++) {
    lanes.push_back(std::make_shared<Stream>());
    lanes[i]->id = stream->id;
    lanes[i]->device = stream->device;
    lanes[i]->blocking = false;
    issue_wait(lanes[i], stream, stream->issued);
  }
  // A lane's positions count its own work; waiting for the launching stream came before that.
  std::vector<std::uint64_t> first;
  for (const auto &lane : lanes) first.push_back(lane->issued);
  for (const Captured &item : graph.items) {
    if (item.op.run)
      issue(lanes[item.lane], item.op);
    else
      push_wait(lanes[item.lane], lanes[item.other], first[item.other] + item.position);
  }
  issue_wait(stream, lanes[0], lanes[0]->issued);
}

bool same_form(const Graph &a, const Graph &b) {
  const auto kind = [](const Captured &item) { return item.op.what.substr(0, item.op.what.find(' ')); };
  return a.lanes == b.lanes && std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                                          [&](const Captured &x, const Captured &y) {
                                            return x.lane == y.lane && x.other == y.other && kind(x) == kind(y) &&
                                                   x.position == y.position;
                                          });
}

} // namespace fake

// SPDX-License-Identifier: MIT
