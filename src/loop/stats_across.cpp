#include "loop/stats_across.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

std::string format(const char *pattern, int width, const std::string &name, std::int64_t a, std::int64_t b, double c,
                   double d) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, width, name.c_str(), static_cast<long long>(a), static_cast<long long>(b),
                c, d);
  return line;
}

} // namespace

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
  for (const LoopStats &record : own.all()) {
    longest.insert(longest.end(), {record.seconds, record.plan_seconds, record.wait_seconds});
    sums.insert(sums.end(), {static_cast<double>(record.elements), record.bytes, static_cast<double>(record.messages),
                             record.sent_bytes});
    for (const DatTraffic &traffic : record.traffic) sums.push_back(traffic.bytes);
  }
  communicator.allreduce(longest.data(), longest.size(), OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(sums.data(), sums.size(), OP_TYPE_DOUBLE, OP_COMM_SUM);
  const double *most = longest.data(), *sum = sums.data();
  for (LoopStats &record : all.all()) {
    record.seconds = *most++;
    record.plan_seconds = *most++;
    record.wait_seconds = *most++;
    record.elements = static_cast<std::int64_t>(*sum++);
    record.bytes = *sum++;
    record.messages = static_cast<std::int64_t>(*sum++);
    record.sent_bytes = *sum++;
    for (DatTraffic &traffic : record.traffic) traffic.bytes = *sum++;
  }
  return all;
}

std::string traffic_text(const StatsTable &all, int processes) {
  std::vector<const LoopStats *> rows;
  std::size_t width = 4;
  for (const LoopStats &record : all.all()) {
    if (record.exchanges == 0) continue;
    rows.push_back(&record);
    width = std::max(width, record.name.size());
    for (const DatTraffic &traffic : record.traffic) width = std::max(width, traffic.dat.size() + 2);
  }
  if (rows.empty()) return "";
  std::stable_sort(rows.begin(), rows.end(),
                   [](const LoopStats *a, const LoopStats *b) { return a->sent_bytes > b->sent_bytes; });
  const int name_width = static_cast<int>(std::min<std::size_t>(width, 60));
  std::string out = text("  exchanged between ", processes, " processes\n");
  char head[256];
  std::snprintf(head, sizeof head, "  %-*s %9s %11s %11s %11s\n", name_width, "loop, its dats", "exchanges", "messages",
                "MB sent", "waited s");
  out += head;
  for (const LoopStats *row : rows) {
    out += format("  %-*.60s %9lld %11lld %11.3f %11.4f\n", name_width, row->name, row->exchanges, row->messages,
                  row->sent_bytes * 1e-6, row->wait_seconds);
    for (const DatTraffic &traffic : row->traffic) {
      char line[256];
      std::snprintf(line, sizeof line, "    %-*.58s %9lld %11s %11.3f\n", name_width - 2, traffic.dat.c_str(),
                    static_cast<long long>(traffic.exchanges), "", traffic.bytes * 1e-6);
      out += line;
    }
  }
  return out + "\n";
}

} // namespace op2::core
