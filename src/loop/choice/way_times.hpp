// Chooses the fastest of several ways to do the same work by the times of their runs.
//
// Other programs may disturb a run, or all runs for a while, and the machine may become slower or faster. So ways take
// turns, round after round. The shortest run of each way counts, and is accepted when a second run comes close to it. A
// way that is slower in every round is dropped early; ways that are close to each other run more often. The choice may
// be examined again later: the chosen way then takes turns with the first way and the second best one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace op2::core {

class WayTimes {
 public:
  // The defaults are for forms of a loop: their choice is kept for later runs of the program, so no disturbance may
  // make it.
  struct Rule {
    int uncounted = 0;         // first runs of each way, which prepare something
    int fewest = 3;            // runs that count, of each way
    int most = 16;             // the same where runs are short and scatter
    double min_seconds = 2e-3; // all runs of one way take at least so long together, up to `most` runs
    double close = 0;          // ways that take less than this part more than the best run as often again
    double repeats = 0.05;     // a shortest time is accepted when a second run comes within this part of it
    int max_rounds = 6;        // or after so many runs that count; 0: at once
    double drop_ratio = 0.25;  // a way that takes this part more than the best in each round is dropped
    double far_off = 3;        // times the best in the first round, from 1 ms on: the way is dropped at once
    int confirm_rounds = 2;    // rounds before a way is dropped; one more if runs take less than 1 ms
    // The comparison ends once slower ways have taken so many runs more than the best, and each has run confirm_rounds
    // times.
    double most_extra = 12;
    double must_save = 0.02; // of the time of the first way: what another one must save
    bool again = false;      // whether later runs compare again
  };
  // Chains differ by less than forms of a loop, and what is chosen stays for long. All ways are tried.
  static Rule of_chains();
  // Each value becomes the largest one of all processes; collective, once after each round of runs.
  using Largest = std::function<void(std::span<double>)>;

  // At least 1. Number 0 is the one that is taken when nothing is known.
  WayTimes(std::size_t ways, const Rule &rule);
  // The way is not possible, or out of the question. Not the last one. Before it has run.
  void leave_out(std::size_t way);
  // Once a way has been chosen: this one, which is another one, is not run again.
  void forget(std::size_t way) { ways_[way].out = true; }

  std::size_t next() const { return next_; }              // the way of the next run
  void note(double seconds, const Largest &largest = {}); // of that run
  bool compares() const { return !done_; }                // ways take turns; afterwards next() is the fastest
  bool decided() const { return decided_; }               // a way has been chosen, whether or not it is looked at again
  // By their shortest runs; the first way unless another one saves must_save.
  std::size_t fastest() const;
  double least(std::size_t way) const { return ways_[way].least; } // seconds of the last comparison; infinite: none
  bool measured(std::size_t way) const;                            // in the last comparison
  bool kept(std::size_t way) const { return !ways_[way].out; }     // whether it may run again
  // "vector x8 1.250 ms, scalar 2.500 ms" for these names of the ways.
  std::string text(const std::vector<std::string> &names) const;

 private:
  struct Way {
    std::vector<double> seconds{}; // of each round of the comparison
    double least;                  // of them
    double last = 0;               // seconds of this process, in this round
    int runs = 0;
    bool in = true;   // it takes turns
    bool out = false; // for good
  };
  bool alone() const;
  bool all_tried() const;
  std::size_t leader() const;
  double best() const { return ways_[leader()].least; }
  int rounds() const;
  bool repeats(const Way &way) const;
  bool sure() const;
  bool wants_more(const Way &way) const;
  bool slower_by(std::size_t way, std::size_t other, double part, std::size_t round) const;
  void drop_slow();
  void go_on(const Largest &largest);
  void end_round(const Largest &largest);
  std::size_t usual() const { return decided_ ? best_ : first_; }
  std::size_t by_rounds(std::size_t shortest) const;
  bool rounds_agree() const { return by_rounds(shortest()) == shortest(); }
  std::size_t shortest() const;
  void decide();
  void keep_rivals();
  double cost_of_look() const;
  void run_after_choice();

  Rule rule_;
  std::vector<Way> ways_;
  std::size_t next_ = 0;
  std::size_t first_ = 0; // is taken if others are hardly faster
  std::size_t best_ = 0;  // that was chosen
  bool done_ = false, decided_ = false;
  double spent_ = 0, counted_ = 0;  // seconds, and runs, of this comparison
  double runs_ = 0, last_look_ = 0; // since the first choice: all; and how many when ways took turns again
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
