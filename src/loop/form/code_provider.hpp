// Providers of the code of loops. A context has one. It generates code for the host, or text for a device, or nothing:
// then kernels run as compiled with the program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "loop/form/common.hpp"
#include "loop/form/device_form.hpp"
#include "loop/form/fast_form.hpp"

namespace op2::core {

// The request for the code of a loop. ranges: of the loop, which must outlive the request.
FastFormRequest request_of(const LoopCommon &loop, const LoopCall &call, std::span<const op_range_arg> ranges);

// The code of one loop and the executor that runs it.
struct ProvidedCode {
  Executor *executor;
  FastForm fast = {};                           // generated code, or why there is none
  std::unique_ptr<DeviceForm> device = nullptr; // text for an executor that compiles kernels
  std::string why_on_host = {};                 // why the host runs the loop, despite separate memory
  FastForm beside = {};                         // generated code that is only compared with the program's own
  std::vector<jit::Specialised> own = {};       // without generated code: the program's own forms, see own_forms.hpp
  std::vector<op_range_layout> layouts = {};    // that the code expects, one per argument; empty: rows are contiguous
};

// Kernels run as compiled with the program. The base of the other providers.
class CodeProvider {
 public:
  // in_order: the executor of loops whose elements share a variable: it runs them one after another. NULL = `executor`
  // does.
  CodeProvider(Executor &executor, Executor *in_order) : executor_(executor), in_order_(in_order) {}
  virtual ~CodeProvider() = default;
  CodeProvider(const CodeProvider &) = delete;
  CodeProvider &operator=(const CodeProvider &) = delete;

  // Code for the first call.
  ProvidedCode first(const LoopCommon &loop, const LoopCall &call) const;
  // Replaces outdated code: background compilation has ended, or a constant has another type or dim.
  virtual ProvidedCode next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old,
                            bool constants_changed) const;
  // Code for the host, if code for the device cannot be made or fails its trial. Throws OP_ERR_UNSUPPORTED if there is
  // none.
  virtual ProvidedCode on_host(const LoopCommon &loop, const std::string &why) const;
  // The executor runs only code of the provider.
  virtual bool required() const { return false; }

 protected:
  Executor &executor() const { return executor_; }

 private:
  virtual ProvidedCode shared(const LoopCommon &loop) const; // of a loop whose elements share a variable
  virtual ProvidedCode make(const LoopCommon &loop, const LoopCall &call) const;

  Executor &executor_;
  Executor *in_order_;
};

// Generates code for the host.
class HostCode final : public CodeProvider {
 public:
  HostCode(Executor &executor, Executor *in_order, jit::Specialiser &specialiser)
      : CodeProvider(executor, in_order), specialiser_(specialiser) {}
  ProvidedCode next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old,
                    bool constants_changed) const override;

 private:
  ProvidedCode make(const LoopCommon &loop, const LoopCall &call) const override;
  ProvidedCode generate(const LoopCommon &loop, const LoopCall &call) const;

  jit::Specialiser &specialiser_;
};

// Generates code for an executor that runs the program's own: each call compares the two.
class CheckedCode final : public CodeProvider {
 public:
  CheckedCode(Executor &executor, jit::Specialiser &specialiser)
      : CodeProvider(executor, nullptr), specialiser_(specialiser) {}
  ProvidedCode next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old,
                    bool constants_changed) const override;

 private:
  ProvidedCode make(const LoopCommon &loop, const LoopCall &call) const override; // throws OP_ERR_KERNEL: they differ

  jit::Specialiser &specialiser_;
};

// Generates text for an executor that compiles kernels.
class DeviceCode final : public CodeProvider {
 public:
  // host: the executor of loops without code for the device. NULL = these loops fail.
  DeviceCode(Executor &executor, Executor *host, jit::Specialiser &specialiser)
      : CodeProvider(executor, nullptr), host_(host), specialiser_(specialiser) {}
  ProvidedCode next(const LoopCommon &loop, const LoopCall &call, ProvidedCode old,
                    bool constants_changed) const override;
  ProvidedCode on_host(const LoopCommon &loop, const std::string &why) const override;
  bool required() const override { return true; }

 private:
  ProvidedCode shared(const LoopCommon &loop) const override;
  ProvidedCode make(const LoopCommon &loop, const LoopCall &call) const override;

  Executor *host_;
  jit::Specialiser &specialiser_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
