#include "tracer/draw/job.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <set>
#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "distributed/groups.hpp"
#include "tracer/draw/gather.hpp"
#include "tracer/draw/particle_messages.hpp"
#include "tracer/draw/queue.hpp"

namespace op2::core::tracer {

namespace {

class Job {
 public:
  Job(Communicator &communicator, const Block &block, const streamline::Options &options, const Running &running)
      : communicator_(communicator),
        block_(block),
        forward_(options),
        backward_(options),
        running_(running),
        pool_(running.threads),
        messages_(communicator, Packing(options), running, counts_),
        by_thread_(static_cast<std::size_t>(pool_.threads())) {
    forward_.backward = false;
    backward_.backward = true;
    for (std::size_t thread = 0; thread < by_thread_.size(); ++thread)
      for (const streamline::Options *const its : {&forward_, &backward_})
        drawers_.push_back(std::make_unique<Drawer>(block, *its));
  }

  // first: at their seeds. all: of all processes.
  void run(std::span<const ParticleState> first, std::int64_t all) {
    ending_ = make_termination(running_.ending, communicator_.rank(), communicator_.size(), all,
                               [this](int rank, int kind, std::int64_t value) { messages_.tell(rank, kind, value); });
    all_ = all;
    const double begin = now();
    for (const ParticleState &state : first) {
      MovingParticle moving{state};
      moving.next = forward_.step;
      arrive(moving);
    }
    try {
      while (!ending_->over()) turn();
      messages_.flush(now(), true);
    } catch (const Error &error) {
      if (error.code != OP_ERR_STATE) messages_.tell_failure();
      throw;
    } catch (...) {
      messages_.tell_failure();
      throw;
    }
    counts_.all = now() - begin;
    if (reports()) running_.progress(all, all);
    counts_.steps = made_.steps;
    counts_.finished = static_cast<std::int64_t>(made_.finished.size());
  }

  Archive &made() { return made_; }
  const Counts &counts() const { return counts_; }

 private:
  void arrive(MovingParticle moving) {
    moving.here = block_.find(moving.cell);
    if (moving.here < 0) fail(OP_ERR_INTERNAL, "tracing: a particle is in cell ", moving.cell, ", which is not here");
    queue_.add(block_.block(moving.here), moving);
    if (communicator_.size() > 1 && !seen_.insert({moving.home, moving.line}).second) ++counts_.returned;
  }

  void turn() {
    const double begin = now();
    const bool news =
        messages_.receive([this](const MovingParticle &moving) { arrive(moving); },
                          [this](int rank, int kind, std::int64_t value) { ending_->told(rank, kind, value); });
    const bool idle = queue_.empty();
    if (news || !idle) end_rest(begin);
    if (news) show(running_.shown.messages, begin, static_cast<std::int64_t>(queue_.size()));
    if (!idle) work();
    const double time = now();
    messages_.flush(time, queue_.empty());
    if (queue_.empty() || time - passed_on_ >= running_.longest_wait) {
      ending_->pass_on();
      passed_on_ = time;
    }
    report(time);
    if (idle && !news && !ending_->over()) rest();
    if (ending_->over()) end_rest(now());
  }

  void work() {
    const double begin = now();
    // Alone there is no news to wait for.
    const std::size_t most = communicator_.size() == 1
                                 ? queue_.size()
                                 : static_cast<std::size_t>(running_.batch) * static_cast<std::size_t>(pool_.threads());
    std::vector<MovingParticle> batch = queue_.take(most);
    draw(batch);
    std::int64_t finished = 0;
    for (Made &made : by_thread_) {
      finished += static_cast<std::int64_t>(made.finished.size());
      for (std::size_t i = 0; i < made.leaving.size(); ++i) messages_.send(made.destination[i], made.leaving[i]);
      made.leaving.clear();
      made.destination.clear();
      made_.take(made);
    }
    if (finished > 0) ending_->finished(finished);
    counts_.working += now() - begin;
    show(running_.shown.work, begin, static_cast<std::int64_t>(batch.size()));
  }

  // Each thread draws lines of several particles at once, and takes the next one when one of them is done.
  void draw(std::vector<MovingParticle> &batch) {
    const auto turn =
        std::partition(batch.begin(), batch.end(), [](const MovingParticle &t) { return t.backward == 0; });
    const std::size_t end[] = {static_cast<std::size_t>(turn - batch.begin()), batch.size()}; // forward, backward
    std::atomic<std::size_t> next[] = {0, end[0]};
    pool_.share(std::min(batch.size(), by_thread_.size()), [&](std::size_t, int thread) {
      const auto t = static_cast<std::size_t>(thread);
      for (std::size_t way = 0; way < 2; ++way)
        drawers_[2 * t + way]->draw(
            [&]() -> const MovingParticle * {
              if (thread == 0 && reports()) report(now());
              const std::size_t item = next[way]++;
              return item < end[way] ? &batch[item] : nullptr;
            },
            [&] { ended_.fetch_add(1, std::memory_order_relaxed); }, by_thread_[t]);
    });
  }

  bool reports() const { return running_.progress && communicator_.rank() == 0; }
  void report(double time) {
    constexpr double often = 0.1;
    if (!reports() || time - reported_ < often) return;
    reported_ = time;
    running_.progress(ending_->elsewhere() + ended_.load(std::memory_order_relaxed), all_);
  }

  void show(const void *subject, double begin, std::int64_t count) {
    if (running_.shown.record) running_.shown.record(subject, begin, now(), count);
  }

  // Nothing to do: first the processor for others, then sleep.
  void rest() {
    constexpr int yields = 50;
    if (naps_++ == 0) resting_since_ = now();
    if (naps_ <= yields)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(std::min(naps_ - yields, 5) * 10));
  }
  void end_rest(double time) {
    if (std::exchange(naps_, 0) == 0) return;
    counts_.waiting += time - resting_since_;
    if (running_.shown.record) running_.shown.record(running_.shown.waiting, resting_since_, time, 0);
  }

  Communicator &communicator_;
  const Block &block_;
  streamline::Options forward_, backward_;
  const Running &running_;
  Counts counts_;
  ThreadPool pool_;
  ParticleMessages messages_;
  Queue<MovingParticle> queue_;
  std::unique_ptr<Termination> ending_;
  std::vector<std::unique_ptr<Drawer>> drawers_; // by thread, forward and backward
  std::vector<Made> by_thread_;
  Archive made_;
  std::set<std::pair<std::int32_t, std::uint32_t>> seen_; // home and line
  std::int64_t all_ = 0;                                  // particles of all processes
  std::atomic<std::int64_t> ended_ = 0;                   // of this process, also in the middle of a batch
  double passed_on_ = 0, resting_since_ = 0, reported_ = 0;
  int naps_ = 0; // since there was something to do
};

} // namespace

Lines draw_lines(Communicator &communicator, const Block &block, const streamline::Options &options,
                 Directions directions, const Running &running, std::span<const Vector> seeds) {
  const std::vector<Located> where = locate(communicator, block, seeds);
  const int each = directions == Directions::both ? 2 : 1;
  Lines out;
  out.line.resize(seeds.size() * static_cast<std::size_t>(each));
  std::vector<ParticleState> begun;
  std::vector<int> to;
  for (std::size_t i = 0; i < out.line.size(); ++i) {
    const std::size_t seed = i / static_cast<std::size_t>(each);
    out.line[i].x = seeds[seed];
    if (where[seed].cell < 0) {
      out.line[i].end = finite(seeds[seed]) ? End::outside : End::no_number;
      continue;
    }
    ParticleState particle;
    particle.x = seeds[seed];
    particle.cell = where[seed].cell;
    particle.line = static_cast<std::uint32_t>(i);
    particle.home = communicator.rank();
    particle.backward = directions == Directions::backward || i % static_cast<std::size_t>(each) == 1 ? 1 : 0;
    begun.push_back(particle);
    to.push_back(where[seed].process);
  }
  const SparseMessages first = post(communicator, group_by_rank(to), std::span<const ParticleState>(begun));
  const std::int64_t all = communicator.sum(static_cast<std::int64_t>(begun.size()));
  begun = {};
  Job job(communicator, block, options, running);
  job.run(first.all<ParticleState>(), all);
  gather(communicator, job.made(), out);
  out.counts = job.counts();
  return out;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
