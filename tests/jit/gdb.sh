#!/bin/bash
# gdb.sh FOLDER INCLUDE LIB COMPILER [SANITIZERS]: a debugger steps through kernels of programs that load generated code,
# and finds that code as a file.
here=$1 include=$2 lib=$3 compiler=$4 sanitizers=$5
. "$here/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
command -v gdb >/dev/null || { echo "skipped: there is no gdb"; exit 77; }
[ -z "$sanitizers" ] || { echo "skipped: a program with sanitizers does not run under gdb"; exit 77; }
cp "$here/gdb.c" "$work" && cd "$work" || exit 1
"$compiler" -B"$lib/op2/compiler/" -g -O0 -x c gdb.c -x none -I "$include" -L "$lib" -lop2 -Wl,-rpath,"$lib" -o program || exit 1
timeout -s KILL 60 gdb -nx -batch -ex run /bin/true </dev/null >tried 2>&1
grep -q 'exited normally' tried || { echo "skipped: gdb cannot run programs here: $(tail -1 tried)"; exit 77; }

# debug NAME SETTINGS...: stops in the kernel, steps, prints, and lets the program end.
debug() {
  local name=$1
  shift
  env "$@" timeout -s KILL 120 gdb -nx -batch -ex 'set breakpoint pending on' -ex 'break twice' -ex run -ex next \
    -ex 'print *value' -ex delete -ex 'break all_loops_are_done' -ex continue -ex 'info sharedlibrary' -ex delete \
    -ex continue ./program </dev/null >"$name" 2>&1 || complain "$name: exit code $?"
  expect "$name" 'Breakpoint 1, .*twice \(value='
  expect "$name" '^\$1 = 6$'
  expect "$name" "^done$"
  expect "$name" "exited normally"
}

debug as_compiled OP2_JIT=off
debug generated OP2_JIT_CACHE="$work/cache"
expect generated "cache/loaded/double_it-.*vector.*\.so"
debug from_cache OP2_JIT_CACHE="$work/cache"
expect from_cache "from the cache"
expect from_cache "cache/loaded/double_it-.*vector.*\.so"
debug scalar OP2_JIT_CACHE="$work/cache" OP2_JIT_FORM=scalar
debug no_folder OP2_JIT_CACHE=off
expect no_folder "/proc/[0-9]+/fd/"

# A folder that others can write to, or replace, is no place for code.
mkdir -m 0777 shared && OP2_JIT_CACHE=$work/shared/cache ./program >others 2>&1 || complain "others: exit code $?"
expect others "form vector"
[ -z "$(ls "$work/shared/cache/loaded" 2>/dev/null)" ] || complain "code is loaded from a folder that others can replace"
# A file with other contents under the name of the code is not loaded, and made anew.
for file in cache/loaded/*.so; do echo "no code" >"$file"; done
OP2_JIT_CACHE=$work/cache ./program >damaged 2>&1 || complain "damaged: exit code $?"
expect damaged "form vector"
expect damaged "^done$"
# A folder that cannot be written to.
rm -rf cache/loaded && : >cache/loaded
OP2_JIT_CACHE=$work/cache ./program >no_place 2>&1 || complain "no_place: exit code $?"
expect no_place "form vector"
finish

# SPDX-License-Identifier: MIT
