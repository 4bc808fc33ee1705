/* info.h: what the library is and how it is set: settings, build, plugins. */
#ifndef OP2_INFO_H
#define OP2_INFO_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Current value of a setting (e.g. "OP2_NUM_THREADS") as text, from whichever source it was set; NULL for an unknown
 * name. Owned by the library until the calling thread's next call. docs/settings.md lists all settings. Callable at any
 * time. Errors: OP_ERR_ARGUMENT (NULL). */
OP_API const char *op_setting(const char *name);

/* The text that `op2_info` prints: version, settings, the plugins that were found or refused with the reasons, and the
 * compiler that the library uses for loops. Writes at most `capacity` bytes including the final zero and returns the
 * length of the whole text (like snprintf); 0 on error. buffer may be NULL. Callable at any time. */
OP_API int op_info(char *buffer, size_t capacity);

/* How the library was built, e.g. "0.1.0, g++ 12.2.0, Release, x86_64". The library owns the string for the life of the
 * process. Callable at any time, on any thread. */
OP_API const char *op_build_info(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
