// select_test.cpp: from the text of OP2_BACKEND to plugins, with the built-in plugins and those of tests/plugins.
#include "host/plugins/select.hpp"

#include "host.hpp"
#include "support.hpp"

namespace op2::core {

static bool operator==(const Selection &a, const Selection &b) { return a.exec == b.exec && a.comm == b.comm; }
static void PrintTo(const Selection &selection, std::ostream *out) { *out << selection.comm << "+" << selection.exec; }

namespace {

using unit::contains;
using unit::lacks;
using unit::plugins;
using unit::thrown_by;

struct Host : unit::Host {
  using unit::Host::Host;
  Selection select(const std::string &request) { return select_backend(*registry, request); }
  std::string refusal(const std::string &request, op_status code = OP_ERR_BACKEND) {
    const Error error = thrown_by([&] { select(request); });
    EXPECT_STREQ(op_status_name(code), op_status_name(error.code)) << request << ": " << error.what();
    return error.what();
  }
};

TEST(Select, WhatIsNotNamedIsSeqAndSelf) {
  Host host;
  EXPECT_EQ((Selection{"seq", "self"}), host.select("seq"));
  EXPECT_EQ((Selection{"seq", "self"}), host.select("self"));
  EXPECT_EQ((Selection{"seq", "self"}), host.select("seq+self"));
}

TEST(Select, OrderIsFree) {
  Host host(plugins("good"));
  for (const char *request : {"small+fake", "fake+small"})
    EXPECT_EQ((Selection{"small", "fake"}), host.select(request)) << request;
  for (const char *request : {"seq+fake", "fake+seq", "fake"})
    EXPECT_EQ((Selection{"seq", "fake"}), host.select(request)) << request;
  EXPECT_EQ((Selection{"small", "self"}), host.select("small"));
}

TEST(Select, AutoTakesTheBestScore) {
  Host plain;
  EXPECT_EQ((Selection{"seq", "self"}), plain.select("auto"));
  Host modest(plugins("good")); // its executor and communicator have score 1, the built-in ones 10
  EXPECT_EQ((Selection{"seq", "self"}), modest.select("auto"));
  Host better(plugins("best"));
  EXPECT_EQ((Selection{"small", "self"}), better.select("auto"));
}

TEST(Select, AutoFillsWhatIsNotNamed) {
  Host host(plugins("good") + ":" + plugins("best"));
  EXPECT_EQ((Selection{"seq", "fake"}),
            host.select("auto+fake")); // the score-1 executor is found first and hides the best
  Host best(plugins("best") + ":" + plugins("good"));
  EXPECT_EQ((Selection{"small", "fake"}), best.select("fake+auto"));
  EXPECT_EQ((Selection{"seq", "self"}), best.select("auto+seq"));
  EXPECT_EQ((Selection{"seq", "self"}), best.select("self")); // without auto no score counts
  EXPECT_EQ((Selection{"seq", "fake"}), best.select("fake"));
}

TEST(Select, AutoPassesOverWhatCannotRun) {
  for (const char *folder : {"cannot_run", "silent", "wrong_abi", "not_an_object", "no_entry", "needs_core"}) {
    Host host(plugins(folder));
    EXPECT_EQ((Selection{"seq", "self"}), host.select("auto")) << folder;
  }
}

TEST(Select, TwoOfOneKindAreRefused) {
  Host host(plugins("good"));
  EXPECT_TRUE(contains(host.refusal("seq+small"), "two plugins of one kind: 'seq' and 'small' are both executors"));
  EXPECT_TRUE(contains(host.refusal("small+fake+seq"), "'small' and 'seq' are both executors"));
  EXPECT_TRUE(contains(host.refusal("self+fake"), "'self' and 'fake' are both communicators"));
  EXPECT_TRUE(contains(host.refusal("seq+seq"), "'seq' and 'seq' are both executors"));
}

// The executor of one process of a machine.
std::string executor_of(Host &host, const std::string &request, int node_rank) {
  Selection selection = select_communicator(*host.registry, request);
  select_executor(*host.registry, request, node_rank, selection);
  return selection.comm + "+" + selection.exec;
}

TEST(Select, ListsAreForTheProcessesOfAMachine) {
  Host host(plugins("good"));
  const std::string request = "fake+small,seq";
  EXPECT_EQ("fake+small", executor_of(host, request, 0));
  EXPECT_EQ("fake+seq", executor_of(host, request, 1));
  EXPECT_EQ("fake+seq", executor_of(host, request, 7));          // the last one again
  EXPECT_EQ("fake+seq", executor_of(host, "seq,fake,small", 0)); // wherever the communicator stands
  EXPECT_EQ("fake+seq", executor_of(host, "seq,fake,small", 1));
  EXPECT_EQ("fake+small", executor_of(host, "seq,fake,small", 2));
  EXPECT_EQ("fake+small", executor_of(host, "fake+seq,fake+small", 1));
  EXPECT_EQ("self+seq", executor_of(host, "auto,small", 0));
}

TEST(Select, ListsNeedOneCommunicator) {
  Host host(plugins("good"));
  EXPECT_TRUE(contains(host.refusal("small,seq"), "but no communicator; write e.g. 'mpi+small,seq'"));
  EXPECT_TRUE(contains(host.refusal("fake+small,self+seq"), "'fake' and 'self' are both communicators"));
  EXPECT_TRUE(contains(host.refusal("fake,"), "empty name"));
}

// An executor that is not there hurts only the processes that are to have it.
TEST(Select, OnlyTheOwnExecutorOfAListMustBeThere) {
  Host host(plugins("good"));
  EXPECT_EQ("fake+small", executor_of(host, "fake+small,cuda", 0));
  const Error error = thrown_by([&] { executor_of(host, "fake+small,cuda", 1); });
  EXPECT_TRUE(contains(error.what(), "'cuda' is an executor that is not installed"));
}

TEST(Select, AGivenCommunicatorIsNotForProcessesThatAreAlone) {
  Host host(plugins("good"));
  EXPECT_EQ("fake", select_communicator(*host.registry, "fake+seq", true).comm);
  EXPECT_EQ("fake", select_communicator(*host.registry, "auto", true).comm); // though self has the better score
  for (const char *request : {"seq", "self+seq", "self"}) {
    const Error error = thrown_by([&] { select_communicator(*host.registry, request, true); });
    EXPECT_EQ(OP_ERR_BACKEND, error.code);
    EXPECT_TRUE(contains(error.what(), "the program gives a communicator")) << error.what();
  }
}

TEST(Select, EmptyNamesAreRefused) {
  Host host;
  for (const char *request : {"", "+", "seq+", "+seq", "seq++self"})
    EXPECT_TRUE(contains(host.refusal(request), "empty name")) << request;
}

TEST(Select, UnknownNamesGetTheNearestSpellingAndAList) {
  Host host(plugins("good"));
  const std::string near = host.refusal("sec");
  EXPECT_TRUE(contains(near, "there is no back end 'sec'; did you mean 'seq'?"));
  EXPECT_TRUE(contains(near, "Available: auto, seq, small, fake and self"));
  EXPECT_TRUE(contains(host.refusal("seq+fkae"), "there is no back end 'fkae'; did you mean 'fake'?"));
  EXPECT_TRUE(contains(host.refusal("SEQ"), "did you mean 'seq'?"));
  EXPECT_TRUE(contains(host.refusal("atuo"), "did you mean 'auto'?"));
  EXPECT_TRUE(contains(host.refusal(" seq"), "did you mean 'seq'?"));
  const std::string far = host.refusal("quantum_computer");
  EXPECT_TRUE(lacks(far, "did you mean"));
  EXPECT_TRUE(contains(far, "Available: "));
  EXPECT_TRUE(lacks(far, "block")); // a partitioner is no back end
}

TEST(Select, KnownButNotInstalledIsNotUnknown) {
  Host host(plugins("good"));
  for (const char *name : {"cuda", "tasks", "check", "openmp"}) {
    const std::string message = host.refusal(name);
    EXPECT_TRUE(contains(message, std::string("back end '") + name + "' is an executor that is not installed"));
    EXPECT_TRUE(contains(message, std::string("looked for op2_exec_") + name + ".so in " + plugins("good")));
    EXPECT_TRUE(lacks(message, "did you mean"));
  }
  EXPECT_TRUE(contains(host.refusal("mpi+seq"), "'mpi' is a communicator that is not installed"));
  EXPECT_TRUE(contains(host.refusal("hdf5"), "'hdf5' is a file driver that is not installed"));
}

TEST(Select, PartitionersAndFileDriversAreNoBackEnds) {
  Host host(plugins("good"));
  EXPECT_TRUE(contains(host.refusal("block"), "'block' is a partitioner"));
  EXPECT_TRUE(contains(host.refusal("seq+memory"), "'memory' is a file driver"));
}

TEST(Select, NameOfTwoKindsMeansTheBackEnd) {
  Host host(plugins("two_kinds")); // an executor and a partitioner are both called twin
  EXPECT_EQ(std::vector<int>({OP_PLUGIN_EXEC, OP_PLUGIN_PART}), host.registry->kinds_of("twin"));
  EXPECT_EQ((Selection{"twin", "self"}), host.select("twin"));
}

TEST(Select, RefusedPluginIsReportedAsSuch) {
  Host refused(plugins("wrong_abi"));
  EXPECT_TRUE(contains(refused.refusal("small", OP_ERR_PLUGIN), "was refused: it was built for plugin ABI 2"));
  Host unable(plugins("cannot_run"));
  EXPECT_TRUE(contains(unable.refusal("small"), "back end 'small' cannot run here: this machine has no small device"));
  Host silent(plugins("silent"));
  EXPECT_TRUE(contains(silent.refusal("small"), "back end 'small' cannot run here"));
}

TEST(Select, BrokenPluginsDoNotHurtOthers) {
  Host host(plugins("wrong_abi") + ":" + plugins("garbage_name") + ":" + plugins("good"));
  EXPECT_EQ((Selection{"seq", "fake"}), host.select("seq+fake"));
  EXPECT_EQ((Selection{"seq", "self"}), host.select("auto"));
}

} // namespace
} // namespace op2::core

// SPDX-License-Identifier: MIT
