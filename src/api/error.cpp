// The door of error.h and of op_raise(), and the default handler: the one place in the library that ends the process.
#include "op2/error.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "api/guard.hpp"
#include "host/files.hpp"
#include "op2/fortran_support.h"

namespace op2::core {

namespace {

struct LastError {
  op_status code = OP_OK;
  std::string message, call, loop, file;
  char brief[512] = ""; // takes the place of the message where there was no memory for it
  int arg = -1, line = 0;
  bool silent = false; // another process prints it

  const char *words() const { return brief[0] ? brief : message.c_str(); }
};
thread_local LastError last;

struct Handler {
  op_error_handler function = nullptr;
  void *user = nullptr;
};
std::mutex handler_mutex;
Handler handler;

op_error view_of_last() {
  const auto text_or_null = [](const std::string &value) { return value.empty() ? nullptr : value.c_str(); };
  op_error view{};
  view.size = sizeof view;
  view.code = last.code;
  view.message = last.words();
  view.call = text_or_null(last.call);
  view.loop = text_or_null(last.loop);
  view.arg = last.arg;
  view.file = text_or_null(last.file);
  view.line = last.line > 0 ? last.line : -1;
  return view;
}

// What the last op_init() found OP2_ERROR to be, whether or not it succeeded otherwise.
enum class ErrorMode { unknown, abort, give_back };
std::atomic<ErrorMode> error_mode{ErrorMode::unknown};

bool default_handler_returns() {
  const ErrorMode mode = error_mode;
  if (mode != ErrorMode::unknown) return mode == ErrorMode::give_back;
  const char *value = std::getenv("OP2_ERROR");
  return value && std::strcmp(value, "return") == 0;
}

void end_job(const op_error &error) {
  std::fflush(stdout);
  Session *const current = current_session();
  if (current && forked()) { // the job goes on, and handlers of exit() may wait for threads of the parent
    std::fprintf(stderr, "op2: error: %s (%s)\n", error.message, op_status_name(error.code));
    ::_exit(EXIT_FAILURE);
  }
  const bool first = !current || !current->communicator || current->communicator->claim_failure();
  if (first && !last.silent) {
    std::fprintf(stderr, "op2: error: %s (%s)\n", error.message, op_status_name(error.code));
    std::fflush(stderr);
  }
  if (current) {
    try {
      if (current->async && current->communicator->size() == 1) current->async->finish(); // what is written so far
      if (current->trace) current->trace->close(); // what led to the error is worth seeing
    } catch (...) {                                // no memory: the first error has been told
    }
    if (current->communicator && current->communicator->size() > 1)
      leave_nothing_behind(); // abort() need not be exit()
    if (current->communicator) current->communicator->abort(EXIT_FAILURE);
  }
  std::exit(EXIT_FAILURE);
}

void default_handler(const op_error &error) {
  if (!default_handler_returns()) end_job(error);
}

// "op_par_loop: loop 'res', argument 3: ... [res.cpp:12]"
std::string full_message(const char *call, const Error &error) {
  std::string out = text(call, ": ");
  if (!error.loop.empty()) out += text("loop '", error.loop, "'", error.arg >= 0 ? "" : ": ");
  if (error.arg >= 0) out += text(", argument ", error.arg, " (from 0): ");
  out += error.what();
  if (!error.file.empty()) out += text(" [", error.file, ":", error.line, "]");
  return out;
}

void remember_whole(const char *call, const Error &error) {
  last.brief[0] = '\0';
  last.code = error.code;
  last.message = full_message(call, error);
  last.call = call;
  last.loop = error.loop;
  last.arg = error.arg;
  last.file = error.file;
  last.line = error.line;
  last.silent = error.silent;
  if (error.poisons)
    if (Session *current = current_session()) current->poison = last.message;
}

// What needs no memory.
void remember_briefly(const char *call, op_status code, const char *what, bool silent, bool poisons) noexcept {
  for (std::string *part : {&last.message, &last.call, &last.loop, &last.file}) part->clear();
  last.code = code;
  last.arg = -1;
  last.line = 0;
  last.silent = silent;
  std::snprintf(last.brief, sizeof last.brief, "%s: %s", call, what);
  if (poisons)
    if (Session *current = current_session()) current->poison.assign("out of memory"); // short: it is in the string
}

void remember(const char *call, const Error &error) noexcept {
  try {
    remember_whole(call, error);
  } catch (...) {
    remember_briefly(call, error.code, error.what(), error.silent, error.poisons);
  }
}

// The same for exceptions of others; making an Error takes memory, too.
template <class... T>
void remember(const char *call, op_status code, const char *briefly, const T &...parts) noexcept {
  try {
    remember_whole(call, Error(code, text(parts...)));
  } catch (...) {
    remember_briefly(call, code, briefly, false, false);
  }
}

} // namespace

bool errors_return() noexcept {
  const std::lock_guard lock(handler_mutex);
  return handler.function != nullptr || default_handler_returns();
}

void remember_error_mode(bool errors_return) noexcept {
  error_mode = errors_return ? ErrorMode::give_back : ErrorMode::abort;
}

op_status report_error(const char *call) noexcept {
  bool ends_job = false;
  try {
    throw;
  } catch (const Error &error) {
    ends_job = error.ends_job;
    remember(call, error);
  } catch (const std::bad_alloc &) {
    remember(call, OP_ERR_MEMORY, "out of memory", "out of memory");
  } catch (const std::exception &error) {
    remember(call, OP_ERR_INTERNAL, error.what(), "unexpected: ", error.what(), "; please report this");
  } catch (...) {
    remember(call, OP_ERR_INTERNAL, "unexpected exception", "unexpected exception; please report this");
  }
  const op_error view = view_of_last();
  const bool silent = last.silent;
  char kept[2048] = ""; // calls of the handler may fail, too, and replace what is remembered
  if (ends_job) std::snprintf(kept, sizeof kept, "%s", view.message);
  Handler now_installed;
  {
    const std::lock_guard lock(handler_mutex);
    now_installed = handler;
  }
  if (now_installed.function)
    now_installed.function(&view, now_installed.user);
  else
    default_handler(view);
  if (ends_job) {
    op_error first = view;
    first.message = kept;
    last.silent = silent;
    end_job(first);
  }
  return view.code; // the handler may have changed what is remembered
}

} // namespace op2::core

using namespace op2::core;

op_status op_set_error_handler(op_error_handler function, void *user) {
  const std::lock_guard lock(handler_mutex);
  handler = {function, user};
  return OP_OK;
}

void op_error_return(const op_error *, void *) {}

op_status op_raise(op_status code, const char *call, const char *message) {
  const bool known = code > OP_OK && code <= OP_ERR_CHECK;
  return guarded(call ? call : "", [&] { fail(known ? code : OP_ERR_INTERNAL, message ? message : ""); });
}

const char *op_last_error(void) { return last.words(); }

op_status op_last_status(void) { return last.code; }

op_status op_last_error_info(op_error *out) {
  return guarded("op_last_error_info", [&] {
    if (!out || out->size < sizeof(size_t))
      fail(OP_ERR_ARGUMENT, "the struct is NULL or its size is not set; put sizeof(op_error) there");
    op_error view = view_of_last();
    view.size = std::min(out->size, sizeof view); // what is filled, so that a second call writes no further
    std::memcpy(out, &view, view.size);
  });
}

void op_clear_error(void) { last = {}; }

const char *op_status_name(op_status status) { return status_name(status); }

// SPDX-License-Identifier: MIT
