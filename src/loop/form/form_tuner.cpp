#include "loop/form/form_tuner.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "loop/form/own_forms.hpp"

namespace op2::core {

namespace {

constexpr long first_look = 3; // a run that is timed: by then caches and pages are warm

// Whether the program's own forms may have the bits of generated code.
bool compares_own(const FastFormRequest &request) {
  return request.what->site.lanes && sums_alike(*request.what) && !request.reduction->by_rows();
}
bool is_own(const jit::Specialised &form) { return form.form.starts_with("own "); }

} // namespace

std::unique_ptr<FormTuner> FormTuner::of(const FastForm &code, const FastFormRequest &request, int threads) {
  const bool ones = code.made().form == "scalar" && !code.provisional() && code.draft().code.by_compiler;
  const bool settled = (code.chosen() && !code.provisional()) || ones;
  if (!code.range() || settled || !code.layouts().empty()) return nullptr;
  // Scalar code has no other forms but the program's own.
  const bool own = compares_own(request) && code.specialiser()->form() == "auto";
  if (code.draft().code.lanes == 0 && !own) return nullptr;
  std::string key = form_key(request, threads);
  return std::make_unique<FormTuner>(code, std::move(key));
}

FormTuner::FormTuner(const FastForm &code, std::string key)
    : specialiser_(code.specialiser()),
      draft_(code.draft()),
      key_(std::move(key)),
      forms_({code.made()}),
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
      return nullptr;
    case Stage::due:
      if (!specialiser_) {
        if (calls_ < first_look) return nullptr;
        compare();
        if (stage_ != Stage::measuring) return nullptr;
        timing_ = true;
        return nullptr;
      }
      start(request);
      if (stage_ != Stage::compiling) return nullptr;
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
  if (spent_ >= specialiser_->measure_after()) stage_ = Stage::due;
}

void FormTuner::start(const FastFormRequest &request) {
  if (!draft_.source) draft_ = specialiser_->draft(wanted_host_code(request, nullptr).request); // it was recalled
  others_ = jit::Specialiser::others(draft_);
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
  const bool exact = draft_.source && !draft_.source->shape.vector_math;
  if (exact && compares_own(request))
    for (const jit::Specialised &own : own_forms(request, request.own_vectors))
      if (own.range != forms_.front().range && gives_the_bits(request, own)) forms_.push_back(own);
  compare();
}

void FormTuner::compare() {
  stage_ = forms_.size() > 1 ? Stage::measuring : Stage::done;
  if (stage_ == Stage::measuring) times_ = std::make_unique<WayTimes>(forms_.size(), WayTimes::Rule());
}

void FormTuner::finish() {
  std::vector<std::string> names;
  for (const jit::Specialised &form : forms_) names.push_back(form.form);
  chosen_ = times_->fastest();
  figures_ = times_->text(names);
  if (specialiser_) specialiser_->remember(draft_, key_, names[chosen_]);
  stage_ = Stage::done;
}

} // namespace op2::core
