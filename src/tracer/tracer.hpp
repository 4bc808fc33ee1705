// The objects behind the handles of op2/trace.h.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "op2/trace.h"
#include "tracer/block/view_source.hpp"
#include "tracer/draw/job.hpp"

namespace op2::core::tracer {

struct Context;

// op_trace_params, checked and with defaults.
struct Request {
  streamline::Options options;
  Directions directions = Directions::forward;
  Division division;
  Running running;
};
// threads: what 0 stands for. Throws OP_ERR_ARGUMENT.
Request request_of(const op_trace_params &params, int threads);
// The same text for the same request, so that processes can compare.
std::string text_of(const Request &request);

// The mesh as it was divided last, and for what.
struct Divided {
  std::unique_ptr<Block> block;
  std::string wanted;
};

} // namespace op2::core::tracer

// The object of a handle op_tracer.
struct op_tracer_core {
  op_view view = nullptr;
  op_dat velocity = nullptr;
  op_dat later = nullptr; // NULL: the velocity does not change
  double duration = 0;
  op2::core::tracer::Divided lines, places; // for op_trace() and op_locate()
};

// The object of a handle op_lines: what its arrays are made of.
struct op_lines_core {
  op2::core::tracer::Directions directions{};
  std::int64_t first_seed = 0; // of all processes' seeds, in the order of the ranks
  std::vector<op_gindex> begin, end, steps;
  std::vector<double> x, velocity, time, end_x, end_time, length;
  std::string info;
};

namespace op2::core::tracer {

class Tracers {
 public:
  op_tracer_core &declare(op_view view, op_dat velocity);
  op_tracer_core &find(op_tracer handle) const; // throws OP_ERR_HANDLE
  void forget();                                // drops the memory of all, but not the objects
  Shown shown();                                // on a lane of their own in the trace of libop2

 private:
  std::vector<std::unique_ptr<op_tracer_core>> all_;
  int lane_ = 0; // 0: none yet
};

// What is traced through, with the checks of op_tracer_pathlines(); they throw.
Traced traced_of(const op_tracer_core &tracer);

// Collective.
std::unique_ptr<op_lines_core> trace(Context &context, op_tracer_core &tracer, const Request &request,
                                     std::span<const Vector> seeds);
std::vector<Located> locate(Context &context, op_tracer_core &tracer, std::span<const Vector> points);

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
