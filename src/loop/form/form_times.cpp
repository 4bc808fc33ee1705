#include "loop/form/form_times.hpp"

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace op2::core {

namespace {

// The shortest of a few calls is what a form takes without disturbances. Short calls scatter more, and many of them
// cost little.
constexpr int fewest_rounds = 3, most_rounds = 16;
constexpr double enough_seconds = 2e-3; // seconds: all calls of one form together
// The choice ends, with the forms that have been tried, once slower forms have taken so many calls more than the best.
constexpr double most_extra = 2;
// A form is dropped when it is so much slower than the best: after one call that is long enough to be believed.
constexpr double hopeless = 1.25, believable = 1e-3;
constexpr double scatter = 0.02; // by less than this no other form than the first is taken

} // namespace

FormTimes::FormTimes(std::size_t forms) : forms_(forms, Form{std::numeric_limits<double>::infinity()}) {}

double FormTimes::best() const {
  return std::min_element(forms_.begin(), forms_.end(), [](const Form &a, const Form &b) { return a.best < b.best; })
      ->best;
}

int FormTimes::rounds() const {
  return std::clamp(static_cast<int>(enough_seconds / std::max(best(), 1e-9)), fewest_rounds, most_rounds);
}

void FormTimes::drop_slow() {
  const double limit = hopeless * best();
  for (Form &form : forms_)
    if (form.calls > (best() < believable ? 1 : 0) && form.best > limit) form.dropped = true;
}

void FormTimes::note(double seconds) {
  forms_[next_].best = std::min(forms_[next_].best, seconds);
  ++forms_[next_].calls;
  ++calls_;
  spent_ += seconds;
  drop_slow();
  if (best() >= believable && spent_ - calls_ * best() >= most_extra * best())
    done_ = true;
  else
    go_on();
}

// Round after round, so that a machine that is slower for a while is so for all forms.
void FormTimes::go_on() {
  const int most = rounds();
  for (std::size_t step = 1; step <= forms_.size(); ++step) {
    const std::size_t candidate = (next_ + step) % forms_.size();
    if (forms_[candidate].dropped || forms_[candidate].calls >= most) continue;
    next_ = candidate;
    return;
  }
  done_ = true;
}

std::size_t FormTimes::fastest() const {
  std::size_t out = 0;
  for (std::size_t i = 1; i < forms_.size(); ++i)
    if (forms_[i].best < forms_[out].best * (out == 0 ? 1 - scatter : 1)) out = i;
  return out;
}

std::string FormTimes::text(const std::vector<std::string> &names) const {
  std::string out;
  for (std::size_t i = 0; i < forms_.size(); ++i)
    if (forms_[i].calls > 0)
      out += op2::core::text(out.empty() ? "" : ", ", names[i], " ", fixed(1e3 * forms_[i].best, 3), " ms");
  return out;
}

} // namespace op2::core
