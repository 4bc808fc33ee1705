#!/usr/bin/env bash
# test_gpu_share.sh PROGRAM ARGUMENTS...: each loop of the program has its GB/s, in percent of a copy of 2 GB/s, behind its line.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
filter=$(dirname "${BASH_SOURCE[0]}")/../gpu/gpu_share.sh
OP2_BACKEND=cuda OP2_TIMING=table,wait "$@" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
sed -n '/  loops on /,/outside loops/p' "$folder/out" >"$folder/table"
bash "$filter" 2 <"$folder/out" >"$folder/shares" || exit 1
# A loop: name calls seconds share us/call GB/s ... (share of copy).
awk '
  FNR == NR { if ($4 ~ /%$/) gbs[$1] = $6; next }
  $4 ~ /%$/ {
    ++loops
    if (!($1 in gbs) || $0 !~ /\([0-9.]+ %\)$/) { print "no share: " $0; bad = 1; next }
    share = $0; sub(/.*\(/, "", share)
    if ((share + 0 - 50 * gbs[$1]) ^ 2 > 0.01) { print "wrong share: " $0; bad = 1 }
  }
  END { exit bad || loops < 3 || loops != length(gbs) }' "$folder/table" "$folder/shares" || { cat "$folder/shares"; exit 1; }
bash "$filter" "" <"$folder/out" | grep -q '(-)$' || { echo "a share without a copy"; exit 1; }

# SPDX-License-Identifier: MIT
