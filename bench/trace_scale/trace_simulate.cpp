// trace_simulate.cpp: see trace_simulate.hpp.
#include "trace_scale/trace_simulate.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <stdexcept>

#include "trace_scale/trace_reports.hpp"
#include "trace_scale/trace_rest.hpp"
#include "tracer/draw/queue.hpp"

namespace trace_scale {

namespace {

namespace tracer = op2::core::tracer;
constexpr double never = std::numeric_limits<double>::infinity();
constexpr std::size_t note_bytes = 16; // before the particles of a message

std::size_t at(int i) { return static_cast<std::size_t>(i); }

struct Message {
  double arrival;
  std::int64_t number; // of those that arrive at the same time the first one sent comes first
  int from, kind;
  std::int64_t value;
  std::vector<int> particles;                  // none: about the end
  bool operator<(const Message &other) const { // for a heap with the earliest on top
    return arrival != other.arrival ? arrival > other.arrival : number > other.number;
  }
};

struct Event {
  double time;
  std::int64_t number;
  int process, plan; // it has happened if the process has another plan by then
  bool operator<(const Event &other) const { return time != other.time ? time > other.time : number > other.number; }
};

struct Parcel {
  std::vector<int> particles;
  double since = 0;
};

struct Process {
  double clock = 0, link_free = 0, passed_on = 0, working = 0;
  double rests_since = never, wakes = never;
  int plan = 0;
  tracer::Queue<int> queue;
  std::map<int, Parcel> parcels; // by destination
  std::priority_queue<Message> inbox;
  std::unique_ptr<tracer::Termination> ending; // none: broadcast
  std::int64_t open = 0;                       // broadcast: finished and not told
};

class Simulation {
 public:
  Simulation(const Visits &visits, int processes, const Costs &costs, const tracer::Running &running, Resting resting)
      : visits_(visits),
        costs_(costs),
        running_(running),
        resting_(resting),
        process_(at(processes)),
        at_visit_(visits.begin.begin(), visits.begin.end() - 1),
        core_free_(at(costs.cores), 0),
        reports_(processes, costs) {
    out_.processes = processes;
    const auto all = static_cast<std::int64_t>(visits.particles());
    for (int rank = 0; rank < processes && running.ending != tracer::Ending::broadcast; ++rank)
      process_[at(rank)].ending = tracer::make_termination(running.ending, rank, processes, all,
                                                           [this, rank](int to, int kind, std::int64_t v) {
                                                             ++out_.other_messages;
                                                             send(rank, to, {0, 0, rank, kind, v, {}}, note_bytes);
                                                           });
    for (int particle = 0; particle < static_cast<int>(all); ++particle) arrive(particle);
    for (int rank = 0; rank < processes; ++rank) plan(rank, 0);
  }

  Outcome run() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      if (event.plan == process_[at(event.process)].plan) turn(event.process, event.time);
    }
    for (int rank = 0; rank < out_.processes; ++rank) end(rank);
    if (out_.finished != static_cast<std::int64_t>(visits_.particles()))
      throw std::runtime_error("simulation: particles are left when nothing happens any more");
    return out_;
  }

 private:
  bool over(const Process &process) const { return process.ending && process.ending->over(); }

  void arrive(int particle) {
    const Visit &visit = visits_.visit[at_visit_[at(particle)]];
    process_[at(visit.process)].queue.add(visit.block, particle);
  }

  void plan(int rank, double time) { events_.push({time, number_++, rank, ++process_[at(rank)].plan}); }

  void send(int from, int to, Message message, std::size_t bytes) {
    Process &sender = process_[at(from)], &receiver = process_[at(to)];
    sender.clock += costs_.send + static_cast<double>(bytes) * costs_.byte;
    sender.link_free = std::max(sender.link_free, sender.clock) + static_cast<double>(bytes) / costs_.bandwidth;
    message.arrival = sender.link_free + costs_.latency;
    message.number = number_++;
    if (receiver.rests_since < never)
      if (const double wakes = noticed(receiver.rests_since, message.arrival, resting_, costs_);
          wakes < receiver.wakes) {
        receiver.wakes = wakes;
        plan(to, wakes);
      }
    receiver.inbox.push(std::move(message));
  }

  // job.cpp's turn().
  void turn(int rank, double begin) {
    Process &own = process_[at(rank)];
    const bool news = receive(rank, begin), idle = own.queue.empty();
    if (!idle) work(rank);
    const double time = own.clock;
    flush(rank, time, own.queue.empty());
    if (own.queue.empty() || time - own.passed_on >= running_.longest_wait) {
      pass_on(rank);
      own.passed_on = time;
    }
    if (over(own)) return;
    if (!idle || news) return plan(rank, own.clock);
    own.rests_since = own.clock;
    own.wakes = own.inbox.empty() ? never : noticed(own.rests_since, own.inbox.top().arrival, resting_, costs_);
    if (own.wakes < never) plan(rank, own.wakes);
  }

  // What has come by the time of the look. Counts that came while it rested have been received by then.
  bool receive(int rank, double look) {
    Process &own = process_[at(rank)];
    const double free = reports_.received(rank, own.rests_since < never ? own.rests_since : look, look);
    bool news = own.rests_since >= never && free > look;
    own.clock = std::max(look, free) + costs_.look;
    own.rests_since = own.wakes = never;
    while (!own.inbox.empty() && own.inbox.top().arrival <= look) {
      const Message message = own.inbox.top();
      own.inbox.pop();
      news = true;
      own.clock += costs_.receive + costs_.byte * static_cast<double>(bytes_of(message.particles.size()));
      for (const int particle : message.particles) arrive(particle);
      if (message.particles.empty()) own.ending->told(message.from, message.kind, message.value);
    }
    return news;
  }

  static std::size_t bytes_of(std::size_t particles) { return note_bytes + particles * sizeof(tracer::ParticleState); }

  void work(int rank) {
    Process &own = process_[at(rank)];
    const std::vector<int> batch = own.queue.take(at(running_.batch) * at(running_.threads));
    std::vector<double> thread(at(running_.threads), 0); // what each is busy with
    for (const int particle : batch) {
      const int steps = visits_.visit[at_visit_[at(particle)]].steps;
      *std::min_element(thread.begin(), thread.end()) += costs_.visit + steps * costs_.step;
      out_.steps += steps;
    }
    const double seconds = *std::max_element(thread.begin(), thread.end());
    if (!core_free_.empty()) {
      const auto core = std::min_element(core_free_.begin(), core_free_.end());
      own.clock = std::max(own.clock, *core);
      *core = own.clock + seconds;
    }
    own.clock += seconds;
    own.working += seconds;
    std::int64_t finished = 0;
    for (const int particle : batch) {
      if (++at_visit_[at(particle)] == visits_.begin[at(particle) + 1]) {
        ++finished;
        continue;
      }
      const int to = visits_.visit[at_visit_[at(particle)]].process;
      Parcel &parcel = own.parcels[to];
      if (parcel.particles.empty()) parcel.since = own.clock;
      parcel.particles.push_back(particle);
      if (running_.is_full(bytes_of(parcel.particles.size()))) post(rank, to, parcel);
    }
    out_.finished += finished;
    if (own.ending && finished > 0) own.ending->finished(finished);
    own.open += finished;
  }

  void flush(int rank, double time, bool everything) {
    for (auto &[to, parcel] : process_[at(rank)].parcels)
      if (!parcel.particles.empty() && (everything || running_.has_waited(time - parcel.since))) post(rank, to, parcel);
  }

  void post(int rank, int to, Parcel &parcel) {
    const std::size_t bytes = bytes_of(parcel.particles.size());
    ++out_.particle_messages;
    out_.particle_bytes += static_cast<std::int64_t>(bytes);
    send(rank, to, {0, 0, rank, 0, 0, std::exchange(parcel.particles, {})}, bytes);
  }

  void pass_on(int rank) {
    Process &own = process_[at(rank)];
    if (own.ending) return own.ending->pass_on();
    if (std::exchange(own.open, 0) == 0) return;
    own.clock = reports_.add(own.clock);
    out_.other_messages += out_.processes - 1;
  }

  // Nothing is to be sent any more: what has not been received yet, and the end of this process.
  void end(int rank) {
    Process &own = process_[at(rank)];
    if (own.ending && !own.ending->over()) throw std::runtime_error("simulation: a process waits for ever");
    own.clock = std::max(own.clock, reports_.received(rank, own.clock, never));
    out_.seconds = std::max(out_.seconds, own.clock);
    out_.working += own.working;
    out_.most_working = std::max(out_.most_working, own.working);
  }

  const Visits &visits_;
  const Costs &costs_;
  const tracer::Running &running_;
  Resting resting_;
  std::vector<Process> process_;
  std::vector<std::size_t> at_visit_; // by particle
  std::vector<double> core_free_;     // of shared cores
  Reports reports_;
  std::priority_queue<Event> events_;
  std::int64_t number_ = 0;
  Outcome out_;
};

} // namespace

Outcome simulate(const Visits &visits, int processes, const Costs &costs, const tracer::Running &running,
                 Resting resting) {
  return Simulation(visits, processes, costs, running, resting).run();
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
