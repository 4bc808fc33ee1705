// Which copies of a dat are current: the host's, the executor's, and the halo rows. A state machine that is driven by
// access modes only; it moves no data itself.
#pragma once

#include <algorithm>
#include <vector>

#include "op2/types.h"

namespace op2::core {

// Whether a loop argument with this access needs old values (OP_INC does), and whether it leaves new ones.
constexpr bool reads_old(op_access access) { return access == OP_READ || access == OP_RW || access == OP_INC; }
constexpr bool writes_new(op_access access) { return access == OP_WRITE || access == OP_RW || access == OP_INC; }

class Coherence {
 public:
  // separate: the executor has a copy in its own memory or in another layout. Otherwise the host's copy is also the
  // executor's, and both are always valid.
  explicit Coherence(bool separate = false) : separate_(separate) {}

  // The executor gets a copy of its own, which is not valid yet.
  void separate() {
    separate_ = true;
    exec_ = false;
  }

  bool host_valid() const { return host_; }
  bool exec_valid() const { return exec_; }

  // Whether the halo rows are out of date: those of executed elements, and those that are only read.
  bool exec_stale() const { return exec_stale_; }
  bool nonexec_stale() const { return nonexec_stale_; }
  bool halo_stale() const { return exec_stale_ || nonexec_stale_; }
  // These halo rows have arrived in the host's copy, or in the executor's (on_exec).
  void exchanged(bool exec, bool nonexec, bool on_exec = false) {
    arrived(on_exec);
    exec_stale_ = exec_stale_ && !exec;
    nonexec_stale_ = nonexec_stale_ && !nonexec;
  }
  void halos_are_new() {
    exec_stale_ = nonexec_stale_ = true;
    deep_ = 0;
    fresh_by_.clear();
  }
  // How many of the halo rows are current, in their order: 2 k - 1 = up to those that layer k executes, 2 k = all of
  // layers 1 to k. With exchanges of one layer, at most 2.
  int current_to() const { return exec_stale_ ? 0 : nonexec_stale_ ? 1 : std::max(deep_, 2); }
  void set_current_to(int level) {
    halos_are_new();
    exec_stale_ = level < 1;
    nonexec_stale_ = level < 2;
    deep_ = level;
  }
  // The same for the halo rows that one map (its number) reaches, as long as the whole halo is stale.
  bool stale_by(int map) const { return std::find(fresh_by_.begin(), fresh_by_.end(), map) == fresh_by_.end(); }
  void reached_otherwise(int map) { std::erase(fresh_by_, map); } // its entries have changed
  void exchanged_by(int map, bool on_exec = false) {
    arrived(on_exec);
    fresh_by_.push_back(map);
  }

  // Whether the dat must be copied before the access. `partial`: a write leaves some old values, which must be current.
  bool copy_to_exec(op_access access, bool partial) const {
    return separate_ && !exec_ && (reads_old(access) || partial);
  }
  bool copy_to_host(op_access access, bool partial) const {
    return separate_ && !host_ && (reads_old(access) || partial);
  }
  void copied() { host_ = exec_ = true; }

  void used_by_exec(op_access access) { used(access, exec_, host_); }
  void used_by_host(op_access access) { used(access, host_, exec_); }

 private:
  void arrived(bool on_exec) {
    if (separate_) (on_exec ? host_ : exec_) = false;
  }
  void used(op_access access, bool &mine, bool &other) {
    if (!writes_new(access)) return;
    halos_are_new();
    mine = true;
    if (separate_) other = false;
  }

  bool separate_;
  bool host_ = true;
  bool exec_ = true;
  bool exec_stale_ = true, nonexec_stale_ = true; // no exchange yet
  int deep_ = 0;                                  // current_to(), beyond layer 1
  std::vector<int> fresh_by_;                     // maps whose halo rows are current
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
