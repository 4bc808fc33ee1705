// state.cpp: the driver's memory of itself, contexts of threads, and what was never freed.
#include "state.hpp"

#include <unistd.h>

#include <algorithm>

#include "module.hpp"

namespace fake {

State &state() {
  static State &only = *std::make_unique<State>().release();
  return only;
}

namespace {
std::vector<int> &contexts() {
  thread_local std::vector<int> stack;
  return stack;
}
} // namespace

Device *current_device() {
  State &s = state();
  if (contexts().empty() || contexts().back() < 0) return nullptr;
  Device &device = s.devices[static_cast<std::size_t>(contexts().back())];
  return device.retained > 0 ? &device : nullptr;
}

void set_current(int device) {
  if (!contexts().empty()) contexts().pop_back();
  if (device >= 0) contexts().push_back(device);
}

int push_current(int device) {
  contexts().push_back(device);
  return success;
}

int pop_current(int *device) {
  if (contexts().empty()) return invalid_context;
  if (device) *device = contexts().back();
  contexts().pop_back();
  return success;
}

void bury() {
  State &s = state();
  if (s.graveyard.empty()) return;
  std::uint64_t oldest = never;
  const auto look = [&](const std::shared_ptr<Stream> &stream) {
    if (stream && !stream->queue.empty()) oldest = std::min(oldest, stream->queue.front().serial);
  };
  for (const auto &[handle, stream] : s.streams) look(stream);
  for (const auto &stream : s.orphans) look(stream);
  for (const Device &device : s.devices) look(device.legacy);
  if (s.running) oldest = std::min(oldest, s.running);
  std::erase_if(s.graveyard, [&](std::uintptr_t address) {
    const Block *block = s.memory.starting_at(address);
    if (block && block->freed >= oldest) return false;
    if (block) s.memory.release(*block);
    return true;
  });
}

int report_leaks(int device) {
  State &s = state();
  int found = 0;
  const auto leak = [&](const std::string &what) {
    found++;
    const std::string text = "leak: " + what + " of device " + std::to_string(device);
    if (s.settings.leaks)
      report(text);
    else
      s.trace.line(text);
  };
  for (const auto &[address, block] : s.memory.blocks()) {
    if (block.device != device || block.freed != never || block.kind == Kind::global) continue;
    const char *kind = block.kind == Kind::device     ? "device memory"
                       : block.kind == Kind::foreign  ? "memory mapped from another process"
                       : block.kind == Kind::reserved ? "a range of addresses"
                                                      : "pinned memory";
    leak(std::string(kind) + " (" + std::to_string(block.bytes) + " bytes)");
  }
  for (const auto &[handle, stream] : s.streams)
    if (stream->device == device) leak("stream " + std::to_string(stream->id));
  for (const auto &[handle, event] : s.events) leak("event " + std::to_string(event->id));
  for (std::size_t i = 0; i < s.modules.size(); i++) leak("module");
  for (std::size_t i = 0; i < s.graphs.size(); i++) leak("graph");
  for (std::size_t i = 0; i < s.executables.size(); i++) leak("executable graph");
  if (s.settings.leaks && found) report("leaks: " + std::to_string(found));
  return found;
}

namespace {

// A program that ends without giving its context back leaks what it holds.
__attribute__((destructor)) void at_exit() {
  State &s = state();
  if (s.process != getpid()) return; // never used, or forked from one that has
  for (const Device &device : s.devices)
    if (device.retained > 0) report_leaks(device.ordinal);
}

} // namespace

} // namespace fake

// SPDX-License-Identifier: MIT
