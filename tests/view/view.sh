#!/usr/bin/env bash
# view.sh JOB READ_BACK LAUNCHER...: view_job on 1, 2 and 3 processes, and what Debian's VTK and meshio read from its files.
# LAUNCHER... -n N starts N processes.
set -uo pipefail
job=$1 read_back=$2
shift 2
[[ -x /usr/bin/python3 ]] || { echo "skipped: there is no /usr/bin/python3 to read the files back" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# run FOLDER HOW COMMAND...
run() {
  local into=$folder/$1 how=$2
  shift 2
  mkdir -p "$into"
  "$@" "$job" "$into" "$how" || { echo "view_job $how failed: $*"; exit 1; }
}
run 1 replicated env
run 2 replicated "$@" -n 2
run 3 local "$@" -n 3
mkdir "$folder/again" && cp "$folder"/3/steps* "$folder/again" && run again again "$@" -n 2
cd "$folder" && /usr/bin/python3 "$read_back" 1 2 3 again

# SPDX-License-Identifier: MIT
