#include "loop/trial/trial.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "loop/trial/sample.hpp"
#include "loop/trial/trial_noise.hpp"

namespace op2::core {

namespace {

// How much of a value may be rounding.
template <class T>
T tolerance(bool elsewhere) {
  constexpr T epsilon = std::numeric_limits<T>::epsilon();
  return elsewhere ? 8 * std::sqrt(epsilon) : 4096 * epsilon;
}

// How much the values of one dat or record differ. A compiler that fuses products and sums, as gcc does when told
// -march=native, makes the program's own code round otherwise than the text says; any other difference is far larger.
class Difference {
 public:
  explicit Difference(bool elsewhere) : elsewhere_(elsewhere) {}
  bool none() const { return none_; }
  bool rounding() const { return none_ || rounding_; }
  bool rounds() const { return rounds_; } // some values are near each other, and not the same
  const std::string &example() const { return example_; }
  std::size_t at() const { return at_; } // the number of the value in the example

  // Values of one type: made is compared with known. Components have scales of their own. noise: NULL = not known.
  void compare(const ElementType &type, const char *known, const char *made, std::size_t bytes, int dim,
               const TrialNoise *noise) {
    if (bytes == 0 || std::memcmp(known, made, bytes) == 0) return;
    if (elsewhere_ && type.id == OP_TYPE_USER) return; // which may have gaps, and numbers of its own
    if (type.id == OP_TYPE_DOUBLE)
      look_at<double>(known, made, bytes, dim, noise);
    else if (type.id == OP_TYPE_FLOAT)
      look_at<float>(known, made, bytes, dim, noise);
    else
      look_at_bytes(type, known, made, bytes);
  }

 private:
  void look_at_bytes(const ElementType &type, const char *known, const char *made, std::size_t bytes) {
    none_ = rounding_ = false;
    const std::size_t step = static_cast<std::size_t>(type.size);
    for (at_ = 0; at_ + 1 < bytes / step && std::memcmp(known + at_ * step, made + at_ * step, step) == 0;) ++at_;
    const auto value = [&](const char *from) -> long long {
      std::int32_t narrow = 0;
      long long wide = 0;
      std::memcpy(&narrow, from + at_ * step, std::min(sizeof narrow, step));
      std::memcpy(&wide, from + at_ * step, std::min(sizeof wide, step));
      return type.id == OP_TYPE_INT ? narrow : wide;
    };
    if (type.id != OP_TYPE_USER) example_ = text(" (", value(made), ", not ", value(known), ")");
  }
  template <class T>
  void look_at(const char *known, const char *made, std::size_t bytes, int dim, const TrialNoise *noise) {
    const std::size_t count = bytes / sizeof(T), step = static_cast<std::size_t>(dim);
    std::vector<T> a(count), b(count), scale(step);
    std::memcpy(a.data(), known, count * sizeof(T));
    std::memcpy(b.data(), made, count * sizeof(T));
    for (std::size_t i = 0; i < count; ++i)
      if (std::isfinite(a[i])) scale[i % step] = std::max(scale[i % step], std::abs(a[i]));
    const T roundings = tolerance<T>(elsewhere_);
    for (std::size_t i = 0; i < count; ++i) {
      if (std::memcmp(&a[i], &b[i], sizeof(T)) == 0 || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
      none_ = false;
      const T apart = std::abs(a[i] - b[i]);
      const bool near = apart <= roundings * scale[i % step] || (noise && static_cast<double>(apart) <= noise->of(i));
      rounds_ = rounds_ || near;
      if (near || !rounding_) continue;
      rounding_ = false;
      at_ = i;
      char out[80];
      std::snprintf(out, sizeof out, " (%.17g, not %.17g)", static_cast<double>(b[i]), static_cast<double>(a[i]));
      example_ = out;
    }
  }
  bool elsewhere_, none_ = true, rounding_ = true, rounds_ = false;
  std::size_t at_ = 0;
  std::string example_;
};

// By dat, and by place in the table of reductions; empty if not known.
struct RoundingSpreads {
  std::map<const Dat *, TrialNoise> rows;
  std::map<int, TrialNoise> reduced;
  template <class Key>
  static const TrialNoise *of(const std::map<Key, TrialNoise> &all, Key key) {
    const auto found = all.find(key);
    return found == all.end() ? nullptr : &found->second;
  }
};

// The reduced values of the sample: what each element contributes, and what a form makes of all.
class TrialReductions {
 public:
  explicit TrialReductions(const TrialRequest &request)
      : request_(request), table_(request.reduction->table()), run_(*request.reduction) {
    if (!table_) return;
    run_.begin(request_.call_args);
    record_ = start();
    sums_.resize(table_->record_bytes);
    magnitudes_.resize(table_->record_bytes);
  }

  void point(std::vector<op_range_arg> &args, std::vector<char> &record) const {
    for (int p = 0; table_ && p < table_->count; ++p)
      args[static_cast<std::size_t>(table_->arg[p])].base = record.data() + table_->offset[p];
  }
  std::vector<char> &record() { return record_; }
  std::vector<char> start() {
    return table_ ? std::vector<char>(run_.start(), run_.start() + table_->record_bytes) : std::vector<char>();
  }
  // What runs `range` so that it fills records that began as start(). The sample has an order of its own.
  op_range_fn wrap(op_range_fn range, bool rows) {
    const ReducedRange code = request_.reduction->wrap(range, rows);
    run_.use(code);
    return code.call;
  }

  // After one element of the known form: its increments are taken out of the record.
  void gather() {
    for (int p = 0; table_ && p < table_->count; ++p) {
      const LoopArg &arg = argument(p);
      if (arg.access != OP_INC || arg.payload_of >= 0) continue;
      if (arg.element.id == OP_TYPE_DOUBLE)
        take<double>(p, arg.dim);
      else if (arg.element.id == OP_TYPE_FLOAT)
        take<float>(p, arg.dim);
    }
  }

  void take_payloads(const std::vector<char> &winners) {
    for (int p = 0; table_ && p < table_->count; ++p)
      if (const LoopArg &arg = argument(p); arg.payload_of >= 0)
        std::memcpy(record_.data() + table_->offset[p], winners.data() + table_->offset[p],
                    static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size));
  }

  // other: what the known form made of all elements in another rounding mode.
  void gather(const std::vector<char> &other, RoundingSpreads &noises) const {
    for (int p = 0; table_ && p < table_->count; ++p) {
      const LoopArg &arg = argument(p);
      const std::vector<char> &result = summed(arg) ? sums_ : record_;
      noises.reduced.try_emplace(p, arg.dim)
          .first->second.gather(arg.element, result.data() + table_->offset[p], other.data() + table_->offset[p],
                                static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size));
    }
  }

  // What differs in the record of a form that ran all elements.
  void compare(const std::vector<char> &made, int elements, const RoundingSpreads &noises, TrialResult &result) const {
    for (int p = 0; table_ && p < table_->count; ++p) {
      const LoopArg &arg = argument(p);
      const TrialNoise *const noise = RoundingSpreads::of(noises.reduced, p);
      if (summed(arg)) {
        const bool good = arg.element.id == OP_TYPE_DOUBLE ? within_noise<double>(made, p, arg.dim, elements, noise)
                                                           : within_noise<float>(made, p, arg.dim, elements, noise);
        if (!good) result.difference = text("argument ", table_->arg[p], ", which is summed");
        continue;
      }
      if (arg.payload_of >= 0 && result.rounds_otherwise) continue; // extrema that nearly tie
      Difference difference(request_.elsewhere != nullptr);
      const std::size_t bytes = static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size);
      difference.compare(arg.element, record_.data() + table_->offset[p], made.data() + table_->offset[p], bytes,
                         arg.dim, noise);
      if (!difference.rounding())
        result.difference = text(
            "argument ", table_->arg[p],
            arg.payload_of >= 0 ? ", a payload, which a kernel sets only where the extremum changes ('<', not '<=')"
                                : ", which is reduced",
            difference.example());
      if (!difference.none()) result.rounds_otherwise = true;
    }
  }

 private:
  const LoopArg &argument(int place) const { return request_.what->args[static_cast<std::size_t>(table_->arg[place])]; }

  template <class T>
  T *at(std::vector<char> &bytes, int place) const {
    return reinterpret_cast<T *>(bytes.data() + table_->offset[place]);
  }
  template <class T>
  void take(int place, int dim) {
    for (int c = 0; c < dim; ++c) {
      T &term = at<T>(record_, place)[c];
      at<T>(sums_, place)[c] += term;
      at<T>(magnitudes_, place)[c] += std::abs(term);
      term = 0;
    }
  }
  static bool summed(const LoopArg &arg) {
    const bool real = arg.element.id == OP_TYPE_DOUBLE || arg.element.id == OP_TYPE_FLOAT;
    return real && arg.access == OP_INC && arg.payload_of < 0;
  }
  template <class T>
  bool within_noise(const std::vector<char> &made, int place, int dim, int elements, const TrialNoise *noise) const {
    const auto value = [&](const std::vector<char> &bytes, int c) {
      T v;
      std::memcpy(&v, bytes.data() + table_->offset[place] + static_cast<std::size_t>(c) * sizeof(T), sizeof v);
      return v;
    };
    for (int c = 0; c < dim; ++c) {
      const T sum = value(sums_, c), mine = value(made, c);
      if (std::isnan(sum) && std::isnan(mine)) continue;
      const T part = request_.elsewhere ? tolerance<T>(true)
                                        : static_cast<T>(2 * elements + 16) * std::numeric_limits<T>::epsilon();
      const T bound = part * value(magnitudes_, c);
      const T apart = std::abs(sum - mine);
      const bool in_noise = noise && static_cast<double>(apart) <= noise->of(static_cast<std::size_t>(c));
      if (!(sum == mine) && !(apart <= bound) && !in_noise) return false;
    }
    return true;
  }
  const TrialRequest &request_;
  const op_exec_reduce *table_;
  ReductionRun run_; // not the loop's own
  std::vector<char> record_, sums_, magnitudes_;
};

void compare_rows(const TrialRequest &request, const Sample &sample, const Sample::Copy &known,
                  const Sample::Copy &made, const RoundingSpreads &noises, TrialResult &result) {
  for (std::size_t i = 0; i < request.what->args.size(); ++i) {
    const LoopArg &arg = request.what->args[i];
    if (!arg.dat) continue;
    const std::vector<char> &a = known.rows.at(arg.dat), &b = made.rows.at(arg.dat);
    Difference difference(request.elsewhere != nullptr);
    difference.compare(arg.element, a.data(), b.data(), a.size(), arg.dim,
                       RoundingSpreads::of(noises.rows, static_cast<const Dat *>(arg.dat)));
    if (!difference.rounding() && result.difference.empty())
      result.difference =
          text("argument ", i, ", dat '", arg.dat->label, "'", difference.example(),
               difference.example().empty()
                   ? std::string()
                   : text(" at element ",
                          sample.element_of(arg, static_cast<int>(difference.at() / static_cast<std::size_t>(arg.dim))),
                          ", component ", difference.at() % static_cast<std::size_t>(arg.dim)));
    if (!difference.none()) result.rounds_otherwise = true;
    if (difference.rounds()) result.rounds = true;
  }
}

// What the program's own code has changed although all arguments only read it; generated code does not store it. "":
// nothing.
std::string written_although_read(const TrialRequest &request, const Sample &sample, const Sample::Copy &known) {
  const Sample::Copy before = sample.copy();
  const std::vector<LoopArg> &args = request.what->args;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const Dat *const dat = args[i].dat;
    const auto changes = [&](const LoopArg &arg) { return arg.dat == dat && arg.access != OP_READ; };
    if (dat && std::ranges::none_of(args, changes) && known.rows.at(dat) != before.rows.at(dat))
      return text("the kernel writes argument ", i, ", declared OP_READ (dat '", dat->label,
                  "'); OP_RW says so, or OP_WRITE where it writes all components");
  }
  return {};
}

} // namespace

TrialResult try_code(const TrialRequest &request) try {
  const Sample sample(request);
  if (sample.too_big()) return {"its rows are too long to be tried on copies first", false};
  TrialReductions sums(request);
  const int nargs = static_cast<int>(request.what->args.size());
  const auto run = [&](op_range_fn range, const Sample::Copy &copy, int begin, int end) {
    const op_range_ctx ctx{sizeof(op_range_ctx),
                           copy.args.data(),
                           nargs,
                           0,
                           request.what->site.element,
                           copy.layouts.empty() ? nullptr : copy.layouts.data()};
    range(&ctx, begin, end);
  };
  Sample::Copy known = sample.copy(), made = sample.copy_in_layouts();
  sums.point(known.args, sums.record());
  for (int e = 0; e < sample.size(); ++e) {
    run(request.known, known, e, e + 1);
    sums.gather();
  }
  std::vector<char> record = sums.start();
  sums.point(made.args, record);
  const bool rows = request.reduction->by_rows();
  if (rows) { // among equals the lowest number wins, not the first of the sample
    Sample::Copy again = sample.copy();
    std::vector<char> winners = sums.start();
    sums.point(again.args, winners);
    run(sums.wrap(request.known, false), again, 0, sample.size());
    request.reduction->settle(winners.data());
    sums.take_payloads(winners);
  }
  if (request.elsewhere)
    request.elsewhere({sample.size(), made.args, made.rows, record});
  else
    run(rows ? sums.wrap(request.made, true) : request.made, made, 0, sample.size());
  if (rows) request.reduction->settle(record.data());
  sample.take_back(made);
  const auto compare = [&](const RoundingSpreads &noises) {
    TrialResult out;
    compare_rows(request, sample, known, made, noises, out);
    if (out.difference.empty()) sums.compare(record, sample.size(), noises, out);
    return out;
  };
  TrialResult result = compare({});
  if (!result.difference.empty() && !rows) { // large terms cancel, perhaps
    RoundingSpreads noises;
    in_other_roundings([&] {
      Sample::Copy other = sample.copy();
      std::vector<char> reduced = sums.start();
      sums.point(other.args, reduced);
      run(request.known, other, 0, sample.size());
      for (const auto &[dat, row] : other.rows)
        noises.rows.try_emplace(dat, dat->dim)
            .first->second.gather(dat->element, known.rows.at(dat).data(), row.data(), row.size());
      sums.gather(reduced, noises);
    });
    for (auto &[dat, noise] : noises.rows) noise.settle();
    for (auto &[place, noise] : noises.reduced) noise.settle();
    result = compare(noises);
  }
  if (result.difference.empty()) return result;
  const std::string written = written_although_read(request, sample, known);
  if (!written.empty())
    result.difference = written;
  else
    result.difference = text("on ", sample.size(),
                             " elements its results differ from those of the program's own code in ", result.difference,
                             "; was the text edited since the program was built, does it depend on -D, or do constants "
                             "given to op_decl_const() differ from the variables?");
  return result;
} catch (const Error &) {
  if (request.elsewhere) throw; // of the executor, whose data it may have cost
  return {"the trial ended with an error", false};
} catch (const std::exception &thrown) {
  return {text("the trial ended with an exception: ", thrown.what()), false};
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
