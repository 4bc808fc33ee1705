// The small mesh of these tests.
#include "support.hpp"

#include <numeric>

namespace check_test {

constexpr int call_lines = 4; // the most that a call of these tests takes

void Ring::start(const std::vector<std::string> &settings) {
  ASSERT_EQ(OP_OK, op_exit());
  op_set_error_handler(op_error_return, nullptr);
  op_clear_error();
  std::vector<std::string> words = settings;
  words.insert(words.begin(), "test");
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  op_init_params params = OP_INIT_PARAMS;
  params.argc = static_cast<int>(argv.size());
  params.argv = argv.data();
  params.backend = "check";
  if (op_init_with(&params) != OP_OK) return; // the test looks at why
  cells = op_decl_set(size, "cells");
  edges = op_decl_set(size, "edges");
  std::vector<int> table;
  for (int e = 0; e < size; ++e) table.insert(table.end(), {e, (e + 1) % size});
  ends = op_decl_map(edges, cells, 2, table.data(), "ends");
  ASSERT_NE(nullptr, ends) << op_last_error();
}

op_dat Ring::cell_dat(int dim, const char *name, double first) const {
  std::vector<double> data(static_cast<std::size_t>(size * dim));
  std::iota(data.begin(), data.end(), first);
  return op_decl_dat(cells, dim, "double", data.data(), name);
}

std::vector<double> Ring::values(op_dat dat) const {
  std::vector<double> out(static_cast<std::size_t>(size * op_dat_dim(dat)));
  EXPECT_EQ(OP_OK, op_fetch_data(dat, out.data())) << op_last_error();
  return out;
}

void expect_finding(op_status status, const char *file, int line, const std::string &kind,
                    const std::vector<std::string> &words) {
  const std::string message = op_last_error();
  ASSERT_STREQ("OP_ERR_CHECK", op_status_name(status)) << "line " << line << ": " << message;
  std::vector<std::string> all = words;
  all.push_back("[check: " + kind + "]");
  all.push_back("loop '");
  // The place of the call. Compilers disagree about the line of a call that takes several.
  bool placed = false;
  for (int at = line; at < line + call_lines; ++at)
    placed = placed || message.find(std::string("[") + file + ":" + std::to_string(at) + "]") != std::string::npos;
  EXPECT_TRUE(placed) << file << ":" << line << " is not in: " << message;
  for (const std::string &word : all)
    EXPECT_NE(std::string::npos, message.find(word)) << "'" << word << "' is not in: " << message;
}

} // namespace check_test

// SPDX-License-Identifier: MIT
