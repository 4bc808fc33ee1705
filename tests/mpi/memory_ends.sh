#!/usr/bin/env bash
# memory_ends.sh PROGRAM LAUNCHER [SECONDS]: one of two processes has no memory left, at any time while a chain of loops gets halos of
# more layers, or while rows move to other processes, or, with communicator shm, for messages while the mesh is divided. The job ends with one message, where others wait for messages of this process, or the call gives the same status on
# both, and nobody waits longer than SECONDS, 20 when not given.
set -uo pipefail
program=$1 launcher=$2 longest=${3:-20} bad=0 moves=""
declare -A seen=()
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out
# Large OP2_JIT_MIN_ELEMENTS: trials of the program's own forms, which are left out where memory is missing, do not run.
export OP2_JIT_MIN_ELEMENTS=1000000 OP2_DECLARE=replicated OP2_ERROR=return OP2_LOG=error OP2_CHAIN_DEPTH=4 OP2_JIT=off OP2_BACKEND=${OP2TEST_COMM:-mpi}+seq

complain() {
  echo "process $victim without $what: $1"
  sed 's/^/  | /' "$out"
  bad=1
}

run_without() {
  what="memory after $1 allocations"
  [[ $1 != messages ]] || what="memory for messages"
  timeout -k 1 "$longest" "$launcher" -n 2 "$program" "$1" $victim $moves >"$out" 2>&1
  code=$?
  ((code < 124)) || complain "some process waits"
}

if [[ ${OP2TEST_COMM:-mpi} == shm ]]; then # whose memory is a file that may be forbidden to grow
  for victim in 0 1; do
    run_without messages
    if [[ $code != 1 || $(grep -c 'op2: error: ' "$out") != 1 || $(grep -c 'no shared memory' "$out") != 1 ]]; then
      complain "the job does not end with one message that says so"
    fi
  done
fi

victim=0
try() {
  number=$1
  run_without "$number"
  statuses=$(grep -oE '^process [01]: OP_[A-Z_]*' "$out" | cut -d' ' -f3 | sort -u)
  if ((code >= 124)); then
    : # it is told
  elif ((code != 0)); then
    [[ $(grep -c 'op2: error: .*out of memory' "$out") == 1 ]] || complain "the job ends without a message of its own"
    seen[ended]=1
  elif [[ $(wc -w <<<"$statuses") != 1 || $(grep -c '^process' "$out") != 2 ]]; then
    complain "the processes do not have the same status"
  elif [[ $statuses == OP_OK ]]; then
    ! grep -q 'memory has ended' "$out" || complain "nothing is reported"
    seen[went_well]=1
  else
    seen[returned]=1
  fi
  victim=$((1 - victim))
}

for number in 0 3 7 12 18 25 33 42 46 50 54 60 66 73 80 90 100 400; do try $number; done
((${#seen[@]} == 3)) || { echo "of chains only this happened: ${!seen[*]}"; bad=1; }
seen=() moves=moves
for number in 0 4 9 15 22 30 39 49 60 75 400; do try $number; done
((${#seen[@]} == 3)) || { echo "of moves only this happened: ${!seen[*]}"; bad=1; }
((bad)) || echo "all jobs ended as they should"
exit $bad

# SPDX-License-Identifier: MIT
