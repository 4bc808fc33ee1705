// op_profile.h: OP2's timer of the parts of a program, which form a tree.
//
//   op_profile_start("program");
//   op_profile_enter("read"); ... op_profile_next("solve"); ... op_profile_exit();
//   op_profile_end();
//   op_profile_output();
//
// Calls without a matching part (before the start, after the end, more exits than entries) do nothing. Each process
// measures its own times. op_profile_output() is collective: if all processes have the same parts, process 0 prints
// means of counts and totals over the processes, and the shortest and longest time on any process; otherwise it prints
// its own times. op_timing_output() prints the times of loops.
#ifndef OP2_COMPAT_OP_PROFILE_H
#define OP2_COMPAT_OP_PROFILE_H

#include <chrono>
#include <cstdio>
#include <functional>
#include <map>
#include <string>
#include <vector>
#if __cplusplus >= 201703L
#include <optional>
#include <string_view>
#endif

#include "op2/compat/cpp/heads.hpp"

#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "op2/init.h"

namespace op2 {
namespace compat {

class profile {
 public:
  static profile &instance() {
    static profile one;
    return one;
  }

  void start(const char *name) {
    parts_.clear();
    parts_.push_back(part(name, none));
    current_ = 0;
    begin(0);
  }
  void enter(const std::string &name) {
    if (current_ == none) return;
    int child = none;
    for (int i : parts_[at(current_)].children)
      if (parts_[at(i)].name == name) child = i;
    if (child == none) {
      child = static_cast<int>(parts_.size());
      parts_.push_back(part(name, current_));
      parts_[at(current_)].children.push_back(child);
    }
    current_ = child;
    begin(child);
  }
  void exit() {
    if (current_ == none || parts_[at(current_)].parent == none) return;
    finish(current_);
    current_ = parts_[at(current_)].parent;
  }
  void next(const char *name) {
    exit();
    enter(name);
  }
  void end() {
    while (current_ != none) {
      finish(current_);
      current_ = parts_[at(current_)].parent;
    }
  }

  void print() const {
    const profile shown = over_processes();
    if (!shown.parts_.empty()) shown.print(0, 0);
  }
  bool write(const char *file) const {
    if (!op_is_root()) return true;
    FILE *const out = std::fopen(file, "w");
    if (out == NULL) return false;
    if (parts_.empty())
      std::fputs("{}", out);
    else
      write(out, 0);
    std::fputs("\n", out);
    return std::fclose(out) == 0;
  }

 private:
  static const int none = -1;
  struct part {
    part(const std::string &its_name, int its_parent) : name(its_name), parent(its_parent) {}
    std::string name;
    int parent;
    std::vector<int> children;
    long count = 0;
    double begun = 0, total = 0, shortest = 0, longest = 0;
  };
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  static bool combine(void *values, std::size_t count, const char *type, op_access how) {
    op_arg arg;
    op_arg_gbl_to(&arg, values, static_cast<int>(count), type, 0, how);
    return op_mpi_reduce_combined(&arg, 1) == OP_OK;
  }
  // Whether all processes have the same parts in the same order.
  bool same_everywhere() const {
    std::string all;
    for (const part &one : parts_) all += one.name + '\n' + std::to_string(one.parent) + '\n';
    const int code = static_cast<int>(std::hash<std::string>()(all) % 1000000007);
    int range[] = {code, -code};
    return combine(range, 2, "int", OP_MIN) && range[0] == -range[1];
  }
  profile over_processes() const {
    profile out = *this;
    const int processes = op_is_initialised() ? op_comm_size() : 1;
    if (processes < 2 || !same_everywhere() || parts_.empty()) return out;
    const std::size_t n = parts_.size();
    std::vector<double> sums(2 * n), shortest(n), longest(n);
    for (std::size_t i = 0; i < n; ++i) {
      sums[i] = parts_[i].total;
      sums[n + i] = static_cast<double>(parts_[i].count);
      shortest[i] = parts_[i].shortest;
      longest[i] = parts_[i].longest;
    }
    if (!combine(sums.data(), 2 * n, "double", OP_INC) || !combine(shortest.data(), n, "double", OP_MIN) ||
        !combine(longest.data(), n, "double", OP_MAX))
      return out;
    for (std::size_t i = 0; i < n; ++i) {
      out.parts_[i].total = sums[i] / processes;
      out.parts_[i].count = static_cast<long>(sums[n + i] / processes + 0.5);
      out.parts_[i].shortest = shortest[i];
      out.parts_[i].longest = longest[i];
    }
    return out;
  }

  void begin(int i) { op_timers_core(NULL, &parts_[at(i)].begun); }
  void finish(int i) {
    part &one = parts_[at(i)];
    double now = 0;
    op_timers_core(NULL, &now);
    const double seconds = now - one.begun;
    one.shortest = one.count == 0 || seconds < one.shortest ? seconds : one.shortest;
    one.longest = one.count == 0 || seconds > one.longest ? seconds : one.longest;
    one.total += seconds;
    ++one.count;
  }

  static std::string duration(double seconds) {
    const char *const units[] = {"s", "ms", "us", "ns"};
    int unit = 0;
    while (unit < 3 && seconds < 1) {
      seconds *= 1000;
      ++unit;
    }
    char text[64];
    std::snprintf(text, sizeof text, "%7.2f %s", seconds, units[unit]);
    return text;
  }
  void print(int i, int level) const {
    const part &one = parts_[at(i)];
    const double whole = one.parent == none ? one.total : parts_[at(one.parent)].total;
    op_printf("%*s%s *%ld total: %s (%.1f%%) (average: %s, min: %s, max: %s)\n", 4 * level, "", one.name.c_str(),
              one.count, duration(one.total).c_str(), whole > 0 ? 100 * one.total / whole : 100.0,
              duration(one.count > 0 ? one.total / static_cast<double>(one.count) : 0).c_str(),
              duration(one.shortest).c_str(), duration(one.longest).c_str());
    for (int child : one.children) print(child, level + 1);
  }
  void write(FILE *out, int i) const {
    const part &one = parts_[at(i)];
    std::fputs("{\"name\": \"", out);
    for (char c : one.name) {
      if (c == '"' || c == '\\') std::fputc('\\', out);
      if (static_cast<unsigned char>(c) < 0x20)
        std::fprintf(out, "\\u%04x", static_cast<unsigned>(c));
      else
        std::fputc(c, out);
    }
    std::fprintf(out, "\", \"count\": %ld, \"total\": %.9g, \"min\": %.9g, \"max\": %.9g, \"children\": [", one.count,
                 one.total, one.shortest, one.longest);
    for (std::size_t k = 0; k < one.children.size(); ++k) {
      if (k > 0) std::fputs(", ", out);
      write(out, one.children[k]);
    }
    std::fputs("]}", out);
  }

  std::vector<part> parts_;
  int current_ = none;
};

} // namespace compat
} // namespace op2

extern "C" {

inline void op_profile_start(const char *name) { ::op2::compat::profile::instance().start(name); }
inline void op_profile_enter(const char *name) { ::op2::compat::profile::instance().enter(name); }
inline void op_profile_enter_kernel(const char *name, const char *target, const char *variant) {
  ::op2::compat::profile::instance().enter(std::string(name) + " (" + target + ", " + variant + ")");
}
inline void op_profile_next(const char *name) { ::op2::compat::profile::instance().next(name); }
inline void op_profile_exit() { ::op2::compat::profile::instance().exit(); }
inline void op_profile_end() { ::op2::compat::profile::instance().end(); }
inline void op_profile_output() { ::op2::compat::profile::instance().print(); }
inline void op_profile_output_json(const char *file) { ::op2::compat::profile::instance().write(file); }
}

#endif

/* SPDX-License-Identifier: MIT */
