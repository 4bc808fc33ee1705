/* op2.h: the whole C interface of libop2.
 *
 * A program declares the mesh (decl.h), runs kernels over it (loop.h) and reads the results (data.h). The same binary
 * runs on one core, on all cores, on a GPU or on a cluster: the setting OP2_BACKEND chooses when the program starts.
 * See README.md. */
#ifndef OP2_OP2_H
#define OP2_OP2_H

#include "op2/chain.h"
#include "op2/checkpoint.h"
#include "op2/data.h"
#include "op2/decl.h"
#include "op2/error.h"
#include "op2/global.h"
#include "op2/hand_loop.h"
#include "op2/hdf5.h"
#include "op2/init.h"
#include "op2/kernel.h"
#include "op2/loop.h"
#include "op2/meshfile.h"
#include "op2/order.h"
#include "op2/particles.h"
#include "op2/timing.h"
#include "op2/trace.h"
#include "op2/types.h"
#include "op2/version.h"
#include "op2/view.h"

#endif
