// Which of several forms of a loop is the fastest: its calls try them in turn, and the times of the calls decide.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace op2::core {

class FormTimes {
 public:
  explicit FormTimes(std::size_t forms); // at least 2; number 0 is the one that runs when nothing is known

  std::size_t next() const { return next_; } // the form of the next call
  void note(double seconds);                 // of that call
  bool done() const { return done_; }
  // Of the shortest calls; form 0 unless another one is faster by more than times scatter.
  std::size_t fastest() const;
  // "vector x8 1.250 ms, scalar 2.500 ms" for these names of the forms.
  std::string text(const std::vector<std::string> &names) const;

 private:
  struct Form {
    double best;
    int calls = 0;
    bool dropped = false; // so much slower that no more calls are spent on it
  };
  double best() const;
  void drop_slow();
  int rounds() const;
  void go_on();

  std::vector<Form> forms_;
  std::size_t next_ = 0;
  bool done_ = false;
  int calls_ = 0; // of all forms
  double spent_ = 0;
};

} // namespace op2::core
