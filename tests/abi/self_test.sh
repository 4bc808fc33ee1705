#!/usr/bin/env bash
# self_test.sh: the checks of names, dependences, plugins, headers and programs notice deliberate breaks. A small
# library stands in for libop2.so.
# shellcheck source=self_test_common.sh
source "$(dirname "$0")/self_test_common.sh"
need nm readelf
include=$root/include
compiler=${CC:-cc}
mkdir -p "$scratch/include/op2" "$scratch/old" "$scratch/lib"

# A library of two functions that follows every rule.
write_library() {
  cat >"$scratch/lib.c" <<'C'
void op_one(void) {}
int op_two(int a) { return a; }
C
  cat >"$scratch/include/op2/one.h" <<'C'
#define OP_API
OP_API void op_one(void);
OP_API int op_two(int a);
C
  cp "$scratch/include/op2/one.h" "$scratch/old"
  printf 'op_one 0.1 -\nop_two 0.1 -\n' >"$scratch/list"
  printf 'OP2_1.0 {\n  global:\n    op_one;\n    op_two;\n  local: *;\n};\n' >"$scratch/lib.map"
}
build() {
  "$compiler" -shared -fPIC "$scratch/lib.c" -o "$scratch/lib/libop2.so.1.0.0" \
    -Wl,-soname,"${1:-libop2.so.1}" -Wl,--version-script="$scratch/lib.map" "${@:2}"
  ln -sf libop2.so.1.0.0 "$scratch/lib/libop2.so.1"
  ln -sf libop2.so.1 "$scratch/lib/libop2.so"
}
library=$scratch/lib/libop2.so.1.0.0
symbols=("$here/symbols.sh" "$library" "$scratch/lib.map" "$scratch/include/op2" "$scratch/list" "$scratch/old")
dependences=("$here/dependences.sh" "$library")

write_library && build
must_pass "${symbols[@]}"
must_pass "${dependences[@]}"

echo 'OP_API void op_three(void);' >>"$scratch/include/op2/one.h"
must_fail "op_three is in the headers, but not in the version script" "${symbols[@]}"
write_library
sed -i '/op_two/d' "$scratch/include/op2/one.h"
must_fail "op_two is in the version script, but not in the headers" "${symbols[@]}"
write_library
sed -i 's/op_two/op_2/' "$scratch/lib.map"
must_fail "op_2 is in the version script, but not in the library" "${symbols[@]}"
must_fail "op_two is in the library, but not in the version script" "${symbols[@]}"
write_library
echo 'OP_API int' >>"$scratch/include/op2/one.h" # a declaration over two lines
must_fail "3 lines of the headers begin with OP_API, 2 of them were understood" "${symbols[@]}"
write_library
echo 'int op_data = 1;' >>"$scratch/lib.c"
sed -i 's/op_two;/op_two;\n    op_data;/' "$scratch/lib.map"
build && must_fail "op_data@@OP2_1.0 is exported, but is no function" "${symbols[@]}"
write_library
echo 'void _Z3foov(void) {}' >>"$scratch/lib.c"
sed -i 's/op_two;/op_two;\n    _Z3foov;/' "$scratch/lib.map"
build && must_fail "_Z3foov@@OP2_1.0 is a C++ name" "${symbols[@]}"
write_library
sed -i 's/OP2_1.0/OP2_9.9/' "$scratch/lib.map"
build && must_fail "op_one is not of version OP2_1.0" "${symbols[@]}"

# The list of symbols: a name too few, a future version, a deprecation that only one side knows; a function removed
# everywhere but in the headers of the baseline.
write_library && build
sed -i '/op_one/d' "$scratch/list"
must_fail "op_one is in the headers, but not in the list of symbols" "${symbols[@]}"
printf 'op_one 99.0 -\nop_two 0.1 -\n' >"$scratch/list"
must_fail "op_one is listed as new in 99.0" "${symbols[@]}"
printf 'op_one 0.1\nop_two 0.1 -\n' >"$scratch/list"
must_fail "not of the form" "${symbols[@]}"
printf 'op_one 0.1 0.2\nop_two 0.1 -\n' >"$scratch/list"
must_fail "op_one 0.2 is in the column 'deprecated'" "${symbols[@]}"
sed -i 's|^OP_API void|/* Deprecated since 0.2: use op_two instead. */\n&|' "$scratch/include/op2/one.h"
must_fail "op_two 0.2 is in the comments of the headers" "${symbols[@]}"
sed -i 's|^OP_API int|\n&|' "$scratch/include/op2/one.h" # an empty line ends what the comment is about
must_pass "${symbols[@]}"
write_library
sed -i '/op_two/d' "$scratch/lib.map" "$scratch/include/op2/one.h" "$scratch/list"
build && must_fail "op_two was removed" "${symbols[@]}"

write_library
build libop2.so.2 && must_fail "the SONAME is 'libop2.so.2'" "${dependences[@]}"
echo 'void other(void) {}' >"$scratch/other.c"
"$compiler" -shared -fPIC "$scratch/other.c" -o "$scratch/lib/libother.so" -Wl,-soname,libother.so
build libop2.so.1 -Wl,--no-as-needed -L"$scratch/lib" -lother && must_fail "it needs libother.so" "${dependences[@]}"
build libop2.so.1 -Wl,-rpath,/somewhere && must_fail "search path" "${dependences[@]}"
build && rm "$scratch/lib/libop2.so.1" && must_fail "libop2.so.1 does not lead to" "${dependences[@]}"

# Plugins: one name too many, the wrong name, linked to the library.
build
plugin=$scratch/lib/op2_exec_x.so
plugins=("$here/plugins.sh" "$plugin")
echo 'void op2_plugin_v1(void) {}' >"$scratch/plugin.c"
"$compiler" -shared -fPIC "$scratch/plugin.c" -o "$plugin" && must_pass "${plugins[@]}"
"$compiler" -shared -fPIC "$scratch/plugin.c" -o "$plugin" -Wl,-rpath,/somewhere &&
  must_fail "search path" "${plugins[@]}"
"$compiler" -shared -fPIC "$scratch/plugin.c" -o "$plugin" -Wl,--no-as-needed -L"$scratch/lib" -lop2 &&
  must_fail "needs libop2.so" "${plugins[@]}"
echo 'void helper(void) {}' >>"$scratch/plugin.c"
"$compiler" -shared -fPIC "$scratch/plugin.c" -o "$plugin" &&
  must_fail "exports helper op2_plugin_v1 instead of" "${plugins[@]}"
echo 'static int x; int main_(void) { return x; }' >"$scratch/plugin.c"
"$compiler" -shared -fPIC "$scratch/plugin.c" -o "$plugin" && must_fail "instead of op2_plugin_v1 alone" "${plugins[@]}"

# Headers: one that needs another, one that warns, one without a guard.
headers=("$here/headers.sh" c99 "$scratch/include")
rm "$scratch/include/op2"/*
must_fail "there are no headers" "${headers[@]}"
printf '#ifndef A\n#define A\nextern int a;\n#endif\n' >"$scratch/include/op2/a.h" && must_pass "${headers[@]}"
echo 'size_t bytes(void);' >"$scratch/include/op2/b.h" &&
  must_fail "op2/b.h does not compile alone as c99" "${headers[@]}"
echo 'static int unused(void) { return 1; }' >"$scratch/include/op2/b.h" && must_fail "op2/b.h" "${headers[@]}"
echo 'struct twice { int a; };' >"$scratch/include/op2/b.h" && must_fail "op2/b.h" "${headers[@]}"
must_fail "op2/b.h does not compile alone as c++17" "$here/headers.sh" c++17 "$scratch/include"

# Programs: a library in which a loop does nothing.
cat >"$scratch/lib.c" <<'C'
#include <stddef.h>
C
sed -n 's/^OP_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/void *\1(void) { return NULL; }/p' "$include"/op2/*.h >>"$scratch/lib.c"
printf 'OP2_1.0 { global: op_*; local: *; };\n' >"$scratch/lib.map"
build
OP2_SANITIZE="" must_fail "OP2_BACKEND=seq" "$here/program.sh" dlopen "$library" "$include"
OP2_SANITIZE="" must_fail "the plugin did not run the loops" "$here/program.sh" plugin "$library" "$include"
verdict "self-test: $caught breaks caught"

# SPDX-License-Identifier: MIT
