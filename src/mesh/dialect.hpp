// What a program relies on beyond the public promises; nothing at first. compat/op2_program.hpp says which programs do.
#pragma once

#include <functional>
#include <string>

namespace op2::core {

struct Dialect {
  // The program reads dat->data, in the order of its declarations.
  bool reads_rows_in_place = false;
  // A kernel may leave components of an OP_WRITE argument unwritten.
  bool writes_in_part = false;
  // Without maps, automatic mode means Declare::local.
  bool declares_parts = false;
  // Dats may differ between processes that each declare the whole mesh (memory never set): process 0's rows count.
  bool declares_unset_rows = false;
  // The program relies on rows, numbers and maps of its part as declared, until a partition moves rows.
  bool keeps_parts = false;
  // Element numbers in kernels are local row numbers, where each process declared its own part.
  bool counts_rows = false;
  // The program reads halo rows once the mesh is divided, before any loop.
  bool reads_copies = false;
  // The program reads addresses of rows and entries in an op_arg before a loop.
  bool reads_arguments = false;
  // The program may free the table of a map and store another one in the map's head.
  bool replaces_tables = false;
  // Temporary dats may share a name if their sets, dims or types differ.
  bool repeats_names = false;

  std::function<void(const std::string &)> warn = [](const std::string &) {}; // receives likely mistakes
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
