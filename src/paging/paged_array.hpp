// An array in the care of a pager, or none. Whoever owns the memory has one of these and ends it before the memory
// goes.
#pragma once

#include <string>
#include <utility>

#include "paging/pager.hpp"

namespace op2::core {

class PagedArray {
 public:
  PagedArray() = default;
  // Has number() -1 if the memory has no whole page.
  PagedArray(Pager &pager, void *data, std::size_t bytes, const std::string &name, bool empty = false)
      : pager_(&pager), number_(pager.add(data, bytes, name, empty)) {}
  // What the store has given the number to already.
  PagedArray(ChunkStore &store, int number) : pager_(&store), number_(number) {}
  PagedArray(PagedArray &&other) noexcept { swap(other); }
  PagedArray &operator=(PagedArray &&other) noexcept {
    PagedArray taken(std::move(other)); // ends what was held before at once
    swap(taken);
    return *this;
  }
  ~PagedArray() {
    if (number_ >= 0) pager_->remove(number_, false);
  }

  bool known() const { return pager_ != nullptr; } // to the pager, which may find it too small
  int number() const { return number_; }
  // Ordinary memory again, with all values.
  void restore() {
    if (number_ >= 0) pager_->remove(std::exchange(number_, -1), true);
    pager_ = nullptr;
  }

 private:
  void swap(PagedArray &other) noexcept {
    std::swap(pager_, other.pager_);
    std::swap(number_, other.number_);
  }
  ChunkStore *pager_ = nullptr;
  int number_ = -1;
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
