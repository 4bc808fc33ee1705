#include "loop/stats.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/json.hpp"
#include "base/text.hpp"

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

void StatsTable::reset() {
  for (LoopStats &record : records_) {
    record.calls = record.elements = record.exchanges = record.messages = 0;
    record.seconds = record.plan_seconds = record.bytes = record.sent_bytes = record.wait_seconds = 0;
    for (DatTraffic &traffic : record.traffic) traffic = {traffic.dat};
  }
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

template <class... T>
std::string format(const char *pattern, T... values) {
  char line[512];
  const int length = std::snprintf(line, sizeof line, pattern, values...);
  return std::string(line, static_cast<std::size_t>(std::clamp(length, 0, static_cast<int>(sizeof line) - 1)));
}

// A text as a CSV field, with two quotes for one: loop names are free text.
std::string csv_string(const std::string &value) {
  if (value.find_first_of(",\"\n\r") == std::string::npos) return value;
  std::string out = "\"";
  for (const char c : value) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + "\"";
}

} // namespace

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
  out += format("  %-*s %9s %11s %6s %11s %8s %9s %7s  %s\n", name_width, "loop", "calls", "seconds", "share",
                "us/call", "GB/s", "plan s", "colours", "kernel form");
  for (const LoopStats *row : rows)
    out += format("  %-*.60s %9lld %11.4f %5.1f%% %11.2f %8.2f %9.4f %7d  ", name_width, row->name.c_str(),
                  static_cast<long long>(row->calls), row->seconds, seconds > 0 ? 100 * row->seconds / seconds : 0.0,
                  1e6 * row->seconds / static_cast<double>(row->calls), gigabytes_per_second(*row), row->plan_seconds,
                  row->colours) +
           row->form + "\n";
  out += format("  %-*s %9s %11.4f %6s %11s %8s %9.4f\n", name_width, "total", "", seconds, "", "", "", plan_seconds);
  out += format("  %.4f s since the start or op_timing_reset(), %.4f s of them outside loops\n\n", wall_seconds,
                std::max(0.0, wall_seconds - seconds - plan_seconds));
  return out;
}

std::string timing_csv(const StatsTable &table, const std::string &backend, int threads, int rank) {
  std::string out =
      "rank,backend,threads,loop,set,calls,seconds,plan_seconds,elements,bytes,gb_per_s,colours,blocks,kernel_form,"
      "exchanges,messages,sent_bytes,waited_seconds\n";
  for (const LoopStats *row : longest_first(table))
    out += text(rank, ",", csv_string(backend), ",", threads, ",", csv_string(row->name), ",", csv_string(row->set),
                ",", row->calls, ",", fixed(row->seconds, 9), ",", fixed(row->plan_seconds, 9), ",", row->elements, ",",
                fixed(row->bytes, 0), ",", fixed(gigabytes_per_second(*row), 6), ",", row->colours, ",", row->blocks,
                ",", csv_string(row->form), ",", row->exchanges, ",", row->messages, ",", fixed(row->sent_bytes, 0),
                ",", fixed(row->wait_seconds, 9), "\n");
  return out;
}

std::string timing_json(const StatsTable &table, const std::string &backend, int threads, int rank,
                        double wall_seconds) {
  std::string out = text("{\"backend\": ", json_string(backend), ", \"threads\": ", threads, ", \"rank\": ", rank,
                         ", \"wall_seconds\": ", fixed(wall_seconds, 9), ", \"loops\": [");
  bool first = true;
  for (const LoopStats *row : longest_first(table)) {
    out += first ? "\n" : ",\n";
    first = false;
    out += text("  {\"loop\": ", json_string(row->name), ", \"set\": ", json_string(row->set),
                ", \"calls\": ", row->calls, ", \"seconds\": ", fixed(row->seconds, 9),
                ", \"plan_seconds\": ", fixed(row->plan_seconds, 9), ", \"elements\": ", row->elements,
                ", \"bytes\": ", fixed(row->bytes, 0), ", \"gb_per_s\": ", fixed(gigabytes_per_second(*row), 6),
                ", \"colours\": ", row->colours, ", \"blocks\": ", row->blocks,
                ", \"kernel_form\": ", json_string(row->form), ", \"exchanges\": ", row->exchanges,
                ", \"messages\": ", row->messages, ", \"sent_bytes\": ", fixed(row->sent_bytes, 0),
                ", \"waited_seconds\": ", fixed(row->wait_seconds, 9), "}");
  }
  return out + "\n]}\n";
}

} // namespace op2::core
