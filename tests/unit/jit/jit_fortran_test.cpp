// Kernels in Fortran as code for generated loops: the bits of gfortran's own compilation, one by one and in lanes; and
// what is refused, by place and construct.
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "jit/fortran/fortran.hpp"
#include "jit/lanes/lanes.hpp"
#include "jit/prelude/prelude.hpp"

namespace {

using namespace op2::core::jit;
namespace fs = std::filesystem;

const std::string sources = OP2_SOURCE_FOLDER "/tests/unit/jit/fortran";

class Fortran : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("op2_fortran_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) + "_" +
                                           std::to_string(reinterpret_cast<std::uintptr_t>(this)));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What the command prints if it fails.
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
    "copies",    "precedence", "powers",      "powers_single", "mixed_kinds",  "functions",  "functions_single",
    "roe_flux",  "limiter",    "superbee",    "stiffness",     "products",     "quad_forces", "viscosity",
    "newton",    "searches",   "forever",     "masks",         "bounds",       "overlaps",   "calls",
    "early",     "nested_calls", "integers",  "long_integers", "logicals",     "sections_of_planes", "long_arrays",
    "smoothed"};
const std::vector<std::string> external = {"oldflx", "oldsum"};

const char *const runtime = R"cpp(
  extern "C" int printf(const char *, ...);
  constexpr int W = 8, N = 32;
  static unsigned long long state = 88172645463325252ull;
  static unsigned long long bits() {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 2685821657736338717ull;
  }
  static void draw(double &x) { x = (double)(bits() >> 11) * 0x1p-53 * 8 - 4; }
  static void draw(float &x) { x = (float)((double)(bits() >> 40) * 0x1p-24 * 8 - 4); }
  static void draw(int &x) { x = (int)(bits() % 3) + 1; }
  static void draw(long long &x) { x = (long long)(bits() % 3) + 1; }
  template <class T>
  bool equal(T a, T b) { return (a != a && b != b) || __builtin_memcmp(&a, &b, sizeof a) == 0; }
  template <class T>
  struct Data {
    T own[W][N], one[W][N];
    op2j::lanes<T, W> all[N];
    Data() {
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k) {
          draw(own[k][i]);
          all[i].v[k] = one[k][i] = own[k][i];
        }
    }
    int compare(const char *name, int parameter) const {
      int out = 0;
      for (int i = 0; i < N; ++i)
        for (int k = 0; k < W; ++k)
          if ((!equal(own[k][i], one[k][i]) || !equal(own[k][i], T(all[i].v[k]))) && ++out < 3)
            printf("%s: argument %d, value %d: %.17g by gfortran, %.17g as text, %.17g in lanes\n", name, parameter, i,
                   (double)own[k][i], (double)one[k][i], (double)all[i].v[k]);
      return out;
    }
  };
)cpp";

const char *const lane_types =
    "using op2_double = op2j::lanes<double, W>; using op2_float = op2j::lanes<float, W>;\n"
    "using op2_int = op2j::lanes<int, W>; using op2_ll = op2j::lanes<long long, W>; using op2_mask = op2j::mask<W>;\n";

// Runs one kernel three times over the same values.
std::string comparison(const std::string &symbol, const KernelText &text) {
  std::ostringstream out, types, own, one, all, compare;
  const std::vector<Use> uses(text.kernel.parameters.size(), Use::lanes);
  const auto &parameters = text.kernel.parameters;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const char *comma = i > 0 ? ", " : "";
    types << comma << "void *";
    own << comma << "p" << i << ".own[k]";
    one << comma << "p" << i << ".one[k]";
    all << comma << "p" << i << ".all";
    compare << "    bad += p" << i << ".compare(\"" << text.kernel.name << "\", " << i << ");\n";
  }
  out << "extern \"C\" void " << symbol << "(" << types.str() << ");\n";
  out << "namespace of_" << text.kernel.name << " {\nstruct Scalar {\n" << scalar_members(text) << "};\n";
  out << "struct Lanes {\n" << lane_types << lane_members(text, uses) << "};\n";
  out << "static int run() {\n  Scalar scalar;\n  Lanes lanes;\n  int bad = 0;\n";
  out << "  for (int n = 0; n < 100 && bad == 0; ++n) {\n";
  for (std::size_t i = 0; i < parameters.size(); ++i)
    out << "    Data<" << spelling_of(parameters[i].scalar) << "> p" << i << ";\n";
  out << "    for (int k = 0; k < W; ++k) " << symbol << "(" << own.str() << ");\n";
  out << "    for (int k = 0; k < W; ++k) scalar.op2_kernel(" << one.str() << ");\n";
  out << "    lanes.op2_kernel(" << all.str() << ");\n" << compare.str() << "  }\n  return bad;\n}\n}\n";
  return out.str();
}

TEST_F(Fortran, HasTheBitsOfItsCompiler) {
  const std::string gfortran = OP2_TEST_FORTRAN, gcc = OP2_TEST_GCC;
  if (gfortran.empty() || gcc.empty()) GTEST_SKIP() << "gfortran and g++ were not found when the tests were configured";
  SourceFiles files;
  fortran::Project project(files, {{sources}});
  std::ostringstream program, calls;
  program << values_prelude() << functions_prelude() << runtime;
  const auto add = [&](const std::string &symbol) {
    try {
      const KernelText text = fortran::fortran_kernel(symbol, project);
      program << comparison(symbol, text);
      calls << "  bad += of_" << text.kernel.name << "::run();\n";
    } catch (const Refusal &refusal) {
      ADD_FAILURE() << symbol << ": " << refusal.what();
    }
  };
  for (const std::string &kernel : kernels) add("__collection_MOD_" + kernel);
  for (const std::string &kernel : external) add(kernel + "_");
  program << "int main() {\n  int bad = 0;\n" << calls.str() << "  return bad > 0;\n}\n";
  std::ofstream(folder_ / "compare.cpp") << program.str();
  ASSERT_EQ(run("cd " + folder_.string() + " && " + gfortran + " -O2 -w -ffp-contract=off -c " + sources + "/constants.f90 " + sources +
                "/collection.F90 " + sources + "/old.f && " + gcc +
                " -std=c++17 -O1 -Wno-psabi -ffp-contract=off -fno-math-errno compare.cpp constants.o collection.o old.o -lgfortran -lm -o compare"),
            "");
  EXPECT_EQ(run((folder_ / "compare").string()), "");
}

} // namespace
