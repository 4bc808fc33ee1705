// Layouts: the executor's copies of dats are SoA; results have the bits that they have with AoS, and the
// program sees rows whatever it does between loops.
#include <chrono>

#include "lab.hpp"
#include "layouts_kernels.h"
#include "op2/chain.h"
#include "op2/heads.h"
#include "op2/order.h"

namespace forms {

namespace {

constexpr int edges_count = 1003, nodes_count = 259;

Setting with(const std::string &layout, const char *isa, const char *backend = "seq", int threads = 1,
             const std::vector<std::string> &more = {}) {
  Setting out{layout + "/" + isa + "/" + backend + std::to_string(threads),
              {"OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_RENUMBER=off", "OP2_LAYOUT=" + layout,
               std::string("OP2_JIT_ISA=") + isa},
              backend,
              threads,
              std::string(isa) == "scalar" ? 0 : widest_vector_bytes()};
  for (const std::string &word : more) {
    out.words.push_back(word);
    out.name += "/" + word;
  }
  return out;
}

struct Mesh {
  op_set edges = op_decl_set(edges_count, "edges"), nodes = op_decl_set(nodes_count, "nodes");
  op_map ends = op_decl_map(edges, nodes, 2, random_table(edges_count, 2, nodes_count, 1).data(), "ends");
  op_map own = op_decl_map(nodes, edges, 1, every_third().data(), "own"); // no two lead to one edge
  op_dat x = dat<double>(nodes, 3, numbers<double>(nodes_count * 3, 2), "x");
  op_dat y = dat<double>(nodes, 3, numbers<double>(nodes_count * 3, 3), "y");
  op_dat marks = dat<int>(nodes, 2, numbers<int>(nodes_count * 2, 4), "marks");
  op_dat w = dat<float>(edges, 2, numbers<float>(edges_count * 2, 5), "w");
  op_dat a = dat<double>(edges, 3, numbers<double>(edges_count * 3, 6), "a");
  op_dat b = dat<double>(edges, 3, numbers<double>(edges_count * 3, 7), "b");
  op_dat sums = zeros<int>(edges, 2, "sums");
  op_dat v = dat<float>(nodes, 2, numbers<float>(nodes_count * 2, 8), "v");

  static std::vector<int> every_third() {
    std::vector<int> out;
    for (int n = 0; n < nodes_count; ++n) out.push_back(3 * n);
    return out;
  }
};

void run_flux(const Mesh &m) {
  FORMS_RUN(flux, "flux", m.edges, through(m.ends, 0, m.x, OP_READ), through(m.ends, 1, m.x, OP_READ),
            direct(m.w, OP_READ), through(m.ends, 0, m.y, OP_INC), through(m.ends, 1, m.y, OP_INC));
}
void run_shift(const Mesh &m) { FORMS_RUN(shift, "shift", m.edges, direct(m.a, OP_READ), direct(m.a, OP_RW)); }

void every_way(Results &results) {
  const Mesh m;
  const auto report = [&](const char *name, op_dat d) { results.same(name, fetch<double>(d)); };
  run_flux(m);
  results.form("flux", Form::vector8);
  FORMS_RUN(corners, "corners", m.edges, rows(m.ends, 2, m.x, OP_READ), rows(m.ends, 2, m.marks, OP_READ),
            direct(m.b, OP_WRITE), direct(m.sums, OP_WRITE));
  results.form("corners", Form::vector8);
  report("corners", m.b);
  results.same("corners' numbers", fetch<int>(m.sums));
  FORMS_RUN(some, "some", m.edges, direct(m.a, OP_READ), direct(m.b, OP_WRITE), through(m.ends, 1, m.y, OP_INC));
  FORMS_RUN(some, "some in place", m.edges, direct(m.b, OP_READ), direct(m.a, OP_RW), through(m.ends, 1, m.y, OP_INC));
  report("some", m.b);
  FORMS_RUN(add_columns, "add_columns", m.edges, direct(m.w, OP_READ), rows(m.ends, 2, m.y, OP_INC));
  results.form("add_columns", Form::vector8);
  results.sums("y", fetch<double>(m.y), std::vector<double>(nodes_count * 3, 100.0));
  FORMS_RUN(turn, "turn", m.nodes, through(m.own, 0, m.a, OP_RW), direct(m.v, OP_READ));
  results.form("turn", Form::compilers); // vectors of rows, not of other layouts
  report("turn", m.a);
  FORMS_RUN(put, "put", m.nodes, through(m.own, 0, m.b, OP_WRITE), direct(m.v, OP_READ));
  report("put", m.b);
  run_shift(m);
  report("shift", m.a);
  FORMS_RUN(line, "line", m.edges, direct(m.a, OP_READ), direct(m.b, OP_WRITE));
  report("line", m.b);
  double sum[2] = {0, 0}, most = -1e30;
  int where = -1;
  FORMS_RUN(largest, "largest", m.edges, direct(m.a, OP_READ), op_arg_idx(-1, OP_ID), global(sum, 2, OP_INC),
            global(&most, 1, OP_MAX), op_arg_payload(&where, 1, "int", 3));
  results.same("most", std::vector<double>{most});
  results.same("where", std::vector<int>{where});
  results.sums("sum", std::vector<double>{sum[0], sum[1]}, std::vector<double>{4000, 8000});
}

// "soa", or "" for rows.
std::string layout_of(const std::string &loop) {
  return full_form_of(loop).find(", soa") != std::string::npos ? "soa" : "";
}

} // namespace

using Layouts = Forms;

TEST_F(Layouts, ChangeNoBit) {
  const Results known = in_session(off(), every_way);
  const std::vector<std::string> blocks = {"OP2_BLOCK_SIZE=37"};
  for (const char *isa : {"native", "scalar"}) {
    const Results rows = in_session(with("aos", isa), every_way);
    // In scalar code kernels add to rows of AoS in place, and to copies of rows of SoA.
    const bool same = std::string(isa) == "native";
    in_session(with("soa", isa), every_way).expect_agreement(rows, same);
    in_session(with("soa", isa), every_way).expect_agreement(known, false);
    const Results one = in_session(with("soa", isa, "openmp", 1), every_way);
    one.expect_agreement(rows, false);
    in_session(with("soa", isa, "openmp", 3), every_way).expect_agreement(one, true);
    const Results cut = in_session(with("soa", isa, "openmp", 1, blocks), every_way);
    cut.expect_agreement(known, false);
    in_session(with("soa", isa, "openmp", 3, blocks), every_way).expect_agreement(cut, true);
    if (!same) continue; // how threads keep out of each other's way has nothing to do with lanes
    for (const char *race : {"owner", "colour"})
      in_session(with("soa", isa, "openmp", 2, {std::string("OP2_RACE=") + race}), every_way)
          .expect_agreement(known, false);
    if (HasFailure()) return;
  }
}

// Narrower vectors than the widest, and the other compiler.
TEST_F(Layouts, WorkWithEveryWidthOfVectors) {
  const Results known = in_session(off(), every_way);
  for (const auto &[isa, bytes] : {std::pair{"sse2", 16}, std::pair{"avx2", 32}}) {
    if (bytes > widest_vector_bytes()) continue;
    Setting setting = with("soa", isa);
    setting.vector_bytes = bytes;
    in_session(setting, every_way).expect_agreement(known, false);
  }
  if (has_program("clang++"))
    in_session(with("soa", "native", "seq", 1, {"OP2_CXX=clang++"}), every_way).expect_agreement(known, false);
}

TEST_F(Layouts, AreTakenWhereTheLoopAllowsIt) {
  in_session(with("soa", "native"), [&](Results &results) {
    every_way(results);
    for (const char *loop :
         {"flux", "corners", "some", "some in place", "add_columns", "turn", "put", "line", "largest"})
      EXPECT_EQ("soa", layout_of(loop)) << loop;
    EXPECT_EQ("", layout_of("shift"));
  });
  in_session(with("auto", "native"), [&](Results &results) { // CPUs are faster with rows
    every_way(results);
    EXPECT_EQ("", layout_of("flux"));
  });
}

TEST_F(Layouts, AreThoseOfTheDeclaration) {
  const auto body = [](const std::string &expected) {
    return [=](Results &) {
      const op_set cells = op_decl_set(1000, "cells");
      const op_dat a = op_decl_dat(cells, 3, "double:soa", numbers<double>(3000, 1).data(), "a");
      const op_dat b = op_decl_dat(cells, 3, "double", nullptr, "b");
      FORMS_RUN(line, "to b", cells, op_arg_dat(a, -1, OP_ID, 3, "double", OP_READ), direct(b, OP_WRITE));
      FORMS_RUN(line, "to a", cells, direct(b, OP_READ), op_arg_dat(a, -1, OP_ID, 3, "double:soa", OP_WRITE));
      FORMS_RUN(line, "b to b", cells, direct(b, OP_READ), direct(zeros<double>(cells, 3, "c"), OP_WRITE));
      EXPECT_EQ(expected, layout_of("to b"));
      EXPECT_EQ(expected, layout_of("to a"));
      EXPECT_EQ("", layout_of("b to b"));
    };
  };
  in_session(with("declared", "native"), body("soa"));
  in_session(with("auto", "native"), body(""));
  in_session(with("aos", "native"), body(""));
}

// What the program does between loops, with loops of both kinds around it.
TEST_F(Layouts, ShowRowsToTheProgram) {
  const auto body = [](Results &results) {
    const Mesh m;
    run_flux(m);
    results.sums("fetched", fetch<double>(m.y), std::vector<double>(nodes_count * 3, 100.0));
    EXPECT_EQ(OP_OK, op_put_data_all(m.y, numbers<double>(nodes_count * 3, 20).data()));
    run_flux(m);
    double *const window = static_cast<double *>(op_dat_acquire(m.x, OP_RW));
    ASSERT_NE(nullptr, window);
    results.same("window", std::vector<double>(window, window + nodes_count * 3));
    window[5] = 0.25;
    EXPECT_EQ(OP_OK, op_dat_release(m.x));
    run_flux(m);
    results.sums("after the window", fetch<double>(m.y), std::vector<double>(nodes_count * 3, 100.0));
    for (int i = 0; i < 3; ++i) { // the copies take turns
      FORMS_RUN(some, "some", m.edges, direct(m.b, OP_READ), direct(m.a, OP_RW), through(m.ends, 1, m.y, OP_INC));
      run_shift(m);
    }
    results.same("turns", fetch<double>(m.a));
    EXPECT_EQ(OP_OK, op_renumber(m.ends));
    run_flux(m);
    run_shift(m);
    results.same("renumbered", fetch<double>(m.a));
    for (int i = 0; i < 2; ++i) {
      const op_dat scratch = op_decl_dat_temp(m.edges, 3, "double", "scratch");
      FORMS_RUN(line, "scratch", m.edges, direct(m.a, OP_READ), direct(scratch, OP_WRITE));
      FORMS_RUN(line, "from scratch", m.edges, direct(scratch, OP_READ), direct(m.b, OP_WRITE));
      results.same("scratch", fetch<double>(scratch));
      EXPECT_EQ(OP_OK, op_free_dat_temp(scratch));
    }
    results.same("from scratch", fetch<double>(m.b));
  };
  const Results known = in_session(off(), body);
  in_session(with("soa", "native"), body).expect_agreement(known, false);
  in_session(with("soa", "native", "openmp", 2), body).expect_agreement(known, false);
}

// Nothing to run in another layout: rows, without a word.
TEST_F(Layouts, AreLeftOutWithoutCode) {
  const Results known = in_session(off(), every_way);
  const std::vector<std::vector<std::string>> without = {
      {"OP2_JIT=off"}, {"OP2_CXX=/nonexistent", "OP2_JIT_CACHE=off", "OP2_LOG=error"}, {"OP2_JIT_MIN_ELEMENTS=100000"}};
  for (const std::vector<std::string> &words : without) {
    Setting setting = with("soa", "native", "seq", 1, words);
    setting.vector_bytes = -1;
    in_session(setting, every_way).expect_agreement(known, true);
  }
  Setting check = with("soa", "native", "check");
  check.vector_bytes = -1;
  in_session(check, [](Results &) {
    const Mesh m;
    run_flux(m);
    EXPECT_EQ("", layout_of("flux"));
  });
}

// What an executor is fastest with, unless it cannot pass layouts on.
TEST_F(Layouts, AreThoseOfTheExecutor) {
  const auto flux_alone = [](Results &results) {
    const Mesh m;
    run_flux(m);
    results.sums("y", fetch<double>(m.y), std::vector<double>(nodes_count * 3, 100.0));
  };
  const Results known = in_session(off(), flux_alone);
  const auto session = [&](const std::string &layout, const char *plugin, bool in_layout) {
    Setting setting =
        with(layout, "native", "small", 1, {std::string("OP2_PLUGIN_PATH=" OP2_TEST_PLUGIN_FOLDER "/") + plugin});
    setting.vector_bytes = -1; // the executor does not tell
    const Results found = in_session(setting, [&](Results &results) {
      const Mesh m;
      run_flux(m);
      EXPECT_EQ(in_layout ? 2 : 0, m.y->dirty_hd) << layout << ' ' << plugin; // is the program's copy old?
      results.sums("y", fetch<double>(m.y), std::vector<double>(nodes_count * 3, 100.0));
      EXPECT_EQ(0, m.y->dirty_hd);
    });
    found.expect_agreement(known, false);
  };
  session("auto", "soa", true);
  session("aos", "soa", false);
  session("soa", "no_layouts", false);
}

// A loop that begins with the program's own code, on rows, gets code for the layout when it has run for a while.
TEST_F(Layouts, ArriveAfterTheFirstRuns) {
  Setting setting = with("soa", "native", "seq", 1, {"OP2_JIT=auto", "OP2_JIT_MIN_ELEMENTS=256", "OP2_JIT_CACHE=off"});
  in_session(setting, [](Results &) {
    const Mesh m;
    const std::vector<double> a = fetch<double>(m.a);
    const auto run = [&] {
      FORMS_RUN(line, "line", m.edges, direct(m.a, OP_READ), direct(m.b, OP_WRITE));
      const std::vector<double> b = fetch<double>(m.b);
      for (std::size_t n = 0; n < a.size(); n += 3) ASSERT_EQ(a[n] + a[n + 1], b[n + 1]) << n;
    };
    const auto start = std::chrono::steady_clock::now();
    while (layout_of("line") != "soa") {
      run();
      ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    }
    run();
  });
}

// In a chain that ran in tiles until then. A loop of it works on rows, so the loops run one after the other from there
// on.
TEST_F(Layouts, ArriveWhileAChainRunsInTiles) {
  Setting setting = with("soa", "native", "seq", 1,
                         {"OP2_JIT=auto", "OP2_JIT_MIN_ELEMENTS=256", "OP2_JIT_CACHE=off", "OP2_CHAIN_TILE=1"});
  in_session(setting, [](Results &) {
    const Mesh m;
    const op_dat c = zeros<double>(m.edges, 3, "c");
    const std::vector<double> a = fetch<double>(m.a);
    const auto start = std::chrono::steady_clock::now();
    bool arrived = false;
    for (int after = 0; after < 3; after += arrived) {
      ASSERT_EQ(OP_OK, op_chain_begin("lines"));
      FORMS_RUN(line, "first line", m.edges, direct(m.a, OP_READ), direct(m.b, OP_WRITE));
      FORMS_RUN(shift, "shift", m.edges, direct(m.b, OP_READ), direct(m.b, OP_RW)); // on rows
      FORMS_RUN(line, "last line", m.edges, direct(m.b, OP_READ), direct(c, OP_WRITE));
      ASSERT_EQ(OP_OK, op_chain_end()) << op_last_error();
      const std::vector<double> found = fetch<double>(c);
      for (std::size_t n = 0; n < a.size(); n += 3) {
        const double b = a[n] + 2 * a[n], next = a[n + 1] + a[n];
        ASSERT_EQ(2 * b, found[n]) << n;
        ASSERT_EQ(next * 0.5 + next + b, found[n + 1]) << n;
      }
      arrived = layout_of("first line") == "soa" && layout_of("last line") == "soa";
      ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    }
  });
}

// A program that reads dat->data finds rows there.
TEST_F(Layouts, AreLeftOutForProgramsThatLookIntoDats) {
  const char *words[] = {"layouts", "OP2_LAYOUT=soa", "OP2_JIT_MIN_ELEMENTS=0", "OP2_LOG=error"};
  op_init_params params = OP_INIT_PARAMS;
  params.argc = 4;
  params.argv = const_cast<char **>(words);
  params.backend = "seq";
  params.flags = OP_KEEP_ORDER;
  ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  const Mesh m;
  run_flux(m);
  EXPECT_EQ("", layout_of("flux"));
}

} // namespace forms

// SPDX-License-Identifier: MIT
