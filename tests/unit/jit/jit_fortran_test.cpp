// Kernels in Fortran as code for generated loops: the bits of gfortran's own compilation, one by one and in lanes; and
// what is refused, by place and construct.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "jit/code/code_store.hpp"
#include "jit/fortran/fortran.hpp"
#include "jit/fortran/range/range_text.hpp"
#include "jit_fortran_program.hpp"

namespace {

using namespace op2::core::jit;
namespace fs = std::filesystem;

const std::string sources = OP2_SOURCE_FOLDER "/tests/unit/jit/fortran";

class Fortran : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("op2_fortran_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
               std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (std::getenv("OP2_TEST_KEEP_FILES"))
      std::printf("%s\n", folder_.c_str());
    else
      fs::remove_all(folder_);
  }

  // What the command prints if it fails.
  void write(const std::string &name, const std::string &text) const { std::ofstream(folder_ / name) << text; }
  // All files of a folder as units, as a program carries them.
  static fortran::Project project_in(const fs::path &folder) {
    fortran::Project out;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder)) {
      std::ifstream in(entry.path(), std::ios::binary);
      if (entry.is_regular_file()) out.add({{{entry.path().string(), {std::istreambuf_iterator<char>(in), {}}}}});
    }
    return out;
  }
  // Why the kernel m::k of the files in the folder is refused, without the folder's name.
  std::string why(const std::string &symbol = "__m_MOD_k") const {
    fortran::Project project = project_in(folder_);
    try {
      fortran::fortran_kernel(symbol, project);
      return "";
    } catch (const Refusal &refusal) {
      std::string out = refusal.what();
      for (std::size_t at = 0; (at = out.find(folder_.string() + "/")) != std::string::npos;)
        out.erase(at, folder_.string().size() + 1);
      return out;
    }
  }
  // The same with this text in the module and in the kernel, on lines 2 and 6.
  std::string why_not(const std::string &body, const std::string &head = "implicit none") const {
    write("m.F90", "module m\n" + head +
                       "\ncontains\nsubroutine k(x, n)\nreal(8) :: x(4); integer :: n, i; logical :: flag\n" + body +
                       "\nend subroutine\nend module\n");
    return why();
  }

  static std::string run(const std::string &command) {
    std::FILE *pipe = popen((command + " 2>&1").c_str(), "r");
    if (!pipe) return "popen failed";
    std::string out;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
    const int status = pclose(pipe);
    return status == 0 ? "" : command + "\n" + out + "\n(status " + std::to_string(status) + ")";
  }

  fs::path folder_;
};

const std::vector<std::string> kernels = {
    "copies",   "precedence",   "powers",   "powers_single", "mixed_kinds", "functions",          "functions_single",
    "roe_flux", "limiter",      "superbee", "stiffness",     "products",    "quad_forces",        "viscosity",
    "newton",   "searches",     "forever",  "masks",         "bounds",      "overlaps",           "calls",
    "early",    "nested_calls", "integers", "long_integers", "logicals",    "sections_of_planes", "long_arrays",
    "smoothed"};
const std::vector<std::string> modern = {
    "rusanov",   "quad_shape",  "defaults",    "configured",       "norms",  "small_solve", "variable_sections",
    "long_sums", "more_powers", "named_loops", "associated_names", "blocks", "flags",       "generics",
    "corners"};
const std::vector<std::string> elements = {"exchange", "hexahedron", "hydro_cell", "upwind_faces"};
const std::vector<std::string> external = {"oldflx", "oldsum", "oldcom"};

TEST_F(Fortran, HasTheBitsOfItsCompiler) {
  const std::string gfortran = OP2_TEST_FORTRAN, gcc = OP2_TEST_GCC;
  if (gfortran.empty() || gcc.empty()) GTEST_SKIP() << "gfortran and g++ were not found when the tests were configured";
  fortran::Project project = project_in(sources);
  op2_test::FortranProgram program;
  const auto add = [&](const std::string &symbol) {
    try {
      EXPECT_EQ(program.add(symbol, fortran::fortran_kernel(symbol, project)), "");
    } catch (const Refusal &refusal) {
      ADD_FAILURE() << symbol << ": " << refusal.what();
    }
  };
  for (const std::string &kernel : kernels) add("__collection_MOD_" + kernel);
  for (const std::string &kernel : modern) add("__modern_MOD_" + kernel);
  for (const std::string &kernel : elements) add("__elements_MOD_" + kernel);
  for (const std::string &kernel : external) add(kernel + "_");
  std::ofstream(folder_ / "compare.cpp") << program.text();
  std::string texts, objects;
  for (const char *file : {"constants.f90", "collection.F90", "modern.f90", "elements.f90", "old.f"}) {
    texts += " " + sources + "/" + file;
    objects += " " + fs::path(file).replace_extension(".o").string();
  }
  ASSERT_EQ(run("cd " + folder_.string() + " && " + gfortran + " -O2 -w -ffp-contract=off -c" + texts + " && " + gcc +
                " -std=c++17 -O0 -Wno-psabi -ffp-contract=off -fno-math-errno compare.cpp" + objects +
                " -lgfortran -lm -o compare"),
            "");
  EXPECT_EQ(run((folder_ / "compare").string()), "");
}

// Written at random: the same bits, or a reason. OP2_TEST_RANDOM_KERNELS=1000 takes longer.
TEST_F(Fortran, HasTheBitsOfItsCompilerAtRandom) {
  const std::string gfortran = OP2_TEST_FORTRAN, gcc = OP2_TEST_GCC;
  if (gfortran.empty() || gcc.empty()) GTEST_SKIP() << "gfortran and g++ were not found when the tests were configured";
  const char *const wanted = std::getenv("OP2_TEST_RANDOM_KERNELS"), *const seed = std::getenv("OP2_TEST_RANDOM_SEED");
  const int count = wanted ? std::atoi(wanted) : 4;
  write("random.f90", op2_test::random_kernels(count, seed ? static_cast<unsigned>(std::atoi(seed)) : 1));
  fortran::Project project = project_in(folder_);
  op2_test::FortranProgram program;
  int refused = 0, scalar = 0;
  for (int n = 1; n <= count; ++n) {
    const std::string symbol = "__random_MOD_r" + std::to_string(n);
    try {
      const std::string why = program.add(symbol, fortran::fortran_kernel(symbol, project));
      if (!why.empty()) ++scalar;
    } catch (const Refusal &refusal) {
      ++refused;
      std::printf("%s: %s\n", symbol.c_str(), refusal.what());
    }
  }
  EXPECT_LE(refused * 10, count);
  std::printf("%d kernels: %d refused, %d without a form for lanes\n", count, refused, scalar);
  std::ofstream(folder_ / "compare.cpp") << program.text();
  ASSERT_EQ(run("cd " + folder_.string() + " && " + gfortran + " -O2 -w -ffp-contract=off -c random.f90 && " + gcc +
                " -std=c++17 -O0 -Wno-psabi -ffp-contract=off -fno-math-errno compare.cpp random.o -lgfortran -lm -o "
                "compare"),
            "");
  const std::string said = run((folder_ / "compare").string());
  EXPECT_EQ(said, "");
  if (!said.empty())
    fs::copy_file(folder_ / "random.f90", fs::temp_directory_path() / "op2_random.f90",
                  fs::copy_options::overwrite_existing);
}

// Each with file, line and construct.
TEST_F(Fortran, SaysWhatItDoesNotRead) {
  struct Case {
    std::string body, why;
  };
  const std::vector<Case> cases = {
      {"x(1) = x(2)", ""},
      {"goto 10", "m.F90:6: 'goto'"},
      {"go to 10", "m.F90:6: 'go to'"},
      {"print *, x", "m.F90:6: 'print'"},
      {"write (*, *) x", "m.F90:6: 'write'"},
      {"stop", "m.F90:6: 'stop'"},
      {"x(1) = y", "m.F90:4: 'y', of which nothing is known"},
      {"x(5) = 1", "m.F90:6: the subscript 5 beside the array"},
      {"x(1:5) = 1", "m.F90:6: a section beside the array 'x'"},
      {"x(1:2) = x(1:3)", "m.F90:6: an array of another shape than 'x'"},
      {"x = [1.0d0, 2.0d0]", "m.F90:6: an array of another shape than 'x'"},
      {"x(1, 1) = 0", "m.F90:6: 'x' has 1 dimensions, not 2"},
      {"x(1) = x(1)**65", "m.F90:6: the power 65; those up to 64 are known"},
      {"x(1) = x(1)**n + x(2)**17", ""},
      {"x(1) = other(x(2))", "m.F90:6: a call of 'other', of which nothing is known"},
      {"call other(x)", "m.F90:6: a call of 'other', whose text is not found"},
      {"x(n:n+1) = 0", ""},
      {"x(1:4:n) = 0", "m.F90:6: a section whose stride is no constant"},
      {"x(n:4) = x(x(1):2)", "m.F90:6: a section of 'x' whose bounds are no integers"},
      {"x = bessel_j0(x)", "m.F90:6: a call of 'bessel_j0', of which nothing is known"},
      {"x(1) = 'a'", "m.F90:6: a text"},
      {"x(1) = (1.0, 2.0)", "m.F90:6: a complex number"},
      {"x(1) = n%part", "m.F90:6: the component 'part' of a integer(4)"},
      {"flag = n", "m.F90:6: a integer(4) where a logical(4) is expected"},
      {"if (n) x = 0", "m.F90:6: a condition that is not logical"},
      {"x(1) = x(1) .and. flag", "m.F90:6: 'flag' is used and never set"},
      {"flag = x(1) .and. flag", "m.F90:6: '.and.' of a real(8) and a logical(4)"},
      {"do i = 1, n, n\nx = 0\nend do", "m.F90:6: a loop whose step is no constant"},
      {"a: do i = 1, 2\ndo\nexit a\nend do\nend do a", ""},
      {"a: do i = 1, 2\nexit b\nend do a", "m.F90:7: 'exit b', which is no loop around it"},
      {"do i = 1, 2\nx = 0", "m.F90:7: 'end do' is expected"},
      {"if (n > 1) then\nx = 0", "m.F90:7: 'end if' is expected"},
      {"x(1) = (x(2", "m.F90:6: ')' is expected before ''"},
      {"x(1) = x(2) @ 2", "m.F90:6: a line that cannot be read"},
      {"associate (y => x)\nend associate", ""},
      {"associate (y => n)\ny = x\nend associate", "m.F90:7: an array where a single value is expected"},
      {"associate (y => n + 1)\ny = 2\nend associate", "m.F90:7: an assignment to 'y_B1', which is only read"},
      {"do concurrent (i = 1:3, x(i + 1) > 0)\nx(i) = 1\nend do",
       "m.F90:6: a mask of 'do concurrent' that reads what the loop changes"},
      {"forall (i = 1:4) x(i) = 0", "m.F90:6: 'forall'"},
      {"#ifdef SINGLE\nx = 0\n#endif", "m.F90:6: '#ifdef SINGLE', a line of the preprocessor"},
      {"# 7 \"other.inc\" 1\n#pragma GCC unroll 2\nx(1) = 0", ""},
      {"call k(x, n)", "m.F90:4: 'k' calls itself"},
      {"x(1) = maxval(x, 1)", ""},
      {"x(1) = maxval(x, 2)", "m.F90:6: 'maxval' along this dimension"},
      {"x(1) = minloc(x)", "m.F90:6: a call of 'minloc', of which nothing is known"},
  };
  for (const Case &one : cases) {
    const std::string said = why_not(one.body);
    EXPECT_EQ(said, one.why) << one.body;
  }
}

TEST_F(Fortran, RefusesDeclarationsByName) {
  const auto with = [&](const std::string &declaration) {
    write("m.F90", "module m\ncontains\nsubroutine k(x)\nreal(8) :: x(4)\n" + declaration +
                       "\nx(1) = y(1)\ny(1) = 0\nend subroutine\nend module\n");
    return why();
  };
  EXPECT_EQ(with("real(8), save :: y(2)"), "m.F90:5: 'y' keeps its value between calls (save)");
  EXPECT_EQ(with("real(8) :: y(2) = 0"), "m.F90:5: 'y' keeps its value between calls (save)");
  EXPECT_EQ(with("save\nreal(8) :: y(2)"), "m.F90:6: 'y' keeps its value between calls (save)");
  EXPECT_EQ(with("real(8), allocatable :: y(:)"), "m.F90:5: 'y' is allocatable");
  EXPECT_EQ(with("real(8), pointer :: y(:)"), "m.F90:5: 'y' is a pointer");
  EXPECT_EQ(with("type(t) :: y(2)"), "m.F90:5: 'y' is of type type(t)");
  EXPECT_EQ(with("complex :: y(2)"), "m.F90:5: 'y' is of type complex");
  EXPECT_EQ(with("real(16) :: y(2)"), "m.F90:5: 'y' of kind 16");
  EXPECT_EQ(with("common /c/ y(2)"), "m.F90:7: an assignment to 'y', which is only read");
  EXPECT_EQ(with("real(8) :: y(2)\nequivalence (y, x)"), "m.F90:4: 'x' is in an equivalence");
  EXPECT_EQ(with("real(8) :: y(n)"), "m.F90:5: 'n' is used and never set");
  EXPECT_EQ(with("real(8) :: y(2)\ndata y(1) /1.0/"), "m.F90:5: 'y' has values by 'data'");
  EXPECT_EQ(with("real(8) :: y(2)\ndata y /1.0, 2.0/"), "m.F90:5: 'y' keeps its value between calls (save)");
  EXPECT_EQ(with("real(8) :: y(:)"), "m.F90:5: 'y(:)', an array of assumed shape");
  EXPECT_EQ(with("real(8), codimension[*] :: y(2)"), "m.F90:5: a declaration that is not understood");
}

// Of newer constructs: each with the place of what is missing.
TEST_F(Fortran, RefusesTypesPointersAndGenericNamesByName) {
  // Lines 2 to 22 are the module's, the kernel's begin at 25.
  const std::string module =
      "module m\nuse, intrinsic :: iso_c_binding\nimplicit none\ntype t\nreal(8) :: a, b(2)\ncontains\n"
      "procedure :: show\nend type\ntype, extends(t) :: longer\nreal(8) :: c\nend type\ntype linked\nreal(8) :: "
      "a\ntype(linked), pointer :: next\nend type\ninterface f\nmodule procedure f4, f8\nend interface\n"
      "type(t) :: two(2)\nreal(8) :: speed\ncontains\n"
      "subroutine k(x, n, rows)\nreal(8) :: x(4); integer :: n, i, two_of; type(c_ptr), intent(in) :: rows(4)\n"
      "real(8), pointer :: p(:), q(:); type(t) :: s; type(longer) :: l; type(linked) :: g; class(t) :: c\n";
  const std::string end =
      "\ncall c_f_pointer(rows(1), q, [2])\nend subroutine\nreal(8) function f8(x)\nreal(8) :: x\nf8 = x\nend "
      "function\n"
      "real(8) function f4(x)\nreal(4) :: x\nf4 = x\nend function\nreal(8) function first(v)\nreal(8) :: v(:)\n"
      "v = 2 * v\nfirst = v(1)\nend function\nsubroutine show(s)\nclass(t) :: s\nend subroutine\nsubroutine "
      "set(s)\ntype(t) :: s\nspeed = s%a\nend subroutine\nend module\n";
  struct Case {
    std::string body, why;
  };
  const std::vector<Case> cases = {
      {"s%a = 1; s%b = [s%a, x(1)]; x(1:2) = s%b", ""},
      {"s = t(x(1), x(2:3)); x(1) = f(s%a) + f(1.0)", ""},
      {"s%c = 1", "m.F90:25: 'type(t)' has no component 'c'"},
      {"s%a(1) = 1", "m.F90:25: 'a' is no array"},
      {"s%b(3) = 1", "m.F90:25: the subscript 3 beside the array"},
      {"x%a = 1", "m.F90:25: the component 'a' of a real(8)"},
      {"s%a = 1; call s%show()", "m.F90:25: the type-bound procedure 'show'"},
      {"s%a = 1; x(1) = s%show()", "m.F90:25: the type-bound procedure 'show'"},
      {"s%a = 1; x(1) = s + 1", "m.F90:25: a type(t) in place of a number"},
      {"s = x(1)", "m.F90:25: a real(8) where a type(t) is expected"},
      {"s = t(1.0d0)", "m.F90:25: 't' without a value for 'b'"},
      {"l%c = 1", "m.F90:9: the type 'longer' extends another type"},
      {"g%a = 1", "m.F90:14: 'next' is a pointer"},
      {"c%a = 1", "m.F90:24: 'c' is of type class(t)"},
      {"x(1) = two(1)%a", "m.F90:19: the variable 'two' of module 'm' is an array of a derived type"},
      {"x(1) = f(n)", "m.F90:25: no procedure of the generic name 'f' has arguments of these types"},
      {"x(1) = first(x)", ""},
      {"x(1) = first(x(1:4:3))", ""},
      {"x(1) = first(x(1))", "m.F90:25: the argument 'v' of 'first' has 0 dimensions, not 1"},
      {"s%a = x(1); call set(s)", "m.F90:46: an assignment to 'speed', which is only read"},
      {"call c_f_pointer(rows(1), p, [2]); x(1) = p(1); p(2) = 0", ""},
      {"x(1) = p(1)", "m.F90:24: 'p' is a pointer"},
      {"if (n > 1) call c_f_pointer(rows(1), p, [2])\nx(1) = p(1)",
       "m.F90:26: the pointer 'p', of which nothing is known here"},
      {"call c_f_pointer(rows(1), p, [2])\ndo i = 1, 2\nx(1) = p(1)\ncall c_f_pointer(rows(i), p, [2])\nend do",
       "m.F90:27: the pointer 'p', of which nothing is known here"},
      {"call c_f_pointer(rows(5), p, [2])", "m.F90:25: the subscript 5 beside the array"},
      {"call c_f_pointer(rows(1), x, [2])", "m.F90:25: 'x', which is no pointer of the kernel's own"},
      {"p => x", "m.F90:25: a pointer assignment"},
  };
  for (const Case &one : cases) {
    write("m.F90", module + one.body + end);
    EXPECT_EQ(why(), one.why) << one.body;
  }
  const auto row = [&](const std::string &parts) {
    write("m.F90", "module m\ntype t\n" + parts +
                       "\nend type\ncontains\nsubroutine k(s)\ntype(t) :: s\ns%a = 1\nend subroutine\nend module\n");
    return why();
  };
  EXPECT_EQ(row("real(8) :: a, b(2)"), "");
  EXPECT_EQ(row("real(8) :: a; integer :: n"), "m.F90:7: 's' is of type type(t), which is no row of numbers");
  EXPECT_EQ(row("logical :: a"), "m.F90:7: 's' is of type type(t), which is no row of numbers");
}

TEST_F(Fortran, NamesWhatIsMissingOrTwice) {
  EXPECT_EQ(why(), "the text of module 'm' is not found");
  EXPECT_EQ(why("k_"), "the text of procedure 'k' is not found");
  EXPECT_EQ(why("k.0"), "'k.0' is no procedure of a module and no external one");
  EXPECT_EQ(why(""),
            "the kernel has no name in the symbols of the program, as after strip, by which its text could be found");
  EXPECT_EQ(why_not("x = pi", "use constants, only: pi\nimplicit none"),
            "m.F90:5: 'pi', of which nothing is known; module 'constants' is not found");
  write("c.f90", "module constants\nreal(8), parameter :: pi = 3\nend module\n");
  EXPECT_EQ(why(), "");
  write("d.f90", "module constants\nreal(8), parameter :: pi = 3.1\nend module\n");
  EXPECT_EQ(why(), "d.f90:1: module 'constants' has another text in c.f90:1");
  write("d.f90", "module constants\nreal(8), parameter :: pi = 3\nend module\n"); // the same text is no doubt
  EXPECT_EQ(why(), "");
  EXPECT_EQ(why("__m_MOD_other"), "m.F90:1: module 'm' has no procedure 'other'");
}

// Two texts of a module are one if their statements are.
TEST_F(Fortran, NamesTextsThatDiffer) {
  const std::string module = "module m\ncontains\nsubroutine k(x)\nreal(8) :: x\nx = 1\nend subroutine\nend module\n";
  write("m.f90", module);
  EXPECT_EQ(why(), "");
  write("n.f90", "! the same statements\n" + module);
  EXPECT_EQ(why(), "");
  write("n.f90", "! others\nmodule m\ncontains\nsubroutine k(x)\nreal(8) :: x\nx = 2\nend subroutine\nend module\n");
  EXPECT_EQ(why(), "n.f90:2: module 'm' has another text in m.f90:1");
  fortran::Project project;
  project.leave_out("m.f90 was compiled with -fdefault-real-8, which changes what its text means");
  try {
    fortran::fortran_kernel("__m_MOD_k", project);
    FAIL() << "no text, and no reason";
  } catch (const fortran::NoText &refusal) {
    EXPECT_STREQ(refusal.what(),
                 "the text of module 'm' is not found (m.f90 was compiled with -fdefault-real-8, which "
                 "changes what its text means)");
  }
}

// What is there is not called missing: a chain of includes that is longer than the reader follows.
// Files for a Fortran compiler of kernels that are not read: what they take along, and what they cannot.
TEST_F(Fortran, TakesKernelsWordForWord) {
  const auto made = [&](const std::string &text, const std::string &symbol = "__m_MOD_k") {
    write("m.F90", text);
    fortran::Project project = project_in(folder_);
    LoopShape shape;
    shape.args.resize(1);
    shape.args[0].type_size = 8;
    shape.args[0].dim = 1;
    try {
      return fortran::range_text(symbol, shape, project).code.text;
    } catch (const Refusal &refusal) {
      std::string out = refusal.what();
      for (std::size_t at = 0; (at = out.find(folder_.string() + "/")) != std::string::npos;)
        out.erase(at, folder_.string().size() + 1);
      return out;
    }
  };
  const auto kernel = [&](const std::string &head, const std::string &body) {
    return made(
        "module m\n" + head + "\ncontains\nsubroutine k(x)\nreal(8) :: x\n" + body +
        "\nend subroutine\nsubroutine other(a)\nreal(8) :: a\na = 1\nend subroutine\nreal(8) function grown(a, b)\n"
        "real(8) :: a, b\nb = b + 1\ngrown = a\nend function\nend module\n");
  };
  const std::string plain =
      kernel("use mpi\nprivate\npublic :: k\nreal(8), private :: a, b(2)", "x = a\nprint *, 'it''s'");
  EXPECT_TRUE(plain.starts_with(fortran_text)) << plain;
  for (const char *words :
       {"module op2jit_m0\n", "print * , 'it''s'", "if (a /= op2jit_1) a = op2jit_1", "bind(c, name='op2jit_range')"})
    EXPECT_NE(plain.find(words), std::string::npos) << words << "\n" << plain;
  for (const char *words : {"use mpi", "public :: k", "subroutine other", "op2jit_2"})
    EXPECT_EQ(plain.find(words), std::string::npos) << words << "\n" << plain;
  EXPECT_NE(kernel("", "call other(x)").find("subroutine other"), std::string::npos);
  const auto changes = [](const std::string &place) {
    return place + ": the variable 'a' of module 'm' is changed, or passed to a procedure that may do so";
  };
  EXPECT_EQ(kernel("real(8) :: a", "if (x > 1) a = x"), changes("m.F90:6"));
  EXPECT_EQ(kernel("real(8) :: a(3)", "a(int(x)) = x"), changes("m.F90:6"));
  EXPECT_EQ(kernel("real(8) :: a", "call other(a)"), changes("m.F90:6"));
  EXPECT_EQ(kernel("real(8) :: a", "call nobody(a)"), changes("m.F90:6"));
  EXPECT_EQ(kernel("real(8) :: a", "read (*, *) x, a"), changes("m.F90:6"));
  EXPECT_EQ(kernel("real(8), target :: a", "real(8), pointer :: p\np => a"), changes("m.F90:7"));
  EXPECT_EQ(kernel("real(8) :: a", "x = grown(x, a)"), changes("m.F90:6"));
  EXPECT_TRUE(kernel("real(8) :: a", "x = grown(a, x) + sin(a)").starts_with(fortran_text));
  EXPECT_EQ(kernel("integer :: a", "do a = 1, 3\nx = a\nend do"), changes("m.F90:6"));
  EXPECT_TRUE(kernel("real(8) :: a", "real(8) :: a\na = x").starts_with(fortran_text)); // its own
  EXPECT_EQ(kernel("real(8), allocatable :: a(:)", "x = a(1)"),
            "m.F90:2: the variable 'a' of module 'm' is allocatable");
  EXPECT_EQ(kernel("real(8) :: a(2000)", "x = a(1)"), "m.F90:2: the variable 'a' of module 'm' has 2000 elements");
  EXPECT_EQ(kernel("", "real(8), save :: s"), "m.F90:6: 's' keeps its value between calls (save)");
  EXPECT_EQ(kernel("", "real(8) :: s = 0"), "m.F90:6: 's' keeps its value between calls (save)");
  EXPECT_EQ(kernel("", "common /c/ s"), "m.F90:6: a common block");
  EXPECT_EQ(kernel("", "x = x @ 2"), "m.F90:6: a line that cannot be read");
  EXPECT_EQ(kernel("", "#ifdef A\nx = 1\n#endif"), "m.F90:6: '#ifdef A', a line of the preprocessor");
  EXPECT_EQ(kernel("include 'nowhere.inc'", "x = 1"), "m.F90:1: the included file 'nowhere.inc' is not found");
  write("z.f90", "real(8) function inner(y)\nreal(8) :: y, same = 0\ninner = y\nend function\n");
  const std::string inside =
      "x = inner(x)\ncontains\nreal(8) function inner(y)\nreal(8) :: y\ninner = 2 * y\nend function";
  EXPECT_TRUE(kernel("implicit none", inside).starts_with(fortran_text)); // its own, not the one that keeps a value
  EXPECT_EQ(kernel("implicit none", "real(8) :: inner\nx = inner(x)"),
            "z.f90:2: 'same' keeps its value between calls (save)");
  fs::remove(folder_ / "z.f90");
  std::string longer;
  for (int n = 0; n < 4000; ++n) longer += "x = x + 1\n";
  EXPECT_EQ(kernel("", longer), "m.F90:4: the kernel's text is too long to be compiled while the program runs");
  EXPECT_EQ(made("subroutine k(x, y)\nend subroutine\n", "k_"), "m.F90:1: 'k' is no subroutine with 1 arguments");
}

TEST_F(Fortran, ReadsVariablesOfModulesByTheirSymbols) {
  write("m.f90",
        "module m\nreal(8), save :: q(2:3), r\nlogical :: on\ncontains\nsubroutine k(x)\nreal(8) :: x\nif (on) x = "
        "q(3) + r\nend subroutine\nend module\n");
  fortran::Project project = project_in(folder_);
  const KernelText text = fortran::fortran_kernel("__m_MOD_k", project);
  ASSERT_EQ(text.variables.size(), 3u);
  EXPECT_EQ(text.variables[0].symbol, "__m_MOD_on");
  EXPECT_EQ(text.variables[0].scalar, Scalar::int32);
  EXPECT_EQ(text.variables[1].symbol, "__m_MOD_q");
  EXPECT_EQ(text.variables[1].dim, 2);
  EXPECT_EQ(text.declared.size(), 3u);
  EXPECT_NE(spell(text.kernel.body).find("x[0] = (__m_MOD_q[1] + __m_MOD_r)"), std::string::npos)
      << spell(text.kernel.body);
  write("n.f90",
        "module n\nreal(8), save :: q\ncontains\nsubroutine k(x)\nreal(8) :: x\nq = x\nend subroutine\nend module\n");
  EXPECT_EQ(why("__n_MOD_k"), "n.f90:6: an assignment to 'q', which is only read");
}

// A module that many others use through each other: every name is looked for once in each.
TEST_F(Fortran, FindsNamesInManyModules) {
  std::string uses;
  for (int n = 0; n < 40; ++n) {
    write("m" + std::to_string(n) + ".f90", "module m" + std::to_string(n) + "\n" + uses + "end module\n");
    uses += "use m" + std::to_string(n) + "\n";
  }
  EXPECT_NE(why_not("x = y", uses + "implicit none").find("'y', of which nothing is known"), std::string::npos);
}

// Damaged text is refused or read, and never ends the program.
// OP2_TEST_DAMAGED_TEXTS=1000 takes longer.
TEST_F(Fortran, SurvivesDamagedText) {
  const char *const wanted = std::getenv("OP2_TEST_DAMAGED_TEXTS");
  const int count = wanted ? std::atoi(wanted) : 24;
  const std::vector<std::string> files_of = {"/collection.F90", "/modern.f90"};
  std::vector<std::string> wholes;
  for (const std::string &file : files_of) {
    std::ifstream in(sources + file);
    wholes.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  unsigned state = 12345;
  const auto next = [&](std::size_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  fs::copy(sources + "/constants.f90", folder_ / "constants.f90");
  for (int n = 0; n < count; ++n) {
    const std::size_t which = static_cast<std::size_t>(n % 2);
    std::string text = wholes[which];
    for (int cut = 0; cut < 3; ++cut) {
      const std::size_t at = next(text.size() - 40);
      if (next(2) == 0)
        text.erase(at, 1 + next(30));
      else
        text.insert(at, std::string("(),:=*/'&%\n!#[]").substr(next(14), 1 + next(3)));
    }
    write(files_of[which].substr(1), text);
    fortran::Project project = project_in(folder_);
    for (const std::string &kernel : which == 0 ? kernels : modern) {
      try {
        fortran::fortran_kernel((which == 0 ? "__collection_MOD_" : "__modern_MOD_") + kernel, project);
      } catch (const Refusal &) {
      }
      try {
        fortran::range_text("__collection_MOD_" + kernel, {}, project);
      } catch (const Refusal &) {
      }
    }
  }
}

} // namespace

// SPDX-License-Identifier: MIT
