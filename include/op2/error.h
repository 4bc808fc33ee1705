/* error.h: how the library reports errors.
 *
 * Every call checks its arguments first; if a check fails, the call has changed nothing. A failure while a loop runs
 * makes the context unusable until op_exit(): later calls return OP_ERR_STATE, and their messages name the first
 * failure.
 *
 * By default the library prints the first error on stderr and ends all processes of the job with exit code 1. With the
 * setting OP2_ERROR=return, or after op_set_error_handler(op_error_return, NULL), calls return instead: a status other
 * than OP_OK, a NULL handle, or a negative size. op_last_error() then returns the message. */
#ifndef OP2_ERROR_H
#define OP2_ERROR_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* One error. The strings are valid until the next error on the same thread. Fields that do not apply are NULL or -1. */
typedef struct op_error {
  size_t size; /* sizeof(op_error) of the library */
  op_status code;
  const char *message; /* one sentence that names the objects involved and a remedy */
  const char *call;    /* the function that the program called */
  const char *loop;    /* name of the loop */
  int arg;             /* position of the argument in the loop, from 0 */
  const char *file;    /* source file of the call, where the loop macros recorded it */
  int line;
} op_error;

/* An error handler. The library calls it once for each error, on the thread of the failing call, before that call
 * returns. The error is borrowed for the call of the handler. */
typedef void (*op_error_handler)(const op_error *error, void *user);

/* Install a handler for this process; NULL restores the default handler. The library passes `user` on to the handler
 * and does not read it. Callable at any time, on any thread. Not collective. */
OP_API op_status op_set_error_handler(op_error_handler handler, void *user);

/* A handler that does nothing, so that failed calls only return their status. */
OP_API void op_error_return(const op_error *error, void *user);

/* Message of the calling thread's last error; "" if there was none. Owned by the library, valid until the thread's next
 * error. */
OP_API const char *op_last_error(void);

/* Status of the calling thread's last error; OP_OK if there was none. */
OP_API op_status op_last_status(void);

/* All fields of the calling thread's last error: fills the first out->size bytes of *out. The caller sets
 * out->size = sizeof *out before the call. Errors: OP_ERR_ARGUMENT (NULL, or the size is not set). */
OP_API op_status op_last_error_info(op_error *out);

/* Forget the calling thread's last error. */
OP_API void op_clear_error(void);

/* The name of a status, e.g. "OP_ERR_RANGE" for OP_ERR_RANGE. Static string. */
OP_API const char *op_status_name(op_status status);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
