// The door of timing.h and of the clocks and tables in compat.h, and tables that settings ask for.
#include "api/timing.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <utility>

#include "api/guard.hpp"
#include "base/clock.hpp"
#include "compat/timing_tables.hpp"
#include "distributed/halo/halo_memory.hpp"
#include "loop/stats/stats_across.hpp"
#include "op2/compat.h"
#include "op2/timing.h"

using namespace op2::core;

namespace {

double seconds_covered(const Session &current) { return now() - current.start_time; }

// Nothing with one process, which divides nothing.
std::optional<DivisionStats> division_of(Session &current) {
  if (!current.mesh->several()) return {};
  const DivisionTimes &times = current.engine->mesh_setup().division_times();
  const HaloMemory memory = halo_memory(*current.mesh);
  return DivisionStats{times.partition, times.move, times.halo, memory.bytes, memory.at_most};
}

void print_division(Session &current) {
  const std::optional<DivisionStats> own = division_of(current);
  if (!own) return;
  double most = 0;
  const DivisionStats all = division_of_all(*own, *current.communicator, most);
  op_printf("%s", division_text(all, most, current.communicator->size()).c_str());
}

// The seconds are those of the slowest process.
void print_repartition(Session &current) {
  RepartitionStats all = std::as_const(current.engine->stats()).repartition();
  double longest[] = {all.seconds, all.plan_seconds};
  current.communicator->allreduce(longest, std::size(longest), OP_TYPE_DOUBLE, OP_COMM_MAX);
  all.seconds = longest[0];
  all.plan_seconds = longest[1];
  op_printf("%s", repartition_text(all).c_str());
}

// All processes make this call, or learn that they do not.
Session &session_of_all(const char *call) {
  Session &current = session();
  current.mesh->agreement().agree(call);
  return current;
}

void write_file(const char *file, const std::string &content) {
  if (!file) fail(OP_ERR_ARGUMENT, "the file name is NULL; name the file to write");
  std::FILE *out = std::fopen(file, "w");
  if (!out) fail(OP_ERR_FILE, "cannot write '", file, "': ", std::strerror(errno));
  const bool written = std::fwrite(content.data(), 1, content.size(), out) == content.size();
  const int write_error = errno;
  if (std::fclose(out) != 0 || !written)
    fail(OP_ERR_FILE, "cannot write '", file, "': ", std::strerror(written ? errno : write_error));
}

// One file for all processes, which learn of it when it cannot be written.
void write_at_root(Session &current, const char *file, const std::string &content) {
  current.mesh->agreement().together("writing the timing table", [&] {
    if (!file || current.communicator->rank() == 0) write_file(file, content);
    return 0;
  });
}

// One heading for the tables of all processes.
std::string joined_csv(const std::vector<std::string> &tables) {
  std::string out = tables[0];
  for (std::size_t p = 1; p < tables.size(); ++p) out += tables[p].substr(tables[p].find('\n') + 1);
  return out;
}

void note_threads(Session &current) {
  Executor::ThreadSeconds now = current.executor->thread_seconds();
  current.engine->stats().note_threads({std::move(now.busy), now.shared});
}

void note_paging(Session &current) {
  const ChunkStore *const pager = current.mesh->chunks();
  if (!pager) return;
  current.engine->stats().note_paging(
      {static_cast<double>(pager->limit()), pager->form(), pager->stats(), current.mesh->device_pager() != nullptr});
}

void print_table(Session &current) {
  note_threads(current);
  note_paging(current);
  const StatsTable all = stats_of_all(current.engine->stats(), *current.communicator);
  op_printf("%s",
            timing_text(all, current.backend, current.executor->caps().concurrency, seconds_covered(current)).c_str());
  op_printf("%s", traffic_text(all, current.communicator->size()).c_str());
  if (current.mesh->several())
    op_printf("%s",
              chains_text(chains_of_all(current.engine->stats(), *current.communicator), current.communicator->size())
                  .c_str());
  else
    op_printf("%s", tiles_text(current.engine->stats().tiled_chains()).c_str());
  op_printf("%s", threads_text(current.engine->stats().threads()).c_str());
  op_printf("%s", paging_text(current.engine->stats().paging()).c_str());
  print_division(current);
  print_repartition(current);
  const TracingOfAll traced = tracing_of_all(current.engine->stats().tracing(), *current.communicator);
  op_printf("%s", tracing_text(traced, current.communicator->size()).c_str());
  const Copies::Conversions &conversions = current.mesh->copies().conversions();
  if (conversions.count > 0)
    op_printf("  dats went %lld times from one layout to another, %.4f s (OP2_LAYOUT)\n\n",
              static_cast<long long>(conversions.count), conversions.seconds);
  if (const TimingRequest request = timing_request(current.settings);
      current.executor->caps().asynchronous && request.measures && !request.waits)
    op_printf(
        "  executor %s runs loops after their calls, so the seconds are those of the calls; OP2_TIMING=wait shows "
        "what each loop takes\n\n",
        current.executor->name().c_str());
}

void write_csv(Session &current, const char *file) {
  const std::optional<DivisionStats> division = division_of(current);
  const std::vector<std::string> tables = current.communicator->allgather(
      timing_csv(current.engine->stats(), current.backend, current.executor->caps().concurrency,
                 current.communicator->rank(), division ? &*division : nullptr));
  write_at_root(current, file, joined_csv(tables));
}

void write_json(Session &current, const char *file) {
  note_threads(current);
  note_paging(current);
  const std::optional<DivisionStats> division = division_of(current);
  const std::vector<std::string> tables = current.communicator->allgather(
      timing_json(current.engine->stats(), current.backend, current.executor->caps().concurrency,
                  current.communicator->rank(), seconds_covered(current), division ? &*division : nullptr));
  std::string out = tables[0];
  for (std::size_t p = 1; p < tables.size(); ++p) out += ",\n" + tables[p];
  write_at_root(current, file, tables.size() > 1 ? "[" + out + "]\n" : out);
}

void print_objects(const Mesh &mesh) {
  std::printf("\n  OP diagnostic output\n  --------------------\n\n       set       size\n  -------------------\n");
  const Objects &objects = mesh.objects();
  for (const auto *const sets : {&objects.sets(), &objects.particle_sets()})
    for (const auto &set : *sets) std::printf("%10s %10lld\n", set->name, set->global_size);
  std::printf("\n       map        dim       from         to\n  -----------------------------------------\n");
  for (const auto *const maps : {&objects.maps(), &objects.particle_maps()})
    for (const auto &map : *maps)
      std::printf("%10s %10d %10s %10s\n", map->name, map->dim, map->from->name, map->to->name);
  std::printf("\n       dat        dim        set\n  ------------------------------\n");
  for (const auto *const dats : {&objects.dats(), &objects.particle_dats()})
    for (const auto &dat : *dats)
      if (!dat->freed) std::printf("%10s %10d %10s\n", dat->name, dat->dim, dat->set->name);
  std::printf("\n");
  std::fflush(stdout);
}

} // namespace

namespace op2::core {

TimingRequest timing_request(const Settings &settings) {
  TimingRequest out;
  const std::string &value = settings.get("OP2_TIMING");
  for (const std::string &word : split(value, ',')) {
    if (word == "on") continue;
    if (word == "off")
      out.measures = false;
    else if (word == "wait")
      out.waits = true;
    else if (out.output.empty() && (word == "table" || word.ends_with(".csv") || word.ends_with(".json")))
      out.output = word;
    else
      fail(OP_ERR_ARGUMENT, "setting OP2_TIMING='", value,
           "': 'on', 'off' or 'wait', and behind ',' one of 'table', or a file whose name ends in .csv or .json");
  }
  return out;
}

void write_timing_output(Session &current) noexcept try {
  const std::string output = timing_request(current.settings).output;
  if (output.empty() || current.communicator->max(current.poison.empty() ? 0 : 1) != 0) return;
  if (output == "table")
    print_table(current);
  else if (output.ends_with(".csv"))
    write_csv(current, output.c_str());
  else
    write_json(current, output.c_str());
} catch (const std::exception &error) {
  if (current.communicator->rank() == 0) current.log.write(OP_LOG_WARN, text("OP2_TIMING: ", error.what()));
}

} // namespace op2::core

void op_timers(double *cpu, double *et) {
  // "Callable at any time" includes kernels, other threads and failed contexts: there it is op_timers_core().
  if (Session *current = current_session();
      current && on_control_thread() && current->poison.empty() && !current->engine->running())
    guarded("op_timers", [&] {
      current->engine->flush();
      current->mesh->agreement().agree("op_timers");
      current->mesh->agreement().together("op_timers", [&] {
        current->executor->finish();
        return 0;
      });
    });
  op_timers_core(cpu, et);
}

void op_timers_core(double *cpu, double *et) {
  if (cpu) *cpu = cpu_seconds();
  if (et) *et = now();
}

op_status op_timing_output(void) {
  return guarded("op_timing_output", [] {
    Session &current = session_of_all("op_timing_output");
    print_table(current);
  });
}

op_status op_timings_to_csv(const char *file) {
  return guarded("op_timings_to_csv", [&] {
    Session &current = session_of_all("op_timings_to_csv");
    write_csv(current, file);
  });
}

op_status op_timings_to_json(const char *file) {
  return guarded("op_timings_to_json", [&] {
    Session &current = session_of_all("op_timings_to_json");
    write_json(current, file);
  });
}

op_status op_timing_write(const char *format, const char *file) {
  return guarded("op_timing_write", [&] {
    const std::string wanted = format ? format : "";
    if (wanted != "op2" && wanted != "op2_totals" && wanted != "op2_csv")
      fail(OP_ERR_ARGUMENT, "there is no format '", wanted, "'; there are op2, op2_totals and op2_csv");
    Session &current = session_of_all("op_timing_write");
    const StatsTable &own = current.engine->stats();
    Communicator &communicator = *current.communicator;
    std::string out;
    if (wanted == "op2") out = op2_timing_table(own, communicator);
    if (wanted == "op2_totals") out = op2_timing_totals(own, communicator);
    if (wanted == "op2_csv")
      out = joined_csv(communicator.allgather(
          op2_timing_csv(own, communicator.rank(), communicator.size(), current.executor->caps().concurrency)));
    if (file)
      write_at_root(current, file, out);
    else
      op_printf("%s", out.c_str());
  });
}

op_status op_timing_reset(void) {
  return guarded("op_timing_reset", [] {
    note_threads(session());
    session().engine->stats().reset();
    session().mesh->copies().conversions() = {};
    session().engine->mesh_setup().division_times() = {};
    session().start_time = now();
  });
}

op_status op_diagnostic_output(void) {
  return guarded("op_diagnostic_output", [] {
    Session &current = session();
    if (current.diags >= 2 && current.communicator->rank() == 0) print_objects(*current.mesh);
  });
}

// SPDX-License-Identifier: MIT
