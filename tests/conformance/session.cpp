// Starting and ending, choosing the back end, and the facts that accessors tell.
#include <cstddef>
#include <cstdlib>
#include <thread>

#include "op2/info.h"
#include "op2/partition.h"
#include "op2/user_types.h"
#include "suite.hpp"

namespace conformance {

using Sessions = Topic;

// An environment variable for the length of a scope.
class Environment {
 public:
  Environment(const char *name, const char *value) : name_(name) {
    if (const char *now = std::getenv(name)) old_ = now, there_ = true;
    setenv(name, value, 1);
  }
  ~Environment() {
    if (there_)
      setenv(name_, old_.c_str(), 1);
    else
      unsetenv(name_);
  }
  Environment(const Environment &) = delete;
  Environment &operator=(const Environment &) = delete;

 private:
  const char *name_;
  std::string old_;
  bool there_ = false;
};

bool runs(const char *name) { return std::string(op_backend()).find(name) != std::string::npos; }

TEST_F(Sessions, FiftyTimes) {
  const Topology mesh = shuffled(quads(30, 30), 230);
  std::vector<int> wanted(mesh.targets());
  for (const int t : mesh.table) ++wanted[static_cast<std::size_t>(t)];
  for (int round = 0; round < 50; ++round) {
    EXPECT_EQ(0, op_is_initialised());
    ASSERT_EQ(OP_OK, op_init(0, nullptr, 0)) << op_last_error(); // without argv
    EXPECT_EQ(1, op_is_initialised());
    const op_set cells = declare_set(mesh.from, "cells"), nodes = declare_set(mesh.to, "nodes");
    const op_map map = declare_map(cells, nodes, mesh);
    const op_dat count = declare_dat(nodes, 1, std::vector<int>(mesh.targets()), "count");
    int total = 0;
    run(
        [](int **p, int *t) {
          for (int c = 0; c < 4; ++c) ++*p[c];
          *t += 4;
        },
        "count", cells, rows(map, 4, count, OP_INC), global(&total, 1, OP_INC));
    ASSERT_EQ(wanted, fetch<int>(count));
    ASSERT_EQ(4 * mesh.from, total);
    ASSERT_EQ(OP_OK, op_exit()) << op_last_error();
  }
}

TEST_F(Sessions, BeforeAndAfter) {
  EXPECT_OK(op_exit()); // harmless
  EXPECT_OK(op_exit());
  EXPECT_EQ(0, op_is_initialised());
  EXPECT_STREQ("", op_backend());
  int rank = -1;
  op_rank(&rank);
  EXPECT_EQ(0, rank);
  EXPECT_EQ(1, op_comm_size());
  EXPECT_EQ(1, op_is_root());
  EXPECT_EQ(nullptr, op_decl_set(3, "cells"));
  EXPECT_STATUS(OP_ERR_STATE, op_last_status());
  EXPECT_STATUS(OP_ERR_STATE, op_par_loop(reinterpret_cast<op_kernel_fn>(+[] {}), "none", nullptr, 0, nullptr));
  EXPECT_STATUS(OP_ERR_STATE, op_barrier());
}

TEST_F(Sessions, InitialisedTwice) {
  const Session session;
  const std::string backend = op_backend();
  const op_set cells = declare_set(10, "cells");
  EXPECT_STATUS(OP_ERR_STATE, op_init(0, nullptr, 0));
  EXPECT_EQ(backend, op_backend());
  EXPECT_EQ(10, op_get_size(cells)); // the first goes on
  EXPECT_OK(op_barrier());
}

TEST_F(Sessions, HandlesDieWithTheSession) {
  op_set cells = nullptr;
  op_dat x = nullptr;
  {
    const Session session;
    cells = declare_set(10, "cells");
    x = declare_dat(cells, 1, std::vector<double>(10), "x");
  }
  const Session session;
  EXPECT_EQ(-1, op_get_size(cells));
  EXPECT_STATUS(OP_ERR_HANDLE, op_last_status());
  EXPECT_EQ(nullptr, op_dat_name(x));
  EXPECT_STATUS(OP_ERR_HANDLE, op_last_status());
}

// The weakest first: environment, arguments, the program itself.
TEST_F(Sessions, ExplicitChoiceBeatsTheEnvironment) {
  const Environment backend("OP2_BACKEND", "nonsense"), threads("OP2_NUM_THREADS", "3");
  EXPECT_STATUS(OP_ERR_BACKEND, op_init(0, nullptr, 0));
  EXPECT_EQ(0, op_is_initialised());
  {
    const Session session("seq");
    EXPECT_TRUE(runs("seq")) << op_backend();
    EXPECT_STREQ("3", op_setting("OP2_NUM_THREADS"));
  }
  {
    const Session session("self+seq", 5);
    EXPECT_TRUE(runs("seq")) << op_backend();
    EXPECT_STREQ("5", op_setting("OP2_NUM_THREADS"));
  }
  const Session session(std::vector<std::string>{"OP2_BACKEND=seq", "OP2_NUM_THREADS=2"});
  EXPECT_TRUE(runs("seq")) << op_backend();
  EXPECT_STREQ("2", op_setting("OP2_NUM_THREADS"));
}

// Of a list for the processes of a machine, what is there for this one.
std::string own_backend(const std::string &list) {
  std::size_t begin = 0;
  int rank = 0;
  op_rank(&rank);
  for (std::size_t comma; rank > 0 && (comma = list.find(',', begin)) != std::string::npos; --rank) begin = comma + 1;
  return list.substr(begin, list.find(',', begin) - begin);
}

TEST_F(Sessions, TheEnvironmentChooses) {
  const char *wanted = std::getenv("OP2_BACKEND");
  const Session session;
  const std::string mine = own_backend(wanted ? wanted : "auto");
  if (mine.ends_with("auto")) { // of what is there; the communicator may still be named
    const std::string chosen = op_backend(), named = mine.substr(0, mine.size() - 4);
    EXPECT_EQ(std::string::npos, chosen.find("auto")) << chosen;
    EXPECT_TRUE(chosen.starts_with(named)) << chosen;
  } else {
    EXPECT_TRUE(runs(mine.c_str())) << op_backend();
  }
  EXPECT_STREQ(wanted ? wanted : "auto", op_setting("OP2_BACKEND"));
  EXPECT_EQ(nullptr, op_setting("OP2_NO_SUCH_SETTING"));
}

TEST_F(Sessions, UnknownBackEndIsRefused) {
  op_init_params params = OP_INIT_PARAMS;
  for (const char *backend : {"warp_drive", "seq+seq", "self+warp_drive"}) {
    SCOPED_TRACE(backend);
    params.backend = backend;
    EXPECT_STATUS(OP_ERR_BACKEND, op_init_with(&params));
    EXPECT_EQ(0, op_is_initialised());
  }
  const Session session; // and nothing is left behind
}

// A program built with an older header passes a shorter struct; what lies behind it is not read.
TEST_F(Sessions, ShorterParameters) {
  op_init_params params = OP_INIT_PARAMS;
  params.size = offsetof(op_init_params, threads);
  params.threads = -77;
  params.backend = "nonsense";
  EXPECT_OK(op_init_with(&params));
  EXPECT_OK(op_exit());
  params.size = 0;
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init_with(&params));
  EXPECT_STATUS(OP_ERR_ARGUMENT, op_init_with(nullptr));
}

TEST_F(Sessions, OtherThreadsAreRefused) {
  const Session session;
  const op_set cells = declare_set(10, "cells");
  const op_dat x = declare_dat(cells, 1, std::vector<double>(10, 1), "x");
  std::thread([&] {
    EXPECT_STATUS(OP_ERR_THREAD, try_run([](double *p) { *p = 5; }, "foreign", cells,
                                         op_arg_dat(x, -1, OP_ID, 1, "double", OP_WRITE)));
    EXPECT_STATUS(OP_ERR_THREAD, op_exit());
  }).join();
  EXPECT_EQ(1, op_is_initialised());
  EXPECT_EQ(std::vector<double>(10, 1), fetch<double>(x));
}

TEST_F(Sessions, SizesAndNames) {
  for (const int size : {0, 1, 1000, as_requested(100003)}) {
    SCOPED_TRACE(size);
    const Session session;
    const op_set cells = declare_set(size, "cells"), nodes = declare_set(7, "nodes");
    EXPECT_EQ(size, op_get_size(cells));
    EXPECT_EQ(7, op_get_size(nodes));
    EXPECT_EQ(own_part(size).size, op_get_size_declared(cells));
    if (op_get_size_local(cells) == op_get_size_declared(cells)) {
      EXPECT_EQ(own_part(size).first, op_get_global_set_offset(cells));
    }
    EXPECT_LE(op_get_size_local_core(cells), op_get_size_local(cells));
    EXPECT_GE(op_get_size_local_exec(cells), op_get_size_local(cells));
    EXPECT_GE(op_get_size_local_full(cells), op_get_size_local_exec(cells));
    if (op_comm_size() == 1) {
      EXPECT_EQ(size, op_get_size_local_core(cells));
      EXPECT_EQ(size, op_get_size_local_full(cells));
    }
    const Topology mesh = random_map(size, 7, 3, 231);
    const op_map map = declare_map(cells, nodes, mesh, "corners");
    const op_dat dat = op_decl_dat(cells, 5, "real(4)", nullptr, "flow");
    const op_dat own = op_decl_dat_char(nodes, 2, "particle", 24, nullptr, "particles");
    EXPECT_STREQ("cells", op_set_name(cells));
    EXPECT_STREQ("corners", op_map_name(map));
    EXPECT_EQ(3, op_map_dim(map));
    EXPECT_EQ(cells, op_map_from(map));
    EXPECT_EQ(nodes, op_map_to(map));
    EXPECT_STREQ("flow", op_dat_name(dat));
    EXPECT_EQ(5, op_dat_dim(dat));
    EXPECT_EQ(4, op_dat_type_size(dat));
    EXPECT_EQ(cells, op_dat_set(dat));
    EXPECT_STREQ("particle", op_dat_type(own));
    EXPECT_EQ(24, op_dat_type_size(own));
    EXPECT_OK(op_partition("", "", nullptr, nullptr, nullptr));
    EXPECT_EQ(1, op_is_partitioned());
    EXPECT_EQ(size, op_get_size(cells));
    // Where a handle is wanted, NULL and handles of another kind are refused.
    EXPECT_EQ(-1, op_get_size(nullptr));
    EXPECT_EQ(-1, op_get_size_local(reinterpret_cast<op_set>(map)));
    EXPECT_EQ(nullptr, op_dat_name(reinterpret_cast<op_dat>(cells)));
    EXPECT_STATUS(OP_ERR_HANDLE, op_last_status());
  }
}

} // namespace conformance

// SPDX-License-Identifier: MIT
