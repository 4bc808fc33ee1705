#!/usr/bin/env bash
# bad_mesh.sh PROGRAM MESH LAUNCHER: a mesh file that is wrong in the part of one process ends the job in time, with one
# message that names the line.
set -uo pipefail
program=$1 mesh=$2 launcher=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# refused WORDS: the job on $folder/mesh fails and says so once.
refused() {
  timeout -k 1 20 "$launcher" --bind-to none -n 3 "$program" "$folder/mesh" --iterations 1 OP2_BACKEND=mpi+seq >"$folder/out" 2>&1
  local code=$? count
  count=$(grep -cF -- "$1" "$folder/out")
  if ((code == 0 || code >= 124 || count != 1)); then
    echo "exit code $code, '$1' stands there $count times:"
    cat "$folder/out"
    bad=1
  fi
}
lines=$(wc -l <"$mesh")
sed "$((lines - 5))s/ .*/ here/" "$mesh" >"$folder/mesh"
refused "line $((lines - 5)) is no such row"
sed '10s/^/7 /' "$mesh" >"$folder/mesh"
refused "line 10 is no such row"
{ cat "$mesh" && echo "1 2 3 4"; } >"$folder/mesh"
refused "the mesh is complete, but the file goes on"
sed "$((lines / 2))s/^[0-9]*/99999999/" "$mesh" >"$folder/mesh"
refused "entry 99999999 is outside set"
exit $bad

# SPDX-License-Identifier: MIT
