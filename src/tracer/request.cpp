// The parameters of op_trace().
#include <cmath>
#include <cstring>
#include <optional>

#include "base/error.hpp"
#include "tracer/tracer.hpp"

namespace op2::core::tracer {

namespace {

template <class Value>
struct Choice {
  const char *name;
  Value value;
};

// The value of a name; NULL: the first one.
template <class Value, std::size_t count>
Value choose(const char *what, const char *name, const Choice<Value> (&choices)[count]) {
  if (!name) return choices[0].value;
  std::string all;
  for (const Choice<Value> &choice : choices) {
    if (std::strcmp(choice.name, name) == 0) return choice.value;
    all += text(all.empty() ? "" : ", ", "\"", choice.name, "\"");
  }
  fail(OP_ERR_ARGUMENT, "params.", what, " is \"", name, "\"; it can be ", all, " or NULL for \"", choices[0].name,
       "\"");
}

using streamline::Method;
using streamline::Unit;
constexpr Choice<Method> methods[] = {
    {"rk4", Method::rk4}, {"rk2", Method::rk2}, {"rk3", Method::rk3}, {"rk45", Method::dormand_prince}};
constexpr Choice<Unit> units[] = {{"time", Unit::time}, {"length", Unit::length}, {"cells", Unit::cells}};
constexpr Choice<Directions> all_directions[] = {
    {"forward", Directions::forward}, {"backward", Directions::backward}, {"both", Directions::both}};
constexpr Choice<std::optional<Dealing>> divisions[] = {{"blocks", Dealing::shuffled},
                                                        {"cyclic", Dealing::in_turn},
                                                        {"bisection", Dealing::together},
                                                        {"mesh", std::nullopt}};
constexpr Choice<Ending> endings[] = {
    {"tree", Ending::tree}, {"broadcast", Ending::broadcast}, {"reduction", Ending::reduction}};

double limit(const char *what, double value) {
  if (!(value >= 0)) fail(OP_ERR_ARGUMENT, "params.", what, " is ", value, "; it is above 0, or 0 for no limit");
  return value > 0 ? value : std::numeric_limits<double>::infinity();
}

int count(const char *what, long long value, int otherwise) {
  if (value < 0) fail(OP_ERR_ARGUMENT, "params.", what, " is ", value, "; it is above 0, or 0 for the default");
  return value > 0 ? static_cast<int>(value) : otherwise;
}

} // namespace

Request request_of(const op_trace_params &given, int threads) {
  op_trace_params p = OP_TRACE_PARAMS;
  std::memcpy(&p, &given, std::min(given.size, sizeof p));
  Request out;
  streamline::Options &o = out.options;
  o.method = choose("method", p.method, methods);
  o.unit = choose("unit", p.unit, units);
  if (!(p.step > 0) || !std::isfinite(p.step))
    fail(OP_ERR_ARGUMENT, "params.step is ", p.step,
         "; give the length of a step, above 0, in the unit of params.unit");
  o.step = p.step;
  out.directions = choose("direction", p.direction, all_directions);
  if (!(p.tolerance >= 0)) fail(OP_ERR_ARGUMENT, "params.tolerance is ", p.tolerance, "; it is a length above 0");
  if (p.tolerance > 0) o.tolerance = p.tolerance;
  o.shortest_step = p.shortest_step;
  o.longest_step = limit("longest_step", p.longest_step);
  if (p.most_steps < 0) fail(OP_ERR_ARGUMENT, "params.most_steps is ", p.most_steps);
  if (p.most_steps > 0) o.most_steps = static_cast<long>(p.most_steps);
  o.longest_time = limit("longest_time", p.longest_time);
  o.longest = limit("longest_length", p.longest_length);
  o.least_speed = p.least_speed;
  o.every = p.every;
  o.turn = p.turn;
  check(o);
  out.running.threads = count("threads", p.threads, threads);
  out.running.batch = count("batch", p.batch, out.running.batch);
  out.running.ending = choose("ending", p.ending, endings);
  const std::optional<Dealing> dealing = choose("division", p.division, divisions);
  out.division.given = !dealing;
  out.division.dealing = dealing.value_or(Dealing::shuffled);
  constexpr int blocks = 4; // by simulation: far more even work than with one, and not many more particles that leave
  out.division.blocks = count("blocks", p.blocks, blocks);
  out.division.shuffle = p.shuffle;
  out.division.overlap = p.overlap;
  return out;
}

std::string text_of(const Request &request) {
  const streamline::Options &o = request.options;
  return text(static_cast<int>(o.method), " ", static_cast<int>(o.unit), " ", number_text(o.step), " ",
              static_cast<int>(request.directions), " ", number_text(o.tolerance), " ", number_text(o.shortest_step),
              " ", number_text(o.longest_step), " ", o.most_steps, " ", number_text(o.longest_time), " ",
              number_text(o.longest), " ", number_text(o.least_speed), " ", o.every, " ", number_text(o.turn), " ",
              static_cast<int>(request.running.ending), " ", request.division.given, " ",
              static_cast<int>(request.division.dealing), " ", request.division.blocks, " ", request.division.shuffle,
              " ", request.division.overlap);
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
