// window.hpp: a host view of a dat.
#ifndef OP2_CPP_WINDOW_HPP
#define OP2_CPP_WINDOW_HPP

#include <cstddef>
#include <utility>

#include "op2/cpp/context.hpp"
#include "op2/data.h"
#include "op2/inspect.h"

namespace op2 {

// A host view of the rows that this process has declared, in the order of the declaration, see op_dat_acquire(). The
// library owns the memory. Until release() or the destructor releases the view, no loop may use the dat. Move only;
// constructor, release() and destructor are collective.
//
//   auto w = q.window(OP_RW);
//   for (int i = 0; i < w.size(); ++i) w[i][0] = 1.0;
template <class T>
class window {
 public:
  // access: OP_READ, OP_WRITE (old values may be lost) or OP_RW. Errors: as op_dat_acquire().
  window(op_dat handle, op_access access)
      : handle_(handle),
        data_(static_cast<T *>(check(op_dat_acquire(handle, access)))),
        dim_(op_dat_dim(handle)),
        size_(op_get_size_declared(op_dat_set(handle))) {}

  // Move only: the object that was moved to releases the view.
  window(window &&other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)),
        data_(std::exchange(other.data_, nullptr)),
        dim_(other.dim_),
        size_(std::exchange(other.size_, 0)),
        contexts_ended_(other.contexts_ended_) {}
  window &operator=(window &&other) noexcept {
    window moved(std::move(other));
    std::swap(handle_, moved.handle_);
    std::swap(data_, moved.data_);
    std::swap(dim_, moved.dim_);
    std::swap(size_, moved.size_);
    std::swap(contexts_ended_, moved.contexts_ended_);
    return *this;
  }
  window(const window &) = delete;
  window &operator=(const window &) = delete;
  ~window() {
    if (handle_ != nullptr && contexts_ended_ == detail::contexts_ended && op_is_initialised() != 0)
      (void)op_dat_release(handle_);
  }

  // Releases the view. Collective. Errors: as op_dat_release().
  void release() {
    data_ = nullptr;
    size_ = 0;
    if (handle_ != nullptr) check(op_dat_release(std::exchange(handle_, nullptr)));
  }

  // Row i: `dim` values, 0 <= i < size().
  [[nodiscard]] T *operator[](int i) const { return data_ + static_cast<std::ptrdiff_t>(i) * dim_; }
  // All rows [size()][dim()], contiguous; NULL after the release.
  [[nodiscard]] T *data() const noexcept { return data_; }
  // Number of rows.
  [[nodiscard]] int size() const noexcept { return size_; }
  // Values per row.
  [[nodiscard]] int dim() const noexcept { return dim_; }

 private:
  op_dat handle_;
  T *data_;
  int dim_;
  int size_;
  unsigned contexts_ended_ = detail::contexts_ended; // the view ends with its context
};

} // namespace op2

#endif

// SPDX-License-Identifier: MIT
