// Every kernel of the collection on every kind of mesh: its form, and its answers against those of a plain loop over
// the elements. A kernel that gets no vectors is listed here with the reason; the list is held to the truth.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "../unit/json.hpp"
#include "collection.hpp"

namespace {

using namespace collection;

constexpr int cells = 1500;

// What a kernel's loop has instead of vectors, and a part of the reason that the library gives.
constexpr const char *by_nobody = "the compiler makes no vectors of it";
const std::map<std::string, std::string> without_vectors = {
    {"arrhenius_rates", by_nobody},                // std::pow for some reactions only
    {"cholesky_solve<4>", by_nobody},              // loops with conditions in a class
    {"classify_phase", by_nobody},                 // std::pow in one of several returns
    {"dg_face_term", by_nobody},                   // a table of two dimensions at an index of each element
    {"elasticity_residual", by_nobody},            // memcpy
    {"elasticity_stiffness", "reinterpret_cast"},  // and 144 values of an argument
    {"enthalpy_by_quadrature", by_nobody},         // functors
    {"entropy_conserving_flux", by_nobody},        // a series in one branch, std::log in the other
    {"exact_riemann_flux", by_nobody},             // Newton's method in a helper
    {"hllc_flux", by_nobody},                      // pointers chosen by a condition
    {"hlle_state_flux", by_nobody},                // a class with constructors and operators
    {"inverse_distance_value<double>", by_nobody}, // a loop over a list
    {"laplace_stiffness", by_nobody},              // a class that is a view of a row
    {"least_squares_gradient", by_nobody},         // sqrt beside one of a class
    {"mhd_rusanov_flux", by_nobody},               // a loop over pointers
    {"neo_hookean_stress", by_nobody},             // a class of matrices
    {"robust_cell_average", by_nobody},            // std::sort
    {"set_boundary_state", by_nobody},             // a case that falls through
    {"stiff_chemistry", by_nobody},                // elimination with pivots
    {"swirl_invariants", by_nobody},               // std::hypot of three arguments
    {"venkatakrishnan_limiter", by_nobody},        // 'continue' in a loop
};

struct Form {
  std::string form, why;
};

class Collection : public testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    std::string words[] = {"collection", "OP2_JIT=on", "OP2_JIT_MIN_ELEMENTS=0", "OP2_RENUMBER=off",
                           std::string("OP2_JIT_ISA=") + (forms_are_known() ? "avx2" : "native")};
    std::vector<char *> argv;
    for (std::string &word : words) argv.push_back(word.data());
    op_init_params params = OP_INIT_PARAMS;
    params.argc = static_cast<int>(argv.size());
    params.argv = argv.data();
    op_set_error_handler(op_error_return, nullptr);
    ASSERT_EQ(OP_OK, op_init_with(&params)) << op_last_error();
  }
  void TearDown() override { EXPECT_EQ(OP_OK, op_exit()); }

  // What a compiler makes vectors of depends on it and on the processor's instructions.
  static bool forms_are_known() {
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    return __GNUC__ == 12 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && !std::getenv("OP2_CXX");
#else
    return false;
#endif
  }

  static bool on_device() {
    const char *const backend = std::getenv("OP2_BACKEND");
    return backend && std::string(backend).ends_with("cuda");
  }

  static std::map<std::string, Form> forms_now() {
    std::string file = (std::filesystem::temp_directory_path() / "op2-collection-XXXXXX").string();
    close(mkstemp(file.data()));
    EXPECT_EQ(OP_OK, op_timings_to_json(file.c_str())) << op_last_error();
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    std::filesystem::remove(file);
    std::map<std::string, Form> out;
    const unit::Json table = unit::JsonReader(text.str()).document();
    for (const unit::Json &loop : table["loops"].items)
      out[loop["loop"].text] = {loop["kernel_form"].text, loop["no_vectors"].text};
    return out;
  }
};

void expect_same(const Outcome::Result &known, const Outcome::Result &got) {
  ASSERT_EQ(known.values.size(), got.values.size());
  const std::size_t dim = static_cast<std::size_t>(known.dim);
  std::vector<double> scale(dim, 0.0);
  for (std::size_t i = 0; i < known.values.size(); ++i) {
    ASSERT_TRUE(std::isfinite(known.values[i])) << "the case gives a value that is not finite, at " << i;
    scale[i % dim] = std::max(scale[i % dim], std::abs(known.values[i]));
  }
  for (std::size_t i = 0; i < known.values.size(); ++i)
    ASSERT_LE(std::abs(known.values[i] - got.values[i]), known.bound * scale[i % dim])
        << "value " << i << " is " << got.values[i] << ", not " << known.values[i];
}

TEST_P(Collection, GivesTheAnswersOfAPlainLoop) {
  for (const Registered &one : all_cases()) {
    SCOPED_TRACE(one.name);
    Mesh by_hand(GetParam(), cells, true, 1), through_library(GetParam(), cells, false, 1);
    one.body(by_hand);
    one.body(through_library);
    const Outcome &known = by_hand.outcome(), &got = through_library.outcome();
    ASSERT_FALSE(known.results.empty());
    ASSERT_EQ(known.results.size(), got.results.size());
    for (std::size_t i = 0; i < known.results.size(); ++i) expect_same(known.results[i], got.results[i]);
  }
  const std::map<std::string, Form> forms = forms_now();
  EXPECT_EQ(all_cases().size(), forms.size());
  if (on_device()) {
    for (const auto &[loop, form] : forms)
      EXPECT_TRUE(form.form.starts_with("cuda")) << loop << " gets " << form.form << ": " << form.why;
    return;
  }
  if (!forms_are_known()) {
    std::printf("left out: the forms of the kernels, which are known for gcc 12 and AVX2\n");
    return;
  }
  for (const auto &[loop, form] : forms) {
    const auto listed = without_vectors.find(loop);
    const bool vector = form.form.starts_with("vector");
    if (listed == without_vectors.end())
      EXPECT_TRUE(vector) << loop << " gets " << form.form << ": " << form.why;
    else
      EXPECT_TRUE(!vector && form.why.find(listed->second) != std::string::npos)
          << loop << " gets " << form.form << ": " << form.why;
  }
  for (const auto &[loop, why] : without_vectors)
    EXPECT_EQ(1u, forms.count(loop)) << loop << " is not in the collection";
}

// What the benchmark holds against the memory's speed: rows that are added to come twice, those of one dat in two
// arguments and entries that several arguments follow once, rows that no element reaches not at all.
TEST_P(Collection, KnowsWhatALoopMustMove) {
  struct Known {
    const char *name;
    double (*bytes)(const Mesh &);
  };
  static const auto size = [](op_set set) { return static_cast<double>(op_get_size(set)); };
  const std::vector<Known> all = {
      {"collide_bgk", [](const Mesh &mesh) { return size(mesh.cells) * 8 * (9 + 9); }},
      {"stream_along_edge",
       [](const Mesh &mesh) { return size(mesh.edges) * (4 + 2 * 4) + size(mesh.nodes) * 8 * (9 + 2 * 9); }},
      {"deposit_particle",
       [](const Mesh &mesh) { return size(mesh.cells) * (8 * (2 + 1 + 2) + 4 * 4) + size(mesh.nodes) * 8 * 2 * 3; }},
      {"dirichlet_penalty", [](const Mesh &mesh) { return size(mesh.border) * (4 + 8 + 4 + 2 * 2 * 8); }},
  };
  for (const Known &known : all) {
    const auto one = std::find_if(all_cases().begin(), all_cases().end(),
                                  [&](const Registered &r) { return std::string(r.name) == known.name; });
    ASSERT_NE(all_cases().end(), one) << known.name;
    Mesh mesh(GetParam(), cells, true, 1);
    one->body(mesh);
    EXPECT_EQ(known.bytes(mesh), mesh.outcome().bytes) << known.name;
  }
}

const auto name_of_mesh = [](const auto &info) { return std::string(name_of(info.param)); };
INSTANTIATE_TEST_SUITE_P(Meshes, Collection, testing::Values(Kind::rows), name_of_mesh);
INSTANTIATE_TEST_SUITE_P(Full, Collection, testing::Values(Kind::tetrahedra, Kind::shuffled), name_of_mesh);

} // namespace

// SPDX-License-Identifier: MIT
