/* user_types.h: data of types that only the program knows, by the size of a value.
 *
 * A user type is a struct or another type whose values may be copied bytewise. Its name is any word that is not the
 * name of a built-in type (decl.h). The library moves and stores its values and does not compute with them. Layers
 * above the library pass the sizes of built-in types, too. */
#ifndef OP2_USER_TYPES_H
#define OP2_USER_TYPES_H

#include "op2/types.h"

OP_BEGIN_DECLS

/* As op_decl_dat() and op_decl_dat_temp(), for any type of `type_size` bytes. Collective. Errors: as those. */
OP_API op_dat op_decl_dat_char(op_set set, int dim, const char *type, int type_size, const char *data,
                               const char *name);
OP_API op_dat op_decl_dat_temp_char(op_set set, int dim, const char *type, int type_size, const char *name);

/* As op_decl_const_named(), op_decl_global() (op2/global.h). Not collective. Errors: as those. */
OP_API op_status op_decl_const_char(int dim, const char *type, int type_size, const char *data, const char *name);
OP_API op_global op_decl_global_char(int dim, const char *type, int type_size, const char *value, const char *name);

/* As op_arg_gbl(), for user types of `type_size` bytes; OP_READ, OP_WRITE, OP_RW or OP_WORK. */
OP_API op_arg op_arg_gbl_char(char *data, int dim, const char *type, int type_size, op_access acc);

/* As op_arg_payload(), for payloads of `type_size` bytes. */
OP_API op_arg op_arg_payload_char(char *data, int dim, const char *type, int type_size, int ref);

OP_END_DECLS

#endif

/* SPDX-License-Identifier: MIT */
