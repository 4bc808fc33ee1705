#!/usr/bin/env bash
# subfiles.sh PROGRAM FOLDER WRITERS READERS LAUNCHER...: dats in subfiles, read by other numbers of processes, after a
# job that died, and in another folder.
set -euo pipefail
program=$1 folder=$2 writers=$3 readers=$4
shift 4
rm -rf "$folder" "$folder.moved"
mkdir -p "$folder"
"$@" "$writers" "$program" "$folder" write
before=$(find "$folder" -type f | wc -l)
out=$("$@" "$writers" "$program" "$folder" die 2>&1) || true # a launcher may complain about processes that just end
[[ $out != *subfiles_job,* ]] || { echo "$out"; exit 1; }
after=$(find "$folder" -type f | wc -l)
((after > before)) || { echo "FAILED: the job that died had written nothing: $before files before, $after after it"; exit 1; }
mv "$folder" "$folder.moved"
for n in $readers; do
  if ((n == 1)); then
    OP2_BACKEND=self+seq "$program" "$folder.moved" read
  else
    "$@" "$n" "$program" "$folder.moved" read
  fi
done
rm -rf "$folder.moved"

# SPDX-License-Identifier: MIT
