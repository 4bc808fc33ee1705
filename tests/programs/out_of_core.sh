#!/usr/bin/env bash
# out_of_core.sh AIRFOIL MESH EXECUTOR...: airfoil with less memory than its data needs has the bits of a run in memory, keeps
# the limit, and leaves no file behind; what cannot work is refused in the words of the user.
set -euo pipefail
airfoil=$1 mesh=$2
shift 2
work=$(mktemp -d -p .)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$work/out" 2>/dev/null
  exit 1
}
number() { # NAME: of the paging of a run, in its JSON
  sed -nE 's/.*"paging": \{.*"'"$1"'": ([0-9.]+).*/\1/p' "$work/times.json"
}
export OP2_OOC_DIR=$work/disk OP2_NUM_THREADS=2 OP2_CHAIN=auto OP2_JIT=off OP2_RENUMBER=off
mkdir "$OP2_OOC_DIR"

for executor in "$@"; do
  export OP2_BACKEND=$executor
  "$airfoil" "$mesh" --iterations 100 >"$work/memory" || fail "$executor in memory"
  limits="2500K,16"
  [[ $executor != seq ]] || limits="2500K,8 1700K,4 1M,16"
  for limit in $limits; do
    rm -f "$work/times.json"
    OP2_MEMORY_LIMIT=${limit%,*} OP2_OOC_CHUNK=${limit#*,} "$airfoil" "$mesh" --iterations 100 --output "$work/times.json" \
      >"$work/out" || fail "$executor, $limit"
    diff <(grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$work/memory") <(grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$work/out") ||
      fail "$executor, $limit: other bits"
    peak=$(number peak) bound=$(number limit) read=$(number read)
    [[ -n $peak && ${read%.*} -gt 1000000 ]] || fail "$executor, $limit: nothing was read from the file"
    ((peak <= bound)) || fail "$executor, $limit: $peak bytes in memory, $bound are allowed"
    [[ -z $(ls -A "$OP2_OOC_DIR") ]] || fail "$executor, $limit: a file is left"
    echo "$executor, limit $limit: read $read, written $(number written), $(number faults) chunks by page faults"
  done
done

refused() { # WORDS VARIABLE=VALUE...
  local words=$1
  shift
  ! env "$@" "$airfoil" "$mesh" --iterations 2 >"$work/out" 2>&1 || fail "$*: not refused"
  grep -qE "$words" "$work/out" || fail "$*: not in these words: $words"
}
refused "OP2_MEMORY_LIMIT='8X'.*number of bytes" OP2_MEMORY_LIMIT=8X
refused "OP2_OOC_CHUNK='5'.*power of two" OP2_MEMORY_LIMIT=1M OP2_OOC_CHUNK=5
refused "$work/nowhere" OP2_MEMORY_LIMIT=1M OP2_OOC_DIR="$work/nowhere"
echo "all passed"
# SPDX-License-Identifier: MIT
