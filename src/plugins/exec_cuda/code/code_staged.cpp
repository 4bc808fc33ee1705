// The text of loops whose blocks add up in shared memory. A block of the plan is a block of threads; its elements lie
// in the order of their colours, so that the threads of a warp mostly have one colour. The rows that a block adds to
// have numbers of 16 bits in it. In shared memory they lie component by component, at a pitch with which neither
// threads that add to neighbouring rows nor those that carry rows away meet in a bank.
#include "code/code_parts.hpp"

namespace op2::exec_cuda {

void CodeParts::write_stage_adds() {
  out_.line("const int colour = mine ? colours[place] : -1;");
  out_.open("for (int c = 0; c < block_colours; ++c) ");
  out_.open("if (colour == c) ");
  for (int i = 0; i < nargs(); ++i) {
    if (access_[static_cast<size_t>(i)] != Access::added) continue;
    for (int j = 0; j < pointers(i); ++j) {
      const int column = columns_of_[static_cast<size_t>(i)][static_cast<size_t>(j)];
      const int group = params_.columns[static_cast<size_t>(column)].group, dim = arg(i).dim;
      out_.line("for (int j = 0; j < ", dim, "; ++j) op2_add(&h", group, "[j * p", group, " + local[", column,
                " * p.places + place]], a", i, "[", j * dim, " + j]);");
    }
  }
  out_.close();
  out_.line("__syncthreads();");
  out_.close();
}

// One element for each thread of the block.
void CodeParts::write_staged_chunk() {
  out_.open("for (int chunk = 0; chunk < count; chunk += (int)blockDim.x) ");
  out_.line("const bool mine = chunk + (int)threadIdx.x < count;");
  out_.line("const int place = first - p.stage_begin + chunk + (int)threadIdx.x;");
  for (int i = 0; i < nargs(); ++i)
    if (access_[static_cast<size_t>(i)] == Access::added) write_zeros(i);
  out_.open("if (mine) ");
  out_.line("const int n = elements[place];");
  write_element();
  out_.close();
  write_stage_adds();
  out_.close();
}

// What a block has goes to the rows: neighbouring threads take values of unit stride.
void CodeParts::write_staged_rows(size_t g) {
  const int i = params_.groups[g].arg, dim = arg(i).dim;
  const char *const add = method_ == Method::staged ? "op2_add" : "op2_atomic_add";
  named_.clear();
  out_.open("for (int j = (int)threadIdx.x; j < r", g, " * ", dim, "; j += (int)blockDim.x) ");
  if (split(i)) {
    out_.line("const int u = j % r", g, ", d = j / r", g, ";");
  } else {
    out_.line("const int u = j / ", dim, ", d = j % ", dim, ";");
  }
  out_.line("const int target = rows[u", g, " + u];");
  out_.line(add, "(&", value(row_at(i, "target"), i, "d"), ", h", g, "[d * p", g, " + u]);");
  out_.close();
}

void CodeParts::write_staged() {
  const size_t ngroups = params_.groups.size();
  if (fold_ == Fold::tree) write_tree_start();
  out_.line("const int block = order[(unsigned)p.begin + blockIdx.x];");
  out_.line("const int first = op2_at(p.block_offset)[block], count = op2_at(p.block_offset)[block + 1] - first;");
  out_.line("const int block_colours = op2_at(p.block_colours)[block];");
  out_.line("const int *const rows_offset = op2_at(p.rows_offset) + (long long)block * ", ngroups, ";");
  out_.line("const int *const rows = op2_at(p.rows), *const elements = op2_at(p.elements);");
  out_.line("const unsigned short *const local = op2_at(p.local), *const colours = op2_at(p.colours);");
  out_.line("char *shared = op2_shared();");
  for (size_t g = 0; g < ngroups; ++g) {
    const int i = params_.groups[g].arg, dim = arg(i).dim;
    const StagePitch pitch = stage_pitch(dim, arg(i).type_size);
    out_.line("const int u", g, " = rows_offset[", g, "], r", g, " = rows_offset[", g + 1, "] - u", g, ";");
    out_.line("const int p", g, " = r", g, " + ((", pitch.apart, " - r", g, ") & ", pitch.banks - 1, ");");
    out_.line(type(i), " *const h", g, " = (", type(i), " *)shared;");
    out_.line("shared += (p", g, " * ", dim * arg(i).type_size, " + 15) / 16 * 16;");
    out_.line("for (int j = (int)threadIdx.x; j < p", g, " * ", dim, "; j += (int)blockDim.x) h", g,
              "[j] = op2c::nothing<", type(i), ">;");
  }
  out_.line("__syncthreads();");
  write_staged_chunk();
  for (size_t g = 0; g < ngroups; ++g) write_staged_rows(g);
  if (fold_ == Fold::tree) out_.line("__syncthreads();"); // which takes the same memory
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
