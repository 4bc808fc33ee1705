#!/usr/bin/env bash
# bench/gpu.sh: builds, checks and measures on the GPU of this machine in one go. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: bench/gpu.sh [--quick | --dry-run] [--json FILE] [--build DIR] [--no-build] [--help]
Build, check (tests/run_gpu.sh --quick) and measure executor cuda on the GPU of this machine: airfoil kernel by kernel in double and
single precision on 720k, 4M and 16M cells, each way to keep increments apart, AoS and SoA, copies, calls of loops with and without
graphs, exchanges between two processes by transport, patterns of messages, a loop over faces beside the same by cells, the time tables
of the other examples, with each loop's share of a copy, and measured times beside predicted ones.
  --quick      smaller meshes and fewer repetitions
  --dry-run    only the tables, on tiny meshes, for a look at the script on an emulated device, whose times mean nothing
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
dry=no
make=yes
json=
while (($#)); do
  case $1 in
    --quick) options+=(--quick); quick=yes ;;
    --json) json=$(realpath -m -- "${2:?--json needs a name}"); options+=(--json "$json"); shift ;;
    --build) build=${2:?"--build needs a folder"}; shift ;;
    --dry-run) dry=yes ;;
    --no-build) make=no; tests+=(--no-build); options+=(--no-build) ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath -m -- "$build")

code=0
if [[ $dry == no ]]; then
  tests/run_gpu.sh --quick --build "$build" ${tests[@]+"${tests[@]}"} || code=$?
  ((code != 77)) || { echo "skipped: nothing was measured"; exit 77; }
  ((code == 0)) || echo "bench/gpu.sh: tests failed; what follows was measured all the same"
fi

measured=0 copy=
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [[ -z $json ]]; then
  json=$scratch/figures.json
  options+=(--json "$json")
fi
[[ $dry == yes ]] || bench/run.sh --gpu --build "$build" ${options[@]+"${options[@]}"} || measured=$?
[[ ! -f $json ]] || copy=$(sed -n 's/.*"gpu_copy.within.device", "value": \([0-9.e+]*\).*/\1/p' "$json")

[[ $dry == no ]] || echo "== a dry run: times of an emulated device mean nothing"
echo "== the other examples, each loop waited for"
table() { # COMMAND...
  echo "-- ${1##*/} ${*:2}"
  OP2_BACKEND=cuda OP2_TIMING=wait timeout 300 "$@" 2>&1 | bash bench/gpu/gpu_share.sh "$copy" || code=1
}
if [[ $dry == yes ]]; then
  table "$build/bin/tets" 6 --part uniform
elif [[ $quick == yes ]]; then
  table "$build/bin/aero" 40 60 --iterations 2
  table "$build/bin/tets" 12 --part uniform
  table "$build/bin/euler3d" 8 --mesh hexahedra --part free
else
  table "$build/bin/aero" --iterations 2
  table "$build/bin/tets" 96 --part uniform
  table "$build/bin/euler3d" 64 --mesh hexahedra --part free
fi
[[ $dry == yes ]] || table "$build/bin/jac1"

echo "== measured beside predicted"
if [[ $make == yes ]]; then # else there may be an emulated device all the same
  cmake --build "$build" --parallel "$(nproc)" --target op2_fake_cuda op2_fake_nvrtc >"$scratch/fake" 2>&1 || tail -n 5 "$scratch/fake"
fi
beside() { # COMMAND...
  echo "-- ${1##*/} ${*:2}"
  bash bench/gpu/gpu_predicted.sh "$build/tests/cuda/fake" "$@" || code=1
}
if [[ $dry == yes ]]; then
  beside "$build/bin/tets" 6 --part uniform
else
  "$build/bin/make_naca_mesh" 144 288 "$scratch/mesh.dat" >/dev/null
  beside "$build/bin/airfoil" "$scratch/mesh.dat" --iterations 4
  beside "$build/bin/aero" 40 60 --iterations 2
  beside "$build/bin/tets" 12 --part uniform
  beside "$build/bin/euler3d" 12 --mesh hexahedra --part free
fi
((code == 0 && measured == 0)) || exit 1

# SPDX-License-Identifier: MIT
