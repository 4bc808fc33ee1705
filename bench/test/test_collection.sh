#!/usr/bin/env bash
# test_collection.sh BENCH_TABLE BENCH_COLLECTION: the figures of one kernel of the collection as a table, and what they must be to each
# other. Their size is not asked.
set -euo pipefail
table=$1 collection=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$scratch/lines" "$scratch/table"
  exit 1
}
touch "$scratch/table"
"$collection" --quick stream_along_edge >"$scratch/lines"
"$table" --json "$scratch/out.json" <"$scratch/lines" >"$scratch/table"
number() { # NAME: from the lines
  awk -v name="$1" '$1 == "result" && $2 == name { print $3 }' "$scratch/lines"
}
grep -qE '^collection, ns +hand +range +ours *$' "$scratch/table" || fail "no columns hand, range, ours"
grep -qE '^collection, % +of_roofline *$' "$scratch/table" || fail "no column of_roofline"
[[ $(grep -cE '^ +rows\.stream_along_edge ' "$scratch/table") == 3 ]] || fail "the kernel has not a line in ns, x and %"
! grep -q deposit_particle "$scratch/lines" || fail "there are other kernels than that which was named"

# Bytes of an edge over its time, in a share of what STREAM's loops reach: 1500 cells are 38 x 38, with 39 x 39 nodes.
edges=$((2 * 38 * 39)) nodes=$((39 * 39))
awk -v edges=$edges -v nodes=$nodes -v time="$(number collection.rows.stream_along_edge.ours)" \
  -v speed="$(number collected.memory.roofline)" -v share="$(number collection.rows.stream_along_edge.of_roofline)" 'BEGIN {
    bytes = 4 + 2 * 4 + nodes / edges * 8 * 9 * 3
    expected = 100 * bytes / time / speed
    difference = share / expected - 1
    printf "share %g, expected %g\n", share, expected
    exit !(time > 0 && speed > 0 && difference < 1e-6 && difference > -1e-6)
  }' || fail "the share of the roofline is another one"

code=0
"$collection" no_such_kernel >"$scratch/lines" 2>&1 || code=$?
((code == 2)) || fail "a kernel that is not there: exit code $code, not 2"
echo "all passed"

# SPDX-License-Identifier: MIT
