#!/usr/bin/env bash
# hybrid.sh CASE PROGRAM LAUNCHER [FARAWAY]: jobs whose processes differ, in executors, threads and shares of the mesh. CASE is the name of a
# function below; FARAWAY: folder of the executor with memory of its own.
set -uo pipefail
case=$1 program=$2 launcher=$3 faraway=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out
longest=60

die() {
  echo "$case: $1"
  sed 's/^/  | /' "$out" 2>/dev/null
  exit 1
}
says() { grep -qE -- "$1" "$out" || die "it does not say '$1'"; }
run() { timeout -k 1 "$longest" "$launcher" --bind-to none "$@" >"$out" 2>&1; }
works() { run "$@" || die "exit code $? of: $*"; }
# refused CODE WORDS ARGUMENT...: ends in time with one message that has these words.
refused() {
  local words=$1
  run "${@:2}"
  local code=$?
  ((code != 0 && code < 124)) || die "exit code $code of: ${*:2}"
  [[ $(grep -c 'op2: error: ' "$out") == 1 ]] || die "not one message"
  grep 'op2: error: ' "$out" | grep -qE -- "$words" || die "it does not say '$words'"
}
# owns PROCESS LOW HIGH: how many of the 2400 cells it has.
owns() {
  local cells
  cells=$(sed -nE "s/^process $1: .*, ([0-9]+) of 2400 cells/\1/p" "$out")
  [[ $cells ]] && ((cells >= $2 && cells <= $3)) || die "process $1 has '$cells' cells, not $2 to $3"
}

# MPMD: a program for each, or the same with other variables.
programs() { # A B: what OP2_BACKEND and OP2_NUM_THREADS are on process 0 and on the others
  works -n 1 env $1 "$program" : -n 2 env $2 "$program"
}
mpmd() {
  export OP2_DECLARE=replicated OP2_PARTITION=ptscotch
  programs OP2_BACKEND=mpi+seq "OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=2"
  says '^process 0: mpi\+seq'
  says '^process 2: mpi\+openmp'
  programs "OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=1" "OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=3"
  programs "OP2_BACKEND=mpi+check OP2_PARTITION_WEIGHTS=equal" "OP2_BACKEND=mpi+seq OP2_PARTITION_WEIGHTS=equal"
  programs "OP2_BACKEND=mpi+seq OP2_JIT=off OP2_LAYOUT=soa OP2_TIMING=off" "OP2_BACKEND=mpi+openmp OP2_NUM_THREADS=2 OP2_LAYOUT=soa OP2_BLOCK_SIZE=64 OP2_JIT_MIN_ELEMENTS=0"
  [[ ! $faraway ]] || OP2_PLUGIN_PATH=$faraway programs "OP2_BACKEND=mpi+faraway OP2_PARTITION_WEIGHTS=2,1,1" "OP2_BACKEND=mpi+seq OP2_PARTITION_WEIGHTS=2,1,1"
}
# One environment for all: by the number of the process on its machine.
lists() {
  export OP2_DECLARE=replicated OP2_PARTITION=ptscotch OP2_NUM_THREADS=2
  OP2_BACKEND=mpi+openmp,seq works -n 3 "$program"
  says '^process 0: mpi\+openmp'
  says '^process 1: mpi\+seq'
  says '^process 2: mpi\+seq'
  OP2_BACKEND=seq,mpi,check+mpi OP2_PARTITION_WEIGHTS=equal works -n 3 "$program"
  says '^process 0: mpi\+seq'
  says '^process 2: mpi\+check'
  OP2_BACKEND=openmp,seq refused "no communicator; write e.g. 'mpi\+openmp,seq'" -n 1 "$program"
  OP2_BACKEND=mpi+openmp,sec refused "process 1: there is no back end 'sec'; did you mean 'seq'|op_init: there is no back end 'sec'" -n 3 "$program"
  OP2_BACKEND=mpi+openmp, refused "empty name" -n 1 "$program"
}
shares() {
  export OP2_DECLARE=replicated OP2_BACKEND=mpi+seq
  local method
  for method in ptscotch parmetis random off; do
    OP2_PARTITION=$method OP2_PARTITION_WEIGHTS=1,1,2 OP2_FALLBACK=warn works -n 3 "$program"
    owns 0 570 630
    owns 1 570 630
    owns 2 1160 1240
  done
  OP2_PARTITION=off OP2_PARTITION_WEIGHTS="0, 0.5,1e0" works -n 3 "$program"
  owns 0 0 0
  owns 1 800 800
  OP2_PARTITION=ptscotch OP2_PARTITION_WEIGHTS=0,1,1 works -n 3 "$program"
  owns 0 0 12
  OP2_PARTITION_WEIGHTS=1,1,1 works -n 3 "$program" shares 3 1 0 # the program is stronger
  owns 0 1750 1850
  OP2_DECLARE=replicated OP2_LOG=info works -n 3 "$program" shares 1 1 2
  says 'shares of the processes: 1, 1, 2 \(the program\)'
  says 'imbalance 1\.0'
}
weights() { # the first half of the cells is three quarters of the work
  export OP2_DECLARE=replicated OP2_BACKEND=mpi+seq
  works -n 2 "$program" weights
  owns 0 795 805 # of the lower side, or the upper one
  works -n 2 "$program" weights 1 3
  owns 0 395 405
}
again() {
  export OP2_DECLARE=replicated
  OP2_BACKEND=mpi+seq works -n 3 "$program" again
  OP2_BACKEND=mpi+openmp,seq OP2_NUM_THREADS=2 OP2_RENUMBER=always works -n 3 "$program" again
}
measured() {
  export OP2_DECLARE=replicated OP2_PARTITION=ptscotch OP2_LOG=info OP2_NUM_THREADS=1
  OP2_BACKEND=mpi+seq,check works -n 2 "$program" # auto: they are not alike
  says 'measured speeds, elements per second: '
  says 'shares of the processes: .*, 1 \(measured, since processes have other executors'
  owns 1 0 600 # the checking one
  OP2_BACKEND=mpi+seq works -n 2 "$program"
  ! grep -q 'measured' "$out" || die "processes that are alike are measured"
  OP2_BACKEND=mpi+seq OP2_PARTITION_WEIGHTS=measured works -n 2 "$program"
  says 'measured speeds, elements per second: '
}
wrong_shares() {
  export OP2_DECLARE=replicated OP2_BACKEND=mpi+seq
  local list
  for list in 1 1,2 1,2,3,4; do
    OP2_PARTITION_WEIGHTS=$list refused "has [124] shares, but there are 3 processes" -n 3 "$program"
  done
  OP2_PARTITION_WEIGHTS=1,-2,3 refused "-2 cannot be the share of a process" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=1,nan,3 refused "nan cannot be the share of a process" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=1,inf,3 refused "inf cannot be the share of a process" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=0,0,0 refused "gives no process a share" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=measurd refused "'measurd' is no number; it is auto, equal, measured" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=1,,2 refused "'' is no number" -n 3 "$program"
  OP2_PARTITION_WEIGHTS=1,x,2 refused "'x' is no number" "${alone[@]}" "$program"
}
alone=(-n 1)
# What must be the same everywhere, and what cannot start on one of them.
other_settings() {
  export OP2_BACKEND=mpi+seq
  local pair
  for pair in DECLARE=local PARTITION=off PARTITION_WEIGHTS=1,1,2 RENUMBER=off MAPS_BASE_INDEX=1 FALLBACK=error; do
    refused "the processes do not do the same: .*process(es)? 2: setting OP2_${pair%=*}='${pair#*=}'" -n 2 "$program" : -n 1 env OP2_$pair "$program"
  done
  run -n 2 "$program" : -n 1 env OP2_ERROR=return "$program"
  local code=$?
  ((code != 0 && code < 124)) || die "exit code $code when errors return on one process"
  says "the processes do not do the same: .*errors (return|end the job)"
  refused "back end 'nonsense'" -n 2 "$program" : -n 1 env OP2_BACKEND=mpi+nonsense "$program"
  refused "OP2_CHECK" -n 2 "$program" : -n 1 env OP2_BACKEND=mpi+check OP2_CHECK=nonsense "$program"
}

"$case"

# SPDX-License-Identifier: MIT
