#!/usr/bin/env bash
# counts.sh: runs a program on the emulated GPU and judges the counts of its loops (docs/gpu_counts.md).
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: counts.sh limits|spills PROGRAM ARGUMENTS...
  limits  sectors against the compulsory ones, of loops over 1000 elements and more: at most 1.25 times, from L2 and from memory, for
          direct loops, 1.6 times from memory for loops through maps
  spills  no kernel keeps values in memory for want of registers; skipped where no NVRTC says
Exit code: 0 the counts are as they should be, 1 they are not, 77 skipped.
TEXT
}
if (($# < 2)); then
  usage >&2
  exit 1
fi
what=$1
shift
g++ --version > /dev/null 2>&1 || { echo "skipped: counts need g++"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
OP2_CUDA_COUNT=$folder/counts "$@" > "$folder/said" 2>&1 || { cat "$folder/said"; echo "FAILED: $*"; exit 1; }
! grep -F "OP2_CUDA_COUNT is not a setting" "$folder/said" || exit 1
cat "$folder/counts"

# Columns of the first table: name, way and elements; bytes, requested, L2, memory; atomics; waiting; sm_80; sm_90.
awk -F'|' -v what="$what" '
  NR > 4 && NF == 6 { rows++
    name[rows] = substr($1, 1, 39); n = split($1, of, " "); elements[rows] = of[n]
    split($2, of, " "); l2[rows] = of[3]; memory[rows] = of[4]
    split($5, of80, " "); split($6, of90, " "); spilled[rows] = of80[2] + of90[2]; known[rows] = of80[1] != "-" }
  NF == 2 && substr($1, 41, 3) == "map" { indirect[substr($1, 1, 39)] = 1 }
  END {
    for (r = 1; r <= rows; r++) {
      if (what == "spills") {
        judged += known[r]
        if (spilled[r] > 0) { print "FAILED:", name[r], "spills", spilled[r], "bytes"; bad = 1 }
        continue
      }
      if (elements[r] < 1000 || name[r] ~ /^op2_rows/) continue
      judged++
      most = indirect[name[r]] ? 1.6 : 1.25
      if (memory[r] > most) { print "FAILED:", name[r], "moves", memory[r], "times its bytes, allowed", most; bad = 1 }
      if (!indirect[name[r]] && l2[r] > most) { print "FAILED:", name[r], "takes", l2[r], "times its bytes from L2, allowed", most; bad = 1 }
    }
    if (judged == 0 && what == "spills" && rows > 0) { print "skipped: no NVRTC that says what kernels need"; exit 77 }
    if (judged == 0) { print "FAILED: nothing was counted"; bad = 1 }
    exit bad
  }' "$folder/counts"

# SPDX-License-Identifier: MIT
