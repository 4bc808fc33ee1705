// damaged_hdf5.cpp: op2_damaged_hdf5 FOLDER COUNT: FOLDER/0.h5 and so on are read or refused with a reason, and what is
// read can be looked at, brought into another order and written.
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "op2/meshfile.h"
#include "op2/op2.h"

namespace {

// 1: read, 0: refused, -1: refused without a reason.
int attempt(const std::string &path, const std::string &out) { // out: "" where it need not be written
  op_mesh mesh = nullptr;
  if (op_mesh_read(path.c_str(), nullptr, &mesh) != OP_OK) {
    const std::string_view message = op_last_error();
    const bool explained = !mesh && message.find(path) != message.npos && message.size() > path.size() + 20;
    if (!explained) std::fprintf(stderr, "%s: no reason: %s\n", path.c_str(), op_last_error());
    return explained ? 0 : -1;
  }
  std::vector<char> text(1 << 16);
  op_mesh_info(mesh, text.data(), text.size());
  op_mesh_check(mesh, text.data(), text.size());
  for (const char *set : {"nodes", "cells", "faces", "bfaces"}) {
    std::vector<int> order;
    for (int i = op_mesh_size(mesh, set); i-- > 0;) order.push_back(i);
    if (!order.empty()) op_mesh_reorder(mesh, set, order.data());
  }
  const bool written = out.empty() || op_mesh_dump(mesh, out.c_str()) == OP_OK;
  if (!written) std::fprintf(stderr, "%s: cannot be written: %s\n", path.c_str(), op_last_error());
  op_mesh_free(mesh);
  return written ? 1 : -1;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const int count = std::stoi(argv[2]);
  const char *arguments[] = {argv[0], "OP2_ERROR=return", "OP2_BACKEND=seq", nullptr};
  op_set_error_handler(op_error_return, nullptr);
  if (op_init(3, const_cast<char **>(arguments), 0) != OP_OK) return 3;
  int read = 0, refused = 0;
  for (int i = 0; i < count; ++i) {
    const std::string path = std::string(argv[1]) + "/" + std::to_string(i) + ".h5";
    const int got = attempt(path, i % 8 == 0 ? std::string(argv[1]) + "/written.h5" : "");
    read += got == 1;
    refused += got == 0;
  }
  op_exit();
  std::printf("%d read, %d refused\n", read, refused);
  return read + refused == count && read > count / 20 && refused > count / 5 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
