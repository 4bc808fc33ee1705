// module.cpp: compiled code on the device, and launches.
#include <algorithm>

#include "exec_cuda.hpp"

namespace op2::exec_cuda {

namespace {

const Nvrtc &nvrtc_of(op_exec &exec) {
  if (!exec.nvrtc) {
    exec.nvrtc = std::make_unique<Nvrtc>(Nvrtc::load(exec.libraries, exec.driver.version));
    const std::string found = "executor cuda: NVRTC " + exec.nvrtc->version() + " from " + exec.nvrtc->path;
    exec.host->log(exec.host, OP_LOG_INFO, found.c_str());
  }
  return *exec.nvrtc;
}

} // namespace

Module::Module(op_exec &exec, const std::string &text, const std::string &name) : driver_(&exec.driver), name_(name) {
  const Nvrtc &nvrtc = nvrtc_of(exec);
  CompileTarget target{exec.host, exec.device_name, exec.arch, {}, exec.dump};
  const auto fuses = [](const std::string &option) { return option.find("fmad=") != std::string::npos; };
  if (std::none_of(exec.options.begin(), exec.options.end(), fuses)) target.options.emplace_back("--fmad=false");
  target.options.insert(target.options.end(), exec.options.begin(), exec.options.end());
  const Image image = compile(nvrtc, target, text, name);
  const std::string what = "load the code of '" + name + "' (NVRTC " + nvrtc.version() + ") onto " + exec.device_name +
                           " (sm_" + std::to_string(exec.arch) + ", driver for CUDA " +
                           std::to_string(driver_->version / 1000) + "." +
                           std::to_string(driver_->version % 1000 / 10) + ")";
  driver_->check(driver_->cuModuleLoadData(&module_, image.bytes.data()), what);
}

Module::~Module() {
  if (module_) driver_->cuModuleUnload(module_);
}

CUfunction Module::function(const char *name) const {
  CUfunction function = nullptr;
  driver_->check(driver_->cuModuleGetFunction(&function, module_, name),
                 "look for kernel " + std::string(name) + " in the code of '" + name_ + "'");
  return function;
}

Module::Global Module::global(const char *name) const {
  Global global{};
  driver_->check(driver_->cuModuleGetGlobal(&global.address, &global.bytes, module_, name),
                 "look for variable " + std::string(name) + " in the code of '" + name_ + "'");
  return global;
}

void launch(const op_exec &exec, CUfunction function, unsigned grid, unsigned block, unsigned shared_bytes,
            CUstream stream, const void *parameters, const char *name) {
  if (grid == 0) return;
  void *arguments[] = {const_cast<void *>(parameters)};
  const CUresult status =
      exec.driver.cuLaunchKernel(function, grid, 1, 1, block, 1, 1, shared_bytes, stream, arguments, nullptr);
  if (status != CUDA_SUCCESS)
    exec.driver.fail(status, "launch " + std::string(name) + " on " + std::to_string(grid) + " blocks of " +
                                 std::to_string(block) + " threads");
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
