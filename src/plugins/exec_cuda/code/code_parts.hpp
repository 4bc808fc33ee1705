// Writes the text of one loop: the kernel's access to each argument, and struct op2_params.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "code/code.hpp"
#include "code/code_writer.hpp"
#include "plugins/exec_common/arguments.hpp"

namespace op2::exec_cuda {

using exec_common::round_up, exec_common::row_bytes, exec_common::writes;
const char *scalar_name(op_type_id type); // NULL for types of the program

class CodeParts {
 public:
  CodeParts(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered,
            bool exchanges);

  const op_exec_arg &arg(int i) const { return signature_.args[i]; }
  int nargs() const { return signature_.nargs; }
  Fold fold() const { return fold_; }
  const ParamLayout &params() const { return params_; }
  size_t record_bytes() const { return record_bytes_; }
  bool fuses() const { return fuses_; }

  std::string write();

 private:
  enum class Access {
    in_place, // the kernel accesses the row itself
    copied,   // the kernel accesses a copy in registers; written back if the kernel writes
    shared,   // the same if several pointers may point to one row: they point to one copy
    added     // the kernel adds to zeros, which are then added to the row
  };
  struct Row { // expressions for a row
    std::string address;
    std::string step; // bytes from a component to the next; "" where they are contiguous
  };
  struct Reduced {
    int arg;
    size_t offset; // in the record
    std::string op;
    bool wins = false;  // an extremum with payloads: the text also finds its element
    size_t element = 0; // offset of the element numbers in the result of a block
  };

  // code_parts.cpp: struct op2_params
  void lay_out();
  void add_dat(int i);
  void add_table(int i);
  void add_global(int i, size_t &by_value);
  void add_reduced();
  void add_stage();
  void add_gather();
  int group_of(int i); // of the dat of argument i, new if there is none yet
  size_t member(const std::string &declaration, size_t size, size_t alignment);
  Access access_of(int i) const;
  ptrdiff_t stride(int i) const;
  int pointers(int i) const { return arg(i).kind == OP_RANGE_VECTOR ? arg(i).count : 1; }
  const char *type(int i) const { return scalar_name(arg(i).type); }
  bool split(int i) const; // the components of a row are apart from each other

  // code_winner.cpp: payloads of extrema with Fold::tree
  void add_winners();
  void write_winner_start();
  void write_winner_before();
  void write_winner_after();
  void write_winner_fold(const Reduced &r);
  void write_winner_store(const std::string &record, bool of_blocks);

  // code_gather.cpp
  void write_increments(int i);
  void write_gather(size_t group);

  // code.cpp: the text
  void write_params();
  void write_kernel();
  void write_names();
  void write_fused();
  void write_tree_start();
  void write_tree_end();
  void write_threads();
  void write_staged();
  void write_staged_chunk();
  void write_element();
  void write_rows(int i);
  void write_shared_copies(int i);
  void load(int i, const Row &from, const std::string &to);
  void write_zeros(int i);
  void write_stage_adds();
  void write_argument(int i);
  void write_back(int i);
  void write_staged_rows(size_t group);
  std::string call_argument(int i) const;
  std::string row_number(int i, int j);
  Row row(int i, int j);
  Row row_at(int i, const std::string &number);
  std::string value(const Row &row, int i, const std::string &component) const;

  const op_exec_text &kernel_;
  const op_exec_signature &signature_;
  Method method_;
  Fold fold_;
  bool fuses_;
  ParamLayout params_;
  std::vector<std::string> members_; // declarations of struct op2_params
  std::vector<Access> access_;
  std::vector<int> dat_of_, table_of_, global_of_; // by argument: position in params_, -1 none
  std::vector<std::vector<int>> columns_of_;       // by argument: positions in params_.columns of its pointers
  std::vector<Reduced> reduced_;
  std::vector<Reduced> payloads_; // with Fold::tree; else in reduced_
  size_t record_bytes_ = 0;
  std::map<std::string, std::string> named_; // expressions of the current element that have a name
  struct SharedCopy {
    std::string row, name; // number of the row; name of its copy
  };
  std::vector<std::vector<SharedCopy>> shared_; // of the current element, by dat
  CodeWriter out_;
};

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
