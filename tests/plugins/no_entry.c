/* no_entry.c: a shared object with the name of a plugin that has no entry function of its own: none at all, one in a
 * library it depends on, or a use of libop2.so, which plugins must not link. */
#include "op2/init.h"
#include "op2/plugin/plugin.h"

#ifdef NO_ENTRY_CALLS_OTHER
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void); /* of the other library */
OP_API int no_entry(void);
int no_entry(void) { return OP2_PLUGIN_ENTRY() != NULL; }
#elif defined(NO_ENTRY_NEEDS_CORE)
OP_API const op_plugin_v1 *OP2_PLUGIN_ENTRY(void);
const op_plugin_v1 *OP2_PLUGIN_ENTRY(void) {
  op_exit();
  return NULL;
}
#else
OP_API int no_entry(void);
int no_entry(void) { return 0; }
#endif

/* SPDX-License-Identifier: MIT */
