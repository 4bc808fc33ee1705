#!/usr/bin/env bash
# self_test.sh: faults planted into copies of the installed tree; each must be noticed, for the reason it was planted.
# shellcheck disable=SC2016
source "$(dirname "$0")/common.sh"
need readelf binutils
need pkg-config pkg-config
need make make
planted=$work/planted
export TEST_WORK=$work/self_test
fresh "$TEST_WORK"
export TEST_CONFIG=Release # so that paths are judged in every build

# noticed TEXT SCRIPT ARGUMENT...: the script fails and says TEXT.
noticed() {
  local text=$1 code=0
  shift
  bash "$here/$1" "${@:2}" >"$TEST_WORK/log" 2>&1 || code=$?
  if ((code == 0)) || ((code == 77)); then
    complain "$1 does not notice: $text (exit code $code)"
  elif ! grep -qF -- "$text" "$TEST_WORK/log"; then
    complain "$1 fails, but does not say '$text': $(cat "$TEST_WORK/log")"
  fi
  plant
}
# plant: a new copy of the tree.
plant() { rm -rf "$planted" && cp -a "$tree" "$planted"; }

plant
bash "$here/manifest.sh" "$planted" >/dev/null || complain "manifest.sh finds fault with a good tree"
bash "$here/leaks.sh" "$planted" >/dev/null || complain "leaks.sh finds fault with a good tree"

touch "$planted/$libdir/libgtest.so"
noticed "libgtest.so should not be there" manifest.sh "$planted"
touch "$planted/$libdir/op2/exec_seq.so"
noticed "op2/exec_seq.so should not be there" manifest.sh "$planted"
touch "$planted/include/op2/private.cpp"
noticed "include/op2/private.cpp should not be there" manifest.sh "$planted"
rm "$planted/include/op2/op2.hpp"
noticed 'nothing installed matches include/op2/op2\.hpp' manifest.sh "$planted"
rm "$planted/$libdir/cmake/op2/op2Kernels.cmake"
noticed 'nothing installed matches '"$libdir"'/cmake/op2/op2Kernels\.cmake' manifest.sh "$planted"
rm "$planted/include/op2/plugin/exec.h"
noticed "the headers differ" manifest.sh "$planted"
echo >>"$planted/include/op2/loop.h"
noticed "the headers differ" manifest.sh "$planted"
rm "$planted/$libdir/libop2.so.1.0.0"
noticed "leads nowhere" manifest.sh "$planted"
chmod -x "$planted/bin/op2-config"
noticed "is not executable" manifest.sh "$planted"
rm -r "$planted/share/doc/op2/docs"
noticed "nothing installed matches share/doc/op2/docs" manifest.sh "$planted"

for folder in "$source_folder" "$build_folder" "$tree"; do
  sed -i "s|^prefix=.*|prefix=$folder|" "$planted/$libdir/pkgconfig/op2.pc"
  noticed "op2.pc names" leaks.sh "$planted"
  printf '\0/%s\0' "${folder#/}/src/api/init.cpp" >>"$planted/$libdir/libop2.so.1.0.0"
  noticed "libop2.so.1.0.0 names" leaks.sh "$planted"
done
echo 'int nothing;' >"$TEST_WORK/nothing.c"
"$CC" -shared -fPIC "$TEST_WORK/nothing.c" -Wl,-rpath,/opt/lib -o "$planted/$libdir/op2/op2_exec_nothing.so"
noticed "has a search path: RUNPATH /opt/lib" leaks.sh "$planted"
echo 'int main(void) { return 0; }' | "$CC" -x c - -o "$planted/bin/op2_info"
noticed "op2_info finds the library by ''" leaks.sh "$planted"

# What the three ways of building are told.
sed -i 's|^libdir=.*|libdir=$prefix/lib128|' "$planted/bin/op2-config"
noticed "lop2" outside.sh make "$planted"
sed -i 's|^includedir=.*|includedir=$prefix/headers|' "$planted/bin/op2-config"
noticed "op2/op2.h" outside.sh make "$planted"
sed -i 's|^includedir=.*|includedir=${prefix}/headers|' "$planted/$libdir/pkgconfig/op2.pc"
noticed "op2/op2.h" outside.sh pkg-config "$planted"
sed -i 's|^Version: .*|Version: 9.9|' "$planted/$libdir/pkgconfig/op2.pc"
noticed "version: '9.9' instead of" outside.sh pkg-config "$planted"
sed -i 's|"${_IMPORT_PREFIX}/include"|"/opt/nowhere/include"|' "$planted/$libdir/cmake/op2/op2Targets.cmake"
noticed "/opt/nowhere/include" outside.sh find_package "$planted"

# An executor that forgets half of the elements. It is small_exec.c with a shorter loop.
sed 's|call->end)|call->end / 2)|' "$source_folder/tests/plugins/small_exec.c" >"$TEST_WORK/half.c"
cmp -s "$source_folder/tests/plugins/small_exec.c" "$TEST_WORK/half.c" && complain "the planted executor forgets nothing"
"$CC" -shared -fPIC -fvisibility=hidden -I "$planted/include" "$TEST_WORK/half.c" -o "$planted/$libdir/op2/op2_exec_small.so"
noticed "loop_c on small: exit code 1" outside.sh make "$planted"

rm -rf "$planted"
verdict "self-test"

# SPDX-License-Identifier: MIT
