#include "loop/stats/stats.hpp"

#include <algorithm>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"
#include "loop/stats/stats_line.hpp"

namespace op2::core {

LoopStats &StatsTable::of(const std::string &name, const std::string &set) {
  for (LoopStats &record : records_)
    if (record.name == name && record.set == set) return record;
  records_.emplace_back();
  records_.back().name = name;
  records_.back().set = set;
  return records_.back();
}

DatTraffic &LoopStats::traffic_of(const std::string &dat) {
  for (DatTraffic &record : traffic)
    if (record.dat == dat) return record;
  return traffic.emplace_back(DatTraffic{dat});
}

void LoopStats::add_path(const std::string &way) {
  if (path == way || path.find(way) != std::string::npos) return;
  path += (path.empty() ? "" : " | ") + way;
}

std::int64_t LoopStats::partial() const {
  std::int64_t sum = 0;
  for (const DatTraffic &record : traffic) sum += record.partial;
  return sum;
}

double LoopStats::saved_bytes() const {
  double sum = 0;
  for (const DatTraffic &record : traffic) sum += record.saved_bytes;
  return sum;
}

ThreadTimes StatsTable::threads() const {
  ThreadTimes out = since_open_;
  for (std::size_t t = 0; t < std::min(out.busy.size(), at_reset_.busy.size()); ++t) out.busy[t] -= at_reset_.busy[t];
  out.shared -= at_reset_.shared;
  return out;
}

void StatsTable::reset() {
  at_reset_ = since_open_;
  for (LoopStats &record : records_) {
    record.calls = record.elements = record.exchanges = record.avoided = record.messages = 0;
    record.seconds = record.plan_seconds = record.bytes = record.sent_bytes = record.wait_seconds = 0;
    record.path.clear();
    for (DatTraffic &traffic : record.traffic) traffic = {.dat = traffic.dat};
  }
  for (ChainStats &chain : chains_) chain = {.name = chain.name, .loops = chain.loops, .form = chain.form};
  for (TiledChainStats &chain : tiled_chains_) chain.runs = chain.in_tiles = 0, chain.seconds = chain.found_seconds = 0;
  tracing_ = {};
  repartition_ = {};
}

double StatsTable::plan_seconds() const {
  double sum = 0;
  for (const LoopStats &record : records_) sum += record.plan_seconds;
  return sum;
}

RepartitionStats StatsTable::repartition() const {
  RepartitionStats out = repartition_;
  if (out.moves > 0) out.plan_seconds = plan_seconds() - out.plans_before;
  return out;
}

ChainStats &StatsTable::chain_of(const std::string &name, std::int64_t loops) {
  for (ChainStats &chain : chains_)
    if (chain.name == name && chain.loops == loops) return chain;
  return chains_.emplace_back(ChainStats{.name = name, .loops = loops});
}

TiledChainStats &StatsTable::tiled_chain(const std::string &name, std::int64_t loops) {
  for (TiledChainStats &chain : tiled_chains_)
    if (chain.name == name && chain.loops == loops) return chain;
  return tiled_chains_.emplace_back(TiledChainStats{.name = name, .loops = loops});
}

namespace {

std::vector<const LoopStats *> longest_first(const StatsTable &table) {
  std::vector<const LoopStats *> rows;
  for (const LoopStats &record : table.all())
    if (record.calls > 0) rows.push_back(&record);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LoopStats *a, const LoopStats *b) { return a->seconds > b->seconds; });
  return rows;
}

double gigabytes_per_second(const LoopStats &row) { return row.seconds > 0 ? row.bytes / row.seconds * 1e-9 : 0.0; }

bool in_vectors(const LoopStats &row) { return row.form.find("vector x") != std::string::npos; }
bool in_scalar_code(const LoopStats &row) { return row.form.starts_with("scalar"); }

// How much of the time goes where, the loops that lose most for want of vectors, and the reason for each.
std::string summary(const std::vector<const LoopStats *> &rows, double seconds) {
  constexpr std::size_t most = 3;
  constexpr double worth = 0.01; // of all seconds
  double vectors = 0, scalar = 0;
  std::vector<const LoopStats *> without;
  for (const LoopStats *row : rows) {
    if (in_vectors(*row)) vectors += row->seconds;
    if (in_scalar_code(*row)) scalar += row->seconds;
    if (!in_vectors(*row) && !row->why.empty() && row->seconds > worth * seconds) without.push_back(row);
  }
  if (seconds <= 0 || vectors + scalar <= 0) return "";
  std::string out = table_line(
      "  %zu loops: %.1f%% of the seconds in vectors, %.1f%% in scalar code, %.1f%% otherwise\n", rows.size(),
      100 * vectors / seconds, 100 * scalar / seconds, 100 * (seconds - vectors - scalar) / seconds);
  for (std::size_t i = 0; i < std::min(most, without.size()); ++i)
    out += text("  no vectors: ", without[i]->name, " (", without[i]->form, ", ",
                fixed(100 * without[i]->seconds / seconds, 1), "%): ", without[i]->why, "\n");
  return out;
}

// Processes own rows and need no colours: with two of them on tetrahedra such loops took about half the time of two
// threads.
std::string hint(const std::vector<const LoopStats *> &rows, double seconds, int threads) {
  constexpr double worth = 0.25; // of all seconds
  double in_colours = 0;
  for (const LoopStats *row : rows)
    if (row->form.find("colours") != std::string::npos) in_colours += row->seconds;
  if (threads < 2 || in_colours <= worth * seconds) return "";
  return text("  ", fixed(100 * in_colours / seconds, 0),
              "% of the seconds in loops whose threads take turns by colours: processes need ",
              "none, see what op2_launch -n ", threads, " or mpirun -n ", threads, " brings\n");
}

// A text as a CSV field, with two quotes for one: loop names are free text.
std::string csv_string(const std::string &value) {
  if (value.find_first_of(",\"\n\r") == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

} // namespace

std::string threads_text(const ThreadTimes &threads) {
  if (threads.busy.size() < 2 || threads.shared <= 0) return "";
  std::string shares;
  for (const double seconds : threads.busy)
    shares += text(shares.empty() ? "" : ", ", fixed(100 * seconds / threads.shared, 1), " %");
  return text("  threads worked ", shares, " of the ", fixed(threads.shared, 3),
              " s of the loops that they shared\n\n");
}

std::string timing_text(const StatsTable &table, const std::string &backend, int threads, double wall_seconds) {
  const std::vector<const LoopStats *> rows = longest_first(table);
  double seconds = 0, plan_seconds = 0;
  std::size_t width = 4;
  for (const LoopStats *row : rows) {
    seconds += row->seconds;
    plan_seconds += row->plan_seconds;
    width = std::max(width, row->name.size());
  }
  const int name_width = static_cast<int>(std::min<std::size_t>(width, 60));
  std::string out = text("\n  loops on ", backend, ", ", threads, threads == 1 ? " thread\n" : " threads\n");
  out += table_line("  %-*s %9s %11s %6s %11s %8s %9s %7s  %s\n", name_width, "loop", "calls", "seconds", "share",
                    "us/call", "GB/s", "plan s", "colours", "kernel form");
  for (const LoopStats *row : rows)
    out +=
        table_line("  %-*.60s %9lld %11.4f %5.1f%% %11.2f %8.2f %9.4f %7d  ", name_width, row->name.c_str(),
                   static_cast<long long>(row->calls), row->seconds, seconds > 0 ? 100 * row->seconds / seconds : 0.0,
                   1e6 * row->seconds / static_cast<double>(row->calls), gigabytes_per_second(*row), row->plan_seconds,
                   row->colours) +
        row->form + "\n";
  // What the inspector took for each second of the executor.
  out += table_line("  %-*s %9s %11.4f %6s %11s %8s %9.4f %7s  plan s to seconds: %.3f\n", name_width, "total", "",
                    seconds, "", "", "", plan_seconds, "", seconds > 0 ? plan_seconds / seconds : 0.0);
  out += table_line("  %.4f s since the start or op_timing_reset(), %.4f s of them outside loops\n", wall_seconds,
                    std::max(0.0, wall_seconds - seconds - plan_seconds));
  out += summary(rows, seconds);
  if (backend.find("self") != std::string::npos) out += hint(rows, seconds, threads);
  for (const LoopStats *row : rows)
    if (!row->measured.empty()) out += text("  forms of ", row->name, " by time: ", row->measured, "\n");
  const auto without = std::count_if(rows.begin(), rows.end(), [](const LoopStats *row) {
    return row->why.find("the text of its unit is not in the program") != std::string::npos;
  });
  if (without > 0)
    out += text("  ", without, " of ", rows.size(),
                " loops run as compiled, since the program does not have their text: compile with op2cxx or ",
                "op2cc (docs/specialised_loops.md)\n");
  return out + "\n";
}

namespace {

const char *const csv_heading =
    "rank,backend,threads,loop,set,calls,seconds,plan_seconds,elements,bytes,gb_per_s,colours,blocks,kernel_form,"
    "exchanges,messages,sent_bytes,waited_seconds,avoided,partial,saved_bytes,record,dat,partition_seconds,"
    "move_seconds,halo_seconds,halo_bytes,halo_bytes_at_most,lines,steps,handed_over,came_back,dividing_seconds,"
    "working_seconds,particle_messages,particle_bytes,chain_loops,in_tiles,tiles,pieces,schedule_bytes,ways,"
    "path\n";
const char *const no_division = ",,,,,", *const no_tracing = ",,,,,,,,", *const no_tiles = ",,,,,,",
                  *const no_path = ","; // the last columns

// Behind rank, backend and threads.
std::string csv_of(const TracingStats &t) {
  return text(",,", t.calls, ",", fixed(t.seconds, 9), std::string(9, ','), t.messages, ",", fixed(t.sent_bytes, 0),
              ",", fixed(t.waiting_seconds, 9), ",,,,tracing,", no_division, ",", t.lines, ",", t.steps, ",",
              t.handed_over, ",", t.came_back, ",", fixed(t.dividing_seconds, 9), ",", fixed(t.working_seconds, 9), ",",
              t.particle_messages, ",", fixed(t.particle_bytes, 0), no_tiles, no_path, "\n");
}

// Found: as planning of loops. Why it has no tiles: as forms of kernels.
std::string csv_of(const TiledChainStats &chain) {
  return text(csv_string(chain.name), ",,", chain.runs, ",", fixed(chain.seconds, 9), ",",
              fixed(chain.found_seconds, 9), ",,", fixed(chain.bytes, 0), ",,,,", csv_string(chain.why),
              ",,,,,,,,chain,", no_division, no_tracing, ",", chain.loops, ",", chain.in_tiles, ",", chain.tiles, ",",
              chain.pieces, ",", fixed(chain.schedule_bytes, 0), ",", csv_string(ways_text(chain.ways)), no_path, "\n");
}

// Prepared: as planning of loops. Rows: as elements. Imbalances: as forms of kernels.
std::string csv_of(const RepartitionStats &r) {
  return text(",,", r.calls, ",", fixed(r.seconds, 9), ",", fixed(r.plan_seconds, 9), ",", fixed(r.rows, 0),
              ",,,,,imbalance ", fixed(r.mean_before(), 3), " before ", fixed(r.mean_after(), 3), " after,,,,,,,,",
              "repartition,", no_division, no_tracing, no_tiles, no_path, "\n");
}

bool looked_at_copies(const DatTraffic &record) { return record.exchanges + record.avoided > 0; }

} // namespace

std::string timing_csv(const StatsTable &table, const std::string &backend, int threads, int rank,
                       const DivisionStats *division) {
  std::string out = csv_heading;
  const std::string process = text(rank, ",", csv_string(backend), ",", threads, ",");
  for (const LoopStats *row : longest_first(table)) {
    const std::string loop = text(process, csv_string(row->name), ",", csv_string(row->set), ",");
    out +=
        text(loop, row->calls, ",", fixed(row->seconds, 9), ",", fixed(row->plan_seconds, 9), ",", row->elements, ",",
             fixed(row->bytes, 0), ",", fixed(gigabytes_per_second(*row), 6), ",", row->colours, ",", row->blocks, ",",
             csv_string(row->form), ",", row->exchanges, ",", row->messages, ",", fixed(row->sent_bytes, 0), ",",
             fixed(row->wait_seconds, 9), ",", row->avoided, ",", row->partial(), ",", fixed(row->saved_bytes(), 0),
             ",loop,", no_division, no_tracing, no_tiles, ",", csv_string(row->path), "\n");
    for (const DatTraffic &dat : row->traffic)
      if (looked_at_copies(dat))
        out += text(loop, ",,,,,,,,,", dat.exchanges, ",,", fixed(dat.bytes, 0), ",,", dat.avoided, ",", dat.partial,
                    ",", fixed(dat.saved_bytes, 0), ",dat,", csv_string(dat.dat), no_division, no_tracing, no_tiles,
                    no_path, "\n");
  }
  for (const TiledChainStats &chain : table.tiled_chains())
    if (chain.runs > 0) out += process + csv_of(chain);
  if (division)
    out += text(process, std::string(18, ','), "division,,", fixed(division->partition_seconds, 9), ",",
                fixed(division->move_seconds, 9), ",", fixed(division->halo_seconds, 9), ",",
                fixed(division->halo_bytes, 0), ",", fixed(division->halo_bytes_at_most, 0), no_tracing, no_tiles,
                no_path, "\n");
  if (table.repartition().calls > 0) out += process + csv_of(table.repartition());
  if (table.tracing().calls > 0) out += process + csv_of(table.tracing());
  return out;
}

namespace {

std::string json_of(const DatTraffic &dat) {
  return text("{\"dat\": ", json_string(dat.dat), ", \"exchanges\": ", dat.exchanges, ", \"avoided\": ", dat.avoided,
              ", \"partial\": ", dat.partial, ", \"sent_bytes\": ", fixed(dat.bytes, 0),
              ", \"saved_bytes\": ", fixed(dat.saved_bytes, 0), "}");
}

std::string json_of(const DivisionStats &division) {
  return text("{\"partition_seconds\": ", fixed(division.partition_seconds, 9),
              ", \"move_seconds\": ", fixed(division.move_seconds, 9),
              ", \"halo_seconds\": ", fixed(division.halo_seconds, 9),
              ", \"halo_bytes\": ", fixed(division.halo_bytes, 0),
              ", \"halo_bytes_at_most\": ", fixed(division.halo_bytes_at_most, 0), "}");
}

std::string json_of(const TracingStats &tracing) {
  return text("{\"calls\": ", tracing.calls, ", \"lines\": ", tracing.lines, ", \"steps\": ", tracing.steps,
              ", \"handed_over\": ", tracing.handed_over, ", \"came_back\": ", tracing.came_back,
              ", \"messages\": ", tracing.messages, ", \"sent_bytes\": ", fixed(tracing.sent_bytes, 0),
              ", \"particle_messages\": ", tracing.particle_messages,
              ", \"particle_bytes\": ", fixed(tracing.particle_bytes, 0),
              ", \"dividing_seconds\": ", fixed(tracing.dividing_seconds, 9),
              ", \"seconds\": ", fixed(tracing.seconds, 9),
              ", \"working_seconds\": ", fixed(tracing.working_seconds, 9),
              ", \"waited_seconds\": ", fixed(tracing.waiting_seconds, 9), "}");
}

std::string json_of(const ChainStats &chain) {
  return text("{\"chain\": ", json_string(chain.name), ", \"loops\": ", chain.loops, ", \"layers\": ", chain.layers,
              ", \"runs\": ", chain.runs, ", \"exchanges\": ", chain.exchanges, ", \"messages\": ", chain.messages,
              ", \"saved_messages\": ", chain.saved_messages, ", \"elements\": ", chain.elements,
              ", \"again\": ", chain.again, ", \"in_tiles\": ", chain.in_tiles, ", \"reduced\": ", chain.reduced,
              ", \"reductions\": ", chain.reductions, ", \"at_once\": ", chain.at_once,
              ", \"form\": ", json_string(chain.form), "}");
}

std::string json_of(const LoopStats &loop) {
  std::string dats;
  for (const DatTraffic &dat : loop.traffic)
    if (looked_at_copies(dat)) dats += (dats.empty() ? "" : ", ") + json_of(dat);
  return text("{\"loop\": ", json_string(loop.name), ", \"set\": ", json_string(loop.set), ", \"calls\": ", loop.calls,
              ", \"seconds\": ", fixed(loop.seconds, 9), ", \"plan_seconds\": ", fixed(loop.plan_seconds, 9),
              ", \"elements\": ", loop.elements, ", \"bytes\": ", fixed(loop.bytes, 0),
              ", \"gb_per_s\": ", fixed(gigabytes_per_second(loop), 6), ", \"colours\": ", loop.colours,
              ", \"blocks\": ", loop.blocks, ", \"kernel_form\": ", json_string(loop.form),
              ", \"forms_by_time\": ", json_string(loop.measured), ", \"no_vectors\": ", json_string(loop.why),
              ", \"exchanges\": ", loop.exchanges, ", \"messages\": ", loop.messages,
              ", \"sent_bytes\": ", fixed(loop.sent_bytes, 0), ", \"waited_seconds\": ", fixed(loop.wait_seconds, 9),
              ", \"avoided\": ", loop.avoided, ", \"partial\": ", loop.partial(),
              ", \"saved_bytes\": ", fixed(loop.saved_bytes(), 0), ", \"path\": ", json_string(loop.path),
              ", \"dats\": [", dats, "]}");
}

} // namespace

std::string timing_json(const StatsTable &table, const std::string &backend, int threads, int rank, double wall_seconds,
                        const DivisionStats *division) {
  std::string out = text("{\"backend\": ", json_string(backend), ", \"threads\": ", threads, ", \"rank\": ", rank,
                         ", \"wall_seconds\": ", fixed(wall_seconds, 9));
  if (const ThreadTimes shared = table.threads(); !shared.busy.empty() && shared.shared > 0) {
    std::string busy;
    for (const double seconds : shared.busy) busy += text(busy.empty() ? "" : ", ", fixed(seconds, 9));
    out += text(", \"shared_seconds\": ", fixed(shared.shared, 9), ", \"busy_seconds\": [", busy, "]");
  }
  if (division) out += ", \"division\": " + json_of(*division);
  if (table.paging().limit > 0) out += ", \"paging\": " + paging_json(table.paging());
  if (table.repartition().calls > 0) out += ", \"repartition\": " + repartition_json(table.repartition());
  if (table.tracing().calls > 0) out += ", \"tracing\": " + json_of(table.tracing());
  if (!table.chains().empty()) {
    std::string chains;
    for (const ChainStats &chain : table.chains()) chains += (chains.empty() ? "" : ", ") + json_of(chain);
    out += ", \"chains\": [" + chains + "]";
  }
  if (!table.tiled_chains().empty()) out += ", \"tiled_chains\": " + tiles_json(table.tiled_chains());
  out += ", \"loops\": [";
  bool first = true;
  for (const LoopStats *row : longest_first(table)) {
    out += (first ? "\n  " : ",\n  ") + json_of(*row);
    first = false;
  }
  return out + "\n]}\n";
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
