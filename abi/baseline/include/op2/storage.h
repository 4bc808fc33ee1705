/* storage.h: what happens to the values of a dat when memory is scarce (setting OP2_MEMORY_LIMIT).
 *
 * With OP2_MEMORY_LIMIT the library keeps within that limit what dats and maps take in memory on each process, and the
 * rest in a file; programs do not change. The function here overrules what the library does with one dat.
 * docs/out_of_core.md says when that pays. */
#ifndef OP2_STORAGE_H
#define OP2_STORAGE_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Where the values of a dat are. With SCRATCH nobody needs the values after the chain of loops that writes them: they
 * are not written into the file when that chain has read them for the last time, and are undefined afterwards, until a
 * loop writes all of them again. */
#define OP_STORAGE_AUTO 0    /* some of them may be in the file */
#define OP_STORAGE_MEMORY 1  /* all stay in memory */
#define OP_STORAGE_SCRATCH 2 /* as AUTO, and needed by one chain only */

/* Set the storage of a dat. Without OP2_MEMORY_LIMIT it has no effect on anything that can be seen. Not for dats of
 * particles, whose values are always in memory. Collective, without communication. Errors: OP_ERR_HANDLE,
 * OP_ERR_ARGUMENT (no such storage), OP_ERR_FILE (values cannot be read). */
OP_API op_status op_dat_set_storage(op_dat dat, int storage);

OP_END_DECLS

#endif
/* SPDX-License-Identifier: MIT */
