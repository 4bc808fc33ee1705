// reports.cpp: bad input for error.h and timing.h.
#include <climits>
#include <cstddef>
#include <cstring>

#include "op2/compat.h"
#include "op2/fortran_support.h"
#include "refuse.hpp"

namespace badinput {

namespace {

op_status describe(std::size_t size) {
  static op_error error;
  error = {};
  error.size = size;
  return op_last_error_info(&error);
}

op_status restore_handler(op_error_handler handler, void *user) {
  const op_status status = op_set_error_handler(handler, user);
  op_set_error_handler(nullptr, nullptr);
  return status;
}

// OP_OK where the error is the one that is expected; it leaves nothing behind.
op_status raised(op_status code, const char *call, const char *message, op_status expected) {
  const op_status status = op_raise(code, call, message);
  op_clear_error();
  return status == expected ? OP_OK : OP_ERR_INTERNAL;
}

std::vector<Wrong> make_rows() {
  std::vector<Wrong> rows = {
      {"op_last_error_info", "out", "NULL", OP_ERR_ARGUMENT, {"the struct is NULL"}, CALL(op_last_error_info(nullptr))},
      {"op_last_error_info",
       "out",
       "size 0",
       OP_ERR_ARGUMENT,
       {"its size is not set", "sizeof(op_error)"},
       CALL(describe(0))},
      {"op_last_error_info", "out", "size 7", OP_ERR_ARGUMENT, {"its size is not set"}, CALL(describe(7))},
      {"op_set_error_handler", "handler", "NULL", OP_OK, {}, CALL(restore_handler(nullptr, nullptr))},
      {"op_set_error_handler", "user", "NULL", OP_OK, {}, CALL(restore_handler(op_error_return, nullptr))},
      {"op_error_return", "error", "NULL", OP_OK, {}, VOID_CALL(op_error_return(nullptr, &w))},
      {"op_error_return", "user", "NULL", OP_OK, {}, VOID_CALL(op_error_return(nullptr, nullptr))},
      {"op_raise", "code", "unknown", OP_OK, {}, CALL(raised(INT_MAX, "call", "why", OP_ERR_INTERNAL))},
      {"op_raise", "call", "NULL", OP_OK, {}, CALL(raised(OP_ERR_RANGE, nullptr, "why", OP_ERR_RANGE))},
      {"op_raise", "message", "NULL", OP_OK, {}, CALL(raised(OP_ERR_RANGE, "call", nullptr, OP_ERR_RANGE))},
      {"op_status_name", "status", "unknown", OP_OK, {}, CALL(op_status_name(INT_MAX))},
      {"op_timers", "cpu", "NULL", OP_OK, {}, VOID_CALL(op_timers(nullptr, nullptr))},
      {"op_timers", "et", "NULL", OP_OK, {}, VOID_CALL(op_timers(nullptr, nullptr))},
      {"op_timers_core", "cpu", "NULL", OP_OK, {}, VOID_CALL(op_timers_core(nullptr, nullptr))},
      {"op_timers_core", "et", "NULL", OP_OK, {}, VOID_CALL(op_timers_core(nullptr, nullptr))}};
  struct Writer {
    const char *name;
    op_status (*write)(const char *file);
  };
  struct Place {
    const char *value, *path, *why;
  };
  for (const char *format : {static_cast<const char *>(nullptr), "", "csv", "op2 "})
    rows.push_back({"op_timing_write",
                    "format",
                    format ? format : "NULL",
                    OP_ERR_ARGUMENT,
                    {"there is no format '", "op2_totals"},
                    [=] { return op_timing_write(format, nullptr); }});
  for (const Writer &writer :
       {Writer{"op_timings_to_csv", op_timings_to_csv}, Writer{"op_timings_to_json", op_timings_to_json},
        Writer{"op_timing_write", [](const char *file) { return op_timing_write("op2_csv", file); }}}) {
    if (writer.name != std::string("op_timing_write")) // there it means the screen
      rows.push_back({writer.name, "file", "NULL", OP_ERR_ARGUMENT, {"the file name is NULL"}, [=] {
                        return writer.write(nullptr);
                      }});
    for (const Place &place :
         {Place{"empty", "", "No such file or directory"}, Place{"no folder", "/no/such/folder/f", "No such file"},
          Place{"a folder", "/", "Is a directory"}, Place{"behind a file", "/dev/null/f", "Not a directory"},
          Place{"a full disk", "/dev/full", "No space left on device"}})
      rows.push_back({writer.name,
                      "file",
                      place.value,
                      OP_ERR_FILE,
                      {std::string("cannot write '") + place.path + "': ", place.why},
                      [=] { return writer.write(place.path); }});
  }
  return rows;
}

} // namespace

const std::vector<Wrong> &wrong_reports() {
  static const std::vector<Wrong> all = make_rows();
  return all;
}

namespace {

TEST_F(Library, EveryStatusHasAName) {
  for (int status = OP_OK; status <= OP_ERR_INTERNAL; ++status)
    EXPECT_EQ(0u, std::string(op_status_name(status)).find(status ? "OP_ERR_" : "OP_OK")) << status;
  for (const int status : {-1, 1000, INT_MAX, INT_MIN}) EXPECT_STREQ("unknown status", op_status_name(status));
  covered("op_status_name");
}

TEST_F(InSession, NothingIsWrittenBehindASmallStruct) {
  op_decl_set(-1, "new");
  op_error error;
  std::memset(&error, 0x5A, sizeof error);
  error.size = offsetof(op_error, message);
  EXPECT_EQ(OP_OK, op_last_error_info(&error));
  EXPECT_EQ(OP_ERR_ARGUMENT, error.code);
  const char *memory = reinterpret_cast<const char *>(&error);
  for (std::size_t i = offsetof(op_error, message); i < sizeof error; ++i) EXPECT_EQ(0x5A, memory[i]) << "byte " << i;
}

// A handler that itself calls the library wrongly, and one that forgets the error.
TEST_F(InSession, HandlersMayFail) {
  static int depth;
  depth = 0;
  const auto recursive = [](const op_error *error, void *) {
    if (++depth < 3) op_decl_set(-1, error->message);
  };
  op_set_error_handler(recursive, nullptr);
  EXPECT_EQ(nullptr, op_decl_set(-1, "new"));
  EXPECT_EQ(3, depth);
  EXPECT_EQ(OP_ERR_ARGUMENT, op_last_status());
  op_set_error_handler([](const op_error *, void *) { op_clear_error(); }, nullptr);
  EXPECT_EQ(OP_ERR_HANDLE, op_free_dat_temp(nullptr));
  op_set_error_handler(nullptr, nullptr);
  covered("op_set_error_handler");
}

} // namespace

} // namespace badinput

// SPDX-License-Identifier: MIT
