// chain.cpp: the launches of several loops as one graph.
#include "launch/chain.hpp"

#include <algorithm>
#include <cstring>

struct op_exec_chain_s {
  std::vector<op_exec_kernel *> kernels;
  op2::exec_cuda::ChainRun run;
};

namespace op2::exec_cuda {

namespace {

constexpr size_t place_alignment = 256; // of blocks of device memory

// While it lives, loops are collected.
class Collecting {
 public:
  Collecting(op_exec &exec, ChainRun &chain) : exec_(exec) { exec_.chain = &chain; }
  ~Collecting() { exec_.chain = nullptr; }
  Collecting(const Collecting &) = delete;
  Collecting &operator=(const Collecting &) = delete;

 private:
  op_exec &exec_;
};

} // namespace

CUdeviceptr Places::take(size_t bytes) {
  const size_t at = filled_;
  filled_ += exec_common::round_up(bytes, place_alignment);
  return (memory_ ? memory_->address() : 0) + at;
}

bool Places::grow(op_exec &exec) {
  if (!lacks_room()) return false;
  room(exec, memory_, filled_);
  return true;
}

ChainRun::ChainRun(op_exec &exec) : exec_(exec), pattern_(exec.graphs->open()) {}

ChainRun::~ChainRun() {
  try {
    exec_.streams->wait_all(); // its memory may be in use
  } catch (const Failure &) {  // the device has stopped
  }
  exec_.graphs->close(pattern_);
}

void ChainRun::launch(const LaunchShape &shape, const void *parameters, const char *name) {
  if (shape.grid == 0) return;
  launches_.add(shape, parameters, name);
  loop_of_.push_back(loop_);
}

CUdeviceptr ChainRun::send(const void *values, size_t bytes) {
  const size_t at = values_.filled();
  const CUdeviceptr place = values_.take(bytes);
  to_send_.resize(values_.filled());
  std::memcpy(to_send_.data() + at, values, bytes);
  return place;
}

CUdeviceptr ChainRun::results(size_t bytes) { return results_.take(bytes); }

void ChainRun::reduce_later(op_exec_kernel &kernel, const op_exec_call &call, const PartialResults &partial) {
  reduced_.push_back({loop_, &kernel, &call, partial});
}

// Loops take memory as they need it. If that moves memory, launches collected before have old addresses.
void ChainRun::collect(std::span<op_exec_kernel *const> kernels, const op_exec_call *calls, double *times,
                       int32_t &failed) {
  const Collecting collecting(exec_, *this);
  for (bool again = true; again;) {
    launches_.clear();
    loop_of_.clear();
    values_.clear();
    results_.clear();
    to_send_.clear();
    reduced_.clear();
    const uint64_t moved = exec_.moved_rooms;
    for (size_t l = 0; l < kernels.size(); ++l) {
      failed = loop_ = static_cast<int32_t>(l);
      if (times) times[2 * l] = exec_.host->now();
      if (kernels[l]->tuner.measuring()) // which request.chains tells
        throw Failure(OP_ERR_PLUGIN, loop_label(*kernels[l]) + ": it is being measured and cannot be in a chain");
      run_loop(exec_, *kernels[l], calls[l]);
      if (times) times[2 * l + 1] = exec_.host->now();
    }
    again = exec_.moved_rooms != moved;
    if (values_.grow(exec_)) again = true;
    if (results_.grow(exec_)) again = true;
  }
}

void ChainRun::send_values() {
  if (to_send_.empty() || to_send_ == there_) return;
  there_.clear(); // after a failure, too
  exec_.upload->put(values_.address(), to_send_.data(), to_send_.size());
  there_ = to_send_;
}

void ChainRun::launch_all(int32_t &failed) {
  size_t launch = 0;
  const std::string count = std::to_string(launches_.size());
  try {
    const bool as_graph = exec_.graphs->launch_chain(pattern_, launches_, launch);
    form_ = launches_.size() == 1 ? "one launch"
                                  : (as_graph ? "one graph of " + count + " launches" : count + " launches one by one");
  } catch (...) {
    if (launch < loop_of_.size()) failed = loop_of_[launch];
    throw;
  }
}

// The one wait of the chain. What fails on the device is told here, and the device does not say where it failed.
void ChainRun::take_results(int32_t &failed) {
  if (reduced_.empty()) return;
  failed = reduced_.front().loop;
  arrived_.resize(results_.filled());
  try {
    fetch(exec_, arrived_.data(), results_.address(), arrived_.size());
  } catch (const Failure &failure) {
    throw Failure(failure.code(), std::string(failure.what()) +
                                      " (in this loop or in another one of its chain; OP2_TIMING=wait tells which)");
  }
  for (const Reduced &one : reduced_) {
    failed = one.loop;
    combine_partial(*one.kernel, *one.call, one.partial, arrived_.data() + (one.partial.address - results_.address()));
  }
}

void ChainRun::run(std::span<op_exec_kernel *const> kernels, const op_exec_call *calls, double *times,
                   int32_t &failed) {
  collect(kernels, calls, times, failed);
  failed = 0;
  send_values();
  launch_all(failed);
  take_results(failed);
  if (times) times[2 * kernels.size() - 1] = exec_.host->now(); // the last loop waits for all
}

op_status chain_create(op_exec *exec, const op_exec_chain_plan *plan, op_exec_chain **chain) {
  return entry(exec, [&] {
    *chain = new op_exec_chain_s{{plan->kernels, plan->kernels + plan->nloops}, ChainRun(*exec)};
  });
}

void chain_free(op_exec *exec, op_exec_chain *chain) {
  (void)entry(exec, [&] { delete chain; });
}

op_status chain_run(op_exec *exec, op_exec_chain *chain, const op_exec_call *calls, double *times, int32_t *failed) {
  return entry(exec, [&] { chain->run.run(chain->kernels, calls, times, *failed); });
}

const char *chain_form(op_exec *, const op_exec_chain *chain) { return chain->run.form().c_str(); }

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
