// trace_options.hpp: what the study is asked for on its command line.
#ifndef OP2_BENCH_TRACE_OPTIONS_HPP
#define OP2_BENCH_TRACE_OPTIONS_HPP

#include "trace_scale/trace_simulate.hpp"

namespace trace_scale {

struct Asked {
  bool quick = false;
  int edge = 0, particles = 0, most = 0; // 0: by --quick or not
  long most_steps = 2000;
  int blocks = 0; // 0: 4, the library's default, and 16
  int real = 0;   // processes of the real run; 0: 2, 4 and 8 one after another, with --quick 2
  bool step_is_given = false;
  Costs costs;
  op2::core::tracer::Running running;
  Resting resting = Resting::naps;
};

// Ends the program with a usage line when there is something else.
Asked asked_of(int argc, char **argv);

} // namespace trace_scale

#endif

// SPDX-License-Identifier: MIT
