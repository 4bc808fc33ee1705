// Where the code of loops comes from. A context has one provider: of generated code for the host, of text for a device,
// or of none, and kernels run as compiled with the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/common.hpp"
#include "loop/form/device_form.hpp"
#include "loop/form/fast_form.hpp"

namespace op2::core {

// The code of one loop and the executor that runs it.
struct LoopCode {
  Executor *executor;
  FastForm fast = {};                           // generated, or why there is none
  std::unique_ptr<DeviceForm> device = nullptr; // text for an executor that compiles itself
  std::string why_on_host = {};                 // though the executor has memory of its own
  std::vector<op_range_layout> layouts = {}; // one per argument, in which it finds the dats; empty: rows are contiguous
};

// Kernels as compiled with the program; base of the others.
class CodeProvider {
 public:
  // in_order: runs loops whose elements share a variable, which take turns. NULL = they do so on `executor` anyway.
  CodeProvider(Executor &executor, Executor *in_order) : executor_(executor), in_order_(in_order) {}
  virtual ~CodeProvider() = default;
  CodeProvider(const CodeProvider &) = delete;
  CodeProvider &operator=(const CodeProvider &) = delete;

  // Before the first call.
  LoopCode first(const LoopCommon &loop, const LoopCall &call) const;
  // In place of outdated code: what was compiled in the background has come, or a constant has got another type or dim.
  virtual LoopCode next(const LoopCommon &loop, const LoopCall &call, LoopCode old, bool constants_changed) const;
  // For the host, since code for the device cannot be had or does something else. Throws OP_ERR_UNSUPPORTED: there is
  // none.
  virtual LoopCode on_host(const LoopCommon &loop, const std::string &why) const;
  // The executor runs nothing without it.
  virtual bool required() const { return false; }

 protected:
  Executor &executor() const { return executor_; }

 private:
  virtual LoopCode shared(const LoopCommon &loop) const; // of a loop whose elements share a variable
  virtual LoopCode make(const LoopCommon &loop, const LoopCall &call) const;

  Executor &executor_;
  Executor *in_order_;
};

// Generated for the host.
class HostCode final : public CodeProvider {
 public:
  HostCode(Executor &executor, Executor *in_order, jit::Specialiser &specialiser)
      : CodeProvider(executor, in_order), specialiser_(specialiser) {}
  LoopCode next(const LoopCommon &loop, const LoopCall &call, LoopCode old, bool constants_changed) const override;

 private:
  LoopCode make(const LoopCommon &loop, const LoopCall &call) const override;

  jit::Specialiser &specialiser_;
};

// Text for an executor that compiles itself.
class DeviceCode final : public CodeProvider {
 public:
  // host: runs what the executor cannot have. NULL = such loops fail.
  DeviceCode(Executor &executor, Executor *host, jit::Specialiser &specialiser)
      : CodeProvider(executor, nullptr), host_(host), specialiser_(specialiser) {}
  LoopCode next(const LoopCommon &loop, const LoopCall &call, LoopCode old, bool constants_changed) const override;
  LoopCode on_host(const LoopCommon &loop, const std::string &why) const override;
  bool required() const override { return true; }

 private:
  LoopCode shared(const LoopCommon &loop) const override;
  LoopCode make(const LoopCommon &loop, const LoopCall &call) const override;

  Executor *host_;
  jit::Specialiser &specialiser_;
};

} // namespace op2::core
