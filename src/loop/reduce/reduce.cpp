#include "loop/reduce/reduce.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

namespace op2::core {

namespace {

constexpr std::size_t place_alignment = 16;  // enough for any scalar
constexpr std::size_t record_alignment = 64; // records of different threads share no cache line

std::size_t round_up(std::size_t bytes, std::size_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

template <class T>
void add(char *into, const char *later, int dim) {
  for (int i = 0; i < dim; ++i) {
    T a, b;
    std::memcpy(&a, into + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
    std::memcpy(&b, later + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
    if constexpr (std::is_same_v<T, bool>)
      a = a || b;
    else
      a = static_cast<T>(a + b);
    std::memcpy(into + sizeof(T) * static_cast<std::size_t>(i), &a, sizeof(T));
  }
}

bool is_real(const LoopArg &arg) { return arg.element.id == OP_TYPE_DOUBLE || arg.element.id == OP_TYPE_FLOAT; }

// What loses to every value, or ties with it.
template <class T>
T worst(op_access access) {
  using Limits = std::numeric_limits<T>;
  if constexpr (Limits::has_infinity)
    return access == OP_MIN ? Limits::infinity() : -Limits::infinity();
  else
    return access == OP_MIN ? Limits::max() : Limits::lowest();
}

// Sums of whole numbers and extrema of them are exact as they are.
bool needs_exact(const LoopArg &arg) { return arg.reduces() && (is_real(arg) || arg.payload_of >= 0 || arg.reduction); }

} // namespace

Reduction::Reduction(std::span<const LoopArg> args, const ElementNumbers &numbers, bool exact) : numbers_(numbers) {
  exact_ = exact && std::any_of(args.begin(), args.end(), needs_exact);
  std::size_t offset = exact_ ? header_bytes : 0;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const LoopArg &arg = args[i];
    if (!arg.reduces()) continue;
    Place place{};
    place.arg = static_cast<int>(i);
    place.offset = offset;
    place.bytes = static_cast<std::size_t>(arg.dim) * static_cast<std::size_t>(arg.element.size);
    place.access = arg.access;
    place.element = arg.element;
    place.dim = arg.dim;
    place.payload_of = arg.payload_of;
    place.reduction = arg.reduction;
    const LoopArg &decides = arg.payload_of >= 0 ? args[static_cast<std::size_t>(arg.payload_of)] : arg;
    place.late = decides.global && (arg.access == OP_MIN || arg.access == OP_MAX);
    offset = round_up(offset + place.bytes, place_alignment);
    places_.push_back(place);
    arg_of_place_.push_back(place.arg);
    offset_of_place_.push_back(place.offset);
  }
  if (exact_) plan_exact(offset);
  bytes_ = round_up(offset, record_alignment);
  shape_.owner = this;
  shape_.table.size = sizeof shape_.table;
  shape_.table.record_bytes = bytes_;
  shape_.table.count = static_cast<std::int32_t>(places_.size());
  shape_.table.arg = arg_of_place_.data();
  shape_.table.offset = offset_of_place_.data();
  shape_.table.combine = combine_entry;
}

void Reduction::combine_entry(const op_exec_reduce *table, void *into, const void *later) {
  // `table` is the first member of Shape, so both have one address.
  const Reduction &owner = *reinterpret_cast<const Shape *>(table)->owner;
  for (BlockRecords *const records : owner.collecting_)
    if (records->owns(into)) return records->take(static_cast<const char *>(later));
  owner.combine(static_cast<char *>(into), static_cast<const char *>(later));
}

void Reduction::combine(char *into, const char *later) const {
  for (const Place &place : places_) {
    if (place.payload_of >= 0) continue; // travels with its extremum
    if (place.exact != Place::plain) {
      combine_exact(place, into, later);
      continue;
    }
    if (place.reduction)
      place.reduction->combine(into + place.offset, later + place.offset, place.dim);
    else if (place.access == OP_INC)
      with_type(place.element.id, [&]<class T>(T *) { add<T>(into + place.offset, later + place.offset, place.dim); });
    else
      combine_extremum(place, into, later);
  }
}

// Copies each component that is strictly better, and tells its share of each payload: take(payload, offset, bytes).
template <class Take>
void Reduction::for_better(const Place &place, char *into, const char *later, const Take &take) const {
  with_type(place.element.id, [&]<class T>(T *) {
    for (int i = 0; i < place.dim; ++i) {
      T a, b;
      std::memcpy(&a, into + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
      std::memcpy(&b, later + sizeof(T) * static_cast<std::size_t>(i), sizeof(T));
      if (!(place.access == OP_MIN ? b < a : a < b)) continue;
      std::memcpy(into + sizeof(T) * static_cast<std::size_t>(i), &b, sizeof(T));
      for (const Place &payload : places_) {
        if (payload.payload_of != place.arg) continue;
        const std::size_t share = payload.bytes / static_cast<std::size_t>(place.dim);
        take(payload, share * static_cast<std::size_t>(i), share);
      }
    }
  });
}

// A later record wins only when it is strictly better, so among equals the earliest element keeps its payload.
void Reduction::combine_extremum(const Place &place, char *into, const char *later) const {
  for_better(place, into + place.offset, later + place.offset,
             [&](const Place &payload, std::size_t from, std::size_t bytes) {
               std::memcpy(into + payload.offset + from, later + payload.offset + from, bytes);
             });
}

// The present values of a global come before those of all elements.
void Reduction::improve(const Place &place, const char *found, std::span<const op_arg> args) const {
  const auto variable = [&](const Place &of) { return args[static_cast<std::size_t>(of.arg)].data; };
  for_better(place, variable(place), found + place.offset,
             [&](const Place &payload, std::size_t from, std::size_t bytes) {
               std::memcpy(variable(payload) + from, found + payload.offset + from, bytes);
             });
}

void Reduction::finish_place(const Place &place, const char *record, std::span<const op_arg> args) const {
  char *variable = args[static_cast<std::size_t>(place.arg)].data;
  const char *value = record + place.offset;
  if (place.late) {
    if (place.payload_of < 0) improve(place, record, args);
  } else if (place.reduction) {
    place.reduction->combine(variable, value, place.dim);
  } else if (place.access == OP_INC) {
    with_type(place.element.id, [&]<class T>(T *) { add<T>(variable, value, place.dim); });
  } else {
    std::memcpy(variable, value, place.bytes); // the start value took part
  }
}

void Reduction::finish(char *record, std::span<const op_arg> args) const {
  if (exact_) settle(record);
  for (const Place &place : places_) finish_place(place, record, args);
}

bool Reduction::by_program() const {
  return std::ranges::any_of(places_, [](const Place &place) { return place.reduction != nullptr; });
}

bool Reduction::needs_order() const {
  return std::ranges::any_of(places_, [](const Place &place) { return place.exact == Place::ordered; });
}

ReductionRun::~ReductionRun() { end_collecting(); }

char *ReductionRun::collect(std::size_t part, std::span<const int> blocks) {
  if (collected_.size() <= part) collected_.resize(part + 1);
  std::unique_ptr<BlockRecords> &records = collected_[part];
  if (!records) {
    records = std::make_unique<BlockRecords>(start_.size(), start_.data());
    reduction_.collecting_.push_back(records.get());
  }
  return records->begin(blocks);
}

void ReductionRun::combine_collected() {
  if (collected_.empty()) return;
  result_ = start_;
  collected_.front()->each([&](const char *later) { append(later); });
  end_collecting();
}

void ReductionRun::combine_collected(std::size_t part, std::vector<char> &into) const {
  if (collected_.size() <= part || !collected_[part]) return;
  into = start_;
  collected_[part]->each([&](const char *later) { reduction_.combine(into.data(), later); });
}

void ReductionRun::end_collecting() {
  for (const std::unique_ptr<BlockRecords> &records : collected_)
    if (records) std::erase(reduction_.collecting_, records.get());
  collected_.clear();
}

ReductionRun::ReductionRun(const Reduction &reduction)
    : reduction_(reduction), start_(reduction.bytes()), result_(reduction.bytes()) {
  for (const Place &place : reduction.places_)
    if (place.exact == Place::ordered) ordered_.add(*place.reduction, place.dim, place.bytes);
}

void ReductionRun::begin(std::span<const op_arg> args) {
  end_collecting();
  for (const Place &place : reduction_.places_) {
    char *at = start_.data() + place.offset;
    if (place.reduction) {
      for (int i = 0; i < place.dim; ++i)
        std::memcpy(at + static_cast<std::size_t>(i * place.element.size), place.reduction->identity.data(),
                    place.reduction->identity.size());
    } else if (place.access == OP_INC || (place.late && place.payload_of >= 0)) {
      std::memset(at, 0, place.bytes);
    } else if (place.late) {
      with_type(place.element.id, [&]<class T>(T *) {
        const T value = worst<T>(place.access);
        for (int i = 0; i < place.dim; ++i)
          std::memcpy(at + sizeof(T) * static_cast<std::size_t>(i), &value, sizeof(T));
      });
    } else {
      std::memcpy(at, args[static_cast<std::size_t>(place.arg)].data, place.bytes);
    }
  }
  if (reduction_.exact()) begin_exact();
  result_ = start_;
}

void ReductionRun::across(Communicator &communicator) {
  std::exception_ptr failure; // of the program's function: others wait for this process's record
  if (!ordered_.empty()) failure = ordered_.across(communicator);
  communicator.allreduce_record(
      result_.data(), result_.size(),
      [](void *context, void *into, const void *later) {
        static_cast<const Reduction *>(context)->combine(static_cast<char *>(into), static_cast<const char *>(later));
      },
      const_cast<Reduction *>(&reduction_));
  if (failure) std::rethrow_exception(failure);
}

void ReductionRun::finish(std::span<const op_arg> args) {
  if (reduction_.exact()) reduction_.settle(result_.data());
  for (const Place &place : reduction_.places_)
    if (!settle_ordered(place, args[static_cast<std::size_t>(place.arg)].data))
      reduction_.finish_place(place, result_.data(), args);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
