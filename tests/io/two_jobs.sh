#!/usr/bin/env bash
# tests/io/two_jobs.sh TRIP FOLDER: two jobs write the same name at the same time: a file is one job's or the other's, never
# of both, whether it is replaced as a whole or one dataset of it.
set -euo pipefail
trip=$1 folder=$2
rm -rf "$folder"
mkdir -p "$folder"
export OP2_ERROR=return OP2_LOG=error
file=$folder/shared.h5

# both MODE: the two jobs.
both() {
  local first second
  "$trip" "$1" "$file" 1 2>"$folder/log1" & first=$!
  "$trip" "$1" "$file" 2 2>"$folder/log2" & second=$!
  wait $first || { cat "$folder/log1"; echo "FAILED: $1, job 1"; exit 1; }
  wait $second || { cat "$folder/log2"; echo "FAILED: $1, job 2"; exit 1; }
}
both dump
"$trip" uniform "$file" || { echo "FAILED: the file is of two jobs"; exit 1; }
both add
"$trip" uniform "$file" || { echo "FAILED: a dataset is of two jobs"; exit 1; }
left=$(find "$folder" -name '*unfinished*')
[[ -z $left ]] || { echo "FAILED: left over: $left"; exit 1; }
rm -rf "$folder"

# SPDX-License-Identifier: MIT
