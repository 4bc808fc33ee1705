// exchange.cpp: launches of kernels that exchange rows with other processes, with or without elements of a loop.
#include "halo/exchange.hpp"

#include <algorithm>
#include <cstring>

namespace op2::exec_cuda {

namespace {

constexpr unsigned ticket_bytes = 16; // of shared memory

std::string exchange_text() {
  std::string text;
  for (const char *part : {"kernel", "halo_parts", "halo", "exchange_parts", "exchange", "exchange_kernel"})
    text += device_text(part);
  return text;
}

} // namespace

CUfunction Exchanges::kernel() {
  if (!kernel_) {
    module_ = std::make_unique<Module>(exec_, exchange_text(), "op2_exchange");
    kernel_ = module_->function("op2_exchange");
  }
  return kernel_;
}

unsigned Exchanges::most_blocks(CUfunction function, unsigned &known) const {
  if (known > 0) return known;
  int each = 0;
  exec_.driver.check(
      exec_.driver.cuOccupancyMaxActiveBlocksPerMultiprocessor(&each, function, threads_per_block, ticket_bytes),
      "ask how many blocks of an exchange run at a time");
  return known = static_cast<unsigned>(each * std::max(1, exec_.multiprocessors));
}

bool Exchanges::fits(int blocks) { return most_blocks(kernel(), kernel_blocks_) >= static_cast<unsigned>(blocks); }

void Exchanges::remove(const KernelHalo &halo) {
  flush();
  std::erase_if(by_buffer_, [&](const auto &entry) { return entry.second == &halo; });
}

KernelHalo *Exchanges::find(const void *buffer) const {
  const auto found = by_buffer_.find(device_address(buffer));
  return found == by_buffer_.end() ? nullptr : found->second;
}

void Exchanges::send(KernelHalo &halo) {
  flush();
  exec_.graphs->flush(); // loops so far come first
  held_ = &halo;
  sends_ = true;
}

void Exchanges::receive(KernelHalo &halo) {
  if (held_ != &halo) flush();
  held_ = &halo;
  receives_ = true;
  if (!elements_.module || elements_.complete()) flush();
}

void Exchanges::before(const op_exec_kernel &kernel) {
  if (elements_.module && kernel.variant().module.get() != elements_.module) flush();
}

// Blocks would pack what elements have just written.
bool Exchanges::writes_packed(const op_exec_kernel &kernel) const {
  return std::any_of(kernel.written.begin(), kernel.written.end(), [&](const char *dat) {
    return std::find(held_->packed_.begin(), held_->packed_.end(), dat) != held_->packed_.end();
  });
}

bool Exchanges::begin_elements(op_exec_kernel &kernel, const Range &range, int32_t loop_end) {
  LaunchVariant &variant = kernel.variant();
  if (!sends_ || receives_ || exec_.chain || kernel.tuner.measuring() || writes_packed(kernel)) return false;
  const CUfunction fused = variant.module->fused;
  const unsigned most = fused ? most_blocks(fused, variant.module->fused_blocks) : 0;
  if (!fused || most < static_cast<unsigned>(held_->resident())) return false;
  Elements &e = elements_;
  e.most_blocks = most;
  e.module = variant.module.get();
  e.fused = fused;
  e.alone = {variant.module->function, range.grid, range.block, variant.code.shared_bytes, variant.params.size()};
  e.params = variant.params;
  e.begin = range.begin;
  e.end = e.border_end = range.end;
  e.loop_end = loop_end;
  e.begin_at = variant.code.params.begin;
  e.end_at = variant.code.params.end;
  e.name = kernel.signature->name;
  return true;
}

bool Exchanges::add_border(op_exec_kernel &kernel, const Range &range) {
  Elements &e = elements_;
  const LaunchVariant &variant = kernel.variant();
  if (!receives_ || variant.module.get() != e.module || range.begin != e.border_end || exec_.chain) return false;
  std::vector<char> params = variant.params;
  std::memcpy(params.data() + e.begin_at, &e.begin, sizeof e.begin);
  std::memcpy(params.data() + e.end_at, &e.end, sizeof e.end);
  if (params != e.params) return false;
  e.border_end = range.end;
  if (e.complete()) flush();
  return true;
}

bool Exchanges::take(op_exec_kernel &kernel, const Range &range, int32_t loop_end) {
  if (!held_) return false;
  const bool taken =
      elements_.module ? add_border(kernel, range) : begin_elements(kernel, range, std::max(loop_end, range.end));
  if (!taken) flush();
  return taken;
}

op2_exchange_params Exchanges::params() const {
  op2_exchange_params params{};
  held_->describe(params);
  const auto rows = [](const HaloPlan *plan, const op2_halo_segment *&segments, unsigned &count, unsigned &blocks) {
    segments = plan->segments->as<const op2_halo_segment>();
    count = plan->nsegments;
    blocks = plan->blocks;
  };
  if (!sends_) {
    params.nto = 0;
  } else if (held_->pack_) {
    rows(held_->pack_, params.pack, params.npack, params.pack_blocks);
    params.pack_chunks = held_->pack_->chunks->as<const unsigned>();
  }
  if (!receives_)
    params.nfrom = 0;
  else if (held_->unpack_)
    rows(held_->unpack_, params.unpack, params.nunpack, params.unpack_blocks);
  return params;
}

// As many blocks as there is work for, and all that must be on the device together.
void Exchanges::launch_exchange() {
  const op2_exchange_params all = params();
  const unsigned least = static_cast<unsigned>(held_->resident());
  const unsigned grid = std::clamp(1 + all.pack_blocks + all.unpack_blocks, least,
                                   std::max(least, most_blocks(kernel(), kernel_blocks_)));
  launch(exec_, kernel(), grid, threads_per_block, ticket_bytes, exec_.streams->compute.raw(), &all, "op2_exchange");
  ++alone_;
}

void Exchanges::launch_elements() {
  exec_.graphs->launch_now(elements_.alone, elements_.params.data(), elements_.name);
}

void Exchanges::launch_fused() {
  const Elements &e = elements_;
  const auto chunks = [](int32_t elements) {
    return (static_cast<unsigned>(elements) + threads_per_block - 1) / threads_per_block;
  };
  op2_exchange_params all = params();
  all.interior = chunks(e.end - e.begin);
  all.border = chunks(e.border_end - e.end);
  const int32_t border[] = {e.end, e.border_end};
  std::vector<char> bytes(exec_common::round_up(e.params.size() + sizeof all + sizeof border, 16));
  std::memcpy(bytes.data(), e.params.data(), e.params.size());
  std::memcpy(bytes.data() + e.params.size(), &all, sizeof all);
  std::memcpy(bytes.data() + e.params.size() + sizeof all, border, sizeof border);
  const unsigned work = 1 + all.pack_blocks + all.interior + all.unpack_blocks + all.border;
  const unsigned grid = std::clamp(work, static_cast<unsigned>(held_->resident()), e.most_blocks);
  launch(exec_, e.fused, grid, threads_per_block, ticket_bytes, exec_.streams->compute.raw(), bytes.data(), e.name);
  ++fused_;
}

// The state is empty before a launch, which may fail.
void Exchanges::flush() {
  if (!held_) return;
  const auto forget = [this] {
    held_ = nullptr;
    sends_ = receives_ = false;
    elements_ = {};
  };
  try {
    if (elements_.module && receives_) {
      launch_fused();
    } else {
      launch_exchange();
      if (elements_.module) launch_elements();
    }
  } catch (...) {
    forget();
    throw;
  }
  forget();
}

void flush_exchanges(op_exec &exec) { exec.exchanges->flush(); }

std::string Exchanges::report() const {
  return std::to_string(fused_) + " exchanges in one launch with the elements of a loop, " + std::to_string(alone_) +
         " launches of exchanges alone";
}

} // namespace op2::exec_cuda

// SPDX-License-Identifier: MIT
