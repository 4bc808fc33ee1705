#include "loop/form/form_tuner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "loop/form/own_forms.hpp"

namespace op2::core {

namespace {

constexpr long first_look = 3; // a run that is timed: by then caches and pages are warm
// The program's own code needs no compilation. It takes turns once the loop has run so often, for this part of the time
// before other forms are compiled; where it is so much faster, these are not.
constexpr long own_calls = 40;
constexpr double own_part = 0.01, by_far = 0.2;

constexpr double must_save = 0.05; // of the time of the other forms, before the one that rounds otherwise is taken

// Whether the program's own code may take turns with generated code.
bool compares_own(const FastFormRequest &request, int lanes) {
  const LoopSignature &what = *request.what;
  if (request.known != what.site.range || request.reduction->by_rows()) return false;
  return request.last_bits_free || (what.site.lanes && sums_alike(what, lanes));
}
// Code that the compiler was to turn into vectors, and did not.
bool is_scalar_excerpt(const FastForm &code) {
  return code.made().form == "scalar" && !code.provisional() && code.draft().code.by_compiler;
}
bool is_own(const jit::Specialised &form) { return form.form.starts_with("own "); }

} // namespace

std::unique_ptr<FormTuner> FormTuner::of(const FastForm &code, const FastFormRequest &request, int threads) {
  const bool settled = code.chosen() && !code.provisional();
  if (!code.range() || settled || !code.layouts().empty()) return nullptr;
  // Scalar code has no other forms but the program's own.
  const bool own = compares_own(request, code.lanes()) && code.specialiser()->form() == "auto";
  auto out = std::make_unique<FormTuner>(code, form_key(request, threads));
  if (out->alone_ && !own) return nullptr;
  return out;
}

FormTuner::FormTuner(const FastForm &code, std::string key)
    : specialiser_(code.specialiser()),
      draft_(code.draft()),
      lanes_(code.lanes()),
      key_(std::move(key)),
      forms_({code.made()}),
      alone_(code.draft().code.lanes == 0 || is_scalar_excerpt(code)),
      own_first_(code.specialiser()->measure_after() > 0 && code.specialiser()->form() == "auto"),
      stage_(code.provisional() ? Stage::arriving : Stage::waiting),
      chosen_before_(code.chosen()),
      next_look_(code.specialiser()->measure_after() > 0 ? first_look : 1) {}

FormTuner::FormTuner(std::vector<jit::Specialised> own)
    : specialiser_(nullptr),
      forms_(std::move(own)),
      stage_(Stage::due),
      chosen_before_(false),
      next_look_(first_look) {}

const jit::Specialised *FormTuner::before(const FastFormRequest &request) {
  ++calls_;
  arrived_ = false;
  switch (stage_) {
    case Stage::arriving:
      return draft_.pending->ready() && arrive(request) ? &forms_.front() : nullptr;
    case Stage::waiting:
      timing_ = calls_ == next_look_;
      return std::exchange(settled_, false) ? &forms_[used_] : nullptr;
    case Stage::due:
      if (!specialiser_) {
        if (calls_ < first_look) return nullptr;
        compare();
        if (stage_ != Stage::measuring) return nullptr;
        timing_ = true;
        return nullptr;
      }
      if (own_first_) {
        adopt_own(request);
        timing_ = stage_ == Stage::measuring;
        return nullptr;
      }
      start(request);
      [[fallthrough]];
    case Stage::compiling:
      // A compiler at work for another loop would disturb the measurement.
      if (specialiser_->measure_after() > 0 && specialiser_->compiling()) return nullptr;
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

// The vectors replace scalar code with the same bits. False if there are none.
bool FormTuner::arrive(const FastFormRequest &request) {
  arrived_ = true;
  stage_ = chosen_before_ ? Stage::done : Stage::waiting;
  calls_ = 0;
  jit::Specialised made = specialiser_->finish(draft_);
  draft_.pending.reset();
  if (made.range && gives_the_bits(request, made)) {
    forms_.front() = std::move(made);
    return true;
  }
  own_first_ = false;
  stage_ = is_own(forms_.front()) ? Stage::compiling : Stage::done; // the other own forms are still to be compared
  forms_.front().why = made.range ? "they gave other values than scalar code" : made.why;
  return false;
}

// Code that takes reduced values as rows can only be held against the program's own.
bool FormTuner::gives_the_bits(const FastFormRequest &request, const jit::Specialised &made) const {
  const bool rows = request.reduction->by_rows();
  const TrialResult trial = try_form(request, rows ? request.known : forms_.front().range, made.range, {});
  return trial.difference.empty() && (rows || !trial.rounds_otherwise);
}

void FormTuner::after(double seconds) {
  timing_ = false;
  if (stage_ == Stage::measuring) {
    times_->note(seconds);
    if (!times_->compares()) finish();
    return;
  }
  spent_ += seconds * static_cast<double>(calls_ - looked_);
  looked_ = calls_;
  next_look_ = calls_ + std::max(calls_ / 4, 1L);
  const double enough = specialiser_->measure_after();
  own_first_ = own_first_ && spent_ < enough;
  const bool own = own_first_ && calls_ >= own_calls && spent_ >= own_part * enough;
  if (own || spent_ >= enough) stage_ = Stage::due;
}

void FormTuner::start(const FastFormRequest &request) {
  if (!draft_.source) draft_ = specialiser_->draft(wanted_host_code(request, nullptr).request); // it was recalled
  if (!alone_) others_ = jit::Specialiser::others(draft_);
  for (jit::Draft &other : others_) specialiser_->start(other, specialiser_->measure_after() > 0);
  stage_ = Stage::compiling;
}

// A form takes part if it was compiled and gives the bits of the first one.
void FormTuner::adopt(const FastFormRequest &request) {
  for (const jit::Draft &other : others_) {
    jit::Specialised made = specialiser_->finish(other);
    if (!made.range || made.form != other.code.form) continue;
    if (gives_the_bits(request, made)) forms_.push_back(std::move(made));
  }
  others_.clear();
  add_own(request);
  compare();
}

void FormTuner::add_own(const FastFormRequest &request) {
  if (std::exchange(own_added_, true) || specialiser_->form() != "auto") return;
  if (specialiser_->store().machine().vector_math) return;
  for (const jit::Specialised &own : rivals(request, lanes_))
    if (own.range != forms_.front().range &&
        ((own.form == range_form && may_round(request)) || gives_the_bits(request, own)))
      forms_.push_back(own);
}

void FormTuner::adopt_own(const FastFormRequest &request) {
  add_own(request);
  compare();
  if (stage_ == Stage::measuring) return;
  own_first_ = false;
  stage_ = Stage::waiting;
}

void FormTuner::compare() {
  stage_ = forms_.size() > 1 ? Stage::measuring : Stage::done;
  if (stage_ == Stage::measuring) times_ = std::make_unique<WayTimes>(forms_.size(), WayTimes::Rule());
}

void FormTuner::finish() {
  std::vector<std::string> names;
  for (const jit::Specialised &form : forms_) names.push_back(form.form);
  chosen_ = times_->fastest();
  if (forms_[chosen_].form == range_form) chosen_ = unless_it_saves();
  used_ = chosen_;
  figures_ = times_->text(names);
  const bool clearly = chosen_ > 0 && times_->least(chosen_) < (1 - by_far) * times_->least(0);
  if (std::exchange(own_first_, false) && !clearly && !alone_) {
    settled_ = true;
    stage_ = Stage::waiting;
    return;
  }
  if (specialiser_) specialiser_->remember(draft_, key_, names[chosen_]);
  stage_ = Stage::done;
}

// The best of the forms with the same bits, where the program's range function, which is the fastest, saves little.
std::size_t FormTuner::unless_it_saves() const {
  std::size_t best = chosen_;
  for (std::size_t n = 0; n < forms_.size(); ++n)
    if (n != chosen_ && times_->measured(n) && (best == chosen_ || times_->least(n) < times_->least(best))) best = n;
  return times_->least(chosen_) < (1 - must_save) * times_->least(best) ? chosen_ : best;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
