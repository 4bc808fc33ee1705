// Code made for an instruction set by a compiler, below the library's own choices.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "jit/code/code_store.hpp"
#include "jit/text/find_kernel.hpp"
#include "jit/unit/unit_text.hpp"

namespace generated {

// An instruction set and a compiler's name.
using Target = std::pair<const char *, const char *>;

inline std::string name_of(const testing::TestParamInfo<Target> &info) {
  std::string name = std::string(info.param.first) + "_" + info.param.second;
  for (char &c : name)
    if (c == '+') c = 'x';
  return name;
}

// The store for a target; null, with the reason, where there is no such processor or compiler.
inline std::unique_ptr<op2::core::jit::CodeStore> store_for(const Target &target, const op2::core::Log &log,
                                                            std::string &reason) {
  op2::core::Settings settings = op2::core::Settings::load(0, nullptr);
  settings.set("OP2_JIT_ISA", target.first, "test");
  settings.set("OP2_CXX", target.second, "test");
  try {
    auto store = std::make_unique<op2::core::jit::CodeStore>(settings, log);
    if (store->compiler().found()) return store;
    reason = store->compiler().missing();
  } catch (const std::exception &error) {
    reason = error.what();
  }
  return nullptr;
}

// In a text that a program gives.
inline op2::core::jit::KernelText kernel_of(const std::string &name, const std::string &text,
                                            const std::vector<op2::core::jit::DeclaredConstant> &constants = {}) {
  const op2::core::jit::Preprocessed tokens = op2::core::jit::tokens_of_given(text);
  op2::core::jit::KernelRequest request;
  request.expression = name;
  request.unit = &tokens;
  request.given = true;
  request.constants = constants;
  return op2::core::jit::find_kernel(request);
}

} // namespace generated

// SPDX-License-Identifier: MIT
