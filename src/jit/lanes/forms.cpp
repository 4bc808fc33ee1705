// forms.cpp: see forms.hpp.
#include "jit/lanes/forms.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "jit/lanes/analysis.hpp"

namespace op2::core::jit {

Instance &Forms::form(const Function &function, const std::vector<bool> &varying, bool masked) {
  for (const auto &instance : made_)
    if (instance->source == &function && instance->varying == varying && instance->masked == masked) return *instance;
  return make(function, varying, masked, false);
}

Instance &Forms::kernel(const std::vector<bool> &varying) {
  for (std::size_t i = 0; i < varying.size(); ++i) {
    const Parameter &parameter = text_.kernel.parameters[i];
    // The rows of an array of arrays are rows of a loop.
    const bool arrays = std::any_of(parameter.type.begin(), parameter.type.end(), [](auto &t) { return t.is("("); });
    if ((varying[i] && parameter.scalar == Scalar::boolean) || arrays)
      refuse(text_.kernel, text_.kernel.line,
             text("the parameter '", parameter.name, "' of type '", spell(parameter.type), "'"));
  }
  return make(text_.kernel, varying, false, true);
}

Instance &Forms::make(const Function &function, const std::vector<bool> &varying, bool masked, bool fix_others) {
  auto instance = std::make_unique<Instance>();
  instance->source = &function;
  instance->varying = varying;
  instance->masked = masked;
  instance->definition = parse(function, globals_);
  for (std::size_t i = 0; i < varying.size(); ++i) {
    const Parameter &parameter = function.parameters[i];
    const Scalar scalar = instance->definition.parameters[i]->type.scalar;
    if (varying[i] && (scalar == Scalar::other || scalar == Scalar::none))
      refuse(function, function.line,
             text("the parameter '", parameter.name, "' of type '", spell(parameter.type), "'"));
    instance->definition.parameters[i]->varying = varying[i];
    instance->definition.parameters[i]->fixed = fix_others && !varying[i];
  }
  const auto number = std::count_if(made_.begin(), made_.end(), [&](const auto &m) { return m->source == &function; });
  instance->name = &function == &text_.kernel ? "op2_kernel" : function.name;
  if (number > 0) instance->name += text("_op2_", number + 1);
  Analysis(*instance, *this).run();
  made_.push_back(std::move(instance));
  return *made_.back();
}

} // namespace op2::core::jit

// SPDX-License-Identifier: MIT
