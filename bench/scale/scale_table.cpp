// scale_table.cpp: see scale_table.hpp.
#include "scale/scale_table.hpp"

#include <algorithm>

#include "common/report.hpp"

namespace scale {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Exchanges of the same dats share their buffers.
std::vector<Exchange> distinct(const std::vector<Exchange> &exchanges) {
  const auto same = [](const ExchangedDat &a, const ExchangedDat &b) {
    return a.dat == b.dat && a.exec == b.exec && a.nonexec == b.nonexec;
  };
  std::vector<Exchange> out;
  for (const Exchange &exchange : exchanges)
    if (std::none_of(out.begin(), out.end(), [&](const Exchange &known) {
          return std::equal(known.dats.begin(), known.dats.end(), exchange.dats.begin(), exchange.dats.end(), same);
        }))
      out.push_back(exchange);
  return out;
}

double speedup(const Row &row, double alone) { return row.time.total > 0 ? alone / row.time.total : 0; }

} // namespace

Row row_of(const Problem &problem, const std::vector<SetHalo> &halos, const Schedule &schedule,
           const std::vector<LoopTime> &times, const Wire &wire, int parts) {
  Row out;
  out.parts = parts;
  std::vector<double> owned(at(parts), 0), copies(at(parts), 0);
  for (const SetHalo &halo : halos) {
    out.owned.push_back(spread(halo.owned));
    out.core.push_back(spread(halo.core));
    out.exec.push_back(spread(halo.exec));
    out.nonexec.push_back(spread(halo.nonexec));
    for (int part = 0; part < parts; ++part) {
      owned[at(part)] += halo.owned[at(part)];
      copies[at(part)] += halo.rows(part) - halo.owned[at(part)];
    }
  }
  for (int part = 0; part < parts; ++part) copies[at(part)] /= std::max(1.0, owned[at(part)]);
  out.copies = spread(copies);
  out.neighbours = spread(neighbours(halos, parts));
  const Traffic sent = traffic(problem, halos, schedule.later, parts);
  out.messages = spread(sent.messages_out);
  out.bytes = spread(sent.bytes_out);
  out.all_messages = sent.messages();
  out.all_bytes = sent.bytes();
  std::vector<Exchange> all = schedule.first;
  all.insert(all.end(), schedule.later.begin(), schedule.later.end());
  const Traffic buffers = traffic(problem, halos, distinct(all), parts);
  std::vector<std::int64_t> bytes = buffers.bytes_out;
  for (int part = 0; part < parts; ++part) bytes[at(part)] += buffers.bytes_in[at(part)];
  out.memory = spread(memory(problem, halos, bytes, parts));
  out.time = predict(problem, halos, schedule, times, wire, parts);
  return out;
}

std::string summary(const Problem &problem, const std::vector<Exchange> &exchanges) {
  std::string out;
  for (const Exchange &exchange : exchanges) {
    out += "  before " + problem.loops[at(problem.iteration[exchange.place])].name + ":";
    for (const ExchangedDat &item : exchange.dats) {
      const MeshDat &dat = problem.dats[at(item.dat)];
      out += " " + dat.name + " on " + problem.sets[at(dat.set)].name + " (" + std::to_string(dat.bytes) + " bytes, " +
             (item.exec && item.nonexec ? "executed and read copies)"
              : item.exec               ? "executed copies)"
                                        : "read copies)");
    }
    out += "\n";
  }
  return out;
}

void print_header() {
  std::printf("%6s %15s %7s %7s %11s %13s %17s %9s %9s %9s %9s %9s %9s %8s\n", "parts", "cells owned", "copies",
              "redund.", "neighbours", "messages", "kB sent", "MB kept", "work us", "msgs us", "reduct us", "total us",
              "hidden us", "speed-up");
  std::printf("%6s %15s %7s %7s %11s %13s %17s %9s %9s %9s %9s %9s %9s %8s\n", "", "max  mean", "max", "all",
              "max mean", "max  mean", "max  mean", "max", "max", "max", "", "max", "max", "");
}

void print_row(const Row &row, double alone) {
  const Spread &cells = row.owned[airfoil_cells];
  std::printf(
      "%6d %7.0f %7.0f %6.1f%% %6.2f%% %4.0f %6.1f %5.0f %7.1f %8.2f %8.2f %9.3f %9.1f %9.1f %9.1f %9.1f %9.1f %8.1f\n",
      row.parts, cells.most, cells.mean, 100 * row.copies.most, 100 * row.time.redundant, row.neighbours.most,
      row.neighbours.mean, row.messages.most, row.messages.mean, row.bytes.most / 1e3, row.bytes.mean / 1e3,
      row.memory.most / 1e6, 1e6 * row.time.work, 1e6 * row.time.messages, 1e6 * row.time.reductions,
      1e6 * row.time.total, 1e6 * row.time.hidden, speedup(row, alone));
  std::fflush(stdout);
}

void report_row(const Row &row, double alone) {
  const std::string name = "scale." + std::to_string(row.parts) + ".";
  bench::result(name + "predicted", 1e3 * row.time.total, "ms");
  bench::result(name + "overlapped", 1e3 * row.time.hidden, "ms");
  bench::result(name + "neighbours", row.neighbours.most, "-");
  bench::result(name + "messages", row.messages.most, "-");
  bench::result(name + "sent", row.bytes.most / 1e3, "kB");
  bench::result(name + "kept", row.memory.most / 1e3, "kB");
  bench::result(name + "copies", 100 * row.copies.most, "%");
  bench::result(name + "redundant", 100 * row.time.redundant, "%");
  bench::result(name + "efficiency", 100 * speedup(row, alone) / row.parts, "%");
}

void write_csv(std::FILE *out, const Problem &problem, const std::vector<Row> &rows, double alone) {
  std::string header = "parts";
  for (const MeshSet &set : problem.sets)
    for (const char *what : {"owned", "core", "exec", "nonexec"})
      for (const char *how : {"max", "mean"}) header += "," + set.name + "_" + what + "_" + how;
  std::fprintf(out,
               "%s,copies_per_owned_max,copies_per_owned_mean,neighbours_max,neighbours_mean,messages_max,"
               "messages_mean,messages_all,bytes_max,bytes_mean,bytes_all,memory_max,memory_mean,redundant_share,"
               "work_s,messages_s,reductions_s,total_s,overlapped_s,speedup,built_in_s\n",
               header.c_str());
  for (const Row &row : rows) {
    std::fprintf(out, "%d", row.parts);
    for (std::size_t set = 0; set < problem.sets.size(); ++set)
      for (const Spread &value : {row.owned[set], row.core[set], row.exec[set], row.nonexec[set]})
        std::fprintf(out, ",%.0f,%.6g", value.most, value.mean);
    std::fprintf(out, ",%.6g,%.6g,%.0f,%.6g,%.0f,%.6g,%lld,%.0f,%.6g,%lld,%.0f,%.6g", row.copies.most, row.copies.mean,
                 row.neighbours.most, row.neighbours.mean, row.messages.most, row.messages.mean,
                 static_cast<long long>(row.all_messages), row.bytes.most, row.bytes.mean,
                 static_cast<long long>(row.all_bytes), row.memory.most, row.memory.mean);
    std::fprintf(out, ",%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.3g\n", row.time.redundant, row.time.work,
                 row.time.messages, row.time.reductions, row.time.total, row.time.hidden, speedup(row, alone),
                 row.seconds);
  }
}

} // namespace scale

// SPDX-License-Identifier: MIT
