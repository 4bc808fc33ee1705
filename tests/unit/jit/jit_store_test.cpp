// jit_store_test.cpp: from text to a function that can be called, compiled once and then taken from the cache; and
// compilers that are missing, fail, hang, lie or are killed.
#include <gnu/libc-version.h>

#include <sstream>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "jit_support.hpp"

namespace {

using namespace op2::core;
using namespace op2::core::jit;
using unit::answer;
using unit::answering;
using unit::contains;
namespace fs = std::filesystem;
using unit::refusal;

class JitStore : public unit::JitTest {};

TEST_F(JitStore, CompilesAndTakesFromTheCacheAfterwards) {
  const Settings request = settings({{"OP2_CXX", good_compiler()}});
  {
    CodeStore store(request, log);
    const Code first = store.get(answering(42), "flux"), again = store.get(answering(42), "other name");
    EXPECT_EQ(42, answer(first));
    EXPECT_FALSE(first.from_cache);
    EXPECT_GT(first.seconds, 0);
    EXPECT_TRUE(contains(first.why, "compiled by " + path("good")));
    EXPECT_EQ(first.library, again.library);
    EXPECT_EQ(nullptr, first.library->find("absent"));
    EXPECT_EQ(1, store.statistics().compiled);
    EXPECT_EQ(1, store.statistics().shared);
  }
  EXPECT_EQ(1, starts("good"));
  const std::string said = unit::said_by([&] {
    CodeStore store(request, log);
    const Code next = store.get(answering(42), "flux");
    EXPECT_EQ(42, answer(next));
    EXPECT_TRUE(next.from_cache);
    EXPECT_TRUE(contains(next.why, cache()));
    EXPECT_EQ(1, store.statistics().hits);
    EXPECT_EQ(7, answer(store.get(answering(7), "flux"))) << "another text of the same loop";
  });
  EXPECT_EQ("", said);
  EXPECT_EQ(2, starts("good"));
}

// gcc's unique symbols keep an object loaded for ever. The dynamic linker must not take later code for it.
TEST_F(JitStore, CodeThatCannotBeUnloadedIsNotTakenForLaterCode) {
  const std::string unique =
      "template <class T> struct S { static int v; };\ntemplate <class T> int S<T>::v = 1;\n"
      "extern \"C\" int answer() { return S<int>::v; }\n";
  for (int round = 0; round < 3; ++round) {
    CodeStore store(settings(), log);
    EXPECT_EQ(1, answer(store.get(unique, "unique")));
  }
  CodeStore store(settings(), log);
  for (int number = 2; number < 6; ++number) EXPECT_EQ(number, answer(store.get(answering(number), "other")));
}

TEST_F(JitStore, OnlyItsOwnSymbolsAreFound) {
  CodeStore store(settings(), log);
  const Code code = store.get(
      "extern \"C\" double atof(const char *);\n"
      "extern \"C\" int answer() { return atof(\"3\") == 3; }\n",
      "flux");
  EXPECT_EQ(1, answer(code));
  EXPECT_EQ(nullptr, code.library->find("atof")) << "of the C library";
}

TEST_F(JitStore, CodeOutlivesTheStore) {
  Code code;
  {
    CodeStore store(settings(), log);
    code = store.get(answering(1), "flux");
  }
  EXPECT_EQ(1, answer(code));
}

TEST_F(JitStore, WorksWithoutACache) {
  for (int run = 1; run <= 2; ++run) {
    CodeStore store(settings({{"OP2_CXX", good_compiler()}, {"OP2_JIT_CACHE", "off"}}), log);
    EXPECT_EQ(5, answer(store.get(answering(5), "flux")));
    EXPECT_EQ(run, starts("good"));
  }
  EXPECT_TRUE(files(cache()).empty());
}

// What code depends on: whatever differs must not be taken for the same.
TEST_F(JitStore, OtherFlagsInstructionsAndCompilersAreOtherCode) {
  const auto from_cache = [&](const std::vector<std::pair<std::string, std::string>> &values) {
    CodeStore store(settings(values), log);
    const Code code = store.get(answering(3), "flux");
    EXPECT_EQ(3, answer(code));
    return code.from_cache;
  };
  const std::string good = good_compiler(), second = good_compiler("second");
  std::vector<std::vector<std::pair<std::string, std::string>>> ways = {
      {{"OP2_CXX", good}}, {{"OP2_CXX", good + " -O1"}}, {{"OP2_CXX", good + " -O1 -g0"}}, {{"OP2_CXX", second}}};
  for (const std::string &isa : find_machine("native").others)
    ways.push_back({{"OP2_CXX", good}, {"OP2_JIT_ISA", isa}});
  for (const auto &way : ways) EXPECT_FALSE(from_cache(way));
  for (const auto &way : ways) EXPECT_TRUE(from_cache(way));
  EXPECT_EQ(static_cast<int>(ways.size()) - 1, starts("good"));
  // The compiler is replaced by a newer one.
  std::ofstream(good, std::ios::app) << "# new version\n";
  EXPECT_FALSE(from_cache(ways[0]));
  EXPECT_TRUE(from_cache(ways[0]));
}

TEST_F(JitStore, MachinesThatCannotRunItSayNo) {
  const Settings request = settings({{"OP2_JIT_ISA", "avx512"}});
  try {
    EXPECT_EQ(64, CodeStore(request, log).machine().vector_bytes);
  } catch (const Error &error) {
    EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
    EXPECT_TRUE(contains(error.what(), "OP2_JIT_ISA='avx512'"));
    EXPECT_TRUE(contains(error.what(), "'native'"));
  }
  EXPECT_EQ(0, find_machine("scalar").vector_bytes);
  EXPECT_GE(find_machine("native").vector_bytes, 16);
  EXPECT_EQ(find_machine("native").identity, find_machine("native").identity);
}

// Each level that runs here makes code that is compiled for it and nothing above.
TEST_F(JitStore, FlagsMakeTheInstructions) {
  const std::string text =
      "extern \"C\" int answer() {\n#if defined(__AVX512F__)\nreturn 64;\n#elif defined(__AVX2__)\n"
      "return 32;\n#else\nreturn 16;\n#endif\n}\n";
  for (const char *isa : {"native", "avx512", "avx2", "sse2"}) {
    try {
      find_machine(isa);
    } catch (const Error &) {
      continue;
    }
    CodeStore store(settings({{"OP2_JIT_ISA", isa}}), log);
    EXPECT_EQ(store.machine().vector_bytes, answer(store.get(text, isa))) << isa;
  }
}

namespace {

// How many commands of compilers contain this.
int compiled_with(const std::string &flag, const std::string &dumps) {
  int with = 0;
  for (const auto &file : fs::directory_iterator(dumps))
    if (file.path().extension() == ".log") {
      std::stringstream command;
      command << std::ifstream(file.path()).rdbuf();
      with += contains(command.str(), flag) ? 1 : 0;
    }
  return with;
}

} // namespace

// (1 + e) (1 - e) rounds to 1, from which a fused operation knows the difference. gcc 12 fuses where the signs of what
// is added alternate, whatever it was told, unless the processor has no such instructions.
TEST_F(JitStore, VectorsOfStraightLinesDoNotFuse) {
  if (find_machine("native").straight_line_flags.empty()) GTEST_SKIP() << "there are none for this processor";
  const std::string body =
      "__attribute__((noipa)) static void by_turns(const double *a, const double *b, const double *c, double *out) {\n"
      "  const double p[4] = {a[0] * b[0] - c[0], a[1] * b[1] + c[1], a[2] * b[2] - c[2], a[3] * b[3] + c[3]};\n"
      "  for (int i = 0; i < 4; ++i) out[i] = p[i];\n"
      "}\n"
      "extern \"C\" int answer() {\n"
      "  double a[4], b[4], c[4] = {1, -1, 1, -1}, out[4];\n"
      "  for (int i = 0; i < 4; ++i) a[i] = 1 + 0x1p-30, b[i] = 1 - 0x1p-30;\n"
      "  by_turns(a, b, c, out);\n"
      "  return out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0;\n"
      "}\n";
  const std::string dumps = path("dumps");
  CodeStore store(settings({{"OP2_JIT_DUMP", dumps}}), log);
  EXPECT_EQ(1, answer(store.get(body, "plain")));
  EXPECT_EQ(1, answer(store.get(text(straight_line, "\n", body), "straight")));
  EXPECT_EQ(1, compiled_with(" -ftree-slp-vectorize", dumps));
}

// Code that may not, for programs in which exceptions trap, is tried in tests/jit/forms (FindsOutThatExceptionsTrap).
TEST_F(JitStore, MarkedTextsMayComputeBothSidesOfABranch) {
  const std::string dumps = path("dumps");
  CodeStore store(settings({{"OP2_JIT_DUMP", dumps}}), log);
  store.get(answering(1), "as_it_is");
  EXPECT_EQ(0, compiled_with(" -fno-trapping-math", dumps));
  store.get(text(both_sides, "\n", answering(1)), "both");
  EXPECT_EQ(1, compiled_with(" -fno-trapping-math", dumps));
}

TEST_F(JitStore, MissingCompilerIsNamed) {
  const std::string said = unit::said_by([&] {
    CodeStore store(settings({{"OP2_CXX", "/nonexistent"}}), log);
    EXPECT_FALSE(store.compiler().found());
    const std::string why = refusal(store, answering(1), "flux");
    EXPECT_EQ("no C++ compiler: OP2_CXX='/nonexistent' is no program that can be started", why);
    EXPECT_EQ(why, refusal(store, answering(2), "other")) << "the same words for every loop";
    EXPECT_EQ(2, store.statistics().refused);
  });
  EXPECT_EQ("", said) << "saying it is up to the caller";
  const unit::Environment environment{{"PATH", "/nonexistent"}};
  CodeStore store(settings(), log);
  EXPECT_TRUE(contains(refusal(store, answering(1), "flux"), "none of c++, g++ and clang++"));
  CodeStore wrong(settings({{"OP2_CXX", "'g++ -O2'"}}), log); // one word
  EXPECT_TRUE(contains(refusal(wrong, answering(1), "flux"), "OP2_CXX='g++ -O2' is not in the folders of PATH"));
}

TEST_F(JitStore, WithoutACompilerAnyCodeOfTheTextWillDo) {
  EXPECT_EQ(8, answer(CodeStore(settings({{"OP2_CXX", good_compiler()}}), log).get(answering(8), "flux")));
  CodeStore store(settings({{"OP2_CXX", "/nonexistent"}}), log);
  const Code code = store.get(answering(8), "flux");
  EXPECT_TRUE(code.from_cache);
  EXPECT_EQ(8, answer(code));
  refusal(store, answering(9), "flux");
}

TEST_F(JitStore, ShippedCodeComesFirstAndIsNotWritten) {
  const std::string shipped = path("shipped");
  CodeStore(settings({{"OP2_CXX", good_compiler()}, {"OP2_JIT_CACHE", shipped}}), log).get(answering(8), "flux");
  ASSERT_EQ(1u, files(shipped).size());
  const Log quiet(OP_LOG_ERROR); // one of the folders does not exist
  CodeStore store(
      settings({{"OP2_CXX", good_compiler("second")}, {"OP2_JIT_CACHE", cache() + ":/nonexistent:" + shipped}}), quiet);
  EXPECT_TRUE(store.get(answering(8), "flux").from_cache) << "of another compiler";
  EXPECT_FALSE(store.get(answering(9), "flux").from_cache);
  EXPECT_EQ(1, starts("second"));
  EXPECT_EQ(1u, files(shipped).size());
  EXPECT_EQ(1u, files(cache()).size());
}

// Compiled for a level of instructions and not for one processor: runs on every machine with vectors of that width.
TEST_F(JitStore, ShippedCodeForALevelRunsNatively) {
  const Machine native = find_machine("native");
  if (native.others.empty()) GTEST_SKIP() << "this processor has no level with a name";
  const std::string shipped = path("shipped");
  CodeStore(settings({{"OP2_JIT_ISA", native.others.front()}, {"OP2_JIT_CACHE", shipped}}), log)
      .get(answering(6), "flux");
  CodeStore store(settings({{"OP2_CXX", "/nonexistent"}, {"OP2_JIT_CACHE", cache() + ":" + shipped}}), log);
  EXPECT_EQ(6, answer(store.get(answering(6), "flux")));
  EXPECT_TRUE(
      contains(refusal(store, answering(7), "flux"), "and the folders of OP2_JIT_CACHE have no code for this loop"));
}

TEST_F(JitStore, SaysWhatItUses) {
  const Log quiet(OP_LOG_ERROR);
  const std::string compiler = good_compiler(), shipped = path("shipped");
  CodeStore(settings({{"OP2_JIT_CACHE", shipped}}), log).get(answering(1), "flux");
  const std::string all =
      CodeStore(settings({{"OP2_CXX", compiler}, {"OP2_JIT_CACHE", cache() + ":" + shipped + ":/nonexistent"}}), quiet)
          .describe();
  EXPECT_TRUE(contains(all, text("compiler: ", compiler, "\n")));
  EXPECT_TRUE(contains(all, text("shipped code: ", shipped, ", loops: 1\n")));
  EXPECT_TRUE(contains(all, text("cache: ", cache(), ", loops: 0\n")));
  EXPECT_TRUE(contains(all, "not used: /nonexistent (OP2_JIT_CACHE)"));
  const std::string none =
      CodeStore(settings({{"OP2_CXX", "/nonexistent"}, {"OP2_JIT_ISA", "scalar"}, {"OP2_JIT_CACHE", "off"}}), log)
          .describe();
  EXPECT_TRUE(contains(none, "compiler: no C++ compiler"));
  EXPECT_TRUE(contains(none, "vectors: none (OP2_JIT_ISA=scalar)"));
  EXPECT_TRUE(contains(none, "cache: none"));
}

TEST_F(JitStore, ErrorsOfTheCompilerAreShown) {
  CodeStore store(settings(), log);
  const std::string why = refusal(store, "int good;\nint bad = nothing;\nint worse = nobody;\n", "flux<2>");
  EXPECT_TRUE(contains(why, "ended with status 1 on the code of loop 'flux<2>'"));
  EXPECT_TRUE(contains(why, "flux_2_.cpp:2:"));
  EXPECT_TRUE(contains(why, "nothing"));
  EXPECT_TRUE(unit::lacks(why, "nobody"));
  EXPECT_EQ(1, unit::lines(why + "\n"));
  const std::vector<std::string> kept = files(cache(), ".cpp");
  ASSERT_EQ(1u, kept.size());
  EXPECT_TRUE(contains(why, kept[0]));
  EXPECT_EQ(1u, files(cache(), ".log").size());
  EXPECT_EQ(why, refusal(store, "int good;\nint bad = nothing;\nint worse = nobody;\n", "flux<2>"));
  EXPECT_EQ(2, answer(store.get(answering(2), "next"))) << "others go on";
}

TEST_F(JitStore, KeepsSourcesForReading) {
  const Settings request = settings({{"OP2_JIT_DUMP", path("a/dump")}});
  CodeStore(request, log).get(answering(1), "flux<2,3>");
  ASSERT_EQ(1u, files(path("a/dump"), ".cpp").size());
  ASSERT_EQ(1u, files(path("a/dump"), ".log").size());
  EXPECT_TRUE(contains(files(path("a/dump"), ".cpp")[0], "/flux_2_3__"));
  EXPECT_EQ(answering(1), read_file(files(path("a/dump"), ".cpp")[0], 1000));
  EXPECT_TRUE(contains(read_file(files(path("a/dump"), ".log")[0], 10000).value_or(""), "-ffp-contract=off"));
  fs::remove_all(path("a"));
  EXPECT_TRUE(CodeStore(request, log).get(answering(1), "flux<2,3>").from_cache);
  EXPECT_EQ(1u, files(path("a/dump"), ".cpp").size()) << "of code from the cache, too";
  CodeStore failing(request, log);
  EXPECT_TRUE(contains(refusal(failing, "bad", "flux"), path("a/dump/flux_")));
  const std::string said = unit::said_by([&] {
    CodeStore store(settings({{"OP2_JIT_DUMP", "/proc/nowhere"}}), log);
    EXPECT_EQ(1, answer(store.get(answering(1), "flux")));
    EXPECT_EQ(2, answer(store.get(answering(2), "flux")));
  });
  EXPECT_TRUE(contains(said, "OP2_JIT_DUMP"));
  EXPECT_EQ(1, unit::lines(said));
}

TEST_F(JitStore, CompilersThatMisbehaveAreRefused) {
  struct Case {
    const char *name, *words, *said;
  };
  const Case cases[] = {
      {"fails", "echo 'x.cpp:1: error: no licence'; exit 2",
       "ended with status 2 on the code of loop 'flux': x.cpp:1: "
       "error: no licence"},
      {"killed", "kill -KILL $$", "was killed by signal 9"},
      {"garbage", "echo garbage > $out", "cannot be opened"},
      {"nothing", "true", "made no file"},
      {"empty", ": > $out", "made no file"},
      {"cut", "c++ \"$@\" && head -c 9000 $out > $out.cut && mv $out.cut $out", "made a file that is cut short"},
      {"foreign", "cp /bin/ls $out", "cannot be opened"},
  };
  for (const Case &one : cases) {
    CodeStore store(settings({{"OP2_CXX", compiler(one.name, one.words)}}), log);
    const std::string why = refusal(store, answering(1), "flux");
    EXPECT_TRUE(contains(why, one.said)) << one.name;
    EXPECT_EQ(why, refusal(store, answering(1), "flux")) << one.name;
    EXPECT_EQ(1, starts(one.name)) << "not tried again";
    EXPECT_TRUE(files(cache(), ".so").empty()) << one.name;
  }
}

TEST_F(JitStore, ACompilerThatHangsIsTriedOnce) {
  CodeStore store(settings({{"OP2_CXX", compiler("hangs", "sleep 1000")}}), log, 0.3);
  const std::string why = refusal(store, answering(1), "flux");
  EXPECT_TRUE(contains(why, "hangs was killed after"));
  EXPECT_TRUE(contains(why, "not used any more"));
  EXPECT_EQ(why, refusal(store, answering(2), "other"));
  EXPECT_EQ(1, starts("hangs"));
}

TEST_F(JitStore, WorksWhereTheProgramIgnoresItsChildren) {
  EXPECT_EQ(0, unit::in_child([&] {
              signal(SIGCHLD, SIG_IGN);
              CodeStore store(settings(), log);
              if (answer(store.get(answering(4), "flux")) != 4) return 1;
              try {
                store.get("bad", "flux");
                return 2;
              } catch (const Refusal &refusal) {
                return contains(refusal.what(), "error:") ? 0 : 3;
              }
            }));
}

TEST_F(JitStore, CompilesInTheBackground) {
  CodeStore store(settings({{"OP2_CXX", compiler("slow", "sleep 0.2; exec c++ \"$@\"")}}), log);
  const auto first = store.start(answering(1), "one"), second = store.start(answering(2), "two"),
             bad = store.start("bad", "bad");
  EXPECT_FALSE(second->ready());
  EXPECT_EQ(2, answer(second->get()));
  EXPECT_TRUE(first->ready());
  EXPECT_EQ(1, answer(first->get()));
  EXPECT_THROW(bad->get(), Refusal);
  EXPECT_THROW(bad->get(), Refusal);
  EXPECT_EQ(second->get().library, store.get(answering(2), "two").library);
  CodeStore next(settings({{"OP2_CXX", path("slow")}}), log);
  EXPECT_TRUE(next.start(answering(1), "one")->ready()) << "what is in the cache is there at once";
}

TEST_F(JitStore, ShuttingDownDoesNotWaitForTheCompiler) {
  std::shared_ptr<Pending> running, waiting;
  const double begin = now();
  {
    CodeStore store(settings({{"OP2_CXX", compiler("hangs", "sleep 1000")}}), log);
    running = store.start(answering(1), "one");
    waiting = store.start(answering(2), "two");
    while (starts("hangs") == 0) usleep(1000);
    EXPECT_FALSE(running->ready());
  }
  EXPECT_LT(now() - begin, 20);
  EXPECT_THROW(running->get(), Refusal);
  EXPECT_THROW(waiting->get(), Refusal);
}

TEST_F(JitStore, ManyThreadsGetOneLibrary) {
  CodeStore store(settings({{"OP2_CXX", good_compiler()}}), log);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] { EXPECT_EQ(t % 2, answer(store.get(answering(t % 2), "flux"))); });
  threads.clear();
  EXPECT_EQ(2, starts("good"));
}

TEST_F(JitStore, CommandsAreSplitAsInAShell) {
  using Words = std::vector<std::string>;
  const auto split = [](const char *command) { return split_command(command, "OP2_CXX"); };
  EXPECT_EQ(Words(), split("  "));
  EXPECT_EQ((Words{"-O2", "-DX=a b", "-DY=\"c\"", "", "d e"}), split(" -O2\t'-DX=a b' -DY=\\\"c\\\" '' d\\ e"));
  EXPECT_EQ(OP_ERR_ARGUMENT, unit::thrown_by([&] { split("g++ -DX='a"); }).code);
  CodeStore store(settings({{"OP2_CXX", "c++ '-DVALUE=4 + 5'"}}), log);
  EXPECT_EQ(9, answer(store.get("extern \"C\" int answer() { return VALUE; }", "flux")));
}

TEST_F(JitStore, AnotherCompilerWorks) {
  if (find_program("clang++").empty()) GTEST_SKIP() << "no clang++ here";
  CodeStore store(settings({{"OP2_CXX", "clang++"}}), log);
  EXPECT_TRUE(contains(store.compiler().version(), "clang"));
  EXPECT_EQ(3, answer(store.get("#ifdef __clang__\nextern \"C\" int answer() { return 3; }\n#endif\n", "flux")));
  EXPECT_TRUE(contains(refusal(store, "int bad = nothing;", "flux"), "flux.cpp:1:"));
}

int of_this_program;

TEST_F(JitStore, ProgramsKnowTheirFile) {
  EXPECT_EQ(fs::canonical("/proc/self/exe").string(), program_path(&of_this_program));
  struct stat info {};
  ASSERT_EQ(0, stat("/proc/self/exe", &info));
  EXPECT_EQ(std::int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec,
            program_mtime(&of_this_program).value_or(0));
  EXPECT_TRUE(contains(program_path(reinterpret_cast<const void *>(&gnu_get_libc_version)), "/libc"));
  const int on_the_stack = 0;
  EXPECT_FALSE(program_mtime(&on_the_stack));
  EXPECT_EQ("", program_path(nullptr));
}

// What gcc and clang say of loops in vectors, and of which loop.
TEST(JitCompiler, SaysWhatWasVectorised) {
  const auto says = [](const std::string &messages) { return says_vectorised(messages, "here"); };
  const std::string source = "static void f() {\n      ^\n",
                    note = "a.cpp:1:7: note: the original source location for ";
  EXPECT_TRUE(says("here:2:3: optimized: loop vectorized using 32 byte vectors\n"));
  EXPECT_FALSE(says("a.cpp:2:3: optimized: loop vectorized using 32 byte vectors\n"));
  EXPECT_TRUE(says("a.cpp:1:7: remark: vectorized loop (vectorization width: 4)\n" + source + note + "here:2:7\n"));
  EXPECT_FALSE(says("a.cpp:1:7: remark: vectorized loop (vectorization width: 4)\n" + source + note + "other:2:7\n"));
  EXPECT_FALSE(says("a.cpp:1:7: remark: vectorized loop (vectorization width: 4)\n" + source +
                    "a.cpp:1:7: remark: loop not vectorized\n" + source + note + "here:2:7\n"));
  EXPECT_FALSE(says(note + "here:2:7\n"));
  EXPECT_FALSE(says("here:2:7: remark: loop not vectorized\n"));
}

} // namespace

// SPDX-License-Identifier: MIT
