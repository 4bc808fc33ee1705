// The five kernels of the airfoil example, as its header has them.
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "jit_lanes_kernels.hpp"

namespace op2_test {

namespace {

std::string function_of(const std::string &header, const std::string &name) {
  const std::size_t begin = header.find("static inline void " + name + "(");
  if (begin == std::string::npos) throw std::runtime_error("no function " + name);
  return header.substr(begin, header.find("\n}\n", begin) + 3 - begin);
}

} // namespace

std::vector<Case> airfoil_cases() {
  std::ifstream in(OP2_SOURCE_FOLDER "/examples/airfoil/airfoil_kernels.h");
  std::stringstream header;
  header << in.rdbuf();
  const std::string names = "double gam; double gm1; double cfl; double eps; double mach; double qinf[4];\n";
  const std::string constants =
      "double gam = 1.4f, gm1 = 1.4f - 1.0, cfl = 0.9f, eps = 0.05f, mach = 0.4f, qinf[4] = {1.0, 0.47, 0.0, 2.61};";
  std::vector<Case> out;
  for (const auto &[name, parameters] :
       std::vector<std::pair<std::string, std::string>>{{"save_soln", "d4 d4"},
                                                        {"adt_calc", "d2 d2 d2 d2 d4 d1"},
                                                        {"res_calc", "d2 d2 d4 d4 d1 d1 d4 d4"},
                                                        {"bres_calc", "d2 d2 d4 d1 d4 i1"},
                                                        {"update", "d4 d4 d4 d1 d1 d1 i1 i1"}})
    out.push_back({name, parameters, names + function_of(header.str(), name), constants, true});
  return out;
}

} // namespace op2_test

// SPDX-License-Identifier: MIT
