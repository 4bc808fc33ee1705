#!/usr/bin/env bash
# second_start.sh PROGRAM MESH [LAUNCHER]: a run takes what the run before has found out about the mesh, and gives the same
# digits; so do runs that find the files damaged or foreign. LAUNCHER: op2_launch, for two processes.
set -euo pipefail
program=$1 mesh=$2 launcher=${3:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cache=$folder/cache
fail() { echo "$1"; exit 1; }
run() { # NAME [ENVIRONMENT...]: the digits go to NAME.digits, what is said to NAME.said
  local name=$1
  shift
  env OP2_JIT_CACHE="$cache" OP2_LOG=info OP2_NUM_THREADS=2 OMP_WAIT_POLICY=passive "$@" \
    ${launcher:+"$launcher" -n 2} "$program" "$mesh" --iterations 20 >"$folder/$name.out" 2>"$folder/$name.said" ||
    { cat "$folder/$name.said"; fail "$name fails"; }
  grep -E 'max err|^rms' "$folder/$name.out" >"$folder/$name.digits" || fail "$name has no digits"
}
same() { cmp "$folder/first.digits" "$folder/$1.digits" || fail "$1 has other digits"; }
names() { (cd "$cache/inspections" && ls) >"$folder/$1.names"; }

run first
names first
[[ -s $folder/first.names ]] || fail "the first run has kept nothing"
run second
names second
same second
if [[ ${OP2_BACKEND:-} == *seq ]]; then # openmp may compare ways of threads by time
  cmp "$folder/first.names" "$folder/second.names" || fail "the second run has found out something else"
fi
grep -q "as an earlier run has found" "$folder/second.said" || fail "the order or the division was not taken"
for file in "$cache/inspections"/*; do printf x | dd of="$file" bs=1 seek=70 conv=notrunc status=none; done
run damaged
same damaged
grep -q "is not used: it is damaged" "$folder/damaged.said" || fail "nothing is said of damaged files"
for file in "$cache/inspections"/*; do echo foreign >"$file"; done
run foreign
same foreign
grep -q "is not used: it is no finding of libop2" "$folder/foreign.said" || fail "nothing is said of foreign files"
run after
same after
grep -q "is not used" "$folder/after.said" && fail "the files were not replaced"
rm -r "$cache"
run off OP2_JIT_CACHE=off
same off
[[ ! -e $cache ]] || fail "OP2_JIT_CACHE=off keeps something"
echo "kept: $(wc -l <"$folder/first.names") files"
# SPDX-License-Identifier: MIT
