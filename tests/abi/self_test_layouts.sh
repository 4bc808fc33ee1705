#!/usr/bin/env bash
# self_test_layouts.sh: the checks of layouts and of the baseline notice deliberate breaks, and let pass what is
# allowed. Two small headers and a library of three functions stand in for libop2.
# shellcheck source=self_test_common.sh
source "$(dirname "$0")/self_test_common.sh"
# shellcheck source=dump.sh
source "$here/dump.sh"
# shellcheck source=layout_list.sh
source "$here/layout_list.sh"
compiler=${CC:-cc}
header=$scratch/include/op2/one.h plugin_header=$scratch/include/op2/plugin/two.h
library=$scratch/libop2.so.1 list=$scratch/layouts.txt
layouts=("$here/layouts.sh" "$scratch/include" "$list" "$compiler c11")
all_layouts=("${layouts[@]:0:3}")
baseline=("$here/baseline.sh" "$library" "$scratch/include" "$scratch/libop2.abi" "$list")

write_headers() {
  mkdir -p "$scratch/include/op2/plugin"
  cat >"$header" <<'C'
/* one.h: a struct that is frozen, one that may grow, a constant. */
#ifndef OP2_ONE_H
#define OP2_ONE_H
#include <stddef.h>
#define OP_API
#define OP_ONE 1
typedef int op_number;
typedef struct op_ice {
  int a, b;            /* two in one line */
  const char *names[2];
} op_ice;
typedef struct op_tree {
  size_t size;
  op_number rings;
  int reserved[2];
} op_tree;
OP_API void op_freeze(op_ice *ice);
OP_API op_number op_grow(op_tree *tree, int years);
OP_API void op_melt(void);
#endif
C
  cat >"$plugin_header" <<'C'
/* two.h: a table of functions. */
#ifndef OP2_TWO_H
#define OP2_TWO_H
#include "op2/one.h"
#define OP2_PLUGIN_ABI 1u
typedef struct op_table {
  size_t size;
  int (*cut)(op_tree *tree, double at);
  void (*burn)(op_tree *tree);
} op_table;
#endif
C
}
# The functions take what the headers say, so a change of the header is one of the library.
write_source() {
  echo '#include "op2/one.h"'
  sed -n -e 's/^OP_API \(void op_[a-z]*(.*)\);/\1 {}/p' -e 's/^OP_API \(op_number op_[a-z]*(.*)\);/\1 { return 0; }/p' \
    "$header"
}
build() {
  write_source >"$scratch/lib.c"
  "$compiler" -w -g -shared -fPIC -I"$scratch/include" "$scratch/lib.c" -Wl,-soname,libop2.so.1 -o "$library" "$@"
}
change() { # change FILE SED-COMMAND: in fresh headers; the command must change something
  write_headers
  cp "$1" "$scratch/before"
  sed -i "$2" "$1"
  ! cmp -s "$1" "$scratch/before" || complain "the planted break changes nothing: $2"
}

# spoils FILE SED-COMMAND WORDS: the check of layouts must fail; adds: it must pass with a note.
spoils() { change "$1" "$2" && must_fail "$3" "${layouts[@]}"; }
adds() { change "$1" "$2" && must_note "$3" "${layouts[@]}"; }
# spoils_baseline SED-COMMAND WORDS: the check of the baseline must fail.
spoils_baseline() { change "$header" "$1" && build && must_fail "$2" "${baseline[@]}"; }

write_headers
list_layouts "$scratch/include" "$compiler" c11 "$scratch" "$list" || complain "cannot list the layouts"
must_pass "${all_layouts[@]}"
grep -qx 'stable struct op_tree 24 8 growing' "$list" || complain "the list is: $(<"$list")"

advice="update with abi/update_baseline.sh (allowed while draft) and add a line in CHANGELOG.md"
draft || advice="libop2.so.1 keeps its ABI"
spoils "$header" 's/int a, b;/int a, b, c;/' "struct op_ice had 24 bytes and has 32"
must_fail "$advice" "${layouts[@]}"
spoils "$header" 's/int a, b;/int b, a;/' "field op_ice.a was '0 4 int' and is '4 4 int'"
spoils "$header" 's/names\[2\];/& int last;/' "new field op_ice.last in a frozen struct"
spoils "$header" 's/OP_ONE 1/OP_ONE 2/' "constant OP_ONE was '1' and is '2'"
spoils "$header" '/OP_ONE/d' "constant OP_ONE is gone"
spoils "$header" 's/typedef int op_number/typedef long op_number/' "type op_number was"
spoils "$header" 's/op_number rings/unsigned rings/' "field op_tree.rings was"
spoils "$header" 's/int reserved.*/& int leaves;/' "op_tree.leaves lies inside the old 24 bytes"
spoils "$header" 's/int reserved.*/& int more; int leaves;/' "op_tree.more lies inside"
spoils "$header" 's/op_number rings;/& int leaves;/' "field op_tree.reserved was"
adds "$header" 's/reserved\[2\];/reserved; int leaves;/' "a part of op_tree.reserved was taken"
adds "$header" 's/reserved\[2\];/roots, leaves;/' "new: field op_tree.leaves"
adds "$header" 's/int reserved.*/& double height;/' "struct op_tree grew from 24 to 32"
must_note "new: field op_tree.height" "${layouts[@]}"
adds "$header" 's/OP_ONE 1/&\n#define OP_TWO 2/' "new: constant OP_TWO"
spoils "$plugin_header" 's/double at/float at/' "field op_table.cut was"
change "$plugin_header" 's/double at/double height/' && must_pass "${layouts[@]}" # names of parameters do not matter
adds "$plugin_header" 's/double at/float at/; s/1u/2u/' "constant OP2_PLUGIN_ABI rose"
spoils "$plugin_header" 's/double at/float at/; s/1u/0u/' "constant OP2_PLUGIN_ABI was '1'"
# The number of the plugins excuses only their tables.
change "$header" 's/OP_ONE 1/OP_ONE 2/' && sed -i 's/1u/2u/' "$plugin_header" &&
  must_fail "constant OP_ONE was" "${layouts[@]}"

# Another layout in C++ than in C.
change "$header" 's/typedef int op_number;/\n#ifndef __cplusplus\n&\n#else\ntypedef long op_number;\n#endif/' &&
  must_fail "disagree on layouts" "${all_layouts[@]}"

# What layouts.awk cannot read must not be left out in silence.
spoils "$header" 's/op_number rings;/unsigned rings : 3;/' "does not accept"
spoils "$header" 's/op_number rings;/union { int i; } rings;/' "does not accept"
spoils "$header" 's/typedef int op_number;/& typedef enum { a } op_letter;/' "does not accept"
spoils "$header" 's/op_number rings;/& MORE/; s/OP_ONE 1/&\n#define MORE int more;/' "does not accept"
echo 'int hidden;' >"$scratch/include/op2/fields.inc"
spoils "$header" 's/.*op_number rings;/#include "op2\/fields.inc"\n&/' "does not accept"
write_headers && rm "$plugin_header"
must_fail "struct op_table is gone" "${layouts[@]}"

# The baseline: what debug information says about the functions.
write_headers
if ! command -v abidw >/dev/null || ! command -v abidiff >/dev/null; then
  echo "note: abidw is not installed: the breaks for the baseline were not tried"
  verdict "self-test: $caught breaks caught"
fi
unset OP2_SANITIZE
build && dump_library "$library" "$scratch/include" "$scratch/libop2.abi"
must_pass "${baseline[@]}"
spoils_baseline '/op_melt/d' "1 Removed"
must_fail "$advice" "${baseline[@]}"
spoils_baseline 's/int years/long years/' "function op_number op_grow(op_tree*, int)"
spoils_baseline 's/int a, b;/int a, b, c;/' "type size changed from 192 to 256"
spoils_baseline 's/int a, b;/int b, a;/' "offset changed"
change "$header" 's/int reserved.*/& double height;/' && build && must_pass "${baseline[@]}"
change "$header" 's/reserved\[2\];/roots, leaves;/' && build && must_pass "${baseline[@]}"
# What one struct is allowed is not allowed to another.
spoils_baseline 's/reserved\[2\];/roots, leaves;/; s/int a, b;/int b, a;/' "offset changed"
change "$header" 's/void op_melt(void);/&\nOP_API void op_boil(void);/' && build &&
  must_note "new: function op_boil" "${baseline[@]}"
write_headers && build -s && must_fail "no debug information" "${baseline[@]}"
build -Wl,-soname,libop2.so.2 && must_fail "SONAME changed" "${baseline[@]}"
# One object file of two without debug information.
write_source | sed '/op_melt/d' >"$scratch/part.c"
echo 'void op_melt(void) {}' >"$scratch/rest.c"
"$compiler" -fPIC -c "$scratch/rest.c" -o "$scratch/rest.o"
"$compiler" -g -shared -fPIC -I"$scratch/include" "$scratch/part.c" "$scratch/rest.o" -o "$library"
must_fail "op_melt is in the library, but not in its debug information" "${baseline[@]}"
rm "$scratch/libop2.abi" && must_fail "is missing" "${baseline[@]}"
verdict "self-test: $caught breaks caught"

# SPDX-License-Identifier: MIT
