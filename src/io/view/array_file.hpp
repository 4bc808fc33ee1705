// A new file with named arrays, groups and marks: what views and lines are written as.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "io/files.hpp"

namespace op2::core {

// Writes rows first ... first + rows - 1 of an array; all processes call it equally often.
using PutRows = std::function<void(op_gindex first, op_gindex rows, const void *data)>;

struct ViewArray {
  std::string name; // in the file
  op_gindex rows = 0;
  int dim = 1;
  op_type_id type = OP_TYPE_DOUBLE;
  bool flat = false;                        // one-dimensional
  std::function<void(const PutRows &)> put; // collective
};

// One number, from process 0 of these.
ViewArray one_number(Communicator &communicator, const std::string &name, op_gindex value);

// All calls are collective. Without commit() the file does not appear, and one of that name stays as it was. Throws
// OP_ERR_FILE on all processes.
class ArrayFile {
 public:
  // arrays: all that will be written.
  ArrayFile(Files &files, const std::string &path, std::span<const ViewArray> arrays);

  void group(const std::string &name);
  void mark(const std::string &group, const char *key, std::span<const int> numbers);
  void mark(const std::string &group, const char *key, const char *word);
  void array(const ViewArray &array);
  void commit() { file_.commit(); }

 private:
  Files &files_;
  FileWriter file_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
