#include "loop/engine/speed.hpp"

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <vector>

#include "base/clock.hpp"
#include "loop/loop.hpp"

namespace op2::core {

namespace {

// Large enough that a loop takes longer than waking threads, small enough for a few milliseconds in all.
constexpr int across = 256, along = 128, values = 4;
constexpr double long_enough = 0.05; // seconds, all runs together
constexpr int fewest_runs = 3, most_runs = 40;

// The same as the functions below, for executors that compile kernels themselves.
const char *const text_of_kernels = R"(
void flux(const double *left, const double *right, double *left_sum, double *right_sum) {
  const double speed = sqrt(left[0] * right[0] + left[1] * left[1] + right[2] * right[2]);
  for (int v = 0; v < 4; ++v) {
    const double f = 0.5 * (left[v] + right[v]) - 0.1 * speed * (right[v] - left[v]);
    left_sum[v] += f;
    right_sum[v] -= f;
  }
}
void update(double *q, double *sum) {
  for (int v = 0; v < 4; ++v) {
    q[v] += 1e-6 * sum[v];
    sum[v] = 0;
  }
}
)";

void flux(const double *left, const double *right, double *left_sum, double *right_sum) {
  const double speed = std::sqrt(left[0] * right[0] + left[1] * left[1] + right[2] * right[2]);
  for (int v = 0; v < values; ++v) {
    const double f = 0.5 * (left[v] + right[v]) - 0.1 * speed * (right[v] - left[v]);
    left_sum[v] += f;
    right_sum[v] -= f;
  }
}
void flux_range(const op_range_ctx *ctx, int begin, int end) {
  const op_range_arg *a = ctx->args;
  const auto row = [&](int i, int n) {
    return reinterpret_cast<double *>(
        a[i].base +
        static_cast<std::ptrdiff_t>(a[i].map[static_cast<std::ptrdiff_t>(n) * a[i].map_stride]) * a[i].stride);
  };
  for (int n = begin; n < end; ++n) flux(row(0, n), row(1, n), row(2, n), row(3, n));
}

void update(double *q, double *sum) {
  for (int v = 0; v < values; ++v) {
    q[v] += 1e-6 * sum[v];
    sum[v] = 0;
  }
}
void update_range(const op_range_ctx *ctx, int begin, int end) {
  const op_range_arg *a = ctx->args;
  for (int n = begin; n < end; ++n)
    update(reinterpret_cast<double *>(a[0].base + n * a[0].stride),
           reinterpret_cast<double *>(a[1].base + n * a[1].stride));
}

// Without a place in a program, which has no such loops.
op_loop_site site_of(op_kernel_fn element, op_range_fn range, const char *name) {
  op_loop_site site{};
  site.size = sizeof site;
  site.element = element;
  site.range = range;
  site.kernel_name = name;
  site.text = text_of_kernels;
  return site;
}

op_arg argument(op_dat dat, op_map map, int column, op_access access) {
  op_arg arg{};
  arg.index = -1;
  arg.dat = dat;
  arg.map = map;
  arg.idx = column;
  arg.dim = values;
  arg.type = "double";
  arg.acc = access;
  arg.argtype = OP_ARG_DAT;
  arg.opt = 1;
  return arg;
}

std::vector<int> cells_of_faces() {
  std::vector<int> out;
  for (int y = 0; y < along; ++y)
    for (int x = 0; x < across; ++x) {
      const int cell = y * across + x;
      if (x + 1 < across) out.insert(out.end(), {cell, cell + 1});
      if (y + 1 < along) out.insert(out.end(), {cell, cell + across});
    }
  return out;
}

class Job {
 public:
  Job(Registry &registry, const Services &services, Executor &executor, const LoopOptions &options)
      : alone_(registry, services, "self"), mesh_(executor, alone_, 0), own_code_(executor, nullptr) {
    options_.code = options.code->required() ? options.code : &own_code_;
    const std::vector<int> targets = cells_of_faces();
    const std::vector<double> ones(static_cast<std::size_t>(across) * along * values, 1.0);
    const op_set cells = &mesh_.declare().set(across * along, "cells");
    const op_set faces = &mesh_.declare().set(static_cast<int>(targets.size() / 2), "faces");
    const op_map face_cells = &mesh_.declare().map(faces, cells, 2, targets.data(), "face_cells");
    const op_dat q = &mesh_.declare().dat(cells, values, "double", 0, ones.data(), "q", false);
    const op_dat sum = &mesh_.declare().dat(cells, values, "double", 0, nullptr, "sum", false);
    flux_args_ = {argument(q, face_cells, 0, OP_READ), argument(q, face_cells, 1, OP_READ),
                  argument(sum, face_cells, 0, OP_INC), argument(sum, face_cells, 1, OP_INC)};
    update_args_ = {argument(q, nullptr, -1, OP_RW), argument(sum, nullptr, -1, OP_RW)};
    flux_site_ = site_of(reinterpret_cast<op_kernel_fn>(flux), flux_range, "flux");
    update_site_ = site_of(reinterpret_cast<op_kernel_fn>(update), update_range, "update");
    calls_ = {{&flux_site_, "flux", faces, flux_args_}, {&update_site_, "update", cells, update_args_}};
    for (const LoopCall &call : calls_)
      loops_.push_back(std::make_unique<Loop>(mesh_, plans_, plans_, exchanges_, stats_, call, options_));
  }
  void run() {
    for (std::size_t i = 0; i < loops_.size(); ++i) {
      loops_[i]->make_current(calls_[i]);
      loops_[i]->run(calls_[i]);
    }
    if (!mesh_.executor().caps().asynchronous) return;
    double value = 0; // has come when all has run
    const Dat &sum = mesh_.objects().dat(update_args_[1].dat, "sum");
    const op_space space = sum.remote.data() ? sum.remote.space() : OP_SPACE_HOST;
    mesh_.executor().copy(&value, OP_SPACE_HOST, sum.exec_data(false), space, sizeof value);
  }
  double elements() const { return loops_.front()->elements() + loops_.back()->elements(); }

 private:
  Communicator alone_;
  Mesh mesh_;
  CodeProvider own_code_; // of this file; by it executors are compared
  PlanCache plans_;
  HaloExchanges exchanges_;
  StatsTable stats_;
  LoopOptions options_;
  std::vector<op_arg> flux_args_, update_args_;
  op_loop_site flux_site_, update_site_;
  std::vector<LoopCall> calls_;
  std::vector<std::unique_ptr<Loop>> loops_;
};

} // namespace

double measured_speed(Registry &registry, const Services &services, Executor &executor, Communicator &all,
                      const LoopOptions &options) {
  std::exception_ptr failed;
  std::unique_ptr<Job> job;
  const auto attempt = [&](auto &&body) {
    try {
      if (!failed) body();
    } catch (...) {
      failed = std::current_exception();
    }
  };
  attempt([&] {
    job = std::make_unique<Job>(registry, services, executor, options);
    job->run();
  });
  double best = std::numeric_limits<double>::infinity();
  double left = long_enough; // of the slowest process: all do the same number of runs
  for (int n = 0; n < most_runs && (n < fewest_runs || left > 0); ++n) {
    all.barrier();
    const double start = now();
    attempt([&] { job->run(); });
    double seconds = now() - start;
    best = std::min(best, seconds);
    all.allreduce(&seconds, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
    left -= seconds;
  }
  if (failed) std::rethrow_exception(failed);
  return job->elements() / std::max(best, 1e-9);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
