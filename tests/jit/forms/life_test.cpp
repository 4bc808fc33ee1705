// Generated code in the course of a program: compiled in the background, with constants and dats that change.
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "lab.hpp"
#include "op2/kernel.h"
#include "trial_kernels.h"

double t_scale = 1, t_values[4] = {1, 2, 3, 4};

namespace forms {

namespace {

using clock = std::chrono::steady_clock;
double seconds_since(clock::time_point start) { return std::chrono::duration<double>(clock::now() - start).count(); }

// A compiler that makes the first, scalar code at once and takes its time for vectors: they arrive when the test wants
// them.
class SlowCompiler {
 public:
  SlowCompiler() {
    EXPECT_NE(nullptr, mkdtemp(folder_.data()));
    std::ofstream(path()) << "#!/bin/sh\ncase \"$*\" in *--version*) echo slow; exit;; esac\n"
                          << "for word; do case $word in *.cpp) source=$word;; esac; done\n"
                          << "grep -q '^// to be compiled quickly' \"$source\" ||\n"
                          << "  while [ -e '" << gate() << "' ]; do sleep 0.05; done\nexec c++ \"$@\"\n";
    EXPECT_EQ(0, chmod(path().c_str(), 0700));
    std::ofstream(gate()) << "closed\n";
  }
  ~SlowCompiler() { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ + "/compiler"; }
  void let_go() const { std::filesystem::remove(gate()); }

 private:
  std::string gate() const { return folder_ + "/gate"; }
  std::string folder_ = (std::filesystem::temp_directory_path() / "op2-slow-XXXXXX").string();
};

Setting background(const SlowCompiler &compiler) {
  return {
      "auto",
      {"OP2_JIT=auto", "OP2_JIT_CACHE=off", "OP2_CXX=" + compiler.path(), "OP2_JIT_MIN_ELEMENTS=0", "OP2_LOG=error"},
      "seq",
      1,
      widest_vector_bytes()};
}
Setting native() { return {"native", {"OP2_JIT=on", "OP2_LOG=error"}, "seq", 1, widest_vector_bytes()}; }

struct Line {
  op_set cells = op_decl_set(1000, "cells");
  std::vector<double> values = numbers<double>(1000, 1);
  op_dat a = dat<double>(cells, 1, values, "a"), b = zeros<double>(cells, 1, "b");
  void expect(double factor) const {
    const std::vector<double> found = fetch<double>(b);
    for (std::size_t n = 0; n < found.size(); ++n) ASSERT_EQ(values[n] * factor, found[n]) << n;
  }
};
void run_doubled(const Line &line) {
  FORMS_RUN(doubled, "doubled", line.cells, direct(line.a, OP_READ), direct(line.b, OP_WRITE));
}
void run_scaled(const Line &line) {
  FORMS_RUN(scaled, "scaled", line.cells, direct(line.a, OP_READ), direct(line.b, OP_WRITE));
}
// Calls until the code is there.
template <class Call>
void until_vectors(const std::string &loop, const Call &call) {
  const auto start = clock::now();
  while (form_of(loop).find("vector") == std::string::npos) {
    ASSERT_LT(seconds_since(start), 60) << form_of(loop);
    call();
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

} // namespace

using Life = Forms;

TEST_F(Life, CodeArrivesWhileLoopsRun) {
  const SlowCompiler compiler;
  in_session(background(compiler), [&](Results &) {
    const Line line;
    run_doubled(line);
    EXPECT_EQ("scalar", form_of("doubled"));
    line.expect(2);
    compiler.let_go();
    until_vectors("doubled", [&] {
      run_doubled(line);
      line.expect(2);
    });
    run_doubled(line);
    line.expect(2);
  });
}

// The number of runs that a loop begins with the program's own code depends on the size of its set alone: not on the
// cache, which has the code in the second round. 2^20 elements of 16 bytes: 32 runs move 512 MiB.
TEST_F(Life, LoopsBeginWithTheProgramsOwnCode) {
  const int size = 1 << 20;
  std::string folder = (std::filesystem::temp_directory_path() / "op2-young-XXXXXX").string();
  ASSERT_NE(nullptr, mkdtemp(folder.data()));
  for (const char *round : {"cold", "warm"}) {
    SCOPED_TRACE(round);
    in_session({"auto", {"OP2_JIT_CACHE=" + folder, "OP2_JIT_MIN_ELEMENTS=256"}, "seq", 1, -1}, [&](Results &) {
      const op_set cells = op_decl_set(size, "cells");
      const op_dat a = dat<double>(cells, 1, std::vector<double>(size, 3.5), "a"), b = zeros<double>(cells, 1, "b");
      const auto run = [&] { FORMS_RUN(doubled, "doubled", cells, direct(a, OP_READ), direct(b, OP_WRITE)); };
      for (int call = 0; call < 32; ++call) {
        run();
        ASSERT_EQ("range", form_of("doubled")) << call;
      }
      until_vectors("doubled", run);
      run();
      EXPECT_EQ(std::vector<double>(size, 7), fetch<double>(b));
    });
  }
  std::filesystem::remove_all(folder);
  in_session({"auto", {"OP2_JIT_CACHE=off", "OP2_JIT_MIN_ELEMENTS=0"}, "seq", 1, -1}, [&](Results &) {
    const Line line;
    run_doubled(line);
    EXPECT_NE("range", form_of("doubled"));
    line.expect(2);
  });
}

// Code that comes when the loop has run for a while, and computes something else, is refused as loudly as code that the
// first call waits for. 2^20 elements of 16 bytes: 32 runs move 512 MiB.
TEST_F(Life, LateRefusalsAreTold) {
  const auto tell = [](const char *text) {
    EXPECT_EQ(OP_OK, op_kernel_source(reinterpret_cast<op_kernel_fn>(&doubled), "doubled", text));
  };
  tell("void doubled(const double *a, double *b) { b[0] = a[0] * 3; }");
  const int size = 1 << 20;
  const Setting setting{"auto", {"OP2_JIT_CACHE=off", "OP2_JIT_MIN_ELEMENTS=256", "OP2_LOG=warn"}, "seq", 1, -1};
  testing::internal::CaptureStderr();
  in_session(setting, [&](Results &results) {
    const op_set cells = op_decl_set(size, "cells");
    const op_dat a = dat<double>(cells, 1, std::vector<double>(size, 3.5), "a"), b = zeros<double>(cells, 1, "b");
    for (int call = 0; call < 36; ++call) FORMS_RUN(doubled, "doubled", cells, direct(a, OP_READ), direct(b, OP_WRITE));
    EXPECT_EQ(std::vector<double>(size, 7), fetch<double>(b));
    results.form("doubled", Form::own);
  });
  const std::string said = testing::internal::GetCapturedStderr();
  const std::size_t at = said.find("loop 'doubled' runs as compiled with the program: on 99 elements");
  EXPECT_NE(std::string::npos, at) << said;
  EXPECT_EQ(std::string::npos, said.find("loop 'doubled' runs", at + 1)) << said;
  tell("void doubled(const double *a, double *b) { b[0] = a[0] * 2; }");
}

// A loop with a sum begins with scalar code that gives the bits of its vectors.
TEST_F(Life, SumsDoNotChangeOnTheWay) {
  const SlowCompiler compiler;
  compiler.let_go();
  in_session(background(compiler), [&](Results &results) {
    const Line line;
    double sum = 0, again = 0;
    FORMS_RUN(counted, "counted", line.cells, direct(line.a, OP_READ), global(&sum, 1, OP_INC));
    EXPECT_EQ("scalar", form_of("counted"));
    const auto end = clock::now() + std::chrono::seconds(20);
    while (form_of("counted") == "scalar" && clock::now() < end) {
      again = 0;
      FORMS_RUN(counted, "counted", line.cells, direct(line.a, OP_READ), global(&again, 1, OP_INC));
      ASSERT_EQ(sum, again);
    }
    results.form("counted", Form::vector8);
  });
}

TEST_F(Life, EndsWhileTheCompilerRuns) {
  const SlowCompiler compiler;
  const auto start = clock::now();
  in_session(background(compiler), [&](Results &) {
    const Line line;
    run_doubled(line);
    run_scaled(line); // the second waits for the first
    line.expect(t_scale);
  });
  EXPECT_LT(seconds_since(start), 10);
}

TEST_F(Life, AFailedCompilationLeavesTheProgramsCode) {
  const SlowCompiler compiler;
  Setting broken = background(compiler);
  broken.words[2] = "OP2_CXX=/bin/false";
  in_session(broken, [&](Results &results) {
    const Line line;
    for (int call = 0; call < 30; ++call) {
      run_doubled(line);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    line.expect(2);
    results.form("doubled", Form::own);
  });
}

TEST_F(Life, ADatThatIsFreedBeforeItsCodeArrives) {
  const SlowCompiler compiler;
  in_session(background(compiler), [&](Results &) {
    const Line line;
    op_dat scratch = op_decl_dat_temp(line.cells, 1, "double", "scratch");
    const auto run = [&] {
      return op_par_loop(doubled, "doubled", line.cells, direct(line.a, OP_READ),
                         op_arg_dat(scratch, -1, OP_ID, 1, "double", OP_WRITE));
    };
    EXPECT_EQ(OP_OK, run());
    EXPECT_EQ(OP_OK, op_free_dat_temp(scratch));
    compiler.let_go();
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    EXPECT_EQ(OP_ERR_HANDLE, run());
    op_clear_error();
  });
}

TEST_F(Life, TemporariesThatComeAgain) {
  in_session(native(), [&](Results &results) {
    const Line line;
    for (int round = 0; round < 3; ++round)
      for (const int dim : {1, 3}) {
        const op_dat scratch = op_decl_dat_temp(line.cells, dim, "double", "scratch");
        if (dim == 1) {
          FORMS_RUN(doubled, "there", line.cells, direct(line.a, OP_READ), direct(scratch, OP_WRITE));
          FORMS_RUN(doubled, "back", line.cells, direct(scratch, OP_READ), direct(line.b, OP_WRITE));
          line.expect(4);
        } else {
          const op_dat row = dat<double>(line.cells, 3, numbers<double>(3000, 2), "row");
          FORMS_RUN(doubled_row, "row", line.cells, direct(row, OP_READ), direct(scratch, OP_WRITE));
          const std::vector<double> from = fetch<double>(row), to = fetch<double>(scratch);
          for (std::size_t n = 0; n < 3000; ++n) ASSERT_EQ(from[n] * 2, to[n]);
        }
        EXPECT_EQ(OP_OK, op_free_dat_temp(scratch));
      }
    for (const char *loop : {"there", "back", "row"}) results.form(loop, Form::vector8);
  });
}

TEST_F(Life, ConstantsThatChangeTheirType) {
  in_session(native(), [&](Results &) {
    const Line line;
    const double other = 7;
    t_scale = 3;
    op_decl_const(1, "double", &t_scale);
    run_scaled(line);
    line.expect(3);
    EXPECT_EQ(0u, form_of("scaled").find("vector"));
    // The library's value is not the program's any more: only its own code is right.
    const float single = 0.5f;
    op_decl_const_named("t_scale", 1, "float", &single);
    run_scaled(line);
    line.expect(3);
    EXPECT_EQ("range", form_of("scaled"));
    const double two[] = {other, other};
    op_decl_const_named("t_scale", 2, "double", two);
    run_scaled(line);
    line.expect(3);
    t_scale = 5;
    op_decl_const(1, "double", &t_scale);
    run_scaled(line);
    line.expect(5);
    // A loop that begins now sees the constant as it is now.
    FORMS_RUN(scaled, "scaled anew", line.cells, direct(line.a, OP_READ), direct(line.b, OP_WRITE));
    line.expect(5);
    EXPECT_EQ(0u, form_of("scaled anew").find("vector"));
  });
}

TEST_F(Life, ConstantsThatTheProgramChangesWithoutSayingSo) {
  in_session(native(), [&](Results &results) {
    const Line line;
    t_scale = 2;
    op_decl_const(1, "double", &t_scale);
    t_scale = 4; // before the first loop: the trial sees it
    run_scaled(line);
    line.expect(4);
    results.form("scaled", Form::own);
  });
}

TEST_F(Life, AnArrayOfConstantsThatGrows) {
  in_session(native(), [&](Results &) {
    const Line line;
    const auto run = [&](const char *name) {
      FORMS_RUN(summed_values, name, line.cells, direct(line.a, OP_READ), direct(line.b, OP_WRITE));
      const std::vector<double> found = fetch<double>(line.b);
      for (std::size_t n = 0; n < found.size(); ++n)
        ASSERT_EQ(line.values[n] * t_values[0] + t_values[1], found[n]) << name << n;
    };
    op_decl_const_named("t_values", 2, "double", t_values);
    run("of two");
    EXPECT_EQ(0u, form_of("of two").find("vector"));
    t_values[1] = 20;
    op_decl_const_named("t_values", 4, "double", t_values);
    run("of two");
    run("of four");
    EXPECT_EQ(0u, form_of("of four").find("vector"));
    t_values[0] = -1;
    op_decl_const_named("t_values", 4, "double", t_values);
    run("of two");
    run("of four");
  });
}

TEST_F(Life, SessionsOneAfterTheOther) {
  for (int session = 0; session < 4; ++session)
    in_session(session % 2 ? off() : native(), [&](Results &results) {
      const Line line;
      t_scale = session + 1.5;
      op_decl_const(1, "double", &t_scale); // elsewhere in memory than in the session before
      run_scaled(line);
      line.expect(t_scale);
      results.form("scaled", Form::vector8);
    });
}

} // namespace forms

// SPDX-License-Identifier: MIT
