// Lines drawn by several processes, in threads: the same bits as those of one particle after another on the whole mesh.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "ranks.hpp"
#include "tracer/block/divide.hpp"
#include "tracer/draw/job.hpp"
#include "tracer/progress.hpp"
#include "tracer/whole.hpp"

namespace {

using namespace unit::streamline;
using op2::core::Communicator;
using unit::tracing::share_of;
using unit::tracing::swirl;
using unit::tracing::swirling;
using unit::tracing::Whole;
namespace tracer = op2::core::tracer;

std::vector<Vector> seeds_in(const Whole &whole, int count) {
  std::mt19937 random(11);
  std::vector<Vector> out;
  for (int i = 0; i < count; ++i) out.push_back(random_point(random, whole.mesh.dim(), 1.02)); // some are outside
  out.push_back({});                                                                           // a node
  out.push_back({std::numeric_limits<double>::quiet_NaN(), 0, 0});
  return out;
}

// All bits of a line.
std::string bits(End end, std::int64_t steps, double time, double length, std::span<const LinePoint> points) {
  std::string out(reinterpret_cast<const char *>(points.data()), points.size_bytes());
  for (const double value : {time, length}) out.append(reinterpret_cast<const char *>(&value), sizeof value);
  return out + name_of(end) + std::to_string(steps);
}

std::vector<std::string> one_after_another(const Whole &whole, const Options &options,
                                           const std::vector<Vector> &seeds) {
  std::vector<std::string> out;
  const Field field = whole.field();
  for (const Vector &seed : seeds) {
    const Line line = trace(field, options, seed);
    out.push_back(bits(line.end, line.steps, line.time, line.length, line.points));
  }
  return out;
}

struct Job {
  int processes = 1;
  tracer::Division division;
  tracer::Running running;
  tracer::Directions directions = tracer::Directions::forward;
};

// Seed i is with process i % processes.
std::vector<std::string> together(const Whole &whole, const Options &options, const std::vector<Vector> &seeds,
                                  const Job &job, tracer::Counts *all = nullptr) {
  std::vector<std::string> out(seeds.size());
  std::mutex mutex;
  unit::run_ranks(job.processes, [&](Communicator &ranks) {
    const tracer::Block block(ranks, share_of(whole, ranks.rank(), ranks.size()), options, job.division);
    std::vector<Vector> own;
    for (std::size_t i = static_cast<std::size_t>(ranks.rank()); i < seeds.size();
         i += static_cast<std::size_t>(ranks.size()))
      own.push_back(seeds[i]);
    const tracer::Lines lines = tracer::draw_lines(ranks, block, options, job.directions, job.running, own);
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < own.size(); ++i) {
      const tracer::Lines::Line &line = lines.line[i];
      const auto begin = static_cast<std::size_t>(lines.begin[i]), end = static_cast<std::size_t>(lines.begin[i + 1]);
      out[static_cast<std::size_t>(ranks.rank()) + i * static_cast<std::size_t>(ranks.size())] =
          bits(line.end, line.steps, line.time, line.length, std::span(lines.points).subspan(begin, end - begin));
    }
    if (all) {
      all->steps += lines.counts.steps;
      all->finished += lines.counts.finished;
      all->sent += lines.counts.sent;
      all->returned += lines.counts.returned;
    }
  });
  return out;
}

int differing(const std::vector<std::string> &a, const std::vector<std::string> &b) {
  int out = 0;
  for (std::size_t i = 0; i < a.size(); ++i) out += a[i] != b[i] ? 1 : 0;
  return out;
}

Options usual() {
  Options options;
  options.step = 0.05;
  options.longest_time = 6;
  return options;
}

class Processes : public testing::TestWithParam<int> {};

TEST_P(Processes, DrawTheSameLines) {
  for (const Cut cut : {Cut::tetrahedra, Cut::mixed, Cut::triangles}) {
    const Whole whole = swirling(cut, 6);
    const std::vector<Vector> seeds = seeds_in(whole, 40);
    const std::vector<std::string> expected = one_after_another(whole, usual(), seeds);
    for (const int blocks : {1, 4, 16})
      for (const int threads : {1, 2})
        for (const std::size_t overlap : {std::size_t{0}, std::size_t{64'000}}) {
          // Of the other meshes half of the ways, in turn.
          if (cut != Cut::tetrahedra && (blocks / 2 + threads + (overlap > 0 ? 1 : 0)) % 2 == 0) continue;
          Job job{GetParam(), {}, {}, {}};
          job.division.blocks = blocks;
          job.division.overlap = overlap;
          job.running.threads = threads;
          job.running.batch = blocks == 4 ? 3 : 32;
          tracer::Counts counts;
          EXPECT_EQ(differing(together(whole, usual(), seeds, job, &counts), expected), 0)
              << "blocks " << blocks << ", threads " << threads << ", overlap " << overlap;
          const bool must_leave = GetParam() == 8 && overlap == 0; // or nothing was tested
          EXPECT_GE(counts.sent, must_leave ? 20 : 0);
        }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Processes, testing::Values(1, 2, 3, 5, 8));

// Every process gets as many blocks, in the way that is wished.
TEST(Tracer, BlocksAreDealt) {
  tracer::Division division;
  division.blocks = 4;
  std::vector<int> shuffled = tracer::owners_of_blocks(division, 3);
  EXPECT_EQ(shuffled, tracer::owners_of_blocks(division, 3));
  division.shuffle = 2;
  EXPECT_NE(shuffled, tracer::owners_of_blocks(division, 3));
  division.dealing = tracer::Dealing::in_turn;
  EXPECT_EQ(tracer::owners_of_blocks(division, 3), (std::vector<int>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2}));
  const std::vector<int> as_many = {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  EXPECT_NE(shuffled, as_many);
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, as_many);
  // Blocks that bisection numbers one after the other are a single piece of space only if they are one.
  division.dealing = tracer::Dealing::together;
  EXPECT_EQ(tracer::owners_of_blocks(division, 3), (std::vector<int>{0, 1, 2}));
}

TEST(Tracer, AllMethodsAndUnitsDrawTheSameLines) {
  const Whole whole = swirling(Cut::mixed, 12);
  const std::vector<Vector> seeds = seeds_in(whole, 30);
  for (const Method method : {Method::rk2, Method::rk3, Method::rk4, Method::dormand_prince})
    for (const Unit unit : {Unit::time, Unit::length, Unit::cells}) {
      Options options = usual();
      options.method = method;
      options.unit = unit;
      options.step = unit == Unit::cells ? 0.4 : 0.07;
      options.longest = 5;
      options.most_steps = 300;
      options.every = 3;
      options.turn = 0.2;
      const std::vector<std::string> expected = one_after_another(whole, options, seeds);
      Job job{5, {}, {}, {}};
      job.division.blocks = 2;
      tracer::Counts counts;
      EXPECT_EQ(differing(together(whole, options, seeds, job, &counts), expected), 0)
          << "method " << static_cast<int>(method) << ", unit " << static_cast<int>(unit);
      EXPECT_GT(counts.sent, 5);
    }
}

// The last point of a line is kept once, by whoever has the particle then.
TEST(Tracer, EndsWhereItIsHandedOver) {
  const Whole whole = swirling(Cut::tetrahedra, 6);
  const std::vector<Vector> seeds = seeds_in(whole, 300);
  for (const int every : {1, 2}) {
    Options options = usual();
    options.most_steps = 1;
    options.every = every;
    options.step = 0.2;
    tracer::Counts counts;
    EXPECT_EQ(
        differing(together(whole, options, seeds, {8, {}, {}, {}}, &counts), one_after_another(whole, options, seeds)),
        0);
    EXPECT_GT(counts.sent, 20);
  }
}

TEST(Tracer, VelocitiesOfCellsAndBackwards) {
  Whole whole = swirling(Cut::tetrahedra, 6);
  const Cells &cells = *whole.mesh.cells;
  whole.on = Field::On::cells;
  std::vector<double> velocity;
  for (int cell = 0; cell < cells.size(); ++cell) {
    const Vector v = swirl({cells.x(cells.nodes_of(cell)[0])[0], cells.x(cells.nodes_of(cell)[0])[1], 0});
    velocity.insert(velocity.end(), v.begin(), v.end());
  }
  whole.velocity = velocity;
  Options options = usual();
  options.backward = true;
  const std::vector<Vector> seeds = seeds_in(whole, 40);
  const std::vector<std::string> expected = one_after_another(whole, options, seeds);
  Job job{4, {}, {}, tracer::Directions::backward};
  EXPECT_EQ(differing(together(whole, options, seeds, job), expected), 0);
}

TEST(Tracer, VelocitiesThatChange) {
  for (const Field::On on : {Field::On::nodes, Field::On::cells})
    for (const bool backward : {false, true}) {
      Whole whole = swirling(Cut::mixed, 6);
      whole.on = on;
      if (on == Field::On::cells) whole.velocity.resize(3 * static_cast<std::size_t>(whole.mesh.cells->size()), 0.3);
      for (const double v : whole.velocity) whole.later.push_back(0.4 - 0.5 * v);
      Options options = usual();
      options.longest_time = Whole::duration;
      options.backward = backward;
      const std::vector<Vector> seeds = seeds_in(whole, 40);
      const std::vector<std::string> expected = one_after_another(whole, options, seeds);
      Job job{4, {}, {}, backward ? tracer::Directions::backward : tracer::Directions::forward};
      tracer::Counts counts;
      EXPECT_EQ(differing(together(whole, options, seeds, job, &counts), expected), 0);
      EXPECT_GT(counts.sent, 5);
    }
}

TEST(Tracer, BothDirectionsAndEndsAreCounted) {
  const Whole whole = swirling(Cut::hexahedra, 4);
  const std::vector<Vector> seeds = seeds_in(whole, 200);
  unit::run_ranks(3, [&](Communicator &ranks) {
    const tracer::Block block(ranks, share_of(whole, ranks.rank(), ranks.size()), usual(), {});
    for (const tracer::Ending ending : {tracer::Ending::tree, tracer::Ending::broadcast, tracer::Ending::reduction}) {
      tracer::Running running;
      running.ending = ending;
      // All seeds are with one process.
      const std::vector<Vector> own = ranks.rank() == 1 ? seeds : std::vector<Vector>();
      const tracer::Lines lines = tracer::draw_lines(ranks, block, usual(), tracer::Directions::both, running, own);
      std::int64_t drawn = 0;
      for (const auto &line : lines.line) drawn += line.end != End::outside && line.end != End::no_number ? 1 : 0;
      EXPECT_EQ(ranks.sum(lines.counts.finished), ranks.sum(drawn));
      ASSERT_EQ(lines.line.size(), 2 * own.size());
      for (std::size_t i = 0; i < own.size(); ++i) {
        EXPECT_GE(lines.line[2 * i].time, 0);
        EXPECT_LE(lines.line[2 * i + 1].time, 0);
      }
    }
  });
}

TEST(Tracer, LocatesPointsOnAnyProcess) {
  const Whole whole = swirling(Cut::mixed, 5);
  std::vector<Vector> points = seeds_in(whole, 300);
  for (int node = 0; node < whole.mesh.cells->nodes(); node += 7) { // in several cells
    const double *x = whole.mesh.cells->x(node);
    points.push_back({x[0], x[1], x[2]});
  }
  unit::run_ranks(5, [&](Communicator &ranks) {
    tracer::Division division;
    division.blocks = 3;
    const tracer::Block block(ranks, share_of(whole, ranks.rank(), ranks.size()), usual(), division);
    const std::vector<tracer::Located> found = tracer::locate(ranks, block, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Place expected = op2::core::streamline::finite(points[i]) ? whole.mesh.locator->find(points[i]) : Place{};
      EXPECT_EQ(found[i].cell, expected.cell) << i;
      EXPECT_EQ(found[i].process < 0, expected.cell < 0);
      EXPECT_EQ(found[i].at, expected.at);
    }
  });
}

TEST(Tracer, SaysHowManyLinesHaveEnded) {
  const Whole whole = swirling(Cut::tetrahedra, 6);
  const std::vector<Vector> seeds = seeds_in(whole, 400);
  for (const tracer::Ending ending : {tracer::Ending::tree, tracer::Ending::broadcast, tracer::Ending::reduction})
    for (const int processes : {1, 3}) {
      Options options = usual();
      options.step = 0.002; // so that it takes a while
      options.every = 0;
      Job job{processes, {}, {}, {}};
      job.running.threads = 2;
      job.running.ending = ending;
      std::vector<std::pair<std::int64_t, std::int64_t>> told;
      job.running.progress = [&told](std::int64_t ended, std::int64_t all) { told.emplace_back(ended, all); };
      tracer::Counts counts;
      together(whole, options, seeds, job, &counts);
      ASSERT_FALSE(told.empty());
      EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
      EXPECT_EQ(told.front().second, counts.finished);
      EXPECT_EQ(told.back(), std::pair(counts.finished, counts.finished));
      const bool others = std::any_of(told.begin(), told.end(), [](const auto &its) { return its.first < its.second; });
      EXPECT_TRUE(others || told.size() == 1);
      EXPECT_GT(told.size(), 1u) << "ending " << static_cast<int>(ending) << ", processes " << processes;
    }
}

// What goes wrong on one process while lines are drawn ends the call on all of them, with a word about who it was.
TEST(Tracer, AllLearnThatOneHasFailed) {
  const Whole whole = swirling(Cut::tetrahedra, 5);
  const std::vector<Vector> seeds = seeds_in(whole, 100);
  unit::run_ranks(4, [&](Communicator &ranks) {
    const tracer::Block block(ranks, share_of(whole, ranks.rank(), ranks.size()), usual(), {});
    tracer::Running running;
    if (ranks.rank() == 0) running.progress = [](std::int64_t, std::int64_t) { throw std::runtime_error("no paper"); };
    std::string failure;
    try {
      tracer::draw_lines(ranks, block, usual(), tracer::Directions::forward, running, seeds);
    } catch (const op2::core::Error &error) {
      EXPECT_EQ(error.code, OP_ERR_STATE);
      failure = error.what();
    } catch (const std::exception &error) {
      failure = error.what();
    }
    EXPECT_NE(failure.find(ranks.rank() == 0 ? "no paper" : "process 0 has failed"), std::string::npos) << failure;
  });
}

// Threads hand over what they throw; the others finish, and the pool works on.
TEST(ThreadPool, ThrowsWhatAThreadThrows) {
  tracer::ThreadPool pool(3);
  constexpr std::size_t items = 10'000; // far more than are begun while a thread hands over what it threw
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> thrown = false;
    std::atomic<std::size_t> begun = 0;
    const auto work = [&](std::size_t, int thread) {
      ++begun;
      if (thread != 0) {
        thrown = true;
        throw std::runtime_error("thread " + std::to_string(thread));
      }
      while (!thrown) std::this_thread::yield(); // so that another thread has the next item
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    };
    std::string failure;
    try {
      pool.share(items, work);
    } catch (const std::runtime_error &error) {
      failure = error.what();
    }
    EXPECT_EQ(failure.rfind("thread ", 0), 0u);
    ASSERT_LT(begun, items); // what nobody has begun is left out
    std::atomic<int> done = 0;
    pool.share(50, [&](std::size_t, int) { ++done; });
    EXPECT_EQ(done, 50);
  }
}

TEST(Progress, IsTextThatIsRewritten) {
  EXPECT_EQ(tracer::progress_text(0, 50, 100), "0 of 50 lines, 0 %");
  EXPECT_EQ(tracer::progress_text(25, 50, 0.25), "25 of 50 lines, 50 %");
  EXPECT_EQ(tracer::progress_text(20, 50, 20), "20 of 50 lines, 40 %, 30 s left");
  EXPECT_EQ(tracer::progress_text(1, 61, 10), "1 of 61 lines, 1 %, 10 min left");
  EXPECT_EQ(tracer::progress_text(1, 1001, 10), "1 of 1001 lines, 0 %, 2 h 47 min left");
  EXPECT_EQ(tracer::progress_text(50, 50, 100), "50 of 50 lines, 100 %");
  for (const bool rewrites : {false, true}) {
    std::FILE *const file = std::tmpfile();
    ASSERT_NE(file, nullptr);
    {
      tracer::ProgressLine line(file, rewrites, 1000);
      line.show(1, 10, 1000.1); // too soon
      line.show(2, 10, 1002.5);
      line.show(3, 10, 1002.6);
      line.show(10, 10, 1002.7);
      line.show(10, 10, 1009); // is known
    }
    std::rewind(file);
    std::string all(500, ' ');
    all.resize(std::fread(all.data(), 1, all.size(), file));
    std::fclose(file);
    EXPECT_EQ(all, rewrites ? "\rop2: 2 of 10 lines, 20 %, 10 s left\033[K\rop2: 10 of 10 lines, 100 %\033[K\n"
                            : "op2: 2 of 10 lines, 20 %, 10 s left\nop2: 10 of 10 lines, 100 %\n");
  }
}

TEST(Tracer, ThrowsOnAllProcessesWhatItThrowsOnOne) {
  Whole whole = swirling(Cut::tetrahedra, 3);
  unit::run_ranks(3, [&](Communicator &ranks) {
    tracer::Source source = share_of(whole, ranks.rank(), ranks.size());
    if (ranks.rank() == 0) // twice the same cell: its sides have three cells
      for (int i = 0; i < 2; ++i) {
        source.cells.push_back(source.cells.front());
        source.cells.back().number = 1'000'000 + i;
      }
    EXPECT_THROW(tracer::Block(ranks, source, usual(), {}), op2::core::Error);
  });
}

} // namespace

// SPDX-License-Identifier: MIT
