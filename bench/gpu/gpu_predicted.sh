#!/usr/bin/env bash
# gpu_predicted.sh FAKE COMMAND...: runs a program twice, as it is and on the emulated device, which counts what its loops move (FAKE: the
# folder of its libraries, build/.../tests/cuda/fake); and prints, for each loop, the time that was measured beside those that the counts
# let one predict (docs/gpu_counts.md). A measured time has the wait for the loop in it. Increments are atomic additions in both runs.
set -uo pipefail
fake=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OP2_BACKEND=cuda OP2_RACE=atomic OP2_CUDA_GRAPHS=off
run() { # FILE [VARIABLE=VALUE...] COMMAND...
  timeout 300 env "${@:2}" >"$1" 2>&1 || { tail -n 20 "$1"; echo "FAILED: ${*:2}"; exit 1; }
}
run "$folder/measured" OP2_TIMING=table,wait OP2_LOG=info "$@"
[[ -f $fake/libcuda.so.1 && -f $fake/libnvrtc.so ]] || { echo "no predictions: $fake has no emulated device (targets op2_fake_cuda, op2_fake_nvrtc)"; exit 0; }
"${FAKE_NVRTC_CXX:-c++}" --version >/dev/null 2>&1 || { echo "no predictions: the emulated device needs a C++ compiler"; exit 0; }
if [[ -z ${FAKE_NVRTC_REAL-} ]]; then # registers and occupancy
  for library in {"${CUDA_PATH:-/usr/local/cuda}",/usr/local/cuda,/opt/cuda}/{lib64,lib}/libnvrtc.so; do
    if [[ -f $library ]]; then export FAKE_NVRTC_REAL=$library && break; fi
  done
fi
run "$folder/emulated" OP2_CUDA_PATH="$fake" OP2_CUDA_COUNT="$folder/counts" FAKE_CUDA_COUNT_MOST=2 OP2_JIT_CACHE="$folder/jit" "$@"
device=$(grep -o 'executor cuda: device [^(]*' "$folder/measured" | head -n 1)
device=${device% }
echo "${device#executor cuda: }: measured, with the wait for each loop, beside *predicted* for three GPUs"
awk -v device="$device" '
  FNR == NR {
    if (/A100, predicted/) { inside = 1; n = split("A100 H100 H200", gpu, " "); next }
    if (inside && split($0, part, "|") == n + 1) {
      name = $1
      if (name == "loop" || name in seen) next
      seen[name] = 1
      for (g = 1; g <= n; ++g) { split(part[g + 1], word, " "); predicted[name, g] = word[1] }
    }
    next
  }
  /  loops on / { table = 1 }
  table && $4 ~ /%$/ && substr($1, 1, 24) in seen && !($1 in told) {
    told[$1] = 1 # programs may print the table themselves, too
    if (!head++) printf "%-24s %12s | %-42s | %s\n%-24s %12s", "", "measured", "predicted", "measured to", "loop", "us/call"
    if (head == 1) { for (g = 1; g <= n; ++g) printf "%s%12s", (g == 1 ? " | " : "   "), gpu[g] " us"; print "   | predicted" }
    name = substr($1, 1, 24); ratio = "-"
    printf "%-24s %12.2f", name, $5
    for (g = 1; g <= n; ++g) {
      printf "%s%12s", (g == 1 ? " | " : "   "), predicted[name, g]
      if (index(device, gpu[g]) && predicted[name, g] > 0) ratio = sprintf("%.2f", $5 / predicted[name, g])
    }
    printf "   | %s\n", ratio
  }
  END { if (!head) { print "FAILED: no loop was both measured and counted"; exit 1 } }' "$folder/counts" "$folder/measured"

# SPDX-License-Identifier: MIT
