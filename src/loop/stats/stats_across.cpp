#include "loop/stats/stats_across.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "loop/stats/stats_line.hpp"

namespace op2::core {

bool same_loops(const StatsTable &own, Communicator &communicator) {
  Hash hash;
  for (const LoopStats &record : own.all()) {
    hash.add(record.name).add(record.set).add(static_cast<std::uint64_t>(record.traffic.size()));
    for (const DatTraffic &traffic : record.traffic) hash.add(traffic.dat);
  }
  const std::int64_t value = static_cast<std::int64_t>(hash.value() >> 1);
  return communicator.min(value) == communicator.max(value);
}

StatsTable stats_of_all(const StatsTable &own, Communicator &communicator) {
  StatsTable all = own;
  if (communicator.size() == 1 || !same_loops(own, communicator)) return all;
  std::vector<double> longest, sums;
  const auto hash_of = [](const LoopStats &record) {
    return static_cast<double>(Hash().add(record.path).value() >> 11); // exact
  };
  for (const LoopStats &record : own.all()) {
    longest.insert(longest.end(), {hash_of(record), -hash_of(record)});
    longest.insert(longest.end(), {record.seconds, record.plan_seconds, record.wait_seconds});
    sums.insert(sums.end(), {static_cast<double>(record.elements), record.bytes, static_cast<double>(record.messages),
                             record.sent_bytes});
    for (const DatTraffic &traffic : record.traffic) sums.insert(sums.end(), {traffic.bytes, traffic.saved_bytes});
  }
  communicator.allreduce(longest.data(), longest.size(), OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(sums.data(), sums.size(), OP_TYPE_DOUBLE, OP_COMM_SUM);
  const double *most = longest.data(), *sum = sums.data();
  for (LoopStats &record : all.all()) {
    const double highest = *most++;
    if (highest != -*most++) record.path += " (on this process; others have another way)";
    record.seconds = *most++;
    record.plan_seconds = *most++;
    record.wait_seconds = *most++;
    record.elements = static_cast<std::int64_t>(*sum++);
    record.bytes = *sum++;
    record.messages = static_cast<std::int64_t>(*sum++);
    record.sent_bytes = *sum++;
    for (DatTraffic &traffic : record.traffic) {
      traffic.bytes = *sum++;
      traffic.saved_bytes = *sum++;
    }
  }
  return all;
}

TracingOfAll tracing_of_all(const TracingStats &own, Communicator &communicator) {
  TracingOfAll out;
  TracingStats &all = out.sum;
  all = own;
  double most[] = {own.dividing_seconds, own.seconds, static_cast<double>(own.steps), own.working_seconds};
  double sums[] = {static_cast<double>(own.lines),
                   static_cast<double>(own.steps),
                   static_cast<double>(own.handed_over),
                   static_cast<double>(own.came_back),
                   static_cast<double>(own.messages),
                   static_cast<double>(own.particle_messages),
                   own.sent_bytes,
                   own.particle_bytes,
                   own.working_seconds,
                   own.waiting_seconds};
  communicator.allreduce(most, std::size(most), OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(sums, std::size(sums), OP_TYPE_DOUBLE, OP_COMM_SUM);
  all.dividing_seconds = most[0];
  all.seconds = most[1];
  const double *sum = sums;
  for (std::int64_t *count :
       {&all.lines, &all.steps, &all.handed_over, &all.came_back, &all.messages, &all.particle_messages})
    *count = static_cast<std::int64_t>(*sum++);
  for (double *value : {&all.sent_bytes, &all.particle_bytes, &all.working_seconds, &all.waiting_seconds})
    *value = *sum++;
  const auto imbalance = [&communicator](double largest, double total) {
    return total > 0 ? largest * communicator.size() / total : 1;
  };
  out.imbalance_of_steps = imbalance(most[2], static_cast<double>(all.steps));
  out.imbalance_of_seconds = imbalance(most[3], all.working_seconds);
  return out;
}

std::string tracing_text(const TracingOfAll &traced, int processes) {
  const TracingStats &all = traced.sum;
  if (all.calls == 0) return "";
  const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
  std::string out = table_line("  streamlines: %lld calls, %lld lines, %lld steps, %.4f s; mesh divided in %.4f s\n",
                               whole(all.calls), whole(all.lines), whole(all.steps), all.seconds, all.dividing_seconds);
  if (processes > 1)
    out +=
        table_line("  by %d processes: %.4f s of work, %.4f s of waiting, imbalance %.2f of steps, %.2f of seconds\n",
                   processes, all.working_seconds, all.waiting_seconds, traced.imbalance_of_steps,
                   traced.imbalance_of_seconds) +
        table_line(
            "  %lld particles handed over, %lld came back; messages: %lld of particles, %.3f MB, %lld others, "
            "%.3f MB\n",
            whole(all.handed_over), whole(all.came_back), whole(all.particle_messages), all.particle_bytes * 1e-6,
            whole(all.messages - all.particle_messages), (all.sent_bytes - all.particle_bytes) * 1e-6);
  return out + "\n";
}

std::deque<ChainStats> chains_of_all(const StatsTable &own, Communicator &communicator) {
  std::deque<ChainStats> all = own.chains();
  std::vector<std::int64_t> sums;
  for (const ChainStats &chain : all)
    sums.insert(sums.end(), {chain.messages, chain.saved_messages, chain.elements, chain.again});
  communicator.allreduce(sums.data(), sums.size(), OP_TYPE_LL, OP_COMM_SUM);
  const std::int64_t *sum = sums.data();
  for (ChainStats &chain : all)
    for (std::int64_t *value : {&chain.messages, &chain.saved_messages, &chain.elements, &chain.again}) *value = *sum++;
  return all;
}

std::string chains_text(const std::deque<ChainStats> &all, int processes) {
  std::string out;
  const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
  for (const ChainStats &chain : all) {
    if (chain.runs == 0) continue;
    if (out.empty())
      out = table_line("  chains in layers of copies, %d processes\n  %-14s %6s %6s %9s %9s %9s %11s %11s\n", processes,
                       "chain", "loops", "layers", "runs", "exchanges", "messages", "msgs saved", "again");
    out += table_line("  %-14.60s %6lld %6lld %9lld %9lld %9lld %11lld %10.1f%%\n", chain.name.c_str(),
                      whole(chain.loops), whole(chain.layers), whole(chain.runs), whole(chain.exchanges),
                      whole(chain.messages), whole(chain.saved_messages),
                      100.0 * static_cast<double>(chain.again) /
                          static_cast<double>(std::max<std::int64_t>(chain.elements - chain.again, 1)));
  }
  for (const ChainStats &chain : all)
    if (chain.runs > 0 && !chain.form.empty()) out += text("  ", chain.name, ": ", chain.form, "\n");
  return out.empty() ? out : out + "\n";
}

DivisionStats division_of_all(const DivisionStats &own, Communicator &communicator, double &most) {
  DivisionStats all = own;
  double longest[] = {own.partition_seconds, own.move_seconds, own.halo_seconds, own.halo_bytes};
  double sums[] = {own.halo_bytes, own.halo_bytes_at_most};
  communicator.allreduce(longest, std::size(longest), OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(sums, std::size(sums), OP_TYPE_DOUBLE, OP_COMM_SUM);
  all.partition_seconds = longest[0];
  all.move_seconds = longest[1];
  all.halo_seconds = longest[2];
  most = longest[3];
  all.halo_bytes = sums[0];
  all.halo_bytes_at_most = sums[1];
  return all;
}

std::string division_text(const DivisionStats &all, double most, int processes) {
  return table_line("  divided between %d processes: partition %.4f s, rows moved in %.4f s, halos made in %.4f s\n",
                    processes, all.partition_seconds, all.move_seconds, all.halo_seconds) +
         table_line("  halos take %.3f MB, on one process up to %.3f MB; %.3f MB were expected at most\n\n",
                    all.halo_bytes * 1e-6, most * 1e-6, all.halo_bytes_at_most * 1e-6);
}

namespace {

// "  from device to device by ipc: res_calc, adt_calc\n" for each way of messages.
std::string paths_text(const std::vector<const LoopStats *> &rows) {
  std::map<std::string, std::string> loops;
  for (const LoopStats *row : rows)
    if (!row->path.empty()) loops[row->path] += (loops[row->path].empty() ? "" : ", ") + row->name;
  std::string out;
  for (const auto &[path, names] : loops) out += text("  messages of ", names, " ", path, "\n");
  return out;
}

} // namespace

std::string traffic_text(const StatsTable &all, int processes) {
  std::vector<const LoopStats *> rows;
  std::size_t width = 14;
  for (const LoopStats &record : all.all()) {
    if (record.exchanges + record.avoided == 0) continue;
    rows.push_back(&record);
    width = std::max(width, record.name.size());
    for (const DatTraffic &traffic : record.traffic) width = std::max(width, traffic.dat.size() + 2);
  }
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LoopStats *a, const LoopStats *b) { return a->sent_bytes > b->sent_bytes; });
  const int name_width = static_cast<int>(std::min<std::size_t>(width, 60));
  std::string out = text("  exchanged between ", processes, " processes\n");
  out += table_line("  %-*s %9s %9s %9s %9s %11s %11s %9s\n", name_width, "loop, its dats", "exchanges", "avoided",
                    "partial", "messages", "MB sent", "MB saved", "waited s");
  const auto whole = [](std::int64_t value) { return static_cast<long long>(value); };
  for (const LoopStats *row : rows) {
    out += table_line("  %-*.60s %9lld %9lld %9lld %9lld %11.3f %11.3f %9.4f\n", name_width, row->name.c_str(),
                      whole(row->exchanges), whole(row->avoided), whole(row->partial()), whole(row->messages),
                      row->sent_bytes * 1e-6, row->saved_bytes() * 1e-6, row->wait_seconds);
    for (const DatTraffic &traffic : row->traffic)
      if (traffic.exchanges + traffic.avoided > 0)
        out += table_line("    %-*.58s %9lld %9lld %9lld %9s %11.3f %11.3f\n", name_width - 2, traffic.dat.c_str(),
                          whole(traffic.exchanges), whole(traffic.avoided), whole(traffic.partial), "",
                          traffic.bytes * 1e-6, traffic.saved_bytes * 1e-6);
  }
  return out + paths_text(rows) + "\n";
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
