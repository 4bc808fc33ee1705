// RAII handles of HDF5's objects, and its errors as one sentence.
#pragma once

#include <hdf5.h>

#include <string>
#include <utility>

#include "op2/plugin/io.h"

namespace hdf5 {

struct Failure {
  op_status code;
  std::string message;
};

// The message of HDF5's innermost function about the last failure.
std::string reason();

[[noreturn]] void refuse(op_status code, std::string message);
// "what: reason()"
[[noreturn]] void refuse_with_reason(const std::string &what);

// An identifier. The constructor throws for a negative one.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t), const std::string &what) : id_(id), close_(close) {
    if (id < 0) refuse_with_reason(what);
  }
  ~Handle() { reset(); }
  Handle(Handle &&other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle &operator=(Handle &&other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }

  hid_t id() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  // False if closing fails: HDF5 writes buffered data then.
  bool reset() noexcept { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

inline void check(herr_t status, const std::string &what) {
  if (status < 0) refuse_with_reason(what);
}

// HDF5 prints nothing during its lifetime. The program may use the same library and want its messages.
class Silence {
 public:
  Silence() {
    H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
    H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  }
  ~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }
  Silence(const Silence &) = delete;
  Silence &operator=(const Silence &) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void *data_ = nullptr;
};

} // namespace hdf5

// SPDX-License-Identifier: MIT
