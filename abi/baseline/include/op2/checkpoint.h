/* checkpoint.h: the state of a run in a file, and restarts from it. See docs/howto/restart.md.
 *
 * A checkpoint holds the values of all dats except temporary ones (op_decl_dat_temp), in the order of the declaration;
 * the sizes of sets; checksums that tell whether maps are the same; constants; and the program's own values
 * (op_checkpoint_value). A restart may use any number of processes and any back end. Checksums cover everything in the
 * file. The file receives its name when it is complete and on the disk; until then, and after an error, an older file
 * of that name stays as it was. All calls that access files are collective; op_checkpoint_value() does not communicate,
 * but every process must make the same calls. All processes pass the same parameters, except addresses. Strings are
 * borrowed for the call.
 *
 * Errors of all calls that access files: OP_ERR_FILE (no permission, no space, no such file, damaged, not a checkpoint)
 * with the file and the reason; OP_ERR_BACKEND (no file driver is installed); OP_ERR_ARGUMENT (NULL or empty names);
 * OP_ERR_STATE (a dat is acquired; the processes pass different parameters). */
#ifndef OP2_CHECKPOINT_H
#define OP2_CHECKPOINT_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Name a variable of the program that belongs to the state, e.g. the number of the iteration: address[count] of a
 * built-in type. The library borrows the address until op_exit(), or until the program gives the same name another
 * address; NULL removes the name. Checkpoints save the values of process 0; restarts write the saved values on all
 * processes. If the variable of a constant is named under the name of the constant, a restart restores the constant,
 * too. Errors: OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE. */
OP_API op_status op_checkpoint_value(const char *name, const char *type, int count, void *address);

/* Write a checkpoint. Collective. */
OP_API op_status op_checkpoint(const char *file);

/* Restart from a checkpoint, after the same declarations and op_checkpoint_value() calls as in the program that wrote
 * it; before or after op_partition(). The library checks everything first and changes nothing unless the whole
 * checkpoint fits the declarations and is undamaged. It matches sets, maps, dats, constants and values by name (the
 * first of a name, the second, ...). Collective. Errors: OP_ERR_STATE with a list of all differences: objects missing
 * in the file or in the program, sizes, dims, types, maps with other entries, constants with other values whose
 * variables are not named. */
OP_API op_status op_restart(const char *file);

/* Write the checkpoint "<stem>.<number>.h5" if at least `seconds` have passed on process 0 since the first such call,
 * the last checkpoint with this stem or the restart from one (0: at every call). All processes call it in every
 * iteration. Collective. Numbers continue from the largest that exists. When the new file is complete, the library
 * removes all but the last `keep` >= 1 checkpoints, and the unfinished files of killed runs. The setting
 * OP2_CHECKPOINT_SECONDS replaces `seconds`; "never" turns checkpoints off. The cost is negligible while no checkpoint
 * is due. After an error the earlier checkpoints remain; with OP2_ERROR=return the library tries again when the next
 * checkpoint is due, or at the next call if the error came from an earlier write in the background. */
OP_API op_status op_checkpoint_if_due(const char *stem, double seconds, int keep);

/* Restart from the newest checkpoint "<stem>.<number>.h5" that is complete and undamaged; a warning names each newer
 * one that is not. *found: 1 after a restart; 0 if there is no checkpoint or on error, and then nothing has changed.
 * Collective. Errors: as op_restart(); OP_ERR_FILE also if there are checkpoints and all are damaged. */
OP_API op_status op_restart_latest(const char *stem, int *found);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
