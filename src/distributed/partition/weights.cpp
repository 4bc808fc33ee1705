#include "distributed/partition/weights.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "base/error.hpp"

namespace op2::core {

namespace {

constexpr double alike = 1.1;                                     // speeds that differ by less count as the same
constexpr double largest_weight = 1 << 20, largest_sum = 1 << 30; // partitioners count in 32 bits
constexpr std::size_t most_listed = 16;

double number_in(std::string word, const std::string &list) {
  word.erase(0, word.find_first_not_of(" \t"));
  word.erase(word.find_last_not_of(" \t") + 1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size())
    fail(OP_ERR_ARGUMENT, "OP2_PARTITION_WEIGHTS='", list, "': '", word,
         "' is no number; it is auto, equal, measured, gpu= and a share, or one share for each process, e.g. 1,1,2");
  if (!std::isfinite(value) || value < 0)
    fail(OP_ERR_ARGUMENT, "OP2_PARTITION_WEIGHTS='", list, "': ", word,
         " cannot be the share of a process; shares are numbers of 0 or more");
  return value;
}

template <class T>
void append(const Dat &dat, std::vector<double> &out) {
  const T *const first = reinterpret_cast<const T *>(dat.host.data());
  out.assign(first, first + dat.set->size);
}

std::vector<double> values_of(const Dat &dat) {
  std::vector<double> out;
  if (dat.element.id == OP_TYPE_DOUBLE)
    append<double>(dat, out);
  else if (dat.element.id == OP_TYPE_FLOAT)
    append<float>(dat, out);
  else
    append<int>(dat, out);
  return out;
}

} // namespace

PartShares shares_of(std::vector<double> given) {
  const bool same = std::adjacent_find(given.begin(), given.end(), std::not_equal_to<>()) == given.end();
  return same && given.front() > 0 ? PartShares(static_cast<int>(given.size())) : PartShares(std::move(given));
}

std::vector<double> shares_from_text(const std::string &list, int processes) {
  std::vector<double> shares;
  for (const std::string &word : split(list, ',')) shares.push_back(number_in(word, list));
  if (processes > 0 && shares.size() != static_cast<std::size_t>(processes))
    fail(OP_ERR_ARGUMENT, "OP2_PARTITION_WEIGHTS='", list, "' has ", shares.size(), " shares, but there are ",
         processes, " processes; give one for each");
  if (std::accumulate(shares.begin(), shares.end(), 0.0) == 0)
    fail(OP_ERR_ARGUMENT, "OP2_PARTITION_WEIGHTS='", list, "' gives no process a share; one must be more than 0");
  return shares;
}

std::optional<double> share_with_gpu(const std::string &setting) {
  constexpr std::string_view key = "gpu=";
  if (!setting.starts_with(key)) return {};
  return number_in(setting.substr(key.size()), setting);
}

std::vector<double> shares_from_speeds(const std::vector<double> &speeds) {
  std::vector<double> shares(speeds.size(), 1.0);
  if (!std::all_of(speeds.begin(), speeds.end(), [](double s) { return std::isfinite(s) && s > 0; })) return shares;
  std::vector<std::size_t> order(speeds.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return speeds[a] < speeds[b]; });
  double slowest = 0;
  for (std::size_t first = 0; first < order.size();) { // a group of processes that are alike
    std::size_t last = first;
    double sum = 0;
    while (last < order.size() && speeds[order[last]] <= alike * speeds[order[first]]) sum += speeds[order[last++]];
    const double mean = sum / static_cast<double>(last - first);
    if (first == 0) slowest = mean;
    const double ratio = mean / slowest, unit = std::pow(10.0, std::floor(std::log10(ratio)) - 1);
    for (; first < last; ++first) shares[order[first]] = std::round(ratio / unit) / (1 / unit);
  }
  return shares;
}

void need_weights(const Dat &dat) {
  const op_type_id type = dat.element.id;
  if (type != OP_TYPE_INT && type != OP_TYPE_FLOAT && type != OP_TYPE_DOUBLE)
    fail(OP_ERR_TYPE, "dat '", dat.label, "' has type ", dat.type_label, "; weights are int, float or double");
  if (dat.dim != 1) fail(OP_ERR_DIM, "dat '", dat.label, "' has dim ", dat.dim, "; weights are one value per element");
}

std::vector<double> work_in(Mesh &mesh, const Dat &dat) {
  std::vector<double> values = mesh.agreement().together(text("weights '", dat.label, "'"), [&] {
    std::vector<double> own = values_of(dat);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (!std::isfinite(own[i]) || own[i] < 0)
        fail(OP_ERR_ARGUMENT, "dat '", dat.label, "' gives element ", dat.on().global[i], " the weight ", own[i],
             "; weights are numbers of 0 or more");
    return own;
  });
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  mesh.communicator().allreduce(&sum, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
  if (!(sum > 0))
    fail_on_all(OP_ERR_ARGUMENT, "dat '", dat.label, "' gives no element a weight; one must be more than 0");
  return values;
}

std::vector<int> whole_weights(Communicator &communicator, const std::vector<double> &values, bool whole) {
  double most = values.empty() ? 0 : *std::max_element(values.begin(), values.end());
  double sum = std::accumulate(values.begin(), values.end(), 0.0);
  communicator.allreduce(&most, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  communicator.allreduce(&sum, 1, OP_TYPE_DOUBLE, OP_COMM_SUM);
  double scale = std::exp2(std::floor(std::log2(std::min(largest_weight / most, largest_sum / sum))));
  if (whole) scale = std::min(scale, 1.0);
  std::vector<int> out;
  for (const double value : values)
    out.push_back(value > 0 ? static_cast<int>(std::max(1LL, std::llround(value * scale))) : 0);
  return out;
}

std::vector<int> element_weights(Mesh &mesh, const Dat &dat) {
  return whole_weights(mesh.communicator(), work_in(mesh, dat), dat.element.id == OP_TYPE_INT);
}

std::string listing_of(const std::vector<double> &shares) {
  std::string out;
  for (std::size_t p = 0; p < std::min(shares.size(), most_listed); ++p) out += text(p > 0 ? ", " : "", shares[p]);
  return shares.size() > most_listed ? out + ", ..." : out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
