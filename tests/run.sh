#!/usr/bin/env bash
# tests/run.sh: installs what is missing, builds everything and runs every test. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/run.sh [--full] [--help]
Build libop2 on Debian 12 (as root, or with sudo) and run its tests: the release build with the installed library, its packages
and its documentation, and the tests of the library's code once more under AddressSanitizer and UndefinedBehaviorSanitizer.
Jobs of several processes run every pair of executors, numbers of processes, divisions, orders, declarations, exchanges and
layouts, each with a share of the conformance suite.
  --full   also the long products: airfoil's full reference on every executor and on 1, 2 and 4 processes, the conformance
           suite on several processes whole and for all products (hours on two cores), the examples under sanitizers, a build
           with clang, file by file, and its tests, and the threaded tests under ThreadSanitizer
Exit code: 0 all passed; anything else: something failed, and the last lines say what.
TEXT
}

full=no
for argument in "$@"; do
  case $argument in
    --full) full=yes ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
# shellcheck source=packages.sh
source tests/packages.sh
op2_need_packages g++ gfortran cmake make ccache clang libgtest-dev libbenchmark-dev doxygen abigail-tools git dpkg-dev pkg-config \
  g++-aarch64-linux-gnu qemu-user libscotch-dev libopenmpi-dev openmpi-bin libptscotch-dev libscotchparmetis-dev libmetis-dev \
  ninja-build libhdf5-dev libhdf5-openmpi-dev libcgns-dev zlib1g-dev python3-h5py python3-matplotlib python3-meshio python3-vtk9
jobs=$(nproc)

settings=() # for CMake, beside those of the preset
# build_and_test PRESET [CTEST-ARGUMENT...]
build_and_test() {
  local preset=$1
  shift
  echo "== $preset: configure and build"
  cmake --preset "$preset" "${settings[@]}" >"build/$preset.log" 2>&1 || { cat "build/$preset.log"; return 1; }
  sed -n '/^-- libop2/,/^$/p' "build/$preset.log"
  cmake --build --preset "$preset" --parallel "$jobs" >>"build/$preset.log" 2>&1 || { tail -n 60 "build/$preset.log"; return 1; }
  echo "== $preset: test"
  ctest --preset "$preset" --parallel "$jobs" "$@"
}

mkdir -p build
# What the packages' tests build again comes from the first build: the same commands but for the folder below build/, whose files
# CMake writes. No file of the library holds its own name.
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CCACHE_DIR=$PWD/build/ccache CCACHE_BASEDIR=$PWD/build CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=2G
export CCACHE_SLOPPINESS=file_macro,locale,pch_defines,time_macros # packages are made in locale C
export CMAKE_GENERATOR=Ninja # make leaves cores idle between targets
# Code that loops get is kept here and not in the home of whoever runs the tests; both builds share it.
export OP2_JIT_CACHE=$PWD/build/jit_cache
if [[ $full == yes ]]; then
  op2_need_packages libomp-dev
  build_and_test release
  build_and_test asan -LE "long|bench|abi|docs"
  ctest --preset asan --parallel "$jobs" -L conformance -L long
  build_and_test clang -LE "long|bench|package"
  # Only what runs threads. Archer, beside clang's OpenMP runtime, tells the sanitizer about its barriers.
  runtime=$(readlink -f "$(ldconfig -p | awk '/libomp\.so\.5/ {print $NF; exit}')")
  OMP_TOOL_LIBRARIES=${runtime%/*}/libarcher.so build_and_test tsan -R '^conformance\.openmp' -E '\.all$'
  # Processes as threads of one program.
  ctest --preset tsan --parallel "$jobs" -R '^unit\..*(Ranks|Halo|Home|Agreement|Declare|Partitioners|Divisions|PartQuality|SomeAreWrong)'
else
  build_and_test release -LE long
  # Without what is about code that the sanitizers do not see, and the emulated GPU, whose build takes long.
  export CCACHE_DISABLE=1 # nothing of it is compiled again
  settings=(-DOP2_CUDA=OFF "-DOP2_TESTS_WITHOUT=arch;cuda;jit;docs;package;fuzz")
  build_and_test asan -LE "long|bench|abi|arch|docs|programs"
fi
echo "== all tests passed"
