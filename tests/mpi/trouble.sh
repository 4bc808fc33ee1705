#!/usr/bin/env bash
# trouble.sh CASE PROGRAM [LAUNCHER [MPICH_LAUNCHER]]: jobs that end badly must end, soon, with one message. CASE is the name of a function below.
set -uo pipefail
case=$1 program=$2 launcher=${3:-} mpich_launcher=${4:-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out
longest=10 # seconds a job may live on after the trouble

die() {
  echo "$case: $1"
  sed 's/^/  | /' "$out" 2>/dev/null
  exit 1
}
says() { grep -qE -- "$1" "$out" || die "it does not say '$1'"; }
says_times() {
  local count
  count=$(grep -cE -- "$2" "$out")
  [[ $count == "$1" ]] || die "'$2' stands there $count times instead of $1"
}
job=("$launcher" --bind-to none)

# ends_badly COMMAND...: it ends by itself, in time, and not with 0.
ends_badly() {
  timeout -k 1 "$longest" "$@" >"$out" 2>&1
  local code=$?
  [[ $code != 0 ]] || die "it ends as if nothing had happened"
  [[ $code != 124 && $code != 137 ]] || die "it does not end within $longest s"
}

# Without mpirun: the environment looks as if the launcher of another MPI had started this process among others.
mismatch() {
  ends_badly env "$1" "$program" open
  says "MPI says that this process is alone, but its launcher has started at least"
  says "$1"
  says "They belong to different MPI libraries: plugin .* uses "
  says "OP2_BACKEND=self"
}
launcher_mismatch() {
  local sign
  for sign in OMPI_COMM_WORLD_SIZE=4 PMI_SIZE=4 PMI_RANK=2 SLURM_STEP_NUM_TASKS=4; do mismatch $sign; done
}
other_launcher() { # in earnest; Open MPI's ends the others before they have said the same
  ends_badly env OP2TEST_COMM=mpi "$mpich_launcher" -n 2 "$program" open
  says 'at least 2 \(PMI_SIZE=2, .*plugin mpi uses Open MPI v'
  [[ $launcher ]] || return 0
  ends_badly env OP2TEST_COMM=mpich "${job[@]}" -n 2 "$program" open
  says 'at least 2 \(OMPI_COMM_WORLD_SIZE=2, .*plugin mpich uses MPICH'
}
no_launcher() {
  local sign
  # A batch script of SLURM, which has started nothing yet; a job of one process.
  for sign in NOTHING=1 SLURM_NTASKS=4 PMI_SIZE=1 OMPI_COMM_WORLD_SIZE=1; do
    env "$sign" timeout 60 "$program" open >"$out" 2>&1 || die "it fails with $sign"
    says "opened, 1 processes"
  done
}

lives() { [[ -d /proc/$1 && $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) != [ZX] ]]; }
kill_one() {
  "${job[@]}" -n 3 "$program" work >"$out" 2>&1 &
  local launched=$! pid='' i
  for ((i = 0; i < 600; i++)); do
    [[ -d /proc/$launched ]] || die "the job has ended too early"
    (($(grep -c '^process' "$out") == 3)) && break
    sleep 0.1
  done
  pid=$(sed -n 's/^process 1 is //p' "$out")
  [[ $pid ]] || die "the processes do not say who they are"
  kill -9 "$pid"
  for ((i = 0; i < longest * 10; i++)); do
    lives "$launched" || break
    sleep 0.1
  done
  if lives "$launched"; then
    kill "$launched"
    die "the job lives on $longest s after one process was killed"
  fi
  wait "$launched" && die "it ends as if nothing had happened"
  local pids
  mapfile -t pids < <(sed -n 's/^process . is //p' "$out")
  for pid in "${pids[@]}"; do
    for ((i = 0; i < 50; i++)); do
      lives "$pid" || continue 2
      sleep 0.1
    done
    die "process $pid is still there"
  done
  says "rank 1 .* exited on signal 9"
}

leave_in_the_middle() { # with exit code 0, but without the end of MPI
  ends_badly "${job[@]}" -n 3 "$program" leave 1
  says '^process 0 is'
}
late() {
  ends_badly "${job[@]}" -n 3 "$program" late 1
  says_times 1 '^trouble: '
}
one_fails() {
  local rank
  for rank in 0 2; do
    ends_badly "${job[@]}" -n 3 "$program" fail $rank
    says_times 1 "^trouble: process $rank: wrong on purpose"
  done
}
all_fail() {
  local i
  for i in 1 2 3; do
    ends_badly "${job[@]}" -n 4 "$program" fail
    says_times 1 '^trouble: process .: wrong on purpose'
  done
}

"$case"

# SPDX-License-Identifier: MIT
