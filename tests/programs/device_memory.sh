#!/usr/bin/env bash
# device_memory.sh AIRFOIL MESH: airfoil on a device with less memory than its data needs has the bits of a run with enough,
# keeps the limit, and all that it takes of the emulated device beside dats and maps is bounded; what cannot work is refused in
# the words of the user.
set -euo pipefail
airfoil=$1 mesh=$2
work=$(mktemp -d -p .)
trap 'rm -rf "$work"' EXIT
fail() {
  echo "FAILED: $1"
  cat "$work/out" 2>/dev/null
  exit 1
}
number() { # NAME: of the chunks of a run, in its JSON
  sed -nE 's/.*"paging": \{.*"'"$1"'": ([0-9.]+).*/\1/p' "$work/times.json"
}
lines() { grep -E '^( +[0-9]+ +[0-9.]+e|rms)' "$1"; }
export OP2_CHAIN=auto OP2_RACE=gather OP2_CUDA_SUMS=ordered OP2_RENUMBER=off FAKE_CUDA_UNIT=16384 FAKE_CUDA_LEAKS=1
beside=${DEVICE_MEMORY_BESIDE:-1500000} # lists and increments of OP2_RACE=gather, for pieces of loops; reduced values

run() { "$airfoil" "$mesh" --iterations 12 --output "$work/times.json" >"$work/out" 2>&1; }
run || fail "with enough memory"
cp "$work/out" "$work/memory"
for limit in 3600000 2400000 1440000; do # a half, a third and a fifth of the data
  rm -f "$work/times.json"
  OP2_DEVICE_MEMORY_LIMIT=$limit FAKE_CUDA_MEMORY=$((limit + beside)) run || fail "limit $limit"
  ! grep "fake CUDA:" "$work/out" || fail "limit $limit: the emulated device complains"
  diff <(lines "$work/memory") <(lines "$work/out") || fail "limit $limit: other bits"
  peak=$(number peak) bound=$(number limit) read=$(number read)
  [[ -n $peak && ${read%.*} -gt 5000000 ]] || fail "limit $limit: nothing came to the device"
  ((peak <= bound && bound <= limit)) || fail "limit $limit: $peak bytes on the device, $bound are allowed"
  echo "limit $limit: at most $peak, read $read, written $(number written), $(number faults) chunks late"
done

refused() { # WORDS VARIABLE=VALUE...
  local words=$1
  shift
  ! env "$@" "$airfoil" "$mesh" --iterations 2 >"$work/out" 2>&1 || fail "$*: not refused"
  grep -qE "$words" "$work/out" || fail "$*: not in these words: $words"
}
refused "OP2_DEVICE_MEMORY_LIMIT='8X'.*number of bytes" OP2_DEVICE_MEMORY_LIMIT=8X
refused "less than 16 chunks of 16 KiB" OP2_DEVICE_MEMORY_LIMIT=100K
refused "loop 'res_calc': the loop runs as a whole and needs [0-9]+ bytes .* OP2_DEVICE_MEMORY_LIMIT allows 1425408" \
  OP2_DEVICE_MEMORY_LIMIT=1440000 OP2_RACE=colour
echo "all passed"
# SPDX-License-Identifier: MIT
