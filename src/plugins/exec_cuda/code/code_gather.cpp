// The text of loops whose increments are gathered: the loop stores them, component by component, so that neighbouring
// threads store with unit stride; another kernel has a thread for each row that they reach.
#include "code/code_parts.hpp"

namespace op2::exec_cuda {

void CodeParts::write_increments(int i) {
  const int dim = arg(i).dim;
  for (int j = 0; j < pointers(i); ++j) {
    const int column = columns_of_[static_cast<size_t>(i)][static_cast<size_t>(j)];
    const int group = group_of(i);
    out_.line("for (int j = 0; j < ", dim, "; ++j) ((", type(i), " *)op2_at(p.scratch", group, "))[(", column * dim,
              " + j) * p.places + (n - p.gather_begin)] = a", i, "[", j * dim, " + j];");
  }
}

// A row starts from what it has and takes its increments in the order of the list: the bits of scalar code that adds
// once.
void CodeParts::write_gather(size_t g) {
  const int i = params_.groups[g].arg, dim = arg(i).dim, dat = dat_of_[static_cast<size_t>(i)];
  out_.open("struct alignas(16) op2_gather_params", g, " ");
  out_.line("const int *rows, *offset, *entries;");
  out_.line("const char *scratch;");
  out_.line("char *base;");
  out_.line("long long step", dat, ", places;");
  out_.line("int count, reserved;");
  out_.close(";");
  out_.line("static_assert(sizeof(op2_gather_params", g, ") == ", sizeof(GatherParams),
            ", \"as the host fills it in\");");
  out_.open("OP2_KERNEL_INDEPENDENT(", gather_entry, g, ", op2_gather_params", g, ") ");
  out_.line("const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;");
  out_.line("if (at >= (unsigned)p.count) return;");
  out_.line("char *const base", dat, " = op2_at(p.base);");
  out_.line("const ", type(i), " *const scratch = (const ", type(i), " *)op2_at(p.scratch);");
  out_.line("const int *const entries = op2_at(p.entries);");
  out_.line("const int target = op2_at(p.rows)[at];");
  out_.line("const int first = op2_at(p.offset)[at], last = op2_at(p.offset)[at + 1];");
  named_.clear();
  const Row to = row_at(i, "target");
  out_.line(type(i), " a[", dim, "];");
  load(i, to, "a");
  out_.open("for (int e = first; e < last; ++e) ");
  out_.line("const int entry = entries[e];");
  const int columns = params_.groups[g].columns;
  out_.line("const ", type(i), " *const from = scratch + (long long)(entry % ", columns, ") * ", dim,
            " * p.places + entry / ", columns, ";");
  out_.line("for (int j = 0; j < ", dim, "; ++j) a[j] = a[j] + from[j * p.places];");
  out_.close();
  if (to.step.empty())
    out_.line("op2c::store_row<", dim, ">(a, ", to.address, ");");
  else
    out_.line("for (int j = 0; j < ", dim, "; ++j) ", value(to, i, "j"), " = a[j];");
  out_.close();
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
