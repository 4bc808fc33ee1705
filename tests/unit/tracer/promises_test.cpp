// promises_test.cpp: numbers that op2/trace.h and docs/streamlines.md promise: when messages of particles leave, and
// how many steps a line has at most.
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "ranks.hpp"
#include "streamline/box.hpp"
#include "tracer/draw/particle_messages.hpp"
#include "tracer/tracer.hpp"

namespace {

using namespace unit::streamline;
using op2::core::Communicator;
namespace tracer = op2::core::tracer;

// 16 bytes about the message and 64 for each particle: 1024 are the first to have 64 KiB.
constexpr int particles_of_64_kib = 1024;

TEST(ParticleMessages, LeavesWhenItHas64KiB) {
  unit::run_ranks(2, [](Communicator &ranks) {
    const tracer::Running running;
    tracer::Counts counts;
    tracer::ParticleMessages messages(ranks, tracer::Packing(Options()), running, counts);
    if (ranks.rank() == 0) {
      for (int i = 1; i < particles_of_64_kib; ++i) messages.send(1, {});
      EXPECT_EQ(counts.particle_messages, 0);
      messages.send(1, {});
      EXPECT_EQ(counts.particle_messages, 1);
      EXPECT_EQ(counts.particle_bytes, (64 << 10) + 16);
      messages.send(1, {}); // begins another one
      EXPECT_EQ(counts.particle_messages, 1);
      messages.flush(op2::core::now(), true);
      EXPECT_EQ(counts.particle_messages, 2);
    }
    int arrived = 0;
    while (ranks.rank() == 1 && arrived <= particles_of_64_kib)
      messages.receive([&arrived](const tracer::MovingParticle &) { ++arrived; }, [](int, int, std::int64_t) {});
    ranks.barrier();
  });
}

TEST(ParticleMessages, LeavesWhenItsFirstParticleHasWaitedAMillisecond) {
  unit::run_ranks(2, [](Communicator &ranks) {
    const tracer::Running running;
    tracer::Counts counts;
    tracer::ParticleMessages messages(ranks, tracer::Packing(Options()), running, counts);
    if (ranks.rank() == 0) {
      const double before = op2::core::now();
      messages.send(1, {});
      const double after = op2::core::now();
      messages.send(1, {}); // the wait of the first one counts
      messages.flush(before + 0.99e-3, false);
      EXPECT_EQ(counts.particle_messages, 0);
      messages.flush(after + 1.01e-3, false);
      EXPECT_EQ(counts.particle_messages, 1);
      messages.flush(after + 1, false); // there is nothing any more
      EXPECT_EQ(counts.particle_messages, 1);
    }
    int arrived = 0;
    while (ranks.rank() == 1 && arrived < 2)
      messages.receive([&arrived](const tracer::MovingParticle &) { ++arrived; }, [](int, int, std::int64_t) {});
    ranks.barrier();
  });
}

// A particle that goes round for ever, with the parameters of a program that says nothing about the number of steps.
TEST(Request, LinesEndAfter10000StepsByDefault) {
  op_trace_params params = OP_TRACE_PARAMS;
  params.step = 0.01;
  params.every = 0;
  const auto most_steps = [&params](op_gindex given) {
    params.most_steps = given;
    return tracer::request_of(params, 1).options;
  };
  EXPECT_EQ(most_steps(0).most_steps, 10'000);
  EXPECT_EQ(most_steps(7).most_steps, 7);
  const BoxMesh mesh = box(Cut::quadrangles, 4);
  const std::vector<double> velocity = mesh.at_nodes([](const Vector &x) { return Vector{-x[1], x[0], 0}; });
  const Field field(*mesh.cells, *mesh.locator, velocity, Field::On::nodes);
  const Line line = trace(field, most_steps(0), {0.5, 0, 0});
  EXPECT_EQ(line.end, End::steps);
  EXPECT_EQ(line.steps, 10'000);
}

} // namespace

// SPDX-License-Identifier: MIT
