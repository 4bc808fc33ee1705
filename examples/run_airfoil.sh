#!/bin/bash
# run_airfoil.sh: from a bare Debian 12 to the verdict on the reference airfoil case: installs what is missing, builds
# the library and the program, generates the mesh of 720 000 cells and runs 1000 iterations.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: run_airfoil.sh [--c] [--help] [ARGUMENT...]
Build libop2 and run the airfoil example for 1000 iterations on the reference mesh of 720 000 cells.
  --c        run the C program instead of the C++ one
  ARGUMENT   passed on to the program, e.g. --iterations 100 or OP2_NUM_THREADS=2
The environment variable OP2_BACKEND chooses the back end (auto when not set), e.g. OP2_BACKEND=openmp run_airfoil.sh
Exit code: 0 passed, 1 failed, 2 something could not be built, read or understood.
TEXT
}

program=airfoil
arguments=()
while (($#)); do
  case $1 in
    --c) program=airfoil_c ;;
    -h | --help) usage; exit 0 ;;
    *) arguments+=("$1") ;;
  esac
  shift
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build/release
mesh=$root/build/meshes/naca_400x600.dat

# Everything up to the run itself: a failure here is not a failed test.
prepare() {
  # shellcheck source=SCRIPTDIR/../tests/packages.sh
  source "$root/tests/packages.sh" && op2_need_packages g++ cmake make || return
  if [[ ! -e $build/Makefile && ! -e $build/build.ninja ]]; then
    cmake -S "$root" --preset release || return
  fi
  cmake --build "$build" --parallel "$(nproc)" --target make_naca_mesh "$program" || return
  if [[ ! -e $mesh ]]; then
    mkdir -p "$(dirname "$mesh")" && "$build/bin/make_naca_mesh" 400 600 "$mesh" || return
  fi
}
if ! prepare >&2; then
  echo "run_airfoil.sh: preparing the run failed" >&2
  exit 2
fi

export OP2_BACKEND=${OP2_BACKEND:-auto}
code=0
"$build/bin/$program" "$mesh" --iterations 1000 ${arguments[@]+"${arguments[@]}"} || code=$?
exit "$code"
