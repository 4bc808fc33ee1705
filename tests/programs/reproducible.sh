#!/usr/bin/env bash
# reproducible.sh LINES PROGRAM ARGUMENTS... -- [LAUNCHER]: with OP2_REPRODUCIBLE=1 the lines of its output that match must be the same
# with any number of threads and, where there is a launcher, of processes; each bit of the results is in them.
set -euo pipefail
lines=$1
shift
command=()
while [[ $1 != -- ]]; do command+=("$1"); shift; done
launcher=${2:-}
export OP2_REPRODUCIBLE=1 OMP_WAIT_POLICY=passive
failed=0

# results VARIABLE=VALUE... [mpi RANKS]
results() {
  local ranks=0 variables=()
  while [[ $# -gt 0 ]]; do
    if [[ $1 == mpi ]]; then ranks=$2; shift; else variables+=("$1"); fi
    shift
  done
  if [[ $ranks -gt 0 ]]; then
    env "${variables[@]}" "$launcher" --bind-to none -n "$ranks" "${command[@]}" | grep -E "$lines"
  else
    env "${variables[@]}" "${command[@]}" | grep -E "$lines"
  fi
}
first=$(results OP2_BACKEND=seq)
[[ -n $first ]] || { echo "no results in the output"; exit 1; }
same() {
  local found
  found=$(results "$@") || { echo "FAILED: $*"; failed=1; return; }
  if [[ $found == "$first" ]]; then echo "same: $*"; return; fi
  echo "DIFFERENT: $*"
  diff <(echo "$first") <(echo "$found") | head -n 6 || true
  failed=1
}

same OP2_BACKEND=seq OP2_RENUMBER=always
if [[ ${OP2TEST_OPENMP:-} == 1 ]]; then
  same OP2_BACKEND=openmp OP2_NUM_THREADS=2
  same OP2_BACKEND=openmp OP2_NUM_THREADS=3 OP2_RENUMBER=always
fi
if [[ -n $launcher ]]; then
  same OP2_BACKEND=mpi+seq mpi 2
  same OP2_BACKEND=mpi+seq OP2_PARTITION=random mpi 3
  same OP2_BACKEND=mpi+seq OP2_RENUMBER=always mpi 4
  if [[ ${OP2TEST_OPENMP:-} == 1 ]]; then
    same OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=2 mpi 2
    same OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=2 OP2_PARTITION=random OP2_LAYOUT=soa mpi 2
  fi
fi
exit $failed

# SPDX-License-Identifier: MIT
