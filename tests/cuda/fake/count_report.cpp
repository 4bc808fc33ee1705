// count_report.cpp: what has been counted, as a table for people and as JSON for programs.
#include <unistd.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "count.hpp"
#include "occupancy.hpp"
#include "predict.hpp"
#include "state.hpp"

namespace fake {

namespace {

constexpr const char *use_names[] = {"read", "written", "atomic"};

std::string format(const char *how, ...) {
  char text[400];
  va_list values;
  va_start(values, how);
  std::vsnprintf(text, sizeof text, how, values);
  va_end(values);
  return text;
}

// Zero by zero is zero: nothing was done, nothing went wrong.
double over(double a, double b) { return b > 0 ? a / b : 0; }
double as_double(std::uint64_t value) { return static_cast<double>(value); }

struct Machine { // code of one kernel on one architecture
  std::string arch;
  int registers = 0, stack = 0, spilled = 0, instructions = 0, resident = 0;
  double occupancy = 0;
};

std::vector<Machine> machine_code(const KernelCounts &kernel) {
  std::vector<Machine> out;
  std::istringstream lines(kernel.resources);
  std::string function;
  Machine m;
  while (lines >> function >> m.arch >> m.registers >> m.stack >> m.spilled >> m.instructions) {
    const Architecture *const arch = architecture(m.arch);
    if (function != kernel.function || !arch) continue;
    const int threads = static_cast<int>(kernel.threads), shared = static_cast<int>(kernel.shared);
    m.resident = resident_blocks(*arch, threads, m.registers, shared);
    m.occupancy = occupancy(*arch, threads, m.registers, shared);
    out.push_back(m);
  }
  return out;
}

// Before a loop is used, a sample of at most 107 elements runs on copies of its data.
bool is_sample(const Counter &counter, const KernelCounts &kernel) {
  const auto small = [](const KernelCounts &k) { return k.elements <= 107 * k.launches; };
  for (const KernelCounts &other : counter.kernels())
    if (other.title == kernel.title && other.function == kernel.function && !small(other)) return small(kernel);
  return false;
}

std::string name_of(const KernelCounts &kernel) {
  const std::string title = kernel.title.empty() ? kernel.function : kernel.title;
  return kernel.title.empty() || kernel.function == "op2_loop" ? title : title + "/" + kernel.function;
}

std::string code_columns(const KernelCounts &kernel) {
  std::string out;
  const std::vector<Machine> code = machine_code(kernel);
  for (const char *const arch : {"sm_80", "sm_90"}) {
    std::string columns = format(" %5s %6s %5s", "-", "-", "-");
    for (const Machine &m : code)
      if (m.arch == arch) columns = format(" %5d %6d %4.0f%%", m.registers, m.spilled, 100 * m.occupancy);
    out += columns;
  }
  return out;
}

void write_loops(std::ostream &out, const Counter &counter) {
  out << format("%-24s %-14s %7s %8s %9s | %7s %9s %6s %6s | %7s %6s %6s | %6s %8s %6s | %-18s | %-18s\n", "", "", "",
                "", "", "bytes", "of these,", "times", "", "atomics", "meet in", "", "bank", "barriers", "split",
                "sm_80", "sm_90");
  out << format("%-24s %-14s %7s %8s %9s | %7s %9s %6s %6s | %7s %6s %6s | %6s %8s %6s | %5s %6s %5s | %5s %6s %5s\n",
                "loop", "way", "threads", "launches", "elements", "/elem.", "requested", "L2", "memory", "/elem.",
                "warp", "block", "confl.", "/block", "steps", "regs", "spill", "occ.", "regs", "spill", "occ.");
  for (const KernelCounts &k : counter.kernels()) {
    if (is_sample(counter, k)) continue;
    const AccessCounts sum = k.total();
    const double least = k.compulsory_bytes(), elements = as_double(k.elements), unit = sector_bytes;
    const std::string code = code_columns(k);
    out << format("%-24.24s %-14s %7u %8llu %9.0f | %7.1f %9.2f %6.2f %6.2f | %7.2f %5.1f%% %5.1f%% |",
                  name_of(k).c_str(), k.way().c_str(), k.threads, static_cast<unsigned long long>(k.launches),
                  over(elements, k.calls()), over(least, elements), over(unit * as_double(sum.sectors), least),
                  over(unit * as_double(sum.l2), least), over(unit * as_double(sum.memory), least),
                  over(as_double(k.atomics), elements), 100 * over(as_double(k.warp_conflicts), as_double(k.atomics)),
                  100 * over(as_double(k.block_conflicts), as_double(k.atomics)));
    out << format(" %5.1f%% %8.1f %5.1f%% |", 100 * over(as_double(k.shared_conflicts), as_double(k.shared_passes)),
                  over(as_double(k.barriers), as_double(k.blocks)),
                  100 * over(as_double(k.split_steps), as_double(k.steps)))
        << code.substr(0, code.size() / 2) << " |" << code.substr(code.size() / 2) << '\n';
  }
}

// Seconds of one launch; 0 where the machine code is not known.
double predicted(const KernelCounts &kernel, const Gpu &gpu) {
  for (const Machine &m : machine_code(kernel)) {
    if (m.arch != gpu.arch) continue;
    const AccessCounts sum = kernel.total();
    Work work;
    work.memory_bytes = as_double(sum.memory * sector_bytes) / as_double(kernel.launches);
    work.l2_bytes = as_double(sum.l2 * sector_bytes) / as_double(kernel.launches);
    for (const Region &region : kernel.regions)
      work.atomic_sectors +=
          as_double(region.by_use[static_cast<std::size_t>(Use::atomic)].l2) / as_double(kernel.launches);
    work.shared_passes = as_double(kernel.shared_passes) / as_double(kernel.launches);
    work.blocks = as_double(kernel.blocks) / as_double(kernel.launches);
    work.occupancy = m.occupancy;
    return predicted_seconds(gpu, work);
  }
  return 0;
}

void write_predictions(std::ostream &out, const Counter &counter) {
  out << format("%-24s %-14s", "", "");
  for (const Gpu &gpu : gpus) out << format(" | %-24s", (std::string(gpu.name) + ", predicted").c_str());
  out << format("\n%-24s %-14s", "loop", "way");
  for ([[maybe_unused]] const Gpu &gpu : gpus) out << format(" | %11s %12s", "us/launch", "useful GB/s");
  out << '\n';
  for (const KernelCounts &k : counter.kernels()) {
    if (is_sample(counter, k)) continue;
    out << format("%-24.24s %-14s", name_of(k).c_str(), k.way().c_str());
    for (const Gpu &gpu : gpus) {
      const double seconds = predicted(k, gpu);
      out << (seconds > 0 ? format(" | %11.2f %12.0f", 1e6 * seconds,
                                   1e-9 * k.compulsory_bytes() / as_double(k.launches) / seconds)
                          : format(" | %11s %12s", "-", "-"));
    }
    out << '\n';
  }
}

double least_of(const Region &region, Use use) {
  if (!region.is_data()) return 0;
  std::uint64_t bytes = 0;
  if (use != Use::store)
    for (const auto &[sector, mask] : region.read) bytes += static_cast<std::uint64_t>(__builtin_popcount(mask));
  if (use != Use::load)
    for (const auto &[sector, mask] : region.written) bytes += static_cast<std::uint64_t>(__builtin_popcount(mask));
  return as_double(bytes);
}

void write_accesses(std::ostream &out, const Counter &counter) {
  out << format("%-24s %-14s %-20s %9s %9s | %9s %9s %9s %9s\n", "", "", "", "bytes", "sectors",
                "sectors of a call:", "", "", "");
  out << format("%-24s %-14s %-20s %9s %9s | %9s %9s %9s %9s\n", "loop", "way", "access", "/lane", "/request",
                "requested", "L2", "memory", "least");
  for (const KernelCounts &k : counter.kernels()) {
    if (is_sample(counter, k)) continue;
    for (const Region &region : k.regions)
      for (const Use use : {Use::load, Use::store, Use::atomic}) {
        const AccessCounts &a = region.by_use[static_cast<std::size_t>(use)];
        if (a.requests == 0) continue;
        out << format("%-24.24s %-14s %-20s %9.1f %9.2f | %9.0f %9.0f %9.0f %9.0f\n", name_of(k).c_str(),
                      k.way().c_str(), (region.name + " " + use_names[static_cast<std::size_t>(use)]).c_str(),
                      over(as_double(a.bytes), as_double(a.lanes)), over(as_double(a.sectors), as_double(a.requests)),
                      over(as_double(a.sectors), k.calls()), over(as_double(a.l2), k.calls()),
                      over(as_double(a.memory), k.calls()), least_of(region, use) / sector_bytes);
      }
  }
}

std::string quoted(const std::string &text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return out + '"';
}

class Json { // one object, members as they come
 public:
  explicit Json(std::ostream &out) : out_(out) { out_ << '{'; }
  ~Json() { out_ << '}'; }
  Json(const Json &) = delete;
  Json &operator=(const Json &) = delete;
  void add(const char *name, const std::string &raw) {
    out_ << (first_ ? "" : ", ") << '"' << name << "\": " << raw, first_ = false;
  }
  void add(const char *name, std::uint64_t value) { add(name, std::to_string(value)); }
  void add(const char *name, double value) { add(name, format("%.6g", value)); }

 private:
  std::ostream &out_;
  bool first_ = true;
};

std::string json_of(const KernelCounts &k, const Region &region) {
  std::ostringstream out;
  bool first = true;
  for (const Use use : {Use::load, Use::store, Use::atomic}) {
    const AccessCounts &a = region.by_use[static_cast<std::size_t>(use)];
    if (a.requests == 0) continue;
    out << (first ? "" : ",\n    ");
    first = false;
    Json json(out);
    json.add("name", quoted(region.name));
    json.add("use", quoted(use_names[static_cast<std::size_t>(use)]));
    json.add("requests", a.requests);
    json.add("lanes", a.lanes);
    json.add("bytes", a.bytes);
    json.add("sectors", a.sectors);
    json.add("l2_sectors", a.l2);
    json.add("memory_sectors", a.memory);
    json.add("compulsory_bytes", least_of(region, use) * k.calls());
  }
  return out.str();
}

std::string json_of(const Machine &m) {
  std::ostringstream out;
  {
    Json json(out);
    json.add("arch", quoted(m.arch));
    json.add("registers", std::to_string(m.registers));
    json.add("stack_bytes", std::to_string(m.stack));
    json.add("spilled_bytes", std::to_string(m.spilled));
    json.add("instructions", std::to_string(m.instructions));
    json.add("blocks_at_a_time", std::to_string(m.resident));
    json.add("occupancy", m.occupancy);
  }
  return out.str();
}

template <class Items, class Text>
std::string list_of(const Items &items, Text &&text) {
  std::string out;
  for (const auto &item : items)
    if (const std::string one = text(item); !one.empty()) out += (out.empty() ? "" : ",\n    ") + one;
  return "[" + out + "]";
}

void write_json(std::ostream &out, const KernelCounts &k) {
  Json json(out);
  json.add("loop", quoted(k.title));
  json.add("kernel", quoted(k.function));
  json.add("way", quoted(k.way()));
  json.add("threads", std::uint64_t{k.threads});
  json.add("shared_bytes", std::uint64_t{k.shared});
  json.add("launches", k.launches);
  json.add("calls", k.calls());
  json.add("blocks", k.blocks);
  json.add("elements", k.elements);
  const AccessCounts sum = k.total();
  json.add("requests", sum.requests);
  json.add("lane_bytes", sum.bytes);
  json.add("sectors", sum.sectors);
  json.add("l2_sectors", sum.l2);
  json.add("memory_sectors", sum.memory);
  json.add("compulsory_bytes", k.compulsory_bytes());
  json.add("atomics", k.atomics);
  json.add("warp_conflicts", k.warp_conflicts);
  json.add("block_conflicts", k.block_conflicts);
  json.add("shared_requests", k.shared_requests);
  json.add("shared_passes", k.shared_passes);
  json.add("shared_conflicts", k.shared_conflicts);
  json.add("barriers", k.barriers);
  json.add("warp_waits", k.warp_waits);
  json.add("steps", k.steps);
  json.add("split_steps", k.split_steps);
  json.add("code", list_of(machine_code(k), [](const Machine &m) { return json_of(m); }));
  for (const Gpu &gpu : gpus)
    if (const double seconds = predicted(k, gpu); seconds > 0)
      json.add(("predicted_seconds_" + std::string(gpu.name)).c_str(), seconds);
  json.add("accesses", "\n   " + list_of(k.regions, [&](const Region &region) { return json_of(k, region); }));
}

std::string setting(const char *name) {
  const char *const value = std::getenv(name);
  return value ? std::string(name) + "=" + value : "";
}

__attribute__((destructor)) void at_exit() {
  if (state().process == getpid() && Counter::on()) write_counts(counter());
}

} // namespace

void write_counts(const Counter &counter) {
  std::string name = state().settings.count;
  if (const auto at = name.find("%p"); at != std::string::npos) name.replace(at, 2, std::to_string(getpid()));
  std::ofstream table(name);
  table << "Counts of kernels on the emulated device " << setting("OP2_RACE") << ' ' << setting("OP2_LAYOUT") << "\n\n";
  write_loops(table, counter);
  table << '\n';
  write_accesses(table, counter);
  table << '\n';
  write_predictions(table, counter);
  std::ofstream json(name + ".json");
  json << '[';
  const char *separator = "\n";
  for (const KernelCounts &kernel : counter.kernels()) {
    if (is_sample(counter, kernel)) continue;
    json << separator;
    write_json(json, kernel);
    separator = ",\n";
  }
  json << "\n]\n";
  table.close(), json.close();
  if (!table || !json) report("counts cannot be written to " + name + " and " + name + ".json");
}

} // namespace fake

// Writes what has been counted so far; files are written at the end of the program in any case.
FAKE_ENTRY fakeWriteCounts() {
  if (!fake::Counter::on()) return fake::invalid_value;
  fake::write_counts(fake::counter());
  return fake::success;
}

// SPDX-License-Identifier: MIT
