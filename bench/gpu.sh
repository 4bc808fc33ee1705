#!/usr/bin/env bash
# bench/gpu.sh: builds, checks and measures on the GPU of this machine in one go. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: bench/gpu.sh [--quick] [--json FILE] [--build DIR] [--no-build] [--help]
Build, check (tests/run_gpu.sh --quick) and measure executor cuda on the GPU of this machine: airfoil kernel by kernel in double and
single precision on 720k, 4M and 16M cells, each way to keep increments apart, AoS and SoA, copies, calls of loops with and without
graphs, exchanges between two processes by transport, and the time tables of the other examples, with each loop's share of a copy.
  --quick      smaller meshes and fewer repetitions
  --json FILE  also write the figures as JSON
  --build DIR  build folder; default build/gpu, made when it is not there
  --no-build   take the programs in it as they are
Needs the NVIDIA driver and NVRTC; no network, no MPI. docs/benchmarks.md explains the figures.
Exit code: 0 all checks hold, 1 one does not or something failed, 2 wrong usage, 77 skipped: there is no GPU that can be used.
TEXT
}

options=()
build=build/gpu
tests=()
quick=no
json=
while (($#)); do
  case $1 in
    --quick) options+=(--quick); quick=yes ;;
    --json) json=$(realpath -m -- "${2:?--json needs a name}"); options+=(--json "$json"); shift ;;
    --build) build=${2:?"--build needs a folder"}; shift ;;
    --no-build) tests+=(--no-build); options+=(--no-build) ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath -m -- "$build")

code=0
tests/run_gpu.sh --quick --build "$build" ${tests[@]+"${tests[@]}"} || code=$?
((code != 77)) || { echo "skipped: nothing was measured"; exit 77; }
((code == 0)) || echo "bench/gpu.sh: tests failed; what follows was measured all the same"

measured=0 copy=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [[ -z $json ]]; then
  json=$scratch/figures.json
  options+=(--json "$json")
fi
bench/run.sh --gpu --build "$build" ${options[@]+"${options[@]}"} || measured=$?
[[ ! -f $json ]] || copy=$(sed -n 's/.*"gpu_copy.within.device", "value": \([0-9.e+]*\).*/\1/p' "$json")

echo "== the other examples, each loop waited for"
table() { # COMMAND...
  echo "-- ${1##*/} ${*:2}"
  OP2_BACKEND=cuda OP2_TIMING=wait timeout 300 "$@" 2>&1 | bash bench/gpu/gpu_share.sh "$copy" || code=1
}
if [[ $quick == yes ]]; then
  table "$build/bin/aero" 40 60 --iterations 2
  table "$build/bin/tets" 12 --part uniform
  table "$build/bin/euler3d" 8 --mesh hexahedra --part free
else
  table "$build/bin/aero" --iterations 2
  table "$build/bin/tets" 96 --part uniform
  table "$build/bin/euler3d" 64 --mesh hexahedra --part free
fi
table "$build/bin/jac1"
((code == 0 && measured == 0)) || exit 1

# SPDX-License-Identifier: MIT
