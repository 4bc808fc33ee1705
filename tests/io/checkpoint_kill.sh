#!/usr/bin/env bash
# tests/io/checkpoint_kill.sh AIRFOIL MESH FOLDER KILLS [LAUNCHER...]: airfoil is killed KILLS times, each time after its
# first new checkpoint, at a moment that is left to chance, and goes on. No checkpoint is lost, nothing is left over, and
# in the end the residual and the pressure have the bits of a run that nobody disturbed.
set -euo pipefail
airfoil=$1 mesh=$2 folder=$3 kills=$4
shift 4
launcher=("$@")
more=${OP2TEST_ITERATIONS:-100} # after the last kill
rm -rf "$folder"
mkdir -p "$folder"
trap 'status=$?; [[ -z ${run:-} ]] || kill_session "$run"; exit $status' EXIT

fail() {
  echo "FAILED: $*"
  cat "$folder/log" 2>/dev/null || true
  exit 1
}
# All processes of a session, whatever groups a launcher has made of them.
kill_session() {
  local stat line fields
  for stat in /proc/[0-9]*/stat; do
    read -r line 2>/dev/null <"$stat" || continue
    read -ra fields <<<"${line##*) }"
    [[ ${fields[3]:-} != "$1" ]] || kill -9 "${line%% *}" 2>/dev/null || true
  done
}
newest() { find "$folder" -name 'run.*.h5' | sort | tail -n 1; }
# solve NAME ARGUMENT...: to the end
solve() {
  local name=$1
  shift
  "${launcher[@]}" "$airfoil" "$mesh" --iterations "$iterations" --view "$folder/$name.vtkhdf" "$@" >"$folder/log" 2>&1 ||
    fail "the run $name: exit code $?"
  grep '^rms = ' "$folder/log" >"$folder/$name.rms" || fail "the run $name has no residual"
}

# Of the newest checkpoint, as a run says that goes on from it and has nothing left to do.
saved_iteration() {
  "${launcher[@]}" "$airfoil" "$mesh" --iterations 1 --checkpoint "$folder/run" --checkpoint-seconds 1e9 --restart \
    >"$folder/log" 2>&1 || fail "round $n: no run can go on: exit code $?"
  ! grep -q 'cannot be used' "$folder/log" || fail "round $n: a completed checkpoint was lost"
  iteration=$(sed -n 's/^going on after iteration //p' "$folder/log")
  [[ -n $iteration ]] || fail "round $n: a run does not go on"
}

last_iteration=0
for ((n = 1; n <= kills; ++n)); do
  before=$(newest)
  setsid "${launcher[@]}" "$airfoil" "$mesh" --iterations 1000000000 --checkpoint "$folder/run" \
    --checkpoint-seconds 0 --restart >"$folder/log" 2>&1 &
  run=$!
  for ((wait = 0; wait < 3000; ++wait)); do
    [[ $(newest) == "$before" ]] || break
    kill -0 "$run" 2>/dev/null || fail "round $n ended before its first checkpoint"
    sleep 0.01
  done
  sleep "0.0$((RANDOM % 6))$((RANDOM % 10))"
  kill -0 "$run" 2>/dev/null || fail "round $n was over before it was killed"
  kill_session "$run"
  wait "$run" 2>/dev/null || true
  run=
  [[ -n $(newest) ]] || fail "round $n: no checkpoint is left"
  ! grep -q 'cannot be used' "$folder/log" || fail "round $n: a completed checkpoint was lost"
  saved_iteration
  ((iteration > last_iteration)) || fail "round $n went back to iteration $iteration from $last_iteration"
  last_iteration=$iteration
done
iterations=$((last_iteration + more)) # however fast this machine is
solve whole
solve killed --checkpoint "$folder/run" --checkpoint-seconds 0.2 --restart
grep -qx "going on after iteration $last_iteration" "$folder/log" || fail "the last run began anew"
! grep -q 'cannot be used' "$folder/log" || fail "a completed checkpoint was lost"
cmp "$folder/whole.rms" "$folder/killed.rms" || fail "the residual has other bits"
cmp "$folder/whole.vtkhdf" "$folder/killed.vtkhdf" || fail "the pressure has other bits"
left=$(find "$folder" -name 'run.*' | wc -l)
((left <= 3)) || fail "$left files are left of the checkpoints: $(ls "$folder")"
echo "killed $kills times, the last checkpoint after iteration $last_iteration of $iterations; $(cat "$folder/killed.rms")"
rm -rf "$folder"

# SPDX-License-Identifier: MIT
