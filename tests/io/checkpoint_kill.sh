#!/usr/bin/env bash
# tests/io/checkpoint_kill.sh AIRFOIL MESH FOLDER KILLS [LAUNCHER...]: airfoil is killed KILLS times, each time after its
# first new checkpoint, at a moment that is left to chance, and goes on. No checkpoint is lost, nothing is left over, and
# in the end the residual and the pressure have the bits of a run that nobody disturbed.
set -euo pipefail
airfoil=$1 mesh=$2 folder=$3 kills=$4
shift 4
launcher=("$@")
iterations=${OP2TEST_ITERATIONS:-1500}
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

solve whole
last_iteration=0
for ((n = 1; n <= kills; ++n)); do
  before=$(newest)
  setsid "${launcher[@]}" "$airfoil" "$mesh" --iterations "$iterations" --checkpoint "$folder/run" \
    --checkpoint-seconds 0 --restart >"$folder/log" 2>&1 &
  run=$!
  for ((wait = 0; wait < 3000; ++wait)); do
    [[ $(newest) == "$before" ]] || break
    kill -0 "$run" 2>/dev/null || fail "round $n ended before its first checkpoint"
    sleep 0.01
  done
  sleep "0.0$((RANDOM % 6))$((RANDOM % 10))"
  kill -0 "$run" 2>/dev/null || fail "round $n was over before it was killed: more iterations are needed"
  kill_session "$run"
  wait "$run" 2>/dev/null || true
  run=
  [[ -n $(newest) ]] || fail "round $n: no checkpoint is left"
  ! grep -q 'cannot be used' "$folder/log" || fail "round $n: a completed checkpoint was lost"
  went_on=$(sed -n 's/^going on after iteration //p' "$folder/log")
  [[ -z $before || -n $went_on || ! -s $folder/log ]] || # mpirun takes it along
    fail "round $n did not go on from $before"
  ((${went_on:-$last_iteration} >= last_iteration)) || fail "round $n went back to iteration $went_on from $last_iteration"
  last_iteration=${went_on:-$last_iteration}
done
solve killed --checkpoint "$folder/run" --checkpoint-seconds 0.2 --restart
grep -q '^going on after iteration' "$folder/log" || fail "the last run began anew"
! grep -q 'cannot be used' "$folder/log" || fail "a completed checkpoint was lost"
cmp "$folder/whole.rms" "$folder/killed.rms" || fail "the residual has other bits"
cmp "$folder/whole.vtkhdf" "$folder/killed.vtkhdf" || fail "the pressure has other bits"
left=$(find "$folder" -name 'run.*' | wc -l)
((left <= 3)) || fail "$left files are left of the checkpoints: $(ls "$folder")"
echo "killed $kills times, the last time behind iteration $last_iteration of $iterations; $(cat "$folder/killed.rms")"
rm -rf "$folder"
