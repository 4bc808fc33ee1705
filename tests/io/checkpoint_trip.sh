#!/usr/bin/env bash
# tests/io/checkpoint_trip.sh TRIP FOLDER "1 2 3 4" LAUNCHER...: checkpoints from each of these numbers of processes to
# each of them, and from other ways of declaring, layouts and orders. LAUNCHER ends where the number of processes goes.
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
    OP2_BACKEND=${OP2TEST_ALONE:-self+seq} "$trip" "$@"
  else
    "${launcher[@]}" "$processes" "$trip" "$@"
  fi >"$folder/log" 2>&1 || { cat "$folder/log"; echo "FAILED with $processes processes: $*"; exit 1; }
}

files=()
for processes in "${numbers[@]}"; do
  files+=("$folder/from_$processes.h5")
  OP2_DECLARE=local job "$processes" write "$folder/from_$processes.h5"
done
if [[ -n ${OP2TEST_WAYS:-} ]]; then # whatever the program means by its declarations, and however data lie
  for how in replicated root; do
    files+=("$folder/$how.h5")
    OP2_DECLARE=$how job 3 write "$folder/$how.h5"
    OP2_DECLARE=$how job 2 read "${files[@]}"
  done
  OP2_RENUMBER=always OP2_LAYOUT=soa OP2_DECLARE=local job 1 write "$folder/order.h5"
  files+=("$folder/order.h5")
fi
for processes in "${numbers[@]}"; do
  OP2_LAYOUT=soa OP2_DECLARE=local job "$processes" read "${files[@]}"
done
if ((${#numbers[@]} > 1)); then
  before=$(sha256sum <"${files[0]}")
  OP2_DECLARE=local job 2 refuse "${files[0]}"
  [[ $(sha256sum <"${files[0]}") == "$before" ]] || { echo "FAILED: ${files[0]} is not what it was"; exit 1; }
fi
left=$(find "$folder" -name '*unfinished*')
[[ -z $left ]] || { echo "FAILED: left over: $left"; exit 1; }
echo "${#files[@]} checkpoints, read by ${numbers[*]} processes"
rm -rf "$folder"

# SPDX-License-Identifier: MIT
