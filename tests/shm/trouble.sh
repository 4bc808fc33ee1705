#!/usr/bin/env bash
# trouble.sh CASE PROGRAM OP2_LAUNCH: what the launcher does, and jobs that end badly, which must end, soon, with one message. CASE is the
# name of a function below; PROGRAM is tests/mpi/trouble.cpp.
# shellcheck disable=SC2016 # texts for other shells
set -uo pipefail
case=$1 program=$2 launcher=$3
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
# ends_with CODE COMMAND...
ends_with() {
  local wanted=$1 code
  shift
  timeout -k 1 "$longest" "$@" >"$out" 2>&1
  code=$?
  [[ $code == "$wanted" ]] || die "exit code $code instead of $wanted: $*"
}
lives() { [[ -d /proc/$1 && $(sed 's/.*) \(.\).*/\1/' "/proc/$1/stat" 2>/dev/null) != [ZX] ]]; }
# gone PID...: within the time.
gone() {
  local pid i
  for pid; do
    for ((i = 0; i < longest * 10; i++)); do
      lives "$pid" || continue 2
      sleep 0.1
    done
    die "process $pid is still there"
  done
}
# in_background COMMAND...: three processes, whose numbers in the system are in `pids` when all are at work.
in_background() {
  "$launcher" -n 3 "$@" >"$out" 2>&1 &
  launched=$!
  local i
  for ((i = 0; i < 600; i++)); do
    lives "$launched" || die "the job has ended too early"
    (($(grep -c '^process' "$out") == 3)) && break
    sleep 0.1
  done
  mapfile -t pids < <(sort "$out" | sed -n 's/^process . is //p')
  ((${#pids[@]} == 3)) || die "the processes do not say who they are"
}
code_of_job() {
  gone "$launched"
  wait "$launched"
  code=$?
}

exit_codes() {
  ends_with 0 "$launcher" -n 3 true
  ends_with 7 "$launcher" -n 3 sh -c 'exit $((OP2_LAUNCH_RANK == 1 ? 7 : 0))'
  says_times 1 '^op2_launch: process 1 of 3 ended with exit code 7$'
  ends_with 138 "$launcher" -n 2 sh -c 'if [ $OP2_LAUNCH_RANK = 0 ]; then kill -10 $$; fi'
  says 'process 0 of 2 was killed by signal 10 '
  # The first one counts.
  ends_with 3 "$launcher" -n 2 sh -c 'if [ $OP2_LAUNCH_RANK = 1 ]; then exit 3; fi; sleep 1; exit 4'
  ends_with 2 "$launcher" -n 1 -- sh -c 'exit 2'
}
wrong_use() {
  ends_with 2 "$launcher"
  says 'no program is named'
  ends_with 2 "$launcher" true
  says 'how many processes\? Say -n P'
  ends_with 2 "$launcher" -n
  says 'wants a number'
  local count
  for count in 0 -1 x 3x 1025 ''; do
    ends_with 2 "$launcher" -n "$count" true
    says 'a number of processes from 1 to 1024'
  done
  ends_with 2 "$launcher" -n 2 --wrong true
  says 'there is no option --wrong; see op2_launch --help'
  ends_with 127 "$launcher" -n 3 ./nothing_there
  says_times 1 "^op2_launch: cannot start './nothing_there' .*No such file"
  ends_with 126 "$launcher" -n 3 "$folder"
  says_times 1 'Permission denied'
  ends_with 0 "$launcher" --help
  says '^usage: op2_launch -n P'
  ends_with 0 "$launcher" --version
  says '^op2_launch of libop2 [0-9.]+$'
}
input_and_output() {
  [[ $(echo hello | "$launcher" -n 3 cat) == hello ]] || die "not process 0 alone reads the input"
  ends_with 0 "$launcher" -n 2 --tag-output sh -c 'echo one; echo two >&2; printf three'
  [[ $(sort "$out") == $'[0] one\n[0] three\n[0] two\n[1] one\n[1] three\n[1] two' ]] || die "other lines"
  ends_with 0 "$launcher" -n2 sh -c 'echo $OP2_LAUNCH_RANK of $OP2_LAUNCH_SIZE'
  [[ $(sort "$out") == $'0 of 2\n1 of 2' ]] || die "other lines"
}

kill_one() {
  in_background "$program" work
  kill -9 "${pids[1]}"
  code_of_job
  [[ $code == 137 ]] || die "exit code $code"
  gone "${pids[@]}"
  says_times 1 '^op2_launch: process 1 of 3 was killed by signal 9 \(Killed\)'
  says_times 2 'the job ends: process 1 was killed by signal 9' # this program does not ask who may tell
}
kill_one_busily() { # the cores have other work: who waits gives them away and still sees the end
  local others=() i
  for ((i = 0; i < 4 * $(nproc); i++)); do
    timeout 60 sh -c 'while :; do :; done' &
    others+=($!)
  done
  # shellcheck disable=SC2064 # these processes
  trap "kill ${others[*]} 2>/dev/null; rm -rf '$folder'" EXIT
  kill_one
}
kill_launcher() {
  local what
  for what in work sleep; do
    in_background "$program" $what
    kill -9 "$launched"
    gone "$launched" "${pids[@]}"
    wait "$launched" || true # bash says how it ended
  done
}
stop() {
  in_background "$program" sleep
  kill -TERM "$launched"
  code_of_job
  [[ $code == 143 ]] || die "exit code $code"
  gone "${pids[@]}"
  # Those that do not want to hear are ended in the end.
  in_background sh -c 'trap "" TERM; echo "process $OP2_LAUNCH_RANK is $$"; while :; do sleep 0.1; done'
  kill -TERM "$launched"
  code_of_job
  [[ $code == 143 ]] || die "exit code $code"
  gone "${pids[@]}"
}
leave_in_the_middle() { # with exit code 0, but without op_exit
  ends_with 1 "$launcher" -n 3 "$program" leave 1
  says_times 1 '^op2_launch: process 1 of 3 ended in the middle of the run'
}
end_and_leave_others() { # one never opens the communicator, and ends as if all were well
  ends_with 1 "$launcher" -n 3 sh -c 'if [ $OP2_LAUNCH_RANK = 2 ]; then exit 0; fi; exec "$@"' - "$program" open
  says 'process 2 has ended and takes no part'
}
late() {
  ends_with 1 "$launcher" -n 3 "$program" late 1
  says 'the program gives a communicator of MPI'
}
one_fails() {
  local rank
  for rank in 0 2; do
    ends_with 1 "$launcher" -n 3 "$program" fail $rank
    says_times 1 "^trouble: process $rank: wrong on purpose"
    says_times 0 '^op2_launch'
  done
}
all_fail() {
  local i
  for i in 1 2 3; do
    ends_with 1 "$launcher" -n 4 "$program" fail
    says_times 1 '^trouble: process .: wrong on purpose'
  done
}
computes_on() { # one that does not wait for anything does not notice
  ends_with 5 "$launcher" -n 2 sh -c 'if [ $OP2_LAUNCH_RANK = 1 ]; then exit 5; fi; exec "$@"' - sleep 100
}

other_launcher() {
  ends_with 1 env OMPI_COMM_WORLD_SIZE=4 "$program" open
  says 'a launcher of MPI has started this process \(OMPI_COMM_WORLD_SIZE=4\)'
  says 'say op2_launch -n 4'
  ends_with 0 env OMPI_COMM_WORLD_SIZE=1 "$program" open
  says 'opened, 1 processes'
  ends_with 0 env OMPI_COMM_WORLD_SIZE=4 "$launcher" -n 2 "$program" open
  says_times 2 'opened, 2 processes'
}
wrong_memory() {
  ends_with 1 env OP2_LAUNCH_SIZE=2 "$program" open
  says 'do not fit together'
  ends_with 1 env OP2_LAUNCH_SIZE=2 OP2_LAUNCH_RANK=2 OP2_LAUNCH_MEMORY=7 "$program" open
  says 'do not fit together'
  ends_with 1 env OP2_LAUNCH_SIZE=2 OP2_LAUNCH_RANK=0 OP2_LAUNCH_MEMORY=7 "$program" open
  says 'is not open here'
  head -c 100000 /dev/zero >"$folder/zeros"
  ends_with 1 env OP2_LAUNCH_SIZE=2 OP2_LAUNCH_RANK=0 OP2_LAUNCH_MEMORY=7 bash -c 'exec 7<>"$2"; exec "$1" open' - "$program" "$folder/zeros"
  says 'not of this version'
}
one_after_the_other() {
  ends_with 0 "$launcher" -n 3 sh -c '"$1" open && "$1" open' - "$program"
  says_times 6 'opened, 3 processes'
}
inside_of_a_job() { # a program that a process of the job starts is no second process in its place
  local before after
  before=$(find /dev/shm -name 'op2*' 2>/dev/null | sort)
  in_background "$program" work
  local file environment=(env)
  file=$(tr '\0' '\n' <"/proc/${pids[1]}/environ" | sed -n 's/^OP2_LAUNCH_MEMORY=//p')
  environment+=(OP2_LAUNCH_SIZE=3 OP2_LAUNCH_RANK=1 OP2_LAUNCH_MEMORY=7)
  timeout "$longest" "${environment[@]}" bash -c 'exec 7<>"$2"; exec "$1" open' - "$program" "/proc/${pids[1]}/fd/$file" >"$folder/second" 2>&1 &&
    die "the place is given twice"
  grep -q "process 1 of 3 of this job is already process ${pids[1]} of the system" "$folder/second" || die "it says: $(cat "$folder/second")"
  after=$(find /dev/shm -name 'op2*' 2>/dev/null | sort)
  [[ $before == "$after" ]] || die "memory with a name: $after"
  kill -9 "${pids[0]}"
  code_of_job
}

"$case"

# SPDX-License-Identifier: MIT
