// Included files of Fortran: each unit has its own, as its compiler found them.
#include <gtest/gtest.h>

#include <string>

#include "jit/fortran/fortran.hpp"

namespace {

using namespace op2::core;
using namespace op2::core::jit;

TEST(FortranUnits, AnIncludeTooDeepIsNotCalledMissing) {
  FortranUnit unit{{{"src/k.f90", "subroutine k(x)\nimplicit none\ninclude '1.inc'\nx = 1\nend subroutine\n"}}};
  for (int n = 1; n <= 20; ++n)
    unit.files.push_back({"src/" + std::to_string(n) + ".inc",
                          n == 20 ? "real(8) :: x\n" : "include '" + std::to_string(n + 1) + ".inc'\n"});
  fortran::Project project;
  project.add(unit);
  try {
    fortran::fortran_kernel("k_", project);
    FAIL() << "a chain of 20 files was followed";
  } catch (const Refusal &refusal) {
    EXPECT_STREQ(refusal.what(),
                 "src/k.f90:1: 'x', of which nothing is known; the included file '17.inc' is more than "
                 "16 files deep");
  }
}

// Each unit has its own: another one may have another text under the same name.
TEST(FortranUnits, IncludeWhatTheirCompilerFound) {
  fortran::Project project;
  for (const char *const name : {"one", "two"})
    project.add(
        {{{"src/" + std::string(name) + ".f90",
           "subroutine " + std::string(name) + "(x)\ninclude '../inc/body.inc'\nend subroutine\n"},
          {"inc/body.inc", "real(8) :: x\nx = " + std::string(name == std::string("one") ? "1" : "2") + "\n"}}});
  for (const auto &[symbol, value] : {std::pair("one_", "1"), std::pair("two_", "2")}) {
    const std::string body = spell(fortran::fortran_kernel(symbol, project).kernel.body);
    EXPECT_NE(body.find(value), std::string::npos) << body;
  }
}

} // namespace

// SPDX-License-Identifier: MIT
