#include "loop/form/form_tuner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace op2::core {

namespace {

constexpr long first_look = 3; // a run that is timed: by then caches and pages are warm

} // namespace

std::unique_ptr<FormTuner> FormTuner::of(const FastForm &code, const FastFormRequest &request, int threads) {
  if (!code.range() || !code.draft().source || code.draft().code.lanes == 0 || code.chosen()) return nullptr;
  std::string key = form_key(request, threads);
  return std::make_unique<FormTuner>(*code.specialiser(), code, std::move(key));
}

FormTuner::FormTuner(jit::Specialiser &specialiser, const FastForm &code, std::string key)
    : specialiser_(specialiser),
      draft_(code.draft()),
      key_(std::move(key)),
      forms_({code.made()}),
      next_look_(specialiser.measure_after() > 0 ? first_look : 1) {}

const jit::Specialised *FormTuner::before(const FastFormRequest &request) {
  ++calls_;
  switch (stage_) {
    case Stage::waiting:
      timing_ = calls_ == next_look_;
      return nullptr;
    case Stage::compiling:
      // A compiler at work for another loop would disturb the measurement.
      if (specialiser_.measure_after() > 0 && specialiser_.compiling()) return nullptr;
      adopt(request);
      if (stage_ != Stage::measuring) return nullptr;
      [[fallthrough]];
    case Stage::measuring:
      timing_ = true;
      return std::exchange(used_, times_->next()) == times_->next() ? nullptr : &forms_[used_];
    case Stage::done:
      break;
  }
  return nullptr;
}

void FormTuner::after(double seconds) {
  timing_ = false;
  if (stage_ == Stage::measuring) {
    times_->note(seconds);
    if (times_->done()) finish();
    return;
  }
  spent_ += seconds * static_cast<double>(calls_ - looked_);
  looked_ = calls_;
  next_look_ = calls_ + std::max(calls_ / 4, 1L);
  if (spent_ >= specialiser_.measure_after()) start();
}

void FormTuner::start() {
  others_ = jit::Specialiser::others(draft_);
  for (jit::Draft &other : others_) specialiser_.start(other, specialiser_.measure_after() > 0);
  stage_ = others_.empty() ? Stage::done : Stage::compiling;
}

// A form takes part if it was compiled and gives the bits of the first one. Code that takes reduced values as rows can
// only be held against the program's own.
void FormTuner::adopt(const FastFormRequest &request) {
  for (const jit::Draft &other : others_) {
    jit::Specialised made = specialiser_.finish(other);
    if (!made.range || made.form != other.code.form) continue;
    const bool rows = request.reduction->by_rows();
    const TrialResult trial = try_form(request, rows ? request.known : forms_.front().range, made.range, {});
    if (trial.difference.empty() && (rows || !trial.rounds_otherwise)) forms_.push_back(std::move(made));
  }
  others_.clear();
  stage_ = forms_.size() > 1 ? Stage::measuring : Stage::done;
  if (stage_ == Stage::measuring) times_ = std::make_unique<FormTimes>(forms_.size());
}

void FormTuner::finish() {
  std::vector<std::string> names;
  for (const jit::Specialised &form : forms_) names.push_back(form.form);
  chosen_ = times_->fastest();
  figures_ = times_->text(names);
  specialiser_.remember(draft_, key_, names[chosen_]);
  stage_ = Stage::done;
}

} // namespace op2::core
