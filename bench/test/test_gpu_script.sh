#!/usr/bin/env bash
# test_gpu_script.sh BUILD: bench/gpu.sh on the emulated device: each loop of tets has a share's column, and predicted times, if there is an
# NVRTC that says how many registers kernels take.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
c++ --version >/dev/null 2>&1 || { echo "skipped: the emulated device needs a C++ compiler"; exit 77; }
bash "$(dirname "${BASH_SOURCE[0]}")/../gpu.sh" --dry-run --no-build --build "$1" >"$folder/out" 2>&1 || { cat "$folder/out"; exit 1; }
cat "$folder/out"
grep -qE "^== the other examples" "$folder/out" || { echo "FAILED: no tables of examples"; exit 1; }
grep -qE "\\(-\\)$" "$folder/out" || { echo "FAILED: no column of shares"; exit 1; }
number='[0-9]+\.[0-9]+'
[[ -n ${FAKE_NVRTC_REAL-} ]] || number=-
for loop in diffuse flux update; do
  grep -qE "^$loop +[0-9.]+ \| +$number +$number +$number +\| -$" "$folder/out" || { echo "FAILED: no predicted times of $loop"; exit 1; }
done

# SPDX-License-Identifier: MIT
