// Reductions with OP2_REPRODUCIBLE=1. Records have more than the values that the kernel sees:
//
//   header (which run this belongs to) | values of one element | sums, winners: what all elements so far have given
//
// Executors run exact_range() in place of the kernel. It finds the record by the first reduced argument, runs element
// after element on fresh values and takes what each contributes.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "base/exact_sum.hpp"
#include "loop/reduce/reduce.hpp"

namespace op2::core {

namespace {

struct Header {
  const ReductionRun *run;
};
constexpr std::size_t alignment = 16;
constexpr std::size_t most_row_bytes = 16384; // scratch memory on the stack, in the first-level cache
constexpr op_gindex nobody = -1; // the number of the value that the program started with, which loses to nobody

template <class T>
T value_at(const char *values, int i) {
  T value;
  std::memcpy(&value, values + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
  return value;
}

template <class T>
void put(char *values, int i, T value) {
  std::memcpy(values + sizeof(T) * static_cast<std::size_t>(i), &value, sizeof(T));
}

std::size_t numbers_bytes(int dim) { return sizeof(op_gindex) * static_cast<std::size_t>(dim); }

ExactSum *sums_at(char *kept) { return std::launder(reinterpret_cast<ExactSum *>(kept)); }
const ExactSum *sums_at(const char *kept) { return std::launder(reinterpret_cast<const ExactSum *>(kept)); }

} // namespace

void Reduction::plan_exact(std::size_t &end) {
  std::size_t ordered = 0;
  for (Place &place : places_) {
    const std::size_t dim = static_cast<std::size_t>(place.dim);
    const bool real = place.element.id == OP_TYPE_DOUBLE || place.element.id == OP_TYPE_FLOAT;
    std::size_t bytes = 0;
    if (place.payload_of >= 0) {
      place.exact = Place::payload;
      bytes = place.bytes;
    } else if (place.reduction) {
      place.exact = Place::ordered;
      place.ordered_argument = ordered++;
    } else if (place.access != OP_INC) {
      place.exact = Place::extremum;
      bytes = dim * sizeof(op_gindex) + place.bytes;
    } else if (real) {
      place.exact = Place::sum;
      bytes = dim * sizeof(ExactSum);
    }
    place.kept = end;
    end += (bytes + alignment - 1) / alignment * alignment;
  }
  plan_rows();
}

// Rows of user types would do as well, but vectors have none.
void Reduction::plan_rows() {
  std::size_t bytes = 0;
  for (const Place &place : places_) {
    if (place.exact == Place::ordered || !place.element.builtin()) return;
    if (place.exact != Place::plain) bytes += place.bytes;
  }
  constexpr std::size_t most_rows = 256, fewest_rows = 16; // whole vectors
  const std::size_t borders = 64 * places_.size();
  if (bytes == 0 || borders + fewest_rows * bytes > most_row_bytes) return;
  const std::size_t rows = std::min((most_row_bytes - borders) / bytes, most_rows) / fewest_rows * fewest_rows;
  row_bytes_ = bytes;
  rows_at_once_ = static_cast<int>(rows);
  std::size_t offset = 0;
  for (Place &place : places_) {
    if (place.exact == Place::plain) continue;
    place.row_offset = offset;
    offset += (place.bytes * rows + 63) / 64 * 64;
  }
}

void ReductionRun::begin_exact() {
  std::construct_at(reinterpret_cast<Header *>(start_.data()), Header{this});
  ordered_.begin(reduction_.numbers_);
  for (const Place &place : reduction_.places_) {
    char *const kept = start_.data() + place.kept;
    if (place.exact == Place::sum) {
      for (int i = 0; i < place.dim; ++i) std::construct_at(reinterpret_cast<ExactSum *>(kept) + i);
    } else if (place.exact == Place::extremum) {
      for (int i = 0; i < place.dim; ++i) put(kept, i, nobody);
      std::memcpy(kept + sizeof(op_gindex) * static_cast<std::size_t>(place.dim), start_.data() + place.offset,
                  place.bytes);
    } else if (place.exact == Place::payload) {
      std::memcpy(kept, start_.data() + place.offset, place.bytes);
    }
  }
}

ReducedRange Reduction::wrap(op_range_fn range, bool rows) const {
  return {exact_ ? ReductionRun::exact_range : range, range, rows};
}

bool Reduction::as_row(int arg) const {
  return by_rows() && std::any_of(places_.begin(), places_.end(), [arg](const Place &place) {
           return place.arg == arg && place.exact != Place::plain;
         });
}

void ReductionRun::exact_range(const op_range_ctx *ctx, int begin, int end) {
  const op_range_arg *first = ctx->args;
  while (first->kind != OP_RANGE_GLOBAL || first->access == OP_READ) ++first;
  char *const record = first->base - Reduction::header_bytes;
  const ReductionRun &owner = *std::launder(reinterpret_cast<const Header *>(record))->run;
  const auto run = [&](int first, int last) {
    if (owner.code_.rows)
      owner.run_rows(ctx, first, last, record);
    else
      owner.run_elements(ctx, first, last, record);
  };
  if (!owner.sequence_) return run(begin, end);
  for (const SequenceRun &part : *owner.sequence_) {
    if (part.own)
      run(part.begin, part.end);
    else
      owner.run_copies(ctx, part.begin, part.end);
  }
}

// What they reduce is dropped.
void ReductionRun::run_copies(const op_range_ctx *ctx, int begin, int end) const {
  dropped_ = start_;
  op_range_arg args[OP_MAX_ARGS];
  std::memcpy(args, ctx->args, sizeof args[0] * static_cast<std::size_t>(ctx->nargs));
  for (const Place &place : reduction_.places_) args[place.arg].base = dropped_.data() + place.offset;
  op_range_ctx mine = *ctx;
  mine.args = args;
  if (code_.rows)
    run_rows(&mine, begin, end, dropped_.data());
  else
    run_elements(&mine, begin, end, dropped_.data());
}

void ReductionRun::run_elements(const op_range_ctx *ctx, int begin, int end, char *record) const {
  for (int n = begin; n < end; ++n) {
    for (const Place &place : reduction_.places_) // the present values belong to the element before
      if (place.exact != Place::plain) std::memcpy(record + place.offset, start_.data() + place.offset, place.bytes);
    code_.inner(ctx, n, n + 1);
    for (const Place &place : reduction_.places_) take(place, record + place.offset, record, n, 1);
  }
}

void ReductionRun::run_rows(const op_range_ctx *ctx, int begin, int end, char *record) const {
  alignas(64) char rows[most_row_bytes];
  op_range_arg args[OP_MAX_ARGS];
  std::memcpy(args, ctx->args, sizeof args[0] * static_cast<std::size_t>(ctx->nargs));
  op_range_ctx mine = *ctx;
  mine.args = args;
  for (int n = begin; n < end; n += reduction_.rows_at_once_) {
    const int count = std::min(end - n, reduction_.rows_at_once_);
    for (const Place &place : reduction_.places_) {
      if (place.exact == Place::plain) continue;
      fill(place, rows + place.row_offset, count);
      op_range_arg &arg = args[place.arg];
      arg.kind = OP_RANGE_DIRECT;
      arg.stride = static_cast<std::ptrdiff_t>(place.bytes);
      arg.base = rows + place.row_offset - n * arg.stride;
    }
    code_.inner(&mine, n, n + count);
    for (const Place &place : reduction_.places_)
      if (place.exact != Place::plain) take(place, rows + place.row_offset, record, n, count);
  }
}

void ReductionRun::fill(const Place &place, char *rows, int count) const {
  const std::size_t bytes = place.bytes, all = bytes * static_cast<std::size_t>(count);
  if (place.exact == Place::sum) {
    std::memset(rows, 0, all);
    return;
  }
  std::memcpy(rows, start_.data() + place.offset, bytes);
  for (std::size_t done = bytes; done < all; done *= 2) std::memcpy(rows + done, rows, std::min(done, all - done));
}

void ReductionRun::take(const Place &place, const char *rows, char *record, int first, int count) const {
  if (place.exact == Place::sum) {
    ExactSum *const sums = sums_at(record + place.kept);
    for (int i = 0; i < place.dim; ++i)
      for (int n = 0; n < count; ++n)
        sums[i].add(place.element.id == OP_TYPE_DOUBLE ? value_at<double>(rows, n * place.dim + i)
                                                       : static_cast<double>(value_at<float>(rows, n * place.dim + i)));
  } else if (place.exact == Place::extremum) {
    take_extremum(place, rows, record, first, count);
  } else if (place.exact == Place::ordered && first < reduction_.numbers_.own) {
    std::memcpy(ordered_.contribution(place.ordered_argument, first), rows, place.bytes); // by elements
  }
}

// The better value, among equals that of the lowest number.
void Reduction::keep_winner(const Place &place, char *into, int component, const Candidate &candidate) const {
  with_type(place.element.id, [&]<class T>(T *) {
    char *const winners = into + place.kept, *const values = winners + numbers_bytes(place.dim);
    const T best = value_at<T>(values, component), value = value_at<T>(candidate.value, 0);
    const bool better = place.access == OP_MIN ? value < best : best < value;
    if (!better && !(value == best && candidate.number < value_at<op_gindex>(winners, component))) return;
    put(winners, component, candidate.number);
    put(values, component, value);
  });
  if (value_at<op_gindex>(into + place.kept, component) != candidate.number) return;
  for (const Place &payload : places_) {
    if (payload.payload_of != place.arg) continue;
    const std::size_t share = payload.bytes / static_cast<std::size_t>(place.dim);
    const std::size_t at = share * static_cast<std::size_t>(component);
    const char *from = candidate.from + payload.kept;
    if (candidate.element >= 0)
      from = candidate.rows
                 ? candidate.from + payload.row_offset + payload.bytes * static_cast<std::size_t>(candidate.element)
                 : candidate.from + payload.offset;
    std::memcpy(into + payload.kept + at, from + at, share);
  }
}

void ReductionRun::take_extremum(const Place &place, const char *rows, char *record, int first, int count) const {
  const char *const all_rows = code_.rows ? rows - place.row_offset : record;
  with_type(place.element.id, [&]<class T>(T *) {
    const char *const bests = record + place.kept + numbers_bytes(place.dim);
    for (int n = 0; n < count; ++n)
      for (int i = 0; i < place.dim; ++i) {
        const char *const value = rows + sizeof(T) * static_cast<std::size_t>(n * place.dim + i);
        const T mine = value_at<T>(value, 0), best = value_at<T>(bests, i);
        if (place.access == OP_MIN ? !(mine <= best) : !(mine >= best)) continue;
        // Only where the kernel has set it.
        if (std::memcmp(value, start_.data() + place.offset + sizeof(T) * static_cast<std::size_t>(i), sizeof(T)) != 0)
          reduction_.keep_winner(place, record, i, {value, reduction_.numbers_.of(first + n), all_rows, n, code_.rows});
      }
  });
}

void Reduction::combine_exact(const Place &place, char *into, const char *later) const {
  if (place.exact == Place::sum) {
    for (int i = 0; i < place.dim; ++i) sums_at(into + place.kept)[i].add(sums_at(later + place.kept)[i]);
  } else if (place.exact == Place::extremum) {
    const std::size_t size = static_cast<std::size_t>(place.element.size);
    for (int i = 0; i < place.dim; ++i)
      if (const op_gindex number = value_at<op_gindex>(later + place.kept, i); number != nobody)
        keep_winner(place, into, i,
                    {later + place.kept + numbers_bytes(place.dim) + size * static_cast<std::size_t>(i), number, later,
                     -1, false});
  }
}

void Reduction::settle(char *record) const {
  for (const Place &place : places_) {
    char *const values = record + place.offset, *const kept = record + place.kept;
    if (place.exact == Place::sum) {
      for (int i = 0; i < place.dim; ++i) {
        if (place.element.id == OP_TYPE_DOUBLE)
          put(values, i, sums_at(kept)[i].as_double());
        else
          put(values, i, sums_at(kept)[i].as_float());
      }
    } else if (place.exact == Place::extremum) {
      std::memcpy(values, kept + numbers_bytes(place.dim), place.bytes);
    } else if (place.exact == Place::payload) {
      std::memcpy(values, kept, place.bytes);
    }
  }
}

// Reductions of the program's own have their result elsewhere.
bool ReductionRun::settle_ordered(const Place &place, char *variable) {
  if (place.exact != Place::ordered) return false;
  if (const char *const all = ordered_.result(place.ordered_argument))
    place.reduction->combine(variable, all, place.dim);
  return true;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
