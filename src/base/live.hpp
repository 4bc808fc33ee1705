// Objects that programs own by a handle: all that live, so that a handle can be told from any other pointer.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "base/error.hpp"

namespace op2::core {

template <class Object>
class Live {
 public:
  // what: in messages, as "mesh"; maker: the function that gives one.
  Live(const char *what, const char *maker) : what_(what), maker_(maker) {}

  Object *add(std::unique_ptr<Object> object) {
    const std::lock_guard lock(mutex_);
    Object *const out = object.get();
    all_[out] = std::move(object);
    return out;
  }
  // Throw OP_ERR_HANDLE.
  void remove(Object *handle) {
    const std::lock_guard lock(mutex_);
    if (all_.erase(handle) == 0) refuse(handle);
  }
  Object &get(Object *handle) {
    const std::lock_guard lock(mutex_);
    if (all_.count(handle) == 0) refuse(handle);
    return *handle;
  }

 private:
  [[noreturn]] void refuse(const Object *handle) const {
    fail(OP_ERR_HANDLE,
         handle ? text("the handle is no ", what_, ", or one that was freed") : text("the ", what_, " is NULL"), "; ",
         maker_, " gives one");
  }

  const char *what_, *maker_;
  std::mutex mutex_;
  std::map<Object *, std::unique_ptr<Object>> all_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
