// Chains on threads whose loops run colour by colour alone: when they run by owners of rows instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "loop/chain/chains.hpp"
#include "prepared_loops.hpp"

namespace op2::core {
namespace {

using unit::contains;

void add(const double *from, double *left, double *right) {
  *left += *from;
  *right -= *from;
}
void scale(double *value) { *value *= 0.5; }

constexpr Caches tiny = {1, 1}, huge = {1e12, 1e12}; // data is much more than they hold, or little

// Edges reach so far that 16 parts would run most of them twice, and two parts few.
class ChainOwners : public unit::ChainsTest {
 protected:
  static constexpr int nodes = 16 * 16384, reach = nodes / 24;

  bool declare(const char *jit) {
    if (!start(jit)) return false;
    std::vector<int> ends;
    for (int n = 0; n < nodes; ++n) ends.insert(ends.end(), {n, std::min(n + reach, nodes - 1)});
    nodes_ = op_decl_set(nodes, "nodes");
    edges_ = op_decl_set(nodes, "edges");
    ends_ = op_decl_map(edges_, nodes_, 2, ends.data(), "ends");
    weight_ = op_decl_dat(edges_, 1, "double", nullptr, "weight");
    return true;
  }
  ChainCall adding(op_dat to) {
    static const op_loop_site site = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&add), nullptr, "add");
    return loops->add(site, op_dat_name(to), edges_,
                      {op_arg_dat(weight_, -1, OP_ID, 1, "double", OP_READ),
                       op_arg_dat(to, 0, ends_, 1, "double", OP_INC), op_arg_dat(to, 1, ends_, 1, "double", OP_INC)});
  }
  ChainCall scaling(op_dat dat) {
    static const op_loop_site site = OP_LOOP_SITE(reinterpret_cast<op_kernel_fn>(&scale), nullptr, "scale");
    return loops->add(site, "scale", nodes_, {op_arg_dat(dat, -1, OP_ID, 1, "double", OP_RW)});
  }
  op_dat on_nodes(const char *name) const { return op_decl_dat(nodes_, 1, "double", nullptr, name); }
  // A sequence is a chain from its second time on.
  static Chain *found(Chains &chains, const std::vector<ChainCall> &calls) {
    Chain *const chain = chains.find(calls);
    return chain ? chain : chains.find(calls);
  }

  op_set nodes_ = nullptr, edges_ = nullptr;
  op_map ends_ = nullptr;
  op_dat weight_ = nullptr;
};

TEST_F(ChainOwners, AreLookedForAgainWhenAnotherChainHasTakenThem) {
  if (!declare("off")) GTEST_SKIP() << "executor openmp is not there";
  op_dat x = on_nodes("x"), y = on_nodes("y");
  const ChainCall add_x = adding(x), add_y = adding(y), scale_x = scaling(x), scale_y = scaling(y);
  ASSERT_TRUE(add_x.loop->may_use_owners() && add_y.loop->may_use_owners());
  Chains in_caches({.caches = huge}), beyond({.caches = tiny});
  const std::vector<ChainCall> both = {scale_x, add_x, add_y}, one = {add_x, scale_x}, other = {scale_y, add_y};

  Chain *chain = found(in_caches, both);
  EXPECT_TRUE(contains(chain->why(), "loop 'x' runs colour by colour"));
  EXPECT_EQ(chain, in_caches.find(both)); // nothing has changed
  EXPECT_EQ("", found(beyond, one)->why());
  EXPECT_FALSE(add_x.loop->may_use_owners());
  chain = in_caches.find(both);
  EXPECT_TRUE(contains(chain->why(), "loop 'y' runs colour by colour"));
  EXPECT_EQ(chain, in_caches.find(both));
  EXPECT_EQ("", found(beyond, other)->why());
  chain = in_caches.find(both);
  EXPECT_EQ("", chain->why());
  EXPECT_EQ(chain, in_caches.find(both));
  EXPECT_EQ(nullptr, chain->next_tiles()); // loop after loop is measured first
  chain->took(1e-3);
  EXPECT_NE(nullptr, chain->next_tiles());
}

// Time would decide when chains come, and with them the order in which rows get their increments.
TEST_F(ChainOwners, AreNotTakenWhereCodeComesInTheBackground) {
  for (const char *mode : {"on", "async"}) {
    if (!declare(mode)) GTEST_SKIP() << "executor openmp is not there";
    op_dat x = on_nodes("x");
    const std::vector<ChainCall> calls = {adding(x), scaling(x)};
    ASSERT_TRUE(calls.front().loop->may_use_owners());
    Chains chains({.caches = tiny});
    const Chain *const chain = found(chains, calls);
    const bool taken = !calls.front().loop->may_use_owners();
    EXPECT_EQ(std::string(mode) == "on", taken);
    EXPECT_EQ(taken, chain->why().empty());
    EXPECT_TRUE(taken || contains(chain->why(), "OP2_JIT=async")) << chain->why();
    end();
  }
}

} // namespace
} // namespace op2::core
