// Collective calls: the processes compare what they do, and a failure of one becomes an error on all.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "host/communicator.hpp"

namespace op2::core {

class Agreement {
 public:
  explicit Agreement(Communicator &communicator) : communicator_(communicator) {}
  // errors_return: whether the program continues after an error. If not, a process that fails ends the whole job.
  void set_errors_return(std::function<bool()> errors_return) { errors_return_ = std::move(errors_return); }

  bool alone() const { return communicator_.size() == 1; }

  bool errors_return() const { return caught_ > 0 || errors_return_(); }

  // While one exists, errors_return() is true: the caller catches errors that would otherwise end the job.
  class Telling {
   public:
    explicit Telling(Agreement &agreement) : agreement_(agreement) { ++agreement_.caught_; }
    ~Telling() { --agreement_.caught_; }
    Telling(const Telling &) = delete;
    Telling &operator=(const Telling &) = delete;

   private:
    Agreement &agreement_;
  };

  // Collective. Throws on all processes if their `what` differ (OP_ERR_STATE) or one of them calls tell() instead.
  // Returns whether `content` is the same on all processes.
  bool agree(const std::string &what, std::uint64_t content = 0);

  // Collective. Runs check() and returns its value. If check() throws on one process, the call throws on all.
  template <class Check>
  auto together(const std::string &what, Check &&check) {
    if (alone()) return check();
    return with_others(what, [&] {
      auto value = check();
      agree(what);
      return value;
    });
  }

  // Collective. Runs step(), in which each process calls agree(). A process whose step fails before calls tell().
  template <class Body>
  auto with_others(const std::string &what, Body &&step) {
    try {
      return step();
    } catch (Error &error) {
      tell(error);
      throw;
    } catch (const std::bad_alloc &) {
      Error error(OP_ERR_MEMORY, text(what, ": out of memory"));
      tell(error);
      throw error;
    } catch (const std::exception &thrown) {
      Error error(OP_ERR_INTERNAL, text(what, ": unexpected: ", thrown.what()));
      tell(error);
      throw error;
    }
  }

  // A process that failed calls it in place of agree(), which then throws on the others. Sets error.agreed.
  void tell(Error &error);

 private:
  void compare(const std::string &report, bool failed, int code, bool poisons);

  Communicator &communicator_;
  std::function<bool()> errors_return_ = [] { return true; };
  int caught_ = 0;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
