#!/usr/bin/env bash
# All memory of a process, ru_maxrss, whose mesh comes from a file and whose data has a limit: airfoil on 480 thousand cells, 81 MB.
# It stays below the limit and the constant that docs/out_of_core.md names, and the results have the bits of a run in memory.
# out_of_core_memory.sh AIRFOIL MAKE_NACA_MESH MOST_MEMORY
set -euo pipefail
airfoil=$1 make_mesh=$2 most_memory=$3
constant=40 # MiB
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "out_of_core_memory.sh: $1" >&2
  cat "$work/out" >&2 || true
  exit 1
}
export OP2_BACKEND=seq OP2_CHAIN=auto OP2_JIT=off OP2_RENUMBER=off OP2_OOC_DIR=$work
"$make_mesh" 400 400 "$work/mesh.h5" >"$work/out" 2>&1 || fail "no mesh"

run() { # MESSAGE VARIABLE=VALUE...
  local message=$1
  shift
  env "$@" "$most_memory" "$work/kibibytes" "$airfoil" "$work/mesh.h5" --iterations 8 >"$work/out" 2>&1 || fail "$message"
  used=$(($(<"$work/kibibytes") / 1024))
}
answer() { grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$work/out"; }

run "in memory"
answer >"$work/memory"
echo "in memory: $used MiB"
in_memory=$used
for limit in 24 12; do
  run "limit $limit MiB" OP2_MEMORY_LIMIT=${limit}M
  diff "$work/memory" <(answer) || fail "limit $limit MiB: other bits"
  echo "limit $limit MiB: $used MiB"
  ((used <= limit + constant)) || fail "limit $limit MiB: $used MiB are more than the limit and $constant MiB"
  ((limit + constant < in_memory)) || fail "limit $limit MiB: the bound says nothing, $in_memory MiB are needed in memory"
done
echo "all passed"
# SPDX-License-Identifier: MIT
