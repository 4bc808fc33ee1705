#include "paging/pager.hpp"

#include <unistd.h>

#include "paging/paging.hpp"

namespace op2::core {

struct Pager::Impl {
  explicit Impl(const PagerOptions &options) : paging(options) {}
  paging::Paging paging;
  pid_t process = getpid();
};

Pager::Pager(const PagerOptions &options) : impl_(std::make_unique<Impl>(options)) {}

Pager::~Pager() {
  // A forked process has the memory of the pager and none of its threads.
  if (impl_->process != getpid()) static_cast<void>(impl_.release());
}

int Pager::add(void *data, std::size_t bytes, const std::string &name, bool empty) {
  return impl_->paging.add(data, bytes, name, empty);
}
void Pager::remove(int array, bool keep) { impl_->paging.remove(array, keep); }

Chunks Pager::chunks_of(int array, std::size_t begin, std::size_t end) const {
  return impl_->paging.chunks_of(array, begin, end);
}
std::int64_t Pager::chunks(int array) const { return impl_->paging.chunks(array); }
std::size_t Pager::bytes_of(const Chunks &chunks) const { return impl_->paging.bytes_of(chunks); }

void Pager::load(std::span<const Chunks> chunks) { impl_->paging.ask(chunks, {}); }
void Pager::make(std::span<const Chunks> chunks) { impl_->paging.ask(chunks, {.zeros = true}); }
void Pager::wait(std::span<const Chunks> chunks, bool writes) {
  impl_->paging.bring(chunks, {.counted = true}, writes);
}
void Pager::store(std::span<const Chunks> chunks) { impl_->paging.store(chunks); }
void Pager::drop(std::span<const Chunks> chunks) { impl_->paging.drop(chunks); }
void Pager::settle() { impl_->paging.settle(); }
void Pager::keep_only(std::span<const Chunks> keep) { impl_->paging.keep_only(keep); }
void Pager::shrink_to(std::size_t bytes) { impl_->paging.shrink_to(bytes); }

void Pager::pin(int array, std::size_t begin, std::size_t end, bool writes) {
  const Chunks chunks = chunks_of(array, begin, end);
  impl_->paging.pin(chunks, 1);
  try {
    impl_->paging.bring({&chunks, 1}, {.by_schedule = false, .counted = true}, writes);
  } catch (...) {
    impl_->paging.pin(chunks, -1);
    throw;
  }
}

void Pager::unpin(int array, std::size_t begin, std::size_t end) {
  impl_->paging.pin(chunks_of(array, begin, end), -1);
}

const PagerOptions &Pager::options() const { return impl_->paging.options(); }
PagerStats Pager::stats() const { return impl_->paging.stats(); }
std::string Pager::form() const { return impl_->paging.form(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
