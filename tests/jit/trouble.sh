#!/bin/bash
# trouble.sh AIRFOIL MESH: without a compiler, with a broken cache, with nowhere to write, with others writing: the answer is
# right and one line says what is wrong.
airfoil=$1 mesh=$2
. "$(dirname "$0")/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
export OP2_LOG=warn OP2_JIT_FORM=first # forms are not compared by time

run() { # run NAME SETTINGS...
  local name=$1
  shift
  env "$@" "$airfoil" "$mesh" --iterations 100 >"$work/$name" 2>&1 || complain "$name: exit code $?"
  expect "$name" PASSED
}

run no_compiler OP2_CXX=/nonexistent
count no_compiler "^op2: warning" 1
expect no_compiler "/nonexistent"

run fill
count fill "^op2: warning" 0
[ "$(find "$work/cache" -type f | wc -l)" -ge 5 ] || complain "the cache holds fewer than five entries"
[ "$(stat -c %a "$work/cache")" = 700 ] || complain "the cache folder has mode $(stat -c %a "$work/cache")"
# What is in the cache is enough without a compiler.
run cached_without_compiler OP2_CXX=/nonexistent OP2_LOG=info
count cached_without_compiler "form vector" 5

for entry in "$work"/cache/*; do [ -f "$entry" ] && printf 'garbage' | dd of="$entry" bs=1 seek=5000 conv=notrunc status=none; done
run corrupted
expect corrupted "^op2: "
run mended OP2_LOG=info
count mended "from the cache" 5
for entry in "$work"/cache/*; do [ -f "$entry" ] && truncate -s 100 "$entry"; done
run truncated
expect truncated "^op2: "

echo "no folder" >"$work/file"
run nowhere OP2_JIT_CACHE="$work/file/cache"
count nowhere "^op2: warning" 1
mkdir -m 777 "$work/open"
chmod 777 "$work/open"
run open_to_all OP2_JIT_CACHE="$work/open"
count open_to_all "^op2: warning" 1
[ -z "$(ls -A "$work/open")" ] || complain "a folder that others may write to was used"

if mkdir "$work/small" && mount -t tmpfs -o size=64k,mode=0700 none "$work/small" 2>/dev/null; then
  run full_disk OP2_JIT_CACHE="$work/small"
  umount "$work/small"
  count full_disk "^op2: warning" 1
else
  echo "left out: a full disk needs the right to mount one"
fi

# Too few descriptors for a compiler: nothing is left in the place for temporary files.
mkdir "$work/temporary"
for few in 5 6 7 8 9 10 12; do
  (ulimit -n $few && TMPDIR=$work/temporary OP2_JIT_CACHE=off "$airfoil" "$mesh" --iterations 100) >"$work/few.$few" 2>&1 ||
    complain "with $few descriptors: exit code $?"
  expect few.$few PASSED
  [ -z "$(ls -A "$work/temporary")" ] || complain "with $few descriptors: left $(ls "$work/temporary")"
done

# Ten processes that all find an empty cache.
pids=()
for i in 1 2 3 4 5 6 7 8 9 10; do
  OP2_JIT_CACHE=$work/shared "$airfoil" "$mesh" --iterations 100 >"$work/together.$i" 2>&1 &
  pids+=($!)
done
for pid in "${pids[@]}"; do wait "$pid" || complain "one of ten processes ended with $?"; done
for i in 1 2 3 4 5 6 7 8 9 10; do
  expect together.$i PASSED
  count together.$i "^op2: warning" 0
done
finish

# SPDX-License-Identifier: MIT
