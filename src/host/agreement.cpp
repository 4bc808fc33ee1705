#include "host/agreement.hpp"

#include <array>
#include <limits>
#include <vector>

#include "base/hash.hpp"
#include "base/text.hpp"

namespace op2::core {

namespace {

constexpr std::int64_t failure = std::numeric_limits<std::int64_t>::min(); // in place of a hash

std::int64_t positive(std::uint64_t hash) { return static_cast<std::int64_t>(hash >> 1); }

// "process 0: set 'cells'; processes 1 to 3: map 'pecell'"
std::string grouped(const std::vector<std::string> &reports) {
  std::string out;
  for (std::size_t first = 0; first < reports.size();) {
    std::size_t last = first;
    while (last + 1 < reports.size() && reports[last + 1] == reports[first]) ++last;
    if (!out.empty()) out += "; ";
    out += first == last ? text("process ", first, ": ") : text("processes ", first, " to ", last, ": ");
    out += reports[first];
    first = last + 1;
  }
  return out;
}

} // namespace

// The smallest and, as the complement's smallest, the largest of each number.
bool Agreement::agree(const std::string &what, std::uint64_t content) {
  if (alone()) return true;
  const std::int64_t mine = positive(Hash().add(what).value()), value = positive(Hash().add(content).value());
  std::array<long long, 4> least = {mine, ~mine, value, ~value};
  communicator_.allreduce(least.data(), least.size(), OP_TYPE_LL, OP_COMM_MIN);
  if (least[0] == failure || least[0] != ~least[1]) compare(what, false, OP_OK, false);
  return least[2] == ~least[3];
}

void Agreement::tell(Error &error) {
  if (alone() || error.agreed || !errors_return()) return;
  error.agreed = true;
  std::array<long long, 4> least = {failure, 0, 0, 0};
  communicator_.allreduce(least.data(), least.size(), OP_TYPE_LL, OP_COMM_MIN);
  compare(error.what(), true, error.code, error.poisons);
}

void Agreement::compare(const std::string &report, bool failed, int code, bool poisons) {
  const std::vector<std::string> reports =
      communicator_.allgather(text(failed ? poisons ? "#" : "!" : ".", code, ":", report));
  if (failed) return; // its own error is on its way
  for (std::size_t p = 0; p < reports.size(); ++p) {
    if (reports[p][0] == '.') continue;
    const std::size_t colon = reports[p].find(':');
    const int status = std::stoi(reports[p].substr(1, colon - 1));
    Error error(static_cast<op_status>(status), text("process ", p, ": ", reports[p].substr(colon + 1)));
    error.agreed = true;
    error.poisons = reports[p][0] == '#';
    throw error;
  }
  std::vector<std::string> words;
  for (const std::string &each : reports) words.push_back(each.substr(each.find(':') + 1));
  Error error(OP_ERR_STATE, text("the processes do not do the same: ", grouped(words)));
  error.agreed = true;
  throw error;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
