#!/usr/bin/env bash
# scatter_ends.sh PROGRAM MESH LAUNCHER: a program whose process 0 reads the mesh: others need no file; a file that
# cannot be read, or a back end that does not run on the program's processes, ends all of them with exit code 2.
set -uo pipefail
program=$1 mesh=$2 launcher=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# job CODE WORDS COMMAND...: three processes end with this exit code, and say so once.
job() {
  local expected=$1 words=$2 code count
  shift 2
  timeout -k 1 60 "$launcher" --bind-to none -n 3 "$@" >"$folder/out" 2>&1
  code=$?
  count=$(grep -cF -- "$words" "$folder/out")
  if ((code != expected || count != 1)); then
    echo "$*: exit code $code, not $expected; '$words' stands there $count times:"
    cat "$folder/out"
    bad=1
  fi
}

cat >"$folder/alone.sh" <<'TEXT'
#!/bin/sh
# Only process 0 finds the file under this name.
[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] && mesh=$2 || mesh=/nowhere
exec "$1" "$mesh" --iterations 1 OP2_BACKEND=mpi+seq
TEXT
chmod +x "$folder/alone.sh"
job 0 "This test is considered PASSED" "$folder/alone.sh" "$program" "$mesh"
head -n 50000 "$mesh" >"$folder/short.dat"
job 2 "the file " "$program" "$folder/short.dat" OP2_BACKEND=mpi+seq
job 2 "MPI has 3 processes, back end self+seq has 1" "$program" "$mesh" OP2_BACKEND=self+seq
exit $bad

# SPDX-License-Identifier: MIT
