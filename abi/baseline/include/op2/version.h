/* version.h: the version of these headers. op_version() returns that of the library that is loaded at run time. */
#ifndef OP2_VERSION_H
#define OP2_VERSION_H

#include "op2/export.h"

/* The version of these headers, which is also the version of the library that they were installed with. */
#define OP2_VERSION_MAJOR 0
#define OP2_VERSION_MINOR 1
#define OP2_VERSION_PATCH 0

/* The version as one number: 10000 * major + 100 * minor + patch. */
#define OP2_VERSION (OP2_VERSION_MAJOR * 10000 + OP2_VERSION_MINOR * 100 + OP2_VERSION_PATCH)

OP_BEGIN_DECLS

/* Version of the loaded library, encoded as OP2_VERSION. Callable at any time, on any thread. */
OP_API int op_version(void);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
