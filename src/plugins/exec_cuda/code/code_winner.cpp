// code_winner.cpp: payloads of extrema. Threads fold values together with the numbers of their elements, lowest number
// first among equals; the thread whose element has won then stores the payload, which itself goes from thread to thread
// nowhere.
#include "code/code_parts.hpp"

namespace op2::exec_cuda {

// Behind the record of a block: for each component of such an extremum the number of the element, -1 none.
void CodeParts::add_winners() {
  for (const Reduced &payload : payloads_)
    for (Reduced &r : reduced_) r.wins = r.wins || r.arg == arg(payload.arg).payload_of;
  for (Reduced &r : reduced_) {
    if (!r.wins) continue;
    r.element = record_bytes_;
    record_bytes_ += (sizeof(int) * static_cast<size_t>(arg(r.arg).dim) + 15) / 16 * 16;
  }
}

void CodeParts::write_winner_start() {
  for (const Reduced &payload : payloads_) {
    const op_exec_arg &a = arg(payload.arg);
    const std::string name = words("w", payload.arg);
    if (type(payload.arg))
      out_.line(type(payload.arg), " ", name, "[", a.dim, "] = {};");
    else
      out_.line("alignas(16) char ", name, "[", a.dim * a.type_size, "] = {};");
  }
  for (const Reduced &r : reduced_) { // m: of this thread, q: of all, b: the block it is from
    if (!r.wins) continue;
    const int i = r.arg, dim = arg(i).dim;
    out_.line("int m", i, "[", dim, "], q", i, "[", dim, "], b", i, "[", dim, "] = {};");
    out_.line("for (int j = 0; j < ", dim, "; ++j) m", i, "[j] = -1;");
  }
}

void CodeParts::write_winner_before() {
  for (const Reduced &r : reduced_)
    if (r.wins) {
      out_.line(type(r.arg), " o", r.arg, "[", arg(r.arg).dim, "];");
      out_.line("for (int j = 0; j < ", arg(r.arg).dim, "; ++j) o", r.arg, "[j] = s", r.arg, "[j];");
    }
}

void CodeParts::write_winner_after() {
  for (const Reduced &r : reduced_)
    if (r.wins)
      out_.line("for (int j = 0; j < ", arg(r.arg).dim, "; ++j) if (o", r.arg, "[j] != s", r.arg, "[j]) m", r.arg,
                "[j] = n;");
}

void CodeParts::write_winner_fold(const Reduced &r) {
  out_.line("op2c::fold_winner_block<op2c::", r.op, ", ", arg(r.arg).dim, ">(s", r.arg, ", m", r.arg, ", q", r.arg,
            ");");
}

// All threads get here. of_blocks: the payload is in the record of the block that has won.
void CodeParts::write_winner_store(const std::string &record, bool of_blocks) {
  if (payloads_.empty()) return;
  for (const Reduced &payload : payloads_) {
    const op_exec_arg &a = arg(payload.arg);
    const int dim = arg(a.payload_of).dim, share = a.dim * a.type_size / dim;
    const std::string from =
        of_blocks ? words("records + (long long)b", a.payload_of, "[j] * ", record_bytes_, " + ", payload.offset)
                  : words("(const char *)w", payload.arg);
    out_.line("for (int j = 0; j < ", dim, "; ++j) if (m", a.payload_of, "[j] >= 0 && m", a.payload_of, "[j] == q",
              a.payload_of, "[j]) op2c::store_share<", share, ">(", record, " + ", payload.offset, " + j * ", share,
              ", ", from, " + j * ", share, ");");
  }
  if (of_blocks) return;
  for (const Reduced &r : reduced_)
    if (r.wins)
      out_.line("if (threadIdx.x == 0) op2c::store_record<", arg(r.arg).dim, ">(q", r.arg, ", ", record, " + ",
                r.element, ");");
  out_.line("__threadfence();"); // the last block reads what all threads of this one have stored
  out_.line("__syncthreads();");
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
