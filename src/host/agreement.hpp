// Collective calls: all processes do the same, and learn of it when one of them cannot.
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
  // Whether a program goes on after an error. If not, the process that fails ends all, and need not tell.
  void set_errors_return(std::function<bool()> errors_return) { errors_return_ = std::move(errors_return); }

  bool alone() const { return communicator_.size() == 1; }

  bool errors_return() const { return caught_ > 0 || errors_return_(); }

  // As long as one lives, processes tell each other of errors wherever these end programs: somebody catches them.
  class Telling {
   public:
    explicit Telling(Agreement &agreement) : agreement_(agreement) { ++agreement_.caught_; }
    ~Telling() { --agreement_.caught_; }
    Telling(const Telling &) = delete;
    Telling &operator=(const Telling &) = delete;

   private:
    Agreement &agreement_;
  };

  // All processes must be here with the same `what`; otherwise, or when one failed, throws on all of them. Returns
  // whether `content` is the same everywhere.
  bool agree(const std::string &what, std::uint64_t content = 0);

  // Runs check(), which fails on all processes when it fails on one, and returns what it returns.
  template <class Check>
  auto together(const std::string &what, Check &&check) {
    if (alone()) return check();
    return with_others(what, [&] {
      auto value = check();
      agree(what);
      return value;
    });
  }

  // Runs step(), in which all processes meet in agree() before it ends. One that fails tells the others there.
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

  // Tells the others, who are in agree(), that this process failed.
  void tell(Error &error);

 private:
  void compare(const std::string &report, bool failed, int code, bool poisons);

  Communicator &communicator_;
  std::function<bool()> errors_return_ = [] { return true; };
  int caught_ = 0;
};

} // namespace op2::core
