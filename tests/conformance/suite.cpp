#include "suite.hpp"
#include "op2/info.h"
#include "op2/partition.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string_view>
#include <tuple>

namespace conformance {

namespace {

// Beginnings of the names of tests with loops that no device can run: their elements share a variable, or the text of
// their kernel is not known or not enough.
constexpr std::string_view with_loops_for_the_host[] = {
    "Chains.FailuresNameTheirLoop",
    "Constants.DeclaredAndRedeclared",
    "Direct.LongRows",
    "Direct.ReadAndWrite",
    "Exceptions.",
    "GlobalHandles.TakeOwnReductionsAndTypes",
    "Globals.EveryTypeAndDim",
    "Globals.SumsOfReals",
    "Limits.",
    "Meeting.",
    "Mixed.",
    "Payload.BesideAHugeReduction",
    "Range.",
    "Reductions.ComplexProduct",
    "Reductions.InTheOrderOfTheElements",
    "Renumbering.RangeFunctionsThatCountElements",
    "Shared.",
    "Sites.",
    "Temporary.OfAUserType",
    "Types.Increment",
    "Types.ReadAndWrite",
    "Types.SpellingsOfANameAreOneType",
};

bool has_loops_for_the_host() {
  const testing::TestInfo &test = *testing::UnitTest::GetInstance()->current_test_info();
  const std::string name = std::string(test.test_suite_name()) + "." + test.name();
  return std::any_of(std::begin(with_loops_for_the_host), std::end(with_loops_for_the_host),
                     [&](std::string_view each) { return name.starts_with(each); });
}

} // namespace

// With OP2TEST_ON_DEVICE=1 all loops of the other tests must run on the device, else the host would do for it in
// silence.
void Topic::SetUp() {
  op_set_error_handler(op_error_return, nullptr);
  op_clear_error();
  if (std::getenv("OP2TEST_ON_DEVICE")) setenv("OP2_FALLBACK", has_loops_for_the_host() ? "warn" : "error", 1);
}

Session::Session(const char *backend, int threads) {
  op_init_params params = OP_INIT_PARAMS;
  params.backend = backend;
  params.threads = threads;
  EXPECT_OK(op_init_with(&params));
}

Session::Session(const std::vector<std::string> &arguments) {
  std::vector<std::string> words = {"program"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  EXPECT_OK(op_init(static_cast<int>(words.size()), argv.data(), 0));
}

Session::~Session() { EXPECT_OK(op_exit()); }

DeclaredOrder::DeclaredOrder() {
  if (const char *value = std::getenv("OP2_RENUMBER")) before_ = value;
  setenv("OP2_RENUMBER", "off", 1);
}

DeclaredOrder::~DeclaredOrder() {
  if (before_.empty())
    unsetenv("OP2_RENUMBER");
  else
    setenv("OP2_RENUMBER", before_.c_str(), 1);
}

int processes() {
  const char *ranks = std::getenv("OP2TEST_RANKS");
  return ranks ? std::atoi(ranks) : 1;
}

bool reproducible() {
  const char *value = std::getenv("OP2_REPRODUCIBLE");
  return value && std::string_view(value) == "1";
}

bool has_threads() {
  const std::string_view name = op_backend();
  return name.find("openmp") != name.npos || name.find("tasks") != name.npos;
}

std::string race() { return has_threads() ? op_setting("OP2_RACE") : ""; }

bool repeatable() {
  const bool other_divisions = op_comm_size() > 1 && std::string_view(op_setting("OP2_PARTITION")) == "parmetis";
  return !other_divisions;
}

Part own_part(int size) {
  const std::string_view meant = op_setting("OP2_DECLARE");
  if (meant == "replicated" || meant == "root") return {0, size};
  int rank = 0;
  op_rank(&rank);
  const long long n = size, ranks = op_comm_size();
  const int first = static_cast<int>(n * rank / ranks);
  return {first, static_cast<int>(n * (rank + 1) / ranks) - first};
}

Part fetched_part(int size) {
  const bool nothing = op_comm_size() > 1 && !op_is_root() && std::string_view(op_setting("OP2_DECLARE")) == "root";
  return nothing ? Part{0, 0} : own_part(size);
}

op_set declare_set(int size, const char *name) {
  const op_set set = op_decl_set(own_part(size).size, name);
  EXPECT_NE(nullptr, set) << op_last_error();
  return set;
}

op_map declare_map(op_set from, op_set to, const Topology &mesh, const char *name) {
  const std::ptrdiff_t first = own_part(mesh.from).first;
  const op_map map = op_decl_map(from, to, mesh.dim, mesh.table.data() + first * mesh.dim, name);
  EXPECT_NE(nullptr, map) << op_last_error();
  return map;
}

void divide_once(op_set of_loop, std::span<const op_arg> args) {
  const char *const method = std::getenv("OP2TEST_DIVIDE");
  if (!method || op_comm_size() == 1 || op_is_partitioned()) return;
  op_set set = of_loop;
  for (const op_arg &arg : args)
    if (arg.map) set = op_map_to(arg.map);
  const op_gindex size = op_get_size(set);
  if (size < 0) return op_clear_error(); // the loop is about to be refused
  std::vector<double> points;
  std::vector<int> owners;
  for (int i = 0; i < size; ++i) {
    points.insert(points.end(), {i % 37 + 0.01 * i, 0.5 * (i / 37)});
    owners.push_back((i / 11 + i % 3) % op_comm_size());
  }
  const op_dat by = std::string_view(method) == "EXTERNAL" ? declare_dat(set, 1, owners, "owners to be")
                                                           : declare_dat(set, 2, points, "points to divide by");
  EXPECT_OK(op_partition(method, "", set, nullptr, by));
}

namespace {

// The first of several expressions: up to a comma that is in no brackets and no literal.
std::string first_expression(std::string_view text) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ',' && depth == 0) {
      return std::string(text.substr(0, i));
    }
  }
  return std::string(text);
}

} // namespace

op_loop_site &site_of(const CallPlace &place, op_kernel_fn kernel) {
  struct Known {
    std::string kernel;
    op_loop_site site;
  };
  static std::map<std::tuple<std::string, int, op_kernel_fn>, Known> places; // a template's place has several kernels
  const auto [at, fresh] = places.try_emplace({place.file, place.line, kernel});
  Known &known = at->second;
  if (fresh) {
    known.kernel = first_expression(place.call);
    known.site = OP_LOOP_SITE(kernel, nullptr, known.kernel.c_str());
    known.site.file = place.file;
    known.site.line = place.line;
    known.site.text = place.unit;
  }
  return known.site;
}

void Outcome::check(const Entry &entry, const Sums &exact) const {
  for (std::size_t i = 0; i < entry.got.size(); ++i)
    ASSERT_LE(std::fabs(entry.got[i] - exact.value[i]), entry.bound[i])
        << entry.name << ": value " << i << " is " << entry.got[i] << ", exactly " << exact.value[i];
}

void Outcome::expect_agreement(const Outcome &seq) const {
  ASSERT_EQ(seq.entries_.size(), entries_.size());
  for (std::size_t e = 0; e < entries_.size(); ++e) {
    const Entry &mine = entries_[e], &theirs = seq.entries_[e];
    ASSERT_EQ(theirs.got.size(), mine.got.size()) << mine.name;
    for (std::size_t i = 0; i < mine.got.size(); ++i)
      ASSERT_LE(std::fabs(mine.got[i] - theirs.got[i]), mine.ordered ? 0.0 : mine.bound[i])
          << mine.name << ": value " << i << " is " << mine.got[i] << ", on seq " << theirs.got[i];
  }
}

void Outcome::expect_same_bits(const Outcome &earlier) const {
  ASSERT_EQ(earlier.entries_.size(), entries_.size());
  for (std::size_t e = 0; e < entries_.size(); ++e)
    for (std::size_t i = 0; i < entries_[e].got.size(); ++i)
      ASSERT_EQ(earlier.entries_[e].got[i], entries_[e].got[i])
          << entries_[e].name << ": value " << i << " changed from one run to the next";
}

void compare(const Body &body) {
  Outcome seq, first, second;
  const auto on = [&](const char *backend, Outcome &outcome) {
    const Session session(backend);
    SCOPED_TRACE(op_backend());
    body(outcome);
    return repeatable();
  };
  on("self+seq", seq); // every process by itself
  const bool bits = on(nullptr, first);
  on(nullptr, second);
  if (testing::Test::HasFailure()) return; // said above, where it was found
  first.expect_agreement(seq);
  if (bits)
    second.expect_same_bits(first);
  else
    second.expect_agreement(seq);
}

void compare_on_meshes(const std::vector<Topology> &meshes,
                       const std::function<void(const Topology &, Outcome &)> &body) {
  for (const Topology &mesh : meshes) {
    SCOPED_TRACE(mesh.name);
    compare([&](Outcome &outcome) { body(mesh, outcome); });
    if (testing::Test::HasFailure()) return; // the smallest mesh that fails tells most
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
