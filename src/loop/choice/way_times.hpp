// Which of several ways to do the same work is the fastest: runs of the work try them in turn, and their times decide.
//
// Something else on the machine may disturb any run, or all of them for a while, and the machine may become slower or
// faster. So ways take turns, round after round. The shortest run of each way counts, and is believed when it comes
// twice; those that are slower in every round soon leave, and those that are close to each other run more often. What
// was chosen may be looked at again later: it takes turns once more with the first way and the second best one.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace op2::core {

class WayTimes {
 public:
  // As it is: for forms of a loop, whose choice is kept for later runs of the program, so that no disturbance may make
  // it.
  struct Rule {
    int uncounted = 0;      // first runs of each way, which prepare something
    int fewest = 3;         // runs that count, of each way; more of them where they are short and scatter,
    int most = 16;          // up to so many,
    double enough = 2e-3;   // until all runs of one way have taken so many seconds together
    double close = 0;       // ways that take less than this part more than the best run as often again
    double repeats = 0.05;  // a way is believed once it has taken its shortest time twice, but for this part,
    int patience = 6;       // or after so many runs that count; 0: at once
    double hopeless = 0.25; // a way that takes so much more than the best in each round is dropped
    double far_off = 3;     // more than the best in the first round, from 1 ms on: the way is dropped at once
    int believed = 2;       // after so many rounds; one more if runs take less than 1 ms
    // The comparison ends once slower ways have taken so many runs more than the best, and each has run `believed`
    // times.
    double most_extra = 12;
    double must_save = 0.02; // of the time of the first way: what another one must save
    bool again = false;      // whether later runs look again
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
