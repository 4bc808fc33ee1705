// additions.cpp: a hash table from address to the last thread that has added there in this launch.
#include "additions.hpp"

namespace fake {

namespace {

bool ordered(const Adder &a, const Adder &b) {
  if (a.block != b.block) return false;
  if (a.thread == b.thread || a.phase != b.phase) return true;
  return a.thread / 32 == b.thread / 32 && a.warp_phase != b.warp_phase;
}

} // namespace

void Additions::start_launch() {
  launch_++; // entries of earlier launches count as empty
  used_ = 0;
  if (launch_ == 0) entries_.assign(1024, Entry{}), launch_ = 1;
}

Additions::Entry &Additions::entry(const void *address) {
  const std::size_t mask = entries_.size() - 1;
  // Neighbours stay neighbours, for the cache's sake; pieces of 256 bytes are scattered.
  const auto bits = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t piece = ((bits >> 8) * 0x9E3779B97F4A7C15ull) >> 20;
  std::size_t at = static_cast<std::size_t>(piece * 64 + (bits >> 2 & 63u));
  for (;; at++) {
    Entry &found = entries_[at & mask];
    if (found.launch != launch_ || found.address == address) return found;
  }
}

void Additions::grow() {
  std::vector<Entry> old(entries_.size() * 2);
  old.swap(entries_);
  for (const Entry &one : old)
    if (one.launch == launch_) entry(one.address) = one;
}

const Adder *Additions::add(const void *address, const Adder &now, bool shared) {
  if (2 * used_ > entries_.size()) grow();
  Entry &found = entry(address);
  const bool fresh = found.launch != launch_;
  if (fresh) used_++;
  earlier_ = found.adder;
  found = Entry{address, launch_, now};
  if (fresh || ordered(earlier_, now) || (shared && earlier_.block != now.block)) return nullptr;
  return &earlier_;
}

} // namespace fake

// SPDX-License-Identifier: MIT
