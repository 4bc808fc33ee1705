#include "tracer/tracer.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "tracer/context.hpp"

namespace op2::core::tracer {

op_tracer_core &Tracers::declare(op_view view, op_dat velocity) {
  auto tracer = std::make_unique<op_tracer_core>();
  tracer->view = view;
  tracer->velocity = velocity;
  all_.push_back(std::move(tracer));
  return *all_.back();
}

op_tracer_core &Tracers::find(op_tracer handle) const {
  if (!handle) fail(OP_ERR_HANDLE, "the tracer is NULL; a tracer is needed");
  for (const auto &tracer : all_)
    if (tracer.get() == handle) return *tracer;
  fail(OP_ERR_HANDLE,
       "the tracer is not a tracer of this context (from before op_exit(), or never declared); declare it "
       "after op_init()");
}

void Tracers::forget() {
  for (const auto &tracer : all_) {
    tracer->lines = {};
    tracer->places = {};
  }
}

Shown Tracers::shown() {
  const op_library_v1 &library = services();
  if (lane_ == 0) lane_ = library.trace_lane("streamlines");
  if (lane_ == 0) return {};
  return {library.trace_record, library.trace_subject(lane_, "trace", "particles"),
          library.trace_subject(lane_, "wait", nullptr), library.trace_subject(lane_, "messages", "particles waiting")};
}

namespace {

// The same on all processes; another one when nodes have moved.
std::uint64_t hash_of_nodes(Context &context, const DatFacts &coordinates) {
  const std::vector<char> rows = fetch_declared(context, coordinates);
  Hash hash;
  hash.add(std::string_view(rows.data(), rows.size()));
  return static_cast<std::uint64_t>(context.communicator.sum(static_cast<std::int64_t>(hash.value() >> 16)));
}

// The block for this request: the last one, if it fits.
const Block &block_for(Context &context, Divided &last, const Traced &traced, const Request &request) {
  Communicator &communicator = context.communicator;
  const Source source = source_of(communicator, traced, request.division.given);
  const Division &division = request.division;
  const streamline::Options &o = request.options;
  std::int64_t revisions = 0; // of what tells where rows are
  for (const Traced::Cells &cells : traced.cells) revisions += facts_of(cells.map.from).revision + cells.map.revision;
  const std::string wanted =
      text(source.duration > 0 ? 1 : 0, " ", division.given ? revisions : 0, " ", division.blocks, " ",
           division.shuffle, " ", division.overlap, " ", static_cast<int>(o.method), " ", static_cast<int>(o.unit), " ",
           number_text(o.step), " ", number_text(o.longest_step), " ", hash_of_nodes(context, traced.coordinates));
  bool fits = communicator.max(last.block && last.wanted == wanted ? 0 : 1) == 0;
  fits = fits && last.block->renew(communicator, source, o);
  if (fits) return *last.block;
  last.block.reset();
  last.block = std::make_unique<Block>(communicator, source, o, division);
  last.wanted = wanted;
  return *last.block;
}

// How lines end: the keys of what op_lines_info() counts.
constexpr std::size_t ends = static_cast<std::size_t>(End::lost) + 1;

// Of all processes, as JSON. Collective.
std::string info_of(Communicator &communicator, const Lines &lines, double dividing) {
  const Counts &own = lines.counts;
  std::array<long long, 9 + ends> sum{
      own.steps,          own.finished,          own.sent,
      own.returned,       own.particle_messages, own.particle_bytes,
      own.other_messages, own.other_bytes,       static_cast<long long>(lines.points.size())};
  for (const Lines::Line &line : lines.line) ++sum[9 + static_cast<std::size_t>(line.end)];
  communicator.allreduce(sum.data(), sum.size(), OP_TYPE_LL, OP_COMM_SUM);
  double total[] = {own.working, own.waiting}, most[] = {own.working, own.waiting, own.all, dividing};
  communicator.allreduce(total, std::size(total), OP_TYPE_DOUBLE, OP_COMM_SUM);
  communicator.allreduce(most, std::size(most), OP_TYPE_DOUBLE, OP_COMM_MAX);
  const std::int64_t most_steps = communicator.max(own.steps);
  const double processes = communicator.size();
  // The most of one process over the mean.
  const auto imbalance = [processes](double largest, double all) { return all > 0 ? largest * processes / all : 1; };
  JsonFields by_end;
  for (std::size_t end = 1; end < ends; ++end) by_end.add(streamline::name_of(static_cast<End>(end)), sum[9 + end]);
  JsonFields out;
  out.add("processes", communicator.size()).add("steps", sum[0]).add("lines", sum[1]);
  out.add("handed_over", sum[2]).add("came_back", sum[3]);
  out.add("particle_messages", sum[4]).add("particle_bytes", sum[5]);
  out.add("other_messages", sum[6]).add("other_bytes", sum[7]).add("points", sum[8]);
  out.add("dividing_seconds", most[3], 6).add("seconds", most[2], 6);
  out.add("working_seconds", total[0], 6).add("waiting_seconds", total[1], 6);
  out.add("imbalance_of_steps", imbalance(static_cast<double>(most_steps), static_cast<double>(sum[0])), 3);
  out.add("imbalance_of_seconds", imbalance(most[0], total[0]), 3);
  return "{" + out.text() + ",\"ends\":{" + by_end.text() + "}}";
}

// To the tables of times of libop2.
void add_times(const Counts &counts, double dividing) {
  op_library_tracing more{};
  more.size = sizeof more;
  more.lines = counts.finished;
  more.steps = counts.steps;
  more.handed_over = counts.sent;
  more.came_back = counts.returned;
  more.messages = counts.particle_messages + counts.other_messages;
  more.particle_messages = counts.particle_messages;
  more.sent_bytes = static_cast<double>(counts.particle_bytes + counts.other_bytes);
  more.particle_bytes = static_cast<double>(counts.particle_bytes);
  more.dividing_seconds = dividing;
  more.seconds = counts.all;
  more.working_seconds = counts.working;
  more.waiting_seconds = counts.waiting;
  check(services().add_tracing(&more));
}

std::unique_ptr<op_lines_core> arrays_of(Communicator &communicator, const Lines &lines, Directions directions,
                                         std::size_t seeds, double dividing) {
  auto out = std::make_unique<op_lines_core>();
  out->directions = directions;
  out->first_seed = communicator.sum_before(static_cast<std::int64_t>(seeds));
  out->begin.assign(lines.begin.begin(), lines.begin.end());
  for (const Lines::Line &line : lines.line) {
    out->end.push_back(static_cast<int>(line.end));
    out->steps.push_back(line.steps);
    out->end_x.insert(out->end_x.end(), line.x.begin(), line.x.end());
    out->end_time.push_back(line.time);
    out->length.push_back(line.length);
  }
  for (const LinePoint &point : lines.points) {
    out->x.insert(out->x.end(), point.x.begin(), point.x.end());
    out->velocity.insert(out->velocity.end(), point.velocity.begin(), point.velocity.end());
    out->time.push_back(point.time);
  }
  out->info = info_of(communicator, lines, dividing);
  return out;
}

} // namespace

Traced traced_of(const op_tracer_core &tracer) {
  Traced out = traced_of(tracer.view, tracer.velocity);
  if (!tracer.later) return out;
  out.later = facts_of(tracer.later, "argument 'later'");
  out.duration = tracer.duration;
  const DatFacts &first = out.velocity, &later = *out.later;
  if (later.set != first.set)
    fail(OP_ERR_SET, "dat '", later.name, "' is on set '", facts_of(later.set).name, "', the velocity '", first.name,
         "' on set '", facts_of(first.set).name, "'");
  if (later.dim != first.dim || later.type != first.type)
    fail(later.dim != first.dim ? OP_ERR_DIM : OP_ERR_TYPE, "dat '", later.name, "' has dim ", later.dim, " and type ",
         later.type_name, ", the velocity '", first.name, "' has dim ", first.dim, " and type ", first.type_name);
  return out;
}

std::unique_ptr<op_lines_core> trace(Context &context, op_tracer_core &tracer, const Request &request,
                                     std::span<const Vector> seeds) {
  const Traced traced = traced_of(tracer);
  const double begin = now();
  Communicator &communicator = context.communicator;
  const Block &block = block_for(context, tracer.lines, traced, request);
  const double dividing = now() - begin;
  const Lines lines = draw_lines(communicator, block, request.options, request.directions, request.running, seeds);
  add_times(lines.counts, dividing);
  return arrays_of(communicator, lines, request.directions, seeds.size(), dividing);
}

std::vector<Located> locate(Context &context, op_tracer_core &tracer, std::span<const Vector> points) {
  const Traced traced = traced_of(tracer);
  Request request;
  request.division.given = true;
  request.options.unit = streamline::Unit::length;
  request.options.step = std::numeric_limits<double>::min(); // sees nothing
  return locate(context.communicator, block_for(context, tracer.places, traced, request), points);
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
