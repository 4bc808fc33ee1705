#include "loop/engine/recorded_constants.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/error.hpp"

namespace op2::core {

namespace {

bool changes(const Constant &known, const void *value, std::size_t bytes) {
  return known.value.size() != bytes || std::memcmp(known.value.data(), value, bytes) != 0;
}

// A variable is declared with fewer bytes than before: those behind them stay as they are while recorded loops run.
bool end_is_lost(const Constant &known, std::size_t bytes) {
  const std::size_t before = known.value.size();
  return bytes < before && std::memcmp(known.value.data() + bytes, static_cast<const char *>(known.variable) + bytes,
                                       before - bytes) != 0;
}

// Puts a value into a variable for as long as it lives.
class TemporaryValue {
 public:
  TemporaryValue(void *variable, std::span<const char> value) : variable_(static_cast<char *>(variable)) {
    kept_.assign(variable_, variable_ + value.size());
    std::ranges::copy(value, variable_);
  }
  ~TemporaryValue() { std::ranges::copy(kept_, variable_); }
  TemporaryValue(const TemporaryValue &) = delete;
  TemporaryValue &operator=(const TemporaryValue &) = delete;

 private:
  char *variable_;
  std::vector<char> kept_;
};

void need_variable(const Mesh &mesh, const Recorder &recorded, const char *constant, const void *variable,
                   std::size_t bytes) {
  if (!constant || !variable || bytes == 0) return; // the declaration will tell
  const auto own = std::ranges::find_if(
      recorded.calls(), [](const ChainCall &recorded) { return recorded.loop->prepared().may_run_as_compiled(); });
  if (own == recorded.calls().end()) return;
  const std::string label = constant_label(constant);
  const auto is_lost = [&](const Constant &known) { // what the code reads
    if (known.name != label || !changes(known, variable, bytes)) return false;
    return known.variable == variable ? end_is_lost(known, bytes) : !may_be_variable(variable, label);
  };
  if (std::ranges::any_of(mesh.objects().constants(), is_lost))
    fail(
        OP_ERR_STATE, "constant '", label, "' changes inside a chain, in which loop '", own->loop->name(),
        "' is recorded and may run as compiled with the program, and is declared with fewer values or from memory that "
        "is not the variable; end the chain before, or pass the address of the variable");
}

// Several processes decide together: their loops may have other forms.
void need_known_variable(Mesh &mesh, const Recorder &recorded, const char *constant, const void *variable,
                         std::size_t bytes) {
  if (recorded.empty() || !mesh.several()) return need_variable(mesh, recorded, constant, variable, bytes);
  mesh.agreement().together("a constant inside a chain", [&] {
    need_variable(mesh, recorded, constant, variable, bytes);
    return 0;
  });
}

} // namespace

void run_before_constant(Mesh &mesh, const Recorder &recorded, const char *constant, const void *variable,
                         std::size_t bytes, const std::function<void()> &flush) {
  need_known_variable(mesh, recorded, constant, variable, bytes);
  if (recorded.empty() || !constant || !variable) return;
  const std::string label = constant_label(constant);
  for (const Constant &known : mesh.objects().constants()) {
    if (known.name != label || known.variable != variable) continue;
    if (!changes(known, variable, bytes)) return;
    const std::vector<char> before = known.value;
    const std::span<const char> declared = std::span(before).first(std::min(bytes, before.size()));
    // The program has changed the variable, so it can be written.
    const TemporaryValue value(const_cast<void *>(variable), declared);
    return flush();
  }
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
