#include "loop/form/shared_variables.hpp"

#include <cstring>

namespace op2::core {

SharedVariables::SharedVariables(std::span<const LoopArg> args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (!args[i].shared()) continue;
    const std::size_t component = static_cast<std::size_t>(args[i].element.size);
    variables_.push_back(
        {i, component * static_cast<std::size_t>(args[i].dim), component, args[i].access != OP_WORK, nullptr, {}, {}});
  }
}

void SharedVariables::begin(std::span<const op_arg> args) {
  for (Variable &variable : variables_) {
    variable.own = args[variable.arg].data;
    variable.before.assign(variable.own, variable.bytes);
  }
}

void SharedVariables::give(std::vector<op_range_arg> &ranges, bool own) {
  for (Variable &variable : variables_) {
    if (!own) variable.scratch = variable.before;
    ranges[variable.arg].base = own ? variable.own : variable.scratch.data();
  }
}

void SharedVariables::across(Communicator &communicator, std::span<const op_arg> args) {
  for (const Variable &variable : variables_) {
    if (!variable.kept) continue;
    char *const value = args[variable.arg].data;
    const std::size_t components = variable.bytes / variable.component;
    std::string sent(components, '0'); // which are changed here, then the values
    for (std::size_t i = 0; i < components; ++i)
      if (std::memcmp(value + i * variable.component, variable.before.data() + i * variable.component,
                      variable.component) != 0)
        sent[i] = '1';
    sent.append(value, variable.bytes);
    std::string done(components, '0');
    for (const std::string &theirs : communicator.allgather(sent))
      for (std::size_t i = 0; i < components; ++i) {
        if (theirs[i] != '1' || done[i] == '1') continue;
        std::memcpy(value + i * variable.component, theirs.data() + components + i * variable.component,
                    variable.component);
        done[i] = '1';
      }
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
