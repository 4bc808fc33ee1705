#include "gpu/locality/emulated.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <stdexcept>

#include "common/settings.hpp"

namespace bench::locality {

namespace {

std::string contents(const std::filesystem::path &file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The first member of this name.
std::uint64_t number(const std::string &object, const std::string &name) {
  const std::size_t at = object.find("\"" + name + "\": ");
  if (at == std::string::npos) throw std::runtime_error("no " + name + " in the counts: " + object);
  return std::strtoull(object.c_str() + at + name.size() + 4, nullptr, 10);
}

// Sums over accesses of a kind.
std::uint64_t sectors(const std::string &object, const std::string &use) {
  std::uint64_t sum = 0;
  for (std::size_t at = object.find("\"use\": \"" + use); at != std::string::npos;
       at = object.find("\"use\": \"" + use, at + 1))
    sum += number(object.substr(at), "sectors");
  return sum;
}

void add(Counts &sum, const std::string &object) {
  sum.launches += number(object, "launches");
  sum.blocks += number(object, "blocks");
  sum.barriers += number(object, "barriers");
  sum.sectors += number(object, "sectors");
  sum.l2 += number(object, "l2_sectors");
  sum.memory += number(object, "memory_sectors");
  sum.read_sectors += sectors(object, "read");
  sum.add_sectors += sectors(object, "atomic");
  sum.adds += number(object, "atomics");
  sum.warp_meets += number(object, "warp_conflicts");
  sum.block_meets += number(object, "block_conflicts");
  sum.shared_requests += number(object, "shared_requests");
  sum.shared_passes += number(object, "shared_passes");
  sum.shared_conflicts += number(object, "shared_conflicts");
  sum.shared_bytes = std::max(sum.shared_bytes, static_cast<std::size_t>(number(object, "shared_bytes")));
}

} // namespace

std::optional<Counts> emulated(const std::string &loop, int size, const Variables &settings, std::string &why) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("op2_locality_" + std::to_string(getpid()));
  const std::string json = file.string() + ".json", said = file.string() + ".said";
  const Setting count("OP2_CUDA_COUNT", file.string()), registers("FAKE_NVRTC_REAL", ""); // which nobody reads here
  for (const auto &[name, value] : settings) setenv(name.c_str(), value.c_str(), 1);
  const std::string command = std::string("'" OP2_BENCH_LOCALITY_LOOPS "' ") + loop + " " + std::to_string(size);
  const int status = std::system((command + " >" + said + " 2>&1").c_str());
  for (const auto &[name, value] : settings) unsetenv(name.c_str());
  const std::string counts = contents(json), output = contents(said);
  for (const std::string &one : {file.string(), json, said}) std::filesystem::remove(one);
  if (status != 0 || counts.empty()) {
    why = status != 0 ? output.substr(0, output.find('\n')) : "the device does not count, since it is not emulated";
    return std::nullopt;
  }
  std::map<std::string, std::string> kernels; // each as it ran over most elements: a sample of them ran before
  const std::string start = "\"loop\": \"";
  for (std::size_t at = counts.find(start); at != std::string::npos;) {
    const std::size_t next = counts.find(start, at + 1);
    const std::string object = counts.substr(at, next - at);
    at = next;
    if (!object.starts_with(start + "locality\"")) continue;
    std::string &known = kernels[object.substr(0, object.find("\"way\""))];
    if (known.empty() || number(object, "elements") > number(known, "elements")) known = object;
  }
  if (kernels.empty()) throw std::runtime_error("the emulated device has counted nothing of the loop");
  Counts out;
  for (const auto &[kernel, object] : kernels) add(out, object);
  return out;
}

} // namespace bench::locality

// SPDX-License-Identifier: MIT
