/* error.h: how the library reports what went wrong.
 *
 * Every call checks its arguments first; a failed check has changed nothing. A failure while a loop runs makes the context
 * unusable (later calls fail with OP_ERR_STATE and say why) until op_exit().
 *
 * By default the first error is printed on stderr and ends all processes of the job with exit code 1. With the setting
 * OP2_ERROR=return, or with op_set_error_handler(op_error_return, NULL), calls return instead: a status other than OP_OK, a
 * NULL handle, or a negative size; op_last_error() tells the story. */
#ifndef OP2_ERROR_H
#define OP2_ERROR_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* One error. Strings live until the next error of the same thread; fields that do not apply are NULL or -1. */
typedef struct op_error {
  size_t size;         /* sizeof(op_error) of the library */
  op_status code;
  const char *message; /* one sentence with the names involved and the way out */
  const char *call;    /* the function that was called */
  const char *loop;    /* name of the loop */
  int arg;             /* position of the argument in the loop, from 0 */
  const char *file;    /* place of the call, where the loop macros recorded it */
  int line;
} op_error;

/* Called once for each error, on the thread of the failing call, before the call returns. The error is borrowed. */
typedef void (*op_error_handler)(const op_error *error, void *user);

/* Install a handler for this process; NULL restores the default one. `user` is passed on. Callable at any time. */
OP_API op_status op_set_error_handler(op_error_handler handler, void *user);

/* A handler that does nothing: calls just return their status. */
OP_API void op_error_return(const op_error *error, void *user);

/* Message of this thread's last error, "" when there was none. Owned by the library. */
OP_API const char *op_last_error(void);

/* Status of this thread's last error, OP_OK when there was none. */
OP_API op_status op_last_status(void);

/* All of the last error: fills the first out->size bytes of *out (set out->size = sizeof *out before). */
OP_API op_status op_last_error_info(op_error *out);

/* Forget this thread's last error. */
OP_API void op_clear_error(void);

/* Report an error that a layer above the library has found (bindings to other languages), as the library's own: the handler is
 * called with it, and by default ends all processes. call: the function of that layer; message: as in op_error. Both are copied; NULL
 * counts as "". code: one of OP_ERR_...; others become OP_ERR_INTERNAL. Returns the code. Not collective. */
OP_API op_status op_raise(op_status code, const char *call, const char *message);

/* "OP_ERR_RANGE" for OP_ERR_RANGE. Static string. */
OP_API const char *op_status_name(op_status status);

OP_END_DECLS

#endif
