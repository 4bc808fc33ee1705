#include "compat/timing_tables.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.hpp"
#include "loop/stats/stats_across.hpp"

namespace op2::core {

namespace {

struct Spread {
  double mean = 0, deviation = 0;
};

struct Row {
  std::string name;
  long long calls = 0;
  double plan = 0, bytes = 0;
  Spread wait, time;
};

// Means first, then deviations from them: squares of long times that hardly differ would lose the difference.
std::vector<Spread> spreads(const std::vector<double> &own, Communicator &communicator) {
  const double processes = communicator.size();
  std::vector<double> sums = own, squares;
  communicator.allreduce(sums.data(), sums.size(), OP_TYPE_DOUBLE, OP_COMM_SUM);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const double away = own[i] - sums[i] / processes;
    squares.push_back(away * away);
  }
  communicator.allreduce(squares.data(), squares.size(), OP_TYPE_DOUBLE, OP_COMM_SUM);
  std::vector<Spread> out;
  for (std::size_t i = 0; i < own.size(); ++i) out.push_back({sums[i] / processes, std::sqrt(squares[i] / processes)});
  return out;
}

// OP2 has one record for a kernel, whatever sets its loops run over.
StatsTable by_name(const StatsTable &table) {
  StatsTable out;
  for (const LoopStats &record : table.all()) {
    LoopStats &sum = out.of(record.name, "");
    sum.calls += record.calls;
    sum.seconds += record.seconds;
    sum.plan_seconds += record.plan_seconds;
    sum.wait_seconds += record.wait_seconds;
    sum.bytes += record.bytes;
  }
  return out;
}

// Longest first. Of this process alone where processes have run different loops, since theirs cannot be added.
std::vector<Row> rows_of_all(const StatsTable &table, Communicator &communicator) {
  const StatsTable own = by_name(table);
  const bool together = communicator.size() > 1 && same_loops(own, communicator);
  std::vector<double> times;
  for (const LoopStats &record : own.all()) times.insert(times.end(), {record.wait_seconds, record.seconds});
  std::vector<Spread> spread;
  if (together)
    spread = spreads(times, communicator);
  else
    for (const double time : times) spread.push_back({time, 0});
  const StatsTable all = together ? stats_of_all(own, communicator) : own;
  std::vector<Row> rows;
  for (std::size_t i = 0; i < all.all().size(); ++i) {
    const LoopStats &record = all.all()[i];
    if (record.calls > 0)
      rows.push_back({record.name, record.calls, record.plan_seconds, record.bytes, spread[2 * i], spread[2 * i + 1]});
  }
  std::stable_sort(rows.begin(), rows.end(), [](const Row &a, const Row &b) { return a.time.mean > b.time.mean; });
  return rows;
}

double rate(const Row &row) { return row.time.mean > 0 ? row.bytes / row.time.mean * 1e-9 : 0.0; }

std::string padded(const std::string &value, std::size_t width) {
  return value.size() < width ? std::string(width - value.size(), ' ') + value : value;
}

// "%8.4f", with a point in every locale.
std::string number(double value) { return padded(fixed(value, 4), 8); }

std::string with_deviation(const Spread &spread) {
  return text(number(spread.mean), "(", number(spread.deviation), ")");
}

} // namespace

std::string op2_timing_table(const StatsTable &own, Communicator &communicator) {
  std::string out =
      "\n  count   plan time     MPI time(std)        time(std)           GB/s      GB/s   kernel name \n"
      " -------------------------------------------------------------------------------------------\n";
  double plans = 0;
  for (const Row &row : rows_of_all(own, communicator)) {
    plans += row.plan;
    out += text(" ", padded(text(row.calls), 6), ";  ", number(row.plan), ";  ", with_deviation(row.wait), ";  ",
                with_deviation(row.time), ";  ", number(rate(row)), ";         ;   ", row.name, "\n");
  }
  return out + text("Total plan time: ", number(plans), "\n");
}

std::string op2_timing_totals(const StatsTable &own, Communicator &communicator) {
  std::string out =
      "\n  count     time     GB/s     GB/s   kernel name \n ----------------------------------------------- \n";
  double seconds = 0;
  for (const Row &row : rows_of_all(own, communicator)) {
    seconds += row.time.mean;
    out += text(" ", padded(text(row.calls), 6), "  ", number(row.time.mean), " ", number(rate(row)), "            ",
                row.name, " \n");
  }
  return out + text("Total kernel time = ", fixed(seconds, 6), "\n");
}

std::string op2_timing_csv(const StatsTable &own, int rank, int processes, int threads) {
  std::string out = "rank,thread,nranks,nthreads,count,total time,plan time,mpi time,GB used,GB total,kernel name\n";
  const StatsTable loops = by_name(own);
  for (const LoopStats &record : loops.all())
    if (record.calls > 0)
      out += text(rank, ",0,", processes, ",", threads, ",", record.calls, ",", fixed(record.seconds, 6), ",",
                  fixed(record.plan_seconds, 6), ",", fixed(record.wait_seconds, 6), ",", fixed(record.bytes * 1e-9, 6),
                  ",", fixed(record.bytes * 1e-9, 6), ",", record.name, "\n");
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
