#!/usr/bin/env bash
# products.sh EXECUTOR RANKS PROGRAM LAUNCHER: the conformance suite on RANKS processes with every division x renumbering x
# order of the meshes. Each of these 48 jobs runs one 32nd of the suite on meshes of up to 4000 elements, the next job the
# next one; ways to declare and layouts take turns. Exit code 1 when a job fails; it says which.
set -uo pipefail
executor=$1 ranks=$2 program=$3 launcher=$4
declares=(local replicated root) layouts=(aos soa)
shares=32 job=0 bad=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out

common=(OP2_BACKEND="mpi+$executor" OP2TEST_RANKS="$ranks" OP2TEST_SIZE=small GTEST_TOTAL_SHARDS=$shares)
case $executor in
  check) common+=(OP2_JIT=off) ;;
  openmp) common+=(OP2_NUM_THREADS=2 OP2_JIT_MIN_ELEMENTS=0) ;;
  *) common+=(OP2_JIT_MIN_ELEMENTS=0) ;;
esac
for division in off ptscotch parmetis random GEOM HILBERT INERTIAL EXTERNAL; do
  for renumber in auto always off; do
    for order in declared shuffled; do
      settings=("${common[@]}" OP2_RENUMBER=$renumber OP2TEST_ORDER=$order GTEST_SHARD_INDEX=$((job % shares))
        OP2_DECLARE="${declares[job % 3]}" OP2_LAYOUT="${layouts[job / 2 % 2]}")
      case $division in
        [A-Z]*) settings+=(OP2TEST_DIVIDE=$division) ;;
        *) settings+=(OP2_PARTITION=$division) ;;
      esac
      job=$((job + 1))
      timeout -k 5 600 env "${settings[@]}" "$launcher" --bind-to none -n "$ranks" "$program" --gtest_brief=1 >"$out" 2>&1 && continue
      echo "${settings[*]}: exit code $?"
      grep -E 'FAILED|Failure' "$out" | sort -u | head -n 20 | sed 's/^/  | /'
      bad=1
    done
  done
done
((bad)) || echo "$job jobs passed"
exit $bad

# SPDX-License-Identifier: MIT
