// trace_rest.cpp: see trace_rest.hpp.
#include "trace_scale/trace_rest.hpp"

#include <algorithm>
#include <cmath>

namespace trace_scale {

double noticed(double since, double arrival, Resting resting, const Costs &costs) {
  constexpr int yields = 50, longer = 5; // as in src/tracer/draw/job.cpp
  constexpr double nap = 1e-5;
  if (resting == Resting::looks) return std::max(since, arrival);
  if (arrival <= since + yields * costs.look)
    return since + std::max(1.0, std::ceil((arrival - since) / std::max(costs.look, 1e-12))) * costs.look;
  double at = since + yields * costs.look;
  for (int i = 1; i < longer && at < arrival; ++i) at += i * nap + costs.slack + costs.look;
  const double longest = longer * nap + costs.slack + costs.look;
  if (at < arrival) at += std::ceil((arrival - at) / longest) * longest;
  return at;
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
