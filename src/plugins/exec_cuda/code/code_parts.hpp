// One loop as its text is written: what each argument is to the kernel, and struct op2_params.
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
  CodeParts(const op_exec_text &kernel, const op_exec_signature &signature, Method method, bool ordered);

  const op_exec_arg &arg(int i) const { return signature_.args[i]; }
  int nargs() const { return signature_.nargs; }
  Fold fold() const { return fold_; }
  const ParamLayout &params() const { return params_; }
  size_t record_bytes() const { return record_bytes_; }

  std::string write();

 private:
  enum class Access {
    in_place, // the kernel gets the row itself
    copied,   // a copy in registers, which goes back afterwards if the kernel writes
    shared,   // the same where several pointers may lead to one row: they then lead to one copy
    added     // values to add to, which are then added to the row
  };
  struct Row { // where a row is found
    std::string address;
    std::string step; // bytes from a component to the next; "" where they are contiguous
  };
  struct Reduced {
    int arg;
    size_t offset; // in the record
    std::string op;
    bool wins = false;  // an extremum with payloads, whose element counts
    size_t element = 0; // where the numbers of its elements lie in what a block leaves behind
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
  const op_range_layout *layout(int i) const;

  // code_winner.cpp: payloads of extrema that are found in a tree
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
  ParamLayout params_;
  std::vector<std::string> members_; // declarations of struct op2_params
  std::vector<Access> access_;
  std::vector<int> dat_of_, table_of_, global_of_; // by argument: position in params_, -1 none
  std::vector<std::vector<int>> columns_of_;       // by argument: positions in params_.columns of its pointers
  std::vector<Reduced> reduced_;
  std::vector<Reduced> payloads_; // with Fold::tree; else they are among the others
  size_t record_bytes_ = 0;
  std::map<std::string, std::string> named_; // expressions of this element that have a name already
  struct SharedCopy {
    std::string row, name; // number of the row; where its copy is
  };
  std::vector<std::vector<SharedCopy>> shared_; // of this element, by dat
  CodeWriter out_;
};

} // namespace op2::exec_cuda
