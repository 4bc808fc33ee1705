/* checkpoint.h: the state of a run in a file, and going on from there. docs/howto/restart.md shows how.
 *
 * A checkpoint holds the values of all dats but temporary ones (op_decl_dat_temp), in the order of the declaration;
 * sizes of sets; sums that tell whether maps are the same; constants; and the program's own values
 * (op_checkpoint_value). Any number of processes and any back end can go on from it. Everything in it is covered by
 * checksums. It appears under its name when it is complete and on the disk: until then, and after an error, whatever
 * had its name is as it was. All calls are collective and take the same arguments on all processes, but addresses;
 * strings are borrowed for the call.
 *
 * Errors of all calls with files: OP_ERR_FILE (no permission, no room, no such file, damaged, no checkpoint) with the
 * file and the reason; OP_ERR_BACKEND (no driver for the file is installed); OP_ERR_ARGUMENT (NULL or empty names);
 * OP_ERR_STATE (a dat is acquired; processes do not pass the same). */
#ifndef OP2_CHECKPOINT_H
#define OP2_CHECKPOINT_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* Name a variable of the program that belongs to the state: `count` values of a built-in type at `address`, e.g. the
 * number of the iteration. It is borrowed: checkpoints read it, those of process 0, and restarts write it on all
 * processes, until op_exit() or until the same name is given another address; NULL forgets the name. A constant whose
 * variable has been named, under the constant's name, gets its saved value back at a restart, too.
 * Errors: OP_ERR_ARGUMENT, OP_ERR_DIM, OP_ERR_TYPE. */
OP_API op_status op_checkpoint_value(const char *name, const char *type, int count, void *address);

/* Write a checkpoint. */
OP_API op_status op_checkpoint(const char *file);

/* Go on from a checkpoint, after the same declarations and op_checkpoint_value() calls as in the program that wrote it;
 * before or after op_partition(). First everything is checked; unless all of it fits and is undamaged, nothing
 * changes. Sets, maps, dats, constants and values are found by name (the first of a name, the second, ...).
 * Errors: OP_ERR_STATE with everything that differs: objects missing here or there, sizes, dims, types, maps with other
 * entries, constants with other values whose variables have not been named. */
OP_API op_status op_restart(const char *file);

/* To be called in every iteration, on all processes: write the checkpoint "<stem>.<number>.h5" when at least `seconds`
 * have passed on process 0 since the first such call, the last checkpoint with this stem or the restart from one (0: at
 * every call). Numbers go on from the largest that is there. When it is complete, those before the last `keep` >= 1 are
 * removed, with what killed runs have left unfinished. The setting OP2_CHECKPOINT_SECONDS takes the place of `seconds`;
 * "never" turns it off. Costs nothing worth mentioning while nothing is due. An error leaves the checkpoints before;
 * with OP2_ERROR=return the next attempt follows when it is due again, or at the next call when the error was that of
 * an earlier write in the background. */
OP_API op_status op_checkpoint_if_due(const char *stem, double seconds, int keep);

/* Go on from the newest checkpoint "<stem>.<number>.h5" that is complete and undamaged; a warning names each newer one
 * that is not. *found: 1, or 0 when there is none at all or an error, and nothing has changed. Errors: as op_restart();
 * OP_ERR_FILE also when there are some, all damaged. */
OP_API op_status op_restart_latest(const char *stem, int *found);

OP_END_DECLS

#endif
