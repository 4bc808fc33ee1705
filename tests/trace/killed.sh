#!/usr/bin/env bash
# killed.sh JOB LAUNCHER...: one of three processes is killed while lines are drawn: all end within ten seconds.
# LAUNCHER... -n N starts N processes.
set -uo pipefail
job=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$@" -n 3 "$job" "$folder" long >"$folder/out" 2>&1 &
launcher=$!
for ((i = 0; i < 200; ++i)); do
  grep -q tracing "$folder/out" && break
  sleep 0.1
done
sleep 0.5
victim=$(pgrep -f "^$job $folder long" | tail -1)
[[ -n $victim ]] || { echo "nothing to kill:"; cat "$folder/out"; kill $launcher; exit 1; }
kill -9 "$victim"
for ((i = 0; i < 100; ++i)); do
  kill -0 $launcher 2>/dev/null || break
  sleep 0.1
done
if kill -0 $launcher 2>/dev/null; then
  echo "ten seconds after a process was killed the others still run"
  kill -9 $launcher; pkill -9 -f "$job $folder long"
  exit 1
fi
wait $launcher && { echo "the launcher reports success:"; cat "$folder/out"; exit 1; }
grep -qi "kill" "$folder/out" || { echo "nobody says that a process was killed:"; cat "$folder/out"; exit 1; }
pgrep -f "^$job $folder long" >/dev/null && { echo "processes are left"; exit 1; }
exit 0

# SPDX-License-Identifier: MIT
