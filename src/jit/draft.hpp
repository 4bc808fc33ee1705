// What is known of a loop's code before it runs.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "jit/code/code_store.hpp"
#include "jit/loop/loop_code.hpp"

namespace op2::core::jit {

// What the text of a loop's code was made of; other forms are made of it.
struct DraftSource {
  KernelText kernel;
  LoopShape shape;
  int vector_bytes;
};

// The text of a loop's code, before it is compiled.
struct Draft {
  std::string loop;
  LoopCode code;                             // without its text if the draft was recalled
  std::string identity;                      // of the text
  std::string from;                          // where the kernel is: "kernels.f90:12"; "" if the program gave it
  std::shared_ptr<const DraftSource> source; // NULL = there is no code, or the draft was recalled
  std::vector<std::string> constants;        // that the code reads
  std::vector<const void *> values;          // of these constants
  std::shared_ptr<Pending> pending;          // NULL = compilation has not begun
  std::string why;                           // why there is no code; "" = there is
  bool warns = false;                        // `why` deserves a warning
  std::string key;                           // by which later runs find it; "" = they do not
};

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
