// accounts.cpp: what the pager counts, and the troubles that it keeps until somebody can be told.
#include "base/clock.hpp"
#include "base/error.hpp"
#include "paging/paging.hpp"

namespace op2::core::paging {

void Paging::begin_io() {
  ++stats_.requests;
  if (io_++ == 0) io_since_ = now();
}

void Paging::end_io(bool write, std::size_t bytes, int error) {
  if (--io_ == 0) stats_.io_seconds += now() - io_since_;
  if (error == 0) (write ? stats_.written_bytes : stats_.read_bytes) += static_cast<double>(bytes);
}

void Paging::note(const Trouble &trouble) {
  if (trouble_.kind == Trouble::Kind::none) trouble_ = trouble;
}

void Paging::throw_trouble() {
  if (trouble_.kind == Trouble::Kind::none) return;
  const Trouble trouble = trouble_;
  trouble_.kind = Trouble::Kind::none;
  fail(trouble.kind == Trouble::Kind::memory ? OP_ERR_MEMORY : OP_ERR_FILE, trouble.text(file_.folder()));
}

void Paging::wait_for_bell() {
  const double begin = now();
  bell.wait();
  stats_.wait_seconds += now() - begin;
}

PagerStats Paging::stats() const {
  const std::lock_guard hold(gate);
  PagerStats out = stats_;
  out.resident = table_.resident();
  out.peak = table_.peak();
  if (io_ > 0) out.io_seconds += now() - io_since_;
  return out;
}

std::string Paging::form() const {
  return text(uring_ ? "io_uring" : text(engine_threads, " threads"), file_.direct() ? ", direct" : ", page cache");
}

} // namespace op2::core::paging

// SPDX-License-Identifier: MIT
