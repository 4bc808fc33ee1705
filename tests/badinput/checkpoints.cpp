// checkpoints.cpp: bad input for checkpoint.h. What stands in files is looked at by tests/io; here no driver is needed.
#include <limits>

#include "op2/checkpoint.h"
#include "refuse.hpp"

namespace badinput {

namespace {

const char *const no_file = "badinput_must_not_exist";
int number = 0, found = 0;

struct Named {
  const char *function, *parameter, *words;
  Result (*call)(const char *name);
};

constexpr Named named[] = {
    {"op_checkpoint", "file", "the name of the file is ", [](const char *n) -> Result { return op_checkpoint(n); }},
    {"op_restart", "file", "the name of the file is ", [](const char *n) -> Result { return op_restart(n); }},
    {"op_checkpoint_if_due", "stem", "the stem is ",
     [](const char *n) -> Result { return op_checkpoint_if_due(n, 1e6, 1); }},
    {"op_restart_latest", "stem", "the stem is ", [](const char *n) -> Result { return op_restart_latest(n, &found); }},
};

void add_values(std::vector<Wrong> &rows) {
  const auto add = [&](const char *parameter, const char *value, op_status status, std::vector<std::string> words,
                       std::function<Result()> call) {
    rows.push_back({"op_checkpoint_value", parameter, value, status, std::move(words), std::move(call)});
  };
  add("name", "NULL", OP_ERR_ARGUMENT, {"the name of the value is NULL"},
      CALL(op_checkpoint_value(nullptr, "int", 1, &number)));
  add("name", "empty", OP_ERR_ARGUMENT, {"the name of the value is empty"},
      CALL(op_checkpoint_value("", "int", 1, &number)));
  add("type", "NULL", OP_ERR_TYPE, {"value 'new'", "NULL"}, CALL(op_checkpoint_value("new", nullptr, 1, &number)));
  add("type", "unknown", OP_ERR_TYPE, {"value 'new'", "dubble"},
      CALL(op_checkpoint_value("new", "dubble", 1, &number)));
  add("count", "0", OP_ERR_DIM, {"'new' is 0"}, CALL(op_checkpoint_value("new", "int", 0, &number)));
  add("count", "-1", OP_ERR_DIM, {"'new' is -1"}, CALL(op_checkpoint_value("new", "int", -1, &number)));
  add("address", "NULL: forgets the name", OP_OK, {}, CALL(op_checkpoint_value("new", "int", 1, nullptr)));
}

void add_times(std::vector<Wrong> &rows) {
  for (const double seconds : {-1.0, std::numeric_limits<double>::quiet_NaN()})
    rows.push_back(
        {"op_checkpoint_if_due", "seconds", std::to_string(seconds), OP_ERR_ARGUMENT, {"the seconds"}, [seconds] {
           return op_checkpoint_if_due(no_file, seconds, 1);
         }});
  for (const int keep : {0, -1})
    rows.push_back({"op_checkpoint_if_due", "keep", std::to_string(keep), OP_ERR_ARGUMENT, {"keep is "}, [keep] {
                      return op_checkpoint_if_due(no_file, 1e6, keep);
                    }});
  rows.push_back({"op_restart_latest",
                  "found",
                  "NULL",
                  OP_ERR_ARGUMENT,
                  {"the place for found is NULL"},
                  CALL(op_restart_latest(no_file, nullptr))});
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows;
  for (const Named &n : named) {
    rows.push_back(
        {n.function, n.parameter, "NULL", OP_ERR_ARGUMENT, {n.words, "NULL"}, [n] { return n.call(nullptr); }});
    rows.push_back({n.function, n.parameter, "empty", OP_ERR_ARGUMENT, {n.words, "empty"}, [n] { return n.call(""); }});
  }
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}}) {
    const Named &file = named[n];
    rows.push_back(
        {file.function, "file", "a folder", OP_ERR_FILE, {"file '/'", "a folder"}, [file] { return file.call("/"); }});
    rows.push_back({file.function, "file", "no folder", OP_ERR_FILE, {"/no/such/folder", "such file"}, [file] {
                      return file.call("/no/such/folder/f");
                    }});
  }
  rows.push_back({"op_restart",
                  "file",
                  "absent",
                  OP_ERR_FILE,
                  {"there is no such file"},
                  CALL(op_restart("badinput_must_not_exist"))});
  add_values(rows);
  add_times(rows);
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_checkpoints() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

} // namespace badinput

// SPDX-License-Identifier: MIT
