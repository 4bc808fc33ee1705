// Names of procedures and variables in Fortran as compilers write them into symbols, whichever compilers are here.
#include <gtest/gtest.h>

#include <cfenv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "host/symbols.hpp"
#include "jit/fortran/fortran.hpp"

// What flang makes of a module `naming` with a subroutine `scaled` and an array `factors`.
extern "C" {
void flang_procedure(double *x) asm("_QMnamingPscaled");
extern double flang_variable[3] asm("_QMnamingEfactors");
void flang_procedure(double *x) { *x *= flang_variable[1]; }
double flang_variable[3] = {1, 2, 3};
}

namespace {

using namespace op2::core;
using namespace op2::core::jit;

// "module procedure", or "" where it is no name of a kernel.
std::string read(const std::string &symbol) {
  const auto name = fortran::kernel_name(symbol);
  return name ? name->module + " " + name->procedure : "";
}

TEST(FortranNames, AreReadFromSymbolsOfSeveralCompilers) {
  EXPECT_EQ(read("__air_flow_MOD_res_calc"), "air_flow res_calc"); // gfortran
  EXPECT_EQ(read("_QMair_flowPres_calc"), "air_flow res_calc");    // flang
  EXPECT_EQ(read("air_flow_mp_res_calc_"), "air_flow res_calc");   // Intel
  EXPECT_EQ(read("res_calc_"), " res_calc");                       // external procedures
  EXPECT_EQ(read("_QPres_calc"), " res_calc");
}

TEST(FortranNames, OfInternalProceduresAreNone) {
  EXPECT_EQ(read("inner.0"), "");
  EXPECT_EQ(read("_QMmFouterPinner"), "");
  EXPECT_EQ(read("_QFmainPinner"), ""); // of a main program
  EXPECT_EQ(read("_QMmSpartPk"), "");   // of a submodule
  EXPECT_EQ(read(""), "");
}

TEST(FortranNames, OfVariablesAreThoseOfAllCompilers) {
  const std::vector<std::string> known = {"__m_MOD_q", "_QMmEq", "m_mp_q_"};
  EXPECT_EQ(fortran::variable_symbols("__m_MOD_q"), known);
}

TEST(FortranNames, AreFoundInTheProgramAsFlangWritesThem) {
  EXPECT_EQ(function_symbol(reinterpret_cast<const void *>(&flang_procedure)), "_QMnamingPscaled");
  VariablePlace place;
  for (const std::string &symbol : fortran::variable_symbols("__naming_MOD_factors"))
    if (!place.address) place = variable_place(reinterpret_cast<const void *>(&flang_procedure), symbol);
  EXPECT_EQ(place.address, flang_variable);
  EXPECT_GE(place.bytes, sizeof flang_variable); // sanitizers put room behind variables
}

// The text of a kernel that flang has compiled is that of the module and procedure in its symbol.
TEST(FortranNames, LeadToTheTextOfAKernel) {
  fortran::Project project;
  project.add({{{"naming.f90",
                 "module naming\nreal(8) :: factors(3)\ncontains\nsubroutine scaled(x)\nreal(8), intent(inout) :: x\n"
                 "x = x * factors(2)\nend subroutine\nend module\n"}}});
  const std::string symbol = function_symbol(reinterpret_cast<const void *>(&flang_procedure));
  const KernelText text = fortran::fortran_kernel(symbol, project);
  EXPECT_EQ(text.kernel.name, "scaled");
  ASSERT_EQ(text.variables.size(), 1u);
  EXPECT_EQ(fortran::variable_symbols(text.variables[0].symbol).at(1), "_QMnamingEfactors");
}

// A program in Fortran says at its end which floating-point exceptions there were: those of its own.
TEST(FortranNames, AndTextsAreReadWithoutFloatingPointExceptions) {
  const std::string sources = OP2_SOURCE_FOLDER "/tests/unit/jit/fortran";
  fortran::Project project;
  for (const char *const name : {"/constants.f90", "/collection.F90"}) {
    std::ifstream in(sources + name);
    project.add({{{sources + name, {std::istreambuf_iterator<char>(in), {}}}}});
  }
  std::feclearexcept(FE_ALL_EXCEPT);
  for (const char *const symbol : {"__collection_MOD_masks", "__collection_MOD_powers", "__collection_MOD_smoothed"})
    EXPECT_NO_THROW(fortran::fortran_kernel(symbol, project)) << symbol;
  EXPECT_EQ(0, std::fetestexcept(FE_ALL_EXCEPT));
}

} // namespace

// SPDX-License-Identifier: MIT
