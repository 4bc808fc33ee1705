// The door of trace.h, the functions of libop2_trace.
#include "op2/trace.h"

#include <unistd.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "base/clock.hpp"
#include "base/live.hpp"
#include "base/log.hpp"
#include "op2/info.h"
#include "op2/init.h"
#include "tracer/block/neighbours.hpp"
#include "tracer/context.hpp"
#include "tracer/facts.hpp"
#include "tracer/ftle.hpp"
#include "tracer/progress.hpp"
#include "tracer/write_lines.hpp"

using namespace op2::core;
using namespace op2::core::tracer;

namespace {

Live<op_lines_core> &all_lines() {
  static Live<op_lines_core> all("object of lines", "op_trace()");
  return all;
}

// A call about a tracer that all processes make alike; examine(tracer) returns what belongs to the call.
template <class Examine>
op_tracer_core &need_tracer(const char *call, op_tracer tracer, Examine &&examine) {
  return collectively([&](Context &current) -> op_tracer_core & {
    op_tracer_core &object = current.tracers.find(tracer);
    const std::string what = examine(object);
    current.agreement.agree(text(call, " of view '", facts_of(object.view).name, "'", what));
    return object;
  });
}

// Everything that was begun is over, and processes know what they have.
void settle() { check(services().settle()); }

std::vector<Vector> points_of(const DatFacts &coordinates, op_index count, const double *points, const char *argument) {
  if (count < 0) fail(OP_ERR_ARGUMENT, "argument 'count' is ", count, "; it cannot be negative");
  if (count > 0 && !points)
    fail(OP_ERR_ARGUMENT, "argument '", argument, "' is NULL; it has ", count, " points of ", coordinates.dim,
         " values");
  std::vector<Vector> out(static_cast<std::size_t>(count));
  const auto dim = static_cast<std::size_t>(coordinates.dim);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t k = 0; k < dim; ++k) out[i][k] = points[i * dim + k];
  return out;
}

DatFacts coordinates_of(const op_tracer_core &tracer) {
  return facts_of(facts_of(tracer.view).coordinates, "the dat of coordinates");
}

void need_released(const DatFacts &dat) {
  if (dat.acquired) fail(OP_ERR_STATE, "dat '", dat.name, "' is acquired; call op_dat_release() first");
}

void need_released(const op_tracer_core &tracer) {
  for (const op_dat dat :
       {facts_of(tracer.view).coordinates, tracer.velocity, tracer.later ? tracer.later : tracer.velocity})
    need_released(facts_of(dat, "a dat of the tracer"));
}

bool shows_progress() {
  const char *const level = op_setting("OP2_LOG");
  return level && Log::level_from_name(level) >= OP_LOG_INFO;
}

tracer::Request request_for(const op_tracer_core &tracer, const op_trace_params *params) {
  if (!params || params->size == 0)
    fail(OP_ERR_ARGUMENT, params ? "params.size is 0; begin with OP_TRACE_PARAMS" : "argument 'params' is NULL");
  tracer::Request out = tracer::request_of(*params, services().threads());
  out.running.shown = context().tracers.shown();
  if (shows_progress()) {
    const auto line = std::make_shared<tracer::ProgressLine>(stderr, isatty(STDERR_FILENO) == 1, now());
    out.running.progress = [line](std::int64_t ended, std::int64_t all) { line->show(ended, all, now()); };
  }
  if (!tracer.later) return out;
  if (out.options.unit == streamline::Unit::length)
    fail(OP_ERR_ARGUMENT, "params.unit is \"length\", but the velocity changes in time (op_tracer_pathlines)");
  out.options.longest_time = std::min(out.options.longest_time, tracer.duration);
  return out;
}

template <class T>
const T *array_of(const std::vector<T> &values, std::size_t columns, op_gindex *rows, int *dim) {
  static const T nothing{};
  if (rows) *rows = static_cast<op_gindex>(values.size() / columns);
  if (dim) *dim = static_cast<int>(columns);
  return values.empty() ? &nothing : values.data();
}

void need_dim(int dim) {
  if (dim != 2 && dim != 3) fail(OP_ERR_ARGUMENT, "argument 'dim' is ", dim, "; points have 2 or 3 coordinates");
}

template <class T>
void need_array(const T *array, const char *name) {
  if (!array) fail(OP_ERR_ARGUMENT, "argument '", name, "' is NULL");
}

} // namespace

op_tracer op_decl_tracer(op_view view, op_dat velocity) {
  return guarded_value<op_tracer>("op_decl_tracer", nullptr, [&] {
    return collectively([&](Context &current) -> op_tracer {
      const tracer::Traced traced = tracer::traced_of(view, velocity);
      current.agreement.agree(
          text("op_decl_tracer of view '", facts_of(view).name, "', velocity '", traced.velocity.name, "'"));
      return &current.tracers.declare(view, velocity);
    });
  });
}

op_status op_tracer_pathlines(op_tracer tracer, op_dat later, double duration) {
  return guarded("op_tracer_pathlines", [&] {
    op_tracer_core &object = need_tracer("op_tracer_pathlines", tracer, [&](const op_tracer_core &its) {
      if (!later) return std::string(", steady");
      if (!(duration > 0) || !std::isfinite(duration))
        fail(OP_ERR_ARGUMENT, "argument 'duration' is ", duration, "; it is a time above 0");
      op_tracer_core changed;
      changed.view = its.view;
      changed.velocity = its.velocity;
      changed.later = later;
      const tracer::Traced traced = tracer::traced_of(changed);
      return text(", until '", traced.later->name, "' in ", number_text(duration));
    });
    object.later = later;
    object.duration = later ? duration : 0;
  });
}

op_status op_trace(op_tracer tracer, op_index count, const double *seeds, const op_trace_params *params,
                   op_lines *lines) {
  return guarded("op_trace", [&] {
    Context &current = context();
    tracer::Request request;
    std::vector<Vector> points;
    op_tracer_core &object = need_tracer("op_trace", tracer, [&](const op_tracer_core &its) {
      if (!lines) fail(OP_ERR_ARGUMENT, "argument 'lines' is NULL; it receives the lines");
      *lines = nullptr;
      points = points_of(coordinates_of(its), count, seeds, "seeds");
      request = request_for(its, params);
      need_released(its);
      return text(", ", tracer::text_of(request));
    });
    settle();
    *lines = all_lines().add(tracer::trace(current, object, request, points));
  });
}

op_status op_ftle(op_tracer tracer, const op_trace_params *params, op_dat exponent) {
  return guarded("op_ftle", [&] {
    Context &current = context();
    tracer::Request request;
    DatFacts out{};
    op_tracer_core &object = need_tracer("op_ftle", tracer, [&](const op_tracer_core &its) {
      request = request_for(its, params);
      out = facts_of(exponent, "argument 'exponent'");
      const DatFacts x = coordinates_of(its);
      if (out.set != x.set)
        fail(OP_ERR_SET, "dat '", out.name, "' is on set '", facts_of(out.set).name, "', the nodes are set '",
             facts_of(x.set).name, "'");
      if (out.type != OP_TYPE_DOUBLE || out.dim != 1)
        fail(out.dim != 1 ? OP_ERR_DIM : OP_ERR_TYPE, "dat '", out.name, "' has dim ", out.dim, " and type ",
             out.type_name, "; an exponent is one double");
      if (request.directions == tracer::Directions::both || request.options.unit == streamline::Unit::length)
        fail(OP_ERR_ARGUMENT, "an exponent needs one direction, and steps in time or cells");
      if (!std::isfinite(request.options.longest_time))
        fail(OP_ERR_ARGUMENT, "params.longest_time is 0; an exponent needs the time in which particles part");
      need_released(its);
      need_released(out);
      return text(", dat '", out.name, "', ", tracer::text_of(request));
    });
    settle();
    tracer::ftle(current, object, request, out);
  });
}

op_status op_locate(op_tracer tracer, op_index count, const double *points, op_gindex *cell, int *process,
                    double *where) {
  return guarded("op_locate", [&] {
    Context &current = context();
    std::vector<Vector> asked;
    op_tracer_core &object = need_tracer("op_locate", tracer, [&](const op_tracer_core &its) {
      asked = points_of(coordinates_of(its), count, points, "points");
      need_released(its);
      return std::string();
    });
    settle();
    const std::vector<tracer::Located> found = tracer::locate(current, object, asked);
    for (std::size_t i = 0; i < found.size(); ++i) {
      if (cell) cell[i] = found[i].cell;
      if (process) process[i] = found[i].process;
      if (where) std::copy(found[i].at.begin(), found[i].at.end(), where + 3 * i);
    }
  });
}

op_dat op_decl_neighbours(op_tracer tracer, op_map map, const char *name) {
  return guarded_value<op_dat>("op_decl_neighbours", nullptr, [&]() -> op_dat {
    Context &current = context();
    tracer::Traced traced;
    const tracer::Traced::Cells *cells = nullptr;
    need_tracer("op_decl_neighbours", tracer, [&](const op_tracer_core &its) {
      const MapFacts wanted = facts_of(map, "argument 'map'");
      if (!name || !*name) fail(OP_ERR_ARGUMENT, "the name is ", name ? "empty" : "NULL", "; pass a text");
      traced = tracer::traced_of(its);
      for (const tracer::Traced::Cells &one : traced.cells)
        if (one.map.handle == map) cells = &one;
      if (!cells)
        fail(OP_ERR_ARGUMENT, "map '", wanted.name, "' does not describe cells that this tracer goes through");
      return text(", map '", wanted.name, "', name '", name, "'");
    });
    settle();
    const tracer::Source source = tracer::source_of(current.communicator, traced, false);
    const std::vector<std::int64_t> all = tracer::neighbours(current.communicator, source.cells);
    // Those of the map's set: one set follows another.
    const auto sides_of = [](const tracer::Traced::Cells &one) {
      return static_cast<std::size_t>(facts_of(one.map.from).declared_size) * shape(one.type).sides.size();
    };
    std::size_t begin = 0;
    for (const tracer::Traced::Cells *one = traced.cells.data(); one != cells; ++one) begin += sides_of(*one);
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(begin);
    const std::vector<long long> rows(first, first + static_cast<std::ptrdiff_t>(sides_of(*cells)));
    op_dat dat = nullptr;
    check(services().declare_dat(cells->map.from, static_cast<int>(shape(cells->type).sides.size()), "ll", name, &dat));
    put_declared(facts_of(dat), rows.data());
    return dat;
  });
}

op_status op_seed_line(int dim, const double *a, const double *b, op_index count, double *seeds) {
  return guarded("op_seed_line", [&] {
    need_dim(dim);
    need_array(a, "a"), need_array(b, "b"), need_array(seeds, "seeds");
    if (count < 1) fail(OP_ERR_ARGUMENT, "argument 'count' is ", count, "; it is at least 1");
    for (op_index i = 0; i < count; ++i) {
      const double t = count == 1 ? 0.5 : static_cast<double>(i) / (count - 1);
      for (int k = 0; k < dim; ++k) *seeds++ = (1 - t) * a[k] + t * b[k];
    }
  });
}

op_status op_seed_grid(int dim, const double *low, const double *high, const op_index *counts, double *seeds) {
  return guarded("op_seed_grid", [&] {
    need_dim(dim);
    need_array(low, "low"), need_array(high, "high"), need_array(counts, "counts"), need_array(seeds, "seeds");
    op_index number[3] = {1, 1, 1};
    for (int k = 0; k < dim; ++k) {
      number[k] = counts[k];
      if (number[k] < 1) fail(OP_ERR_ARGUMENT, "argument 'counts' has ", number[k], " at ", k, "; it is at least 1");
    }
    op_index at[3];
    for (at[2] = 0; at[2] < number[2]; ++at[2])
      for (at[1] = 0; at[1] < number[1]; ++at[1])
        for (at[0] = 0; at[0] < number[0]; ++at[0])
          for (int k = 0; k < dim; ++k) {
            const double t = number[k] == 1 ? 0.5 : static_cast<double>(at[k]) / (number[k] - 1);
            *seeds++ = (1 - t) * low[k] + t * high[k];
          }
  });
}

op_status op_lines_free(op_lines lines) {
  return guarded("op_lines_free", [&] {
    if (lines) all_lines().remove(lines);
  });
}

const op_gindex *op_lines_ints(op_lines lines, const char *name, op_gindex *rows, int *dim) {
  return guarded_value<const op_gindex *>("op_lines_ints", nullptr, [&] {
    const op_lines_core &object = all_lines().get(lines);
    need_array(name, "name");
    for (const auto &[its, values] :
         {std::pair{"begin", &object.begin}, {"end", &object.end}, {"steps", &object.steps}})
      if (std::strcmp(its, name) == 0) return array_of(*values, 1, rows, dim);
    fail(OP_ERR_ARGUMENT, "lines have no array '", name, "' of whole numbers; there are begin, end and steps");
  });
}

const double *op_lines_reals(op_lines lines, const char *name, op_gindex *rows, int *dim) {
  return guarded_value<const double *>("op_lines_reals", nullptr, [&] {
    const op_lines_core &object = all_lines().get(lines);
    need_array(name, "name");
    struct Named {
      const char *name;
      const std::vector<double> *values;
      std::size_t columns;
    };
    for (const Named &one : {Named{"x", &object.x, 3},
                             {"velocity", &object.velocity, 3},
                             {"time", &object.time, 1},
                             {"end_x", &object.end_x, 3},
                             {"end_time", &object.end_time, 1},
                             {"length", &object.length, 1}})
      if (std::strcmp(one.name, name) == 0) return array_of(*one.values, one.columns, rows, dim);
    fail(OP_ERR_ARGUMENT, "lines have no array '", name,
         "' of real numbers; there are x, velocity, time, end_x, end_time and length");
  });
}

const char *op_line_end_name(int end) {
  return end < 0 || end > static_cast<int>(streamline::End::lost)
             ? "unknown"
             : streamline::name_of(static_cast<streamline::End>(end));
}

int op_lines_info(op_lines lines, char *buffer, size_t capacity) {
  return guarded_value("op_lines_info", -1, [&] { return copy_text(all_lines().get(lines).info, buffer, capacity); });
}

op_status op_write_lines(op_lines lines, const char *file) {
  return guarded("op_write_lines", [&] {
    const op_lines_core &object = all_lines().get(lines);
    collectively([&](Context &current) {
      if (!file || !*file)
        fail(OP_ERR_ARGUMENT, "the file name is ", file ? "empty" : "NULL", "; name the file to write");
      tracer::need_lines_format(file);
      current.agreement.agree(text("op_write_lines to '", file, "'"));
    });
    tracer::write_lines(context().communicator, object, file);
  });
}

// SPDX-License-Identifier: MIT
