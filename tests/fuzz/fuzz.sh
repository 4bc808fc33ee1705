#!/usr/bin/env bash
# fuzz.sh FOLDER CORPUS SECONDS FORMAT...: runs the program FOLDER/fuzz_meshfile for an equal part of the seconds with each format,
# beginning with CORPUS/FORMAT. What it finds is left in FOLDER, with the command that shows it again.
set -uo pipefail
folder=$1 corpus=$2 seconds=$3
shift 3
each=$((seconds / $#))
bad=0
for format in "$@"; do
  mkdir -p "$folder/corpus/$format"
  program=$folder/fuzz_meshfile
  if ! output=$(OP2_FUZZ_FORMAT=$format "$program" -max_total_time=$((each > 0 ? each : 1)) -max_len=4096 -rss_limit_mb=1024 -malloc_limit_mb=256 -timeout=5 \
    -print_final_stats=1 -verbosity=1 -artifact_prefix="$folder/$format-" "$folder/corpus/$format" "$corpus/$format" 2>&1); then
    echo "$output" | tail -n 60
    echo "again: OP2_FUZZ_FORMAT=$format $program $(ls -t "$folder/$format-"* | head -n 1)"
    bad=1
  fi
  echo "$format: $(sed -n 's/^stat::number_of_executed_units: */ inputs tried: /p' <<<"$output")"
done
exit $bad

# SPDX-License-Identifier: MIT
