#!/usr/bin/env bash
# bench/run.sh: builds and runs all benchmarks, prints one table, judges the ratios. See --help.
set -euo pipefail
export OP2_JIT_MIN_ELEMENTS=${OP2_JIT_MIN_ELEMENTS:-0} # code from the first run on

usage() {
  cat <<'TEXT'
usage: bench/run.sh [--quick] [--others] [--gpu] [--json FILE] [--build DIR] [--no-build] [--help]
Build the benchmarks if needed, run them all, and print one table.
  --quick      the small mesh only, a minute: all exact checks, and the ratios that are judged on that mesh
  --others     what decides on programs, meshes and machines of others, only: the speed of memory, kernels as people write them, meshes by
               Gmsh and Tetgen where they are installed, chains where the system reports false caches
  --gpu        those for a GPU instead; bench/gpu.sh does more
  --json FILE  also write the figures as JSON: machine, checks, results, skipped
  --build DIR  a build folder to use; default build/release, made when it is not there
  --no-build   take the programs in it as they are
Exact checks, of counts and answers, hold on any machine at any time; the others are ratios of times.
Exit code: 0 all checks hold, 1 a check failed or something did not run, 2 wrong usage.
The machine should have nothing else to do. docs/benchmarks.md explains the figures.
TEXT
}

wrong() {
  echo "bench/run.sh: $1" >&2
  usage >&2
  exit 2
}

mode=full
json=
build=
list=programs.txt
only= # programs of the list; empty: all
target=op2_bench
make=yes
while (($#)); do
  case $1 in
    --quick) mode=quick ;;
    --others) only=" bench_stream bench_collection bench_orders bench_false_caches bench_tets_loops bench_shuffled " ;;
    --gpu) list=gpu_programs.txt target=op2_gpu_bench ;;
    --no-build) make=no ;;
    --json | --build)
      [[ -n ${2:-} ]] || wrong "$1 needs a name"
      if [[ $1 == --json ]]; then json=$(realpath -m -- "$2"); else build=$(realpath -m -- "$2"); fi
      shift
      ;;
    -h | --help) usage; exit 0 ;;
    *) wrong "unknown argument '$1'" ;;
  esac
  shift
done
# Better now than after the measurements.
if [[ -n $json ]] && { [[ -d $json ]] || [[ ! -d ${json%/*}/ ]] || [[ ! -w ${json%/*}/ ]]; }; then
  wrong "cannot write '$json'"
fi

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
load=$(cut -d' ' -f1 /proc/loadavg 2>/dev/null || echo unknown)

prepare() {
  [[ $make == yes ]] || return 0
  if [[ -z $build ]]; then
    # shellcheck source=../tests/packages.sh
    source tests/packages.sh
    op2_need_packages g++ cmake make libbenchmark-dev || return 1
    build=$root/build/release
    [[ -f $build/CMakeCache.txt ]] || cmake --preset release
  elif [[ ! -f $build/CMakeCache.txt ]]; then
    cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release
  fi
  cmake --build "$build" --parallel "$(nproc)" --target "$target"
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if ! prepare >"$scratch/build.log" 2>&1; then
  tail -n 40 "$scratch/build.log" >&2
  echo "bench/run.sh: the benchmarks cannot be built" >&2
  exit 1
fi

options=()
[[ $mode == full ]] || options=(--quick)
meshes=()
if [[ -n $only && $mode == full ]]; then
  bench/make_meshes.sh --build "$build" "$build/bench/meshes" >&2
  meshes=("$build"/bench/meshes/*)
fi
while IFS= read -r program; do
  if [[ $program == *:* ]]; then
    [[ -z $only || $only == *" ${program%%:*} "* ]] || continue
    echo "skip ${program%%:*}${program#*:}"
    continue
  fi
  [[ -z $only || $only == *" $program "* ]] || continue
  echo "running $program" >&2
  code=0
  given=(${options[@]+"${options[@]}"})
  [[ $program != bench_orders ]] || given+=(${meshes[@]+"${meshes[@]}"})
  "$build/bench/$program" ${given[@]+"${given[@]}"} </dev/null || code=$?
  # A program that fails must not look like one that has nothing to say.
  ((code == 0)) || echo "check programs.$program.exit_code $code 0 below - exact"
done <"$build/bench/$list" >"$scratch/lines"

echo >&2
code=0
"$build/bench/bench_table" --mode "$mode" --load "$load" ${json:+--json "$json"} <"$scratch/lines" || code=$?
# Only this script's own arguments are usage.
((code < 2)) || code=1
exit "$code"

# SPDX-License-Identifier: MIT
