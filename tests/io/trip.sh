#!/usr/bin/env bash
# tests/io/trip.sh TRIP FOLDER "1 2 3 4" LAUNCHER...: the mesh from each of these numbers of processes to each of them.
# LAUNCHER ends where the number of processes goes; a job of one process runs without it, and so with the driver for one.
set -euo pipefail
trip=$1 folder=$2
read -ra numbers <<<"$3"
shift 3
launcher=("$@")
rm -rf "$folder"
mkdir -p "$folder"
export OP2_ERROR=return

# job PROCESSES ARGUMENT...
job() {
  local processes=$1
  shift
  if ((processes == 1)); then
    OP2_BACKEND=self+seq "$trip" "$@"
  else
    "${launcher[@]}" "$processes" "$trip" "$@"
  fi
}

files=()
for processes in "${numbers[@]}"; do
  files+=("$folder/from_$processes.h5")
  job $processes write "$folder/from_$processes.h5"
done
for processes in "${numbers[@]}"; do
  job $processes read "${files[@]}" 2>"$folder/log" || { cat "$folder/log"; echo "FAILED with $processes processes"; exit 1; }
done
if [[ -n ${OP2TEST_DECLARE:-} ]]; then
  for how in replicated root; do # the same file, whatever the program means by its declarations
    OP2_DECLARE=$how job 3 read "${files[1]}" 2>"$folder/log" || { cat "$folder/log"; echo "FAILED: $how"; exit 1; }
  done
fi
before=$(sha256sum <"${files[1]}")
job 2 refuse "${files[1]}" 2>"$folder/log" || { cat "$folder/log"; echo "FAILED: a full disk"; exit 1; }
[[ $(sha256sum <"${files[1]}") == "$before" ]] || { echo "FAILED: ${files[1]} is not what it was"; exit 1; }
if [[ -n ${OP2TEST_DECLARE:-} ]]; then
  for number in 0 1 2; do
    mkdir "$folder/$number"
    job 1 make "$folder/$number/mesh.h5" $number
  done
  job 3 differ "$folder" 2>"$folder/log" || { cat "$folder/log"; echo "FAILED: different files"; exit 1; }
fi
left=$(find "$folder" -name '*unfinished*')
[[ -z $left ]] || { echo "FAILED: left over: $left"; exit 1; }
echo "${#files[@]} files, read by ${numbers[*]} processes"
rm -rf "$folder"

# SPDX-License-Identifier: MIT
