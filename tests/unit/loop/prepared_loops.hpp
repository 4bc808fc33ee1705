// Loops as an engine prepares them, one by one, for tests of the chains that are made of them.
#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

#include "api/session.hpp"
#include "loop/chain/call.hpp"
#include "support.hpp"

namespace unit {

// Of the current context, which must outlive them.
class PreparedLoops {
 public:
  PreparedLoops() { options_.code = op2::core::current_session()->code.get(); }

  // Its code is generated from the kernel's text if the site says where that is.
  op2::core::ChainCall add(const op_loop_site &site, const char *name, op_set set, std::vector<op_arg> args) {
    args_.push_back(std::move(args));
    sites_.push_back(site);
    const op2::core::LoopCall call{&sites_.back(), name, set, args_.back()};
    loops_.push_back(std::make_unique<op2::core::Loop>(*op2::core::current_session()->mesh, plans_, plans_, exchanges_,
                                                       stats_, call, options_));
    return {loops_.back().get(), call};
  }

 private:
  op2::core::LoopOptions options_;
  op2::core::PlanCache plans_;
  op2::core::HaloExchanges exchanges_;
  op2::core::StatsTable stats_;
  std::deque<op_loop_site> sites_;
  std::deque<std::vector<op_arg>> args_;
  std::deque<std::unique_ptr<op2::core::Loop>> loops_;
};

// A context on threads; its loops end before it.
class ChainsTest : public LibraryTest {
 protected:
  void TearDown() override {
    loops.reset();
    LibraryTest::TearDown();
  }
  // False: the executor is not there. jit: see OP2_JIT.
  bool start(const char *jit) {
    setenv("OP2_PLUGIN_PATH", OP2_BUILT_PLUGINS, 1);
    setenv("OP2_JIT_CACHE", OP2_TEST_JIT_CACHE, 1);
    setenv("OP2_JIT", jit, 1);
    const op_status started = init("openmp", 2);
    EXPECT_TRUE(started == OP_OK || started == OP_ERR_BACKEND) << op_last_error();
    if (started != OP_OK) return false;
    loops = std::make_unique<PreparedLoops>();
    return true;
  }
  void end() {
    loops.reset();
    EXPECT_OK(op_exit());
  }
  std::unique_ptr<PreparedLoops> loops;
};

} // namespace unit

// SPDX-License-Identifier: MIT
