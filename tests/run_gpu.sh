#!/usr/bin/env bash
# tests/run_gpu.sh: what the emulation tests, on the GPU of this machine. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/run_gpu.sh [--quick] [--build DIR] [--no-build] [--help]
Run the tests of executor cuda on the GPU of this machine: the conformance suite, the executor's own tests, the examples with
their verdicts, several processes on the GPU (communicator shm, so no MPI is needed), the bits of CPU code, compute-sanitizer.
  --quick      short examples, and no compute-sanitizer
  --build DIR  build folder; default build/gpu, made when it is not there
  --no-build   take the programs in it as they are
Needs the NVIDIA driver and NVRTC, a C++ compiler and CMake, and GoogleTest for two of the programs; no network.
Exit code: 0 all passed, 1 something failed, 2 wrong usage, 77 skipped: there is no GPU that can be used. Skipped parts are named.
TEXT
}

quick=no
build=build/gpu
make=yes
while (($#)); do
  case $1 in
    --quick) quick=yes ;;
    --no-build) make=no ;;
    --build) build=${2:?"--build needs a folder"}; shift ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(realpath -m -- "$build")

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
if [[ $make == yes ]]; then
  echo "== build in $build"
  [[ -f $build/CMakeCache.txt ]] || cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=Release >"$scratch/log" 2>&1 ||
    { cat "$scratch/log"; exit 1; }
  cmake --build "$build" --parallel "$(nproc)" --target op2_gpu_tests >"$scratch/log" 2>&1 || { tail -n 40 "$scratch/log"; exit 1; }
fi

passed=0
failed=()
skipped=()
skip() { # NAME REASON
  echo "skipped: $1: $2"
  skipped+=("$1")
}
# check NAME [VARIABLE=VALUE...] COMMAND...: passes when it ends with 0, unless it says that it knew no right answer.
check() {
  local name=$1 start=$SECONDS code=0
  shift
  timeout "${limit:-300}" env "$@" >"$scratch/out" 2>&1 || code=$?
  if grep -qF 'There is no rms to compare with' "$scratch/out"; then
    code="$code, but nothing was compared"
  fi
  if [[ $code == 0 ]]; then
    printf 'passed: %s (%d s)\n' "$name" $((SECONDS - start))
    passed=$((passed + 1))
  else
    printf 'FAILED: %s: exit code %s\n' "$name" "$code"
    tail -n 30 "$scratch/out"
    failed+=("$name")
  fi
}

export OP2_JIT_CACHE=$scratch/jit OP2_FALLBACK=error
info=$("$build/bin/op2_info") || { echo "op2_info does not run"; exit 1; }
line=$(grep -E '^ *exec cuda ' <<<"$info" || true)
if [[ ! $line =~ score\ [1-9] ]]; then
  echo "skipped: no test ran: ${line:-executor cuda was not built, for lack of the headers of the CUDA toolkit}"
  exit 77
fi
echo "== $line"
device=$(OP2_BACKEND=cuda OP2_LOG=info "$build/bin/jac1" 2>&1 | grep -m1 'executor cuda: device' || true)
echo "${device#op2: }"

bin=$build/bin
"$bin/make_naca_mesh" 96 144 "$scratch/small.dat" >/dev/null
"$bin/make_naca_mesh" 400 600 "$scratch/reference.dat" >/dev/null
races=(auto atomic colour gather)

echo "== examples"
for race in "${races[@]}"; do
  for layout in aos soa; do
    check "airfoil small, $race, $layout" OP2_BACKEND=cuda OP2_RACE="$race" OP2_LAYOUT=$layout "$bin/airfoil" "$scratch/small.dat" --iterations 100
  done
done
check "airfoil, the published values" OP2_BACKEND=cuda "$bin/airfoil" "$scratch/reference.dat" --iterations $([[ $quick == yes ]] && echo 100 || echo 1000)
check "airfoil with fused products and sums" OP2_BACKEND=cuda OP2_CUDA_OPTIONS=-fmad=true "$bin/airfoil" "$scratch/small.dat" --iterations 100
check "airfoil without graphs" OP2_BACKEND=cuda OP2_CUDA_GRAPHS=off "$bin/airfoil" "$scratch/small.dat" --iterations 100
check "airfoil in C" OP2_BACKEND=cuda "$bin/airfoil_c" "$scratch/small.dat" --iterations 100
check "aero" OP2_BACKEND=cuda "$bin/aero" $([[ $quick == yes ]] && echo "40 60 --iterations 4" || echo "--iterations 2")
for program in tets euler3d quads jac1; do check "$program" OP2_BACKEND=cuda "$bin/$program"; done
check "reduction" OP2_BACKEND=cuda "$bin/reduction" "$scratch/small.dat"

echo "== bits of CPU code"
check "bits" tests/programs/bits.sh "$bin/bits" plain OP2_BACKEND=cuda
check "bits of sums in order" tests/programs/bits.sh "$bin/bits" 'plain|sums' OP2_BACKEND=cuda OP2_CUDA_SUMS=ordered
check "bits of increments by gather" tests/programs/bits.sh "$bin/bits" 'plain|sums|increments' OP2_BACKEND=cuda OP2_CUDA_SUMS=ordered OP2_RACE=gather
for race in colour gather; do
  check "the same bits in every run, $race" bash -c 'a=$("$1"); b=$("$1"); [[ -n $a && $a == "$b" ]]' - "$bin/bits" OP2_BACKEND=cuda OP2_RACE=$race
done

echo "== several processes"
for transport in off ipc kernel nccl auto; do
  for processes in 2 3; do
    # shellcheck disable=SC2016
    check "airfoil on $processes processes, OP2_GPU_DIRECT=$transport" OP2_BACKEND=shm+cuda OP2_PARTITION=random OP2_GPU_DIRECT=$transport \
      "$bin/op2_launch" -n $processes "$bin/airfoil_mpi" "$scratch/small.dat" --iterations 100
  done
done
check "airfoil on CPU and GPU" OP2_BACKEND=shm+cuda,seq OP2_PARTITION_WEIGHTS=2,1 "$bin/op2_launch" -n 2 "$bin/airfoil_mpi" "$scratch/small.dat" --iterations 100

echo "== the suite"
if [[ -x $build/tests/op2_conformance ]]; then
  export OP2_FALLBACK=warn # kernels that throw, and types that only a template knows
  for race in "${races[@]}"; do
    check "conformance, $race" OP2_BACKEND=cuda OP2_JIT=off OP2_CUDA_SUMS=ordered OP2_LOG=error OP2_RACE="$race" "$build/tests/op2_conformance"
  done
  check "conformance, soa" OP2_BACKEND=cuda OP2_JIT=off OP2_CUDA_SUMS=ordered OP2_LOG=error OP2_LAYOUT=soa "$build/tests/op2_conformance"
  check "conformance, renumbered" OP2_BACKEND=cuda OP2_JIT=off OP2_CUDA_SUMS=ordered OP2_LOG=error OP2_RENUMBER=always "$build/tests/op2_conformance"
  check "conformance, chains" OP2_BACKEND=cuda OP2_JIT=off OP2_CUDA_SUMS=ordered OP2_LOG=error OP2_RACE=gather OP2_CHAIN=auto OP2_CHAIN_TILE=1 "$build/tests/op2_conformance"
else
  skip "the conformance suite" "built without GoogleTest"
fi
if [[ -x $build/tests/op2_cuda_loop ]]; then
  check "loops through the executor's table" OP2_CUDA_PATH= "$build/tests/op2_cuda_loop"
else
  skip "loops through the executor's table" "built without GoogleTest"
fi

echo "== compute-sanitizer"
sanitizer=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null || true)
if [[ $quick == yes ]]; then
  skip "compute-sanitizer" "--quick"
elif [[ -z $sanitizer ]]; then
  skip "compute-sanitizer" "it is not installed"
else
  for tool in memcheck racecheck; do
    for race in auto atomic colour gather; do
      check "$tool, airfoil, $race" OP2_BACKEND=cuda OP2_RACE=$race "$sanitizer" --tool $tool --error-exitcode 9 "$bin/airfoil" "$scratch/small.dat" --iterations 10
    done
    check "$tool, tets" OP2_BACKEND=cuda "$sanitizer" --tool $tool --error-exitcode 9 "$bin/tets" 6
    check "$tool, airfoil, soa" OP2_BACKEND=cuda OP2_LAYOUT=soa "$sanitizer" --tool $tool --error-exitcode 9 "$bin/airfoil" "$scratch/small.dat" --iterations 10
  done
fi

echo "== $passed passed, ${#failed[@]} failed, ${#skipped[@]} parts skipped"
((${#failed[@]} == 0)) || { printf 'FAILED: %s\n' "${failed[@]}"; exit 1; }

# SPDX-License-Identifier: MIT
