// trace_scale_test.cpp: the simulation of bench/trace_scale against cases counted by hand, and against what processes
// really do.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "trace_scale/trace_real.hpp"
#include "trace_scale/trace_rest.hpp"
#include "trace_scale/trace_simulate.hpp"

namespace {

using namespace trace_scale;
namespace tracer = op2::core::tracer;

// Whole numbers, so that sums are exact: a step takes 1, a message 100 on its way, 7 to send and 3 to receive.
Costs round_costs() {
  Costs costs;
  costs.step = 1;
  costs.visit = costs.look = costs.byte = costs.slack = 0;
  costs.latency = 100;
  costs.bandwidth = 1e300;
  costs.send = 7;
  costs.receive = 3;
  return costs;
}

// Ten steps on process 0, then five on process 1.
Visits one_particle() {
  Visits out;
  const std::vector<Visit> visits = {{0, 0, 10}, {1, 3, 5}};
  out.add(visits);
  return out;
}

TEST(TraceSimulation, OneParticleThatChangesProcess) {
  const Outcome out = simulate(one_particle(), 2, round_costs(), {}, Resting::looks);
  // Process 0 steps until 10, pays 7; process 1 has it at 117, has received it at 120, is done at 125, tells process 0
  // at 132, which hears of it at 232, has received it at 235, and says so at 242; process 1 gets that at 342.
  EXPECT_EQ(out.seconds, 345);
  EXPECT_EQ(out.working, 15);
  EXPECT_EQ(out.most_working, 10);
  EXPECT_EQ(out.imbalance(), 10 / 7.5);
  EXPECT_EQ(out.finished, 1);
  EXPECT_EQ(out.steps, 15);
  EXPECT_EQ(out.particle_messages, 1);
  EXPECT_EQ(out.particle_bytes, static_cast<std::int64_t>(16 + sizeof(tracer::ParticleState)));
  EXPECT_EQ(out.other_messages, 2);
}

TEST(TraceSimulation, OneParticleWithBroadcasts) {
  tracer::Running running;
  running.ending = tracer::Ending::broadcast;
  const Outcome out = simulate(one_particle(), 2, round_costs(), running, Resting::looks);
  // As before until 125; process 0 is the first one that process 1 tells, at 132, and has received it at 235. Process 1
  // is taken to tell itself as well, which it knows at 242.
  EXPECT_EQ(out.seconds, 242);
  EXPECT_EQ(out.other_messages, 1);
}

TEST(TraceSimulation, OneParticleWithReductions) {
  tracer::Running running;
  running.ending = tracer::Ending::reduction;
  const Outcome out = simulate(one_particle(), 2, round_costs(), running, Resting::looks);
  // In the first round each adds nothing: process 1 at 0, process 0 at 10 behind the particle that it sends. Process 0
  // has received that of process 1 at 110 and sends its next, nothing again, at 117. Process 1 is busy with the
  // particle from 120 until 125, has received the first round's message of 124 at 128, and sends its one particle at
  // 135, which process 0 has received at 238. Process 1 has known since 220.
  EXPECT_EQ(out.seconds, 238);
  EXPECT_EQ(out.other_messages, 4);
}

class Terminations : public testing::TestWithParam<tracer::Ending> {};

// Numbers of processes of every kind, messages in an order that nobody plans but between two processes.
TEST_P(Terminations, EndWhenAllHaveFinishedAndNotBefore) {
  std::mt19937 random(3);
  const auto any = [&](std::size_t count) { return std::uniform_int_distribution<std::size_t>(0, count - 1)(random); };
  struct Note {
    int to, from, kind;
    std::int64_t value;
  };
  for (int size = 1; size <= 20; ++size) {
    std::vector<Note> under_way;
    std::vector<std::unique_ptr<tracer::Termination>> ranks;
    const std::int64_t all = 40;
    for (int rank = 0; rank < size; ++rank)
      ranks.push_back(tracer::make_termination(GetParam(), rank, size, all,
                                               [&under_way, rank](int to, int kind, std::int64_t value) {
                                                 under_way.push_back({to, rank, kind, value});
                                               }));
    const auto over = [&] {
      return std::count_if(ranks.begin(), ranks.end(), [](const auto &its) { return its->over(); });
    };
    std::int64_t finished = 0, by_first = 0;
    for (int turn = 0; turn < 100'000 && over() < size; ++turn) {
      if (finished < all) {
        ASSERT_EQ(over(), 0);
      }
      const std::size_t rank = any(ranks.size());
      if (finished < all && turn % 50 == 0) {
        ranks[rank]->finished(1);
        ++finished;
        by_first += rank == 0 ? 1 : 0;
      }
      ranks[rank]->pass_on();
      EXPECT_LE(by_first + ranks[0]->elsewhere(), finished);
      if (under_way.empty()) continue;
      const std::size_t picked = any(under_way.size());
      const auto first = std::find_if(under_way.begin(), under_way.end(), [&](const Note &note) {
        return note.to == under_way[picked].to && note.from == under_way[picked].from;
      });
      const Note note = *first;
      under_way.erase(first);
      ranks[static_cast<std::size_t>(note.to)]->told(note.from, note.kind, note.value);
    }
    EXPECT_EQ(over(), size);
    EXPECT_EQ(by_first + ranks[0]->elsewhere(), all);
    EXPECT_EQ(under_way.size(), 0u) << size << " processes: nothing may be left for the next lines";
  }
}

INSTANTIATE_TEST_SUITE_P(All, Terminations,
                         testing::Values(tracer::Ending::tree, tracer::Ending::broadcast, tracer::Ending::reduction));

// docs/streamlines.md: a particle's end is told to the parent in a binary tree, and the end of all comes down in it.
TEST(TerminationTree, IsBinary) {
  for (const int size : {2, 7, 20}) {
    std::vector<std::pair<int, int>> reports, ends; // from, to
    for (int rank = 0; rank < size; ++rank) {
      std::vector<std::pair<int, int>> told;
      const auto its = tracer::make_termination(tracer::Ending::tree, rank, size, 1,
                                                [&](int to, int, std::int64_t) { told.emplace_back(rank, to); });
      its->finished(1);
      its->pass_on();
      if (rank > 0) {
        reports.insert(reports.end(), told.begin(), told.end());
        told.clear();
        its->told((rank - 1) / 2, 1, 0); // the end
      }
      EXPECT_TRUE(its->over());
      ends.insert(ends.end(), told.begin(), told.end());
    }
    std::vector<std::pair<int, int>> up, down;
    for (int rank = 1; rank < size; ++rank) {
      up.emplace_back(rank, (rank - 1) / 2);
      down.emplace_back((rank - 1) / 2, rank);
    }
    EXPECT_EQ(reports, up) << size << " processes";
    EXPECT_EQ(ends, down) << size << " processes";
  }
}

TEST(TraceSimulation, BytesTakeTime) {
  Costs costs = round_costs();
  costs.bandwidth = 16; // bytes in a second
  costs.byte = 1.0 / 16;
  const double note = 1, particle = 1 + sizeof(tracer::ParticleState) / 16.0; // seconds of a message's bytes
  EXPECT_EQ(simulate(one_particle(), 2, costs, {}, Resting::looks).seconds, 345 + 3 * (particle + 2 * note));
}

TEST(TraceSimulation, ParticlesOfABatchTravelTogether) {
  Visits visits;
  const std::vector<Visit> visit = {{0, 0, 10}, {1, 3, 5}};
  for (int i = 0; i < 4; ++i) visits.add(visit);
  tracer::Running running;
  running.batch = 2;
  running.longest_wait = 1000;
  Outcome out = simulate(visits, 2, round_costs(), running, Resting::looks);
  EXPECT_EQ(out.particle_messages, 1); // nothing is worth a message before process 0 has nothing more to do
  running.longest_wait = 0;
  out = simulate(visits, 2, round_costs(), running, Resting::looks);
  EXPECT_EQ(out.particle_messages, 2);
  running.longest_wait = 1000;
  running.most_bytes = 1;
  out = simulate(visits, 2, round_costs(), running, Resting::looks);
  EXPECT_EQ(out.particle_messages, 4);
  EXPECT_EQ(out.finished, 4);
}

TEST(TraceSimulation, ThreadsShareABatch) {
  Visits visits;
  for (const int steps : {4, 2, 2}) visits.add(std::vector<Visit>{{0, 0, steps}});
  tracer::Running running;
  running.threads = 2;
  EXPECT_EQ(simulate(visits, 1, round_costs(), running).seconds, 4);
  running.threads = 1;
  EXPECT_EQ(simulate(visits, 1, round_costs(), running).seconds, 8);
}

TEST(TraceSimulation, ProcessesShareCores) {
  Visits visits; // three processes with ten steps each, which nobody waits for
  for (const int process : {0, 1, 2}) visits.add(std::vector<Visit>{{process, 0, 10}});
  Costs costs = round_costs();
  costs.latency = costs.send = costs.receive = 0;
  for (const auto &[cores, seconds] : {std::pair{0, 10}, {3, 10}, {2, 20}, {1, 30}}) {
    costs.cores = cores;
    EXPECT_EQ(simulate(visits, 3, costs, {}, Resting::looks).seconds, seconds) << cores << " cores";
  }
}

TEST(TraceSimulation, MessagesWakeThoseWhoRest) {
  Costs costs;
  costs.look = 1e-6;
  costs.slack = 5e-6;
  EXPECT_EQ(noticed(1, 1.5, Resting::looks, costs), 1.5);
  EXPECT_EQ(noticed(1, 0.5, Resting::looks, costs), 1);
  EXPECT_NEAR(noticed(0, 2.5e-6, Resting::naps, costs), 3e-6, 1e-12);
  EXPECT_NEAR(noticed(0, 50.5e-6, Resting::naps, costs), 66e-6, 1e-12); // in the first nap
  EXPECT_NEAR(noticed(0, 67e-6, Resting::naps, costs), 92e-6, 1e-12);   // in the second
  const double short_naps = 50e-6 + 4 * 6e-6 + 10 * 1e-5;               // four of them, then 50 us each
  EXPECT_NEAR(noticed(0, short_naps + 1e-6, Resting::naps, costs), short_naps + 56e-6, 1e-12);
  EXPECT_NEAR(noticed(0, short_naps + 57e-6, Resting::naps, costs), short_naps + 112e-6, 1e-12);
}

TEST(TraceSimulation, ComesBackIsCounted) {
  Visits visits;
  visits.add(std::vector<Visit>{{0, 0, 1}, {1, 0, 1}, {0, 0, 1}, {2, 0, 1}, {1, 0, 1}});
  EXPECT_EQ(visits.handed_over, 4);
  EXPECT_EQ(visits.came_back, 2);
}

class TraceReality : public testing::TestWithParam<int> {};

TEST_P(TraceReality, IsWhatIsSimulated) {
  const int processes = GetParam();
  const Flow flow(12);
  const Options options = options_for(flow, 200);
  const std::vector<Vector> seeds = random_seeds(300);
  const Paths paths = draw_paths(flow, options, seeds);
  Alone alone;
  for (const int blocks : {1, 4}) {
    std::int64_t without_overlap = 0;
    for (const std::size_t overlap : {std::size_t{0}, std::size_t{1'920'000}}) {
      Division division;
      division.blocks = blocks;
      division.overlap = overlap;
      const Visits visits = visits_of(paths, Pieces(alone, flow, options, division, processes));
      if (overlap > 0)
        EXPECT_LT(visits.handed_over, without_overlap); // or nothing was tested
      else
        without_overlap = visits.handed_over;
      for (const tracer::Ending ending : {tracer::Ending::tree, tracer::Ending::broadcast, tracer::Ending::reduction}) {
        tracer::Running running;
        running.batch = 4;
        running.ending = ending;
        const Outcome simulated = simulate(visits, processes, {}, running);
        const RealRun real = run_really(flow, options, division, running, seeds, processes);
        EXPECT_EQ(visits.handed_over, real.counts.sent) << "blocks " << blocks << ", overlap " << overlap;
        EXPECT_EQ(visits.came_back, real.counts.returned) << "blocks " << blocks << ", overlap " << overlap;
        EXPECT_EQ(simulated.steps, real.counts.steps);
        EXPECT_EQ(simulated.steps, paths.all_steps);
        EXPECT_EQ(simulated.finished, real.counts.finished);
        EXPECT_EQ(simulated.finished, real.lines);
        EXPECT_GT(real.counts.sent, 0);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, TraceReality, testing::Values(2, 4, 8));

} // namespace

// SPDX-License-Identifier: MIT
