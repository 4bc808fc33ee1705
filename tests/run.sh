#!/usr/bin/env bash
# tests/run.sh: installs what is missing, builds everything and runs every test. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: tests/run.sh [--full] [--help]
Build libop2 on Debian 12 (as root, or with sudo) and run its tests. The library is built twice: optimised, for the tests of what
users get (programs, generated code, GPUs in emulation, the installed library, its packages, its documentation), and by clang with
AddressSanitizer and UndefinedBehaviorSanitizer, for the tests of the library's own code (pieces, wrong input, files, messages).
The conformance suite runs in both; jobs of several processes run every pair of executors, numbers of processes, divisions, orders,
declarations, exchanges and layouts, each with a share of it.
The last lines say what was skipped and why, and how many minutes each folder of tests took beside its budget (tests/budget.txt).
  --full   nearly every folder of tests in both builds, and the long products: airfoil's full reference on every executor and on 1, 2 and
           4 processes, the whole conformance suite on each executor and on several processes, and there for all products, the
           same suite and all programs with their loops in chains (not in the time below), the builds for ARM and without optional
           packages, fuzzing, a build with clang, file by file, with its tests of pieces and of conformance, and the threaded tests
           under ThreadSanitizer: 2 hours 21 minutes on two cores that had other work, too.
           Benchmarks on all meshes are left out (ctest -R bench.all in build/release). Budgets do not apply
What depends on the processor is compiled for ARM in every run. The whole build for ARM is also tested when what it depends on differs
from OP2_TEST_BASE, or else from where this branch left origin's, or from the last tag.
Exit code: 0 all passed within their budgets; anything else: the last lines say what failed.
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
op2_need_packages g++ gfortran cmake make ccache clang libclang-rt-14-dev libomp-dev libgtest-dev libbenchmark-dev doxygen abigail-tools \
  git dpkg-dev pkg-config g++-aarch64-linux-gnu qemu-user libscotch-dev libopenmpi-dev openmpi-bin libptscotch-dev libscotchparmetis-dev \
  libmetis-dev libtbb-dev ninja-build libhdf5-dev libhdf5-openmpi-dev libcgns-dev liburing-dev zlib1g-dev python3 python3-h5py python3-matplotlib python3-meshio python3-vtk9 python3-gmsh \
  python3-sphinx python3-myst-parser furo python3-breathe gdb valgrind
jobs=$(nproc)
mkdir -p build
report=(install "$SECONDS") # for tests/report.py: what took how many seconds
folders=()                  # build folders whose tests have run
failed=()

# measure: how fast this machine is just now, in seconds that compilations take, always the same one on all cores at once, as builds and
# tests use them: cores that share what one core has are not as fast as one alone. Budgets are minutes of the machine whose seconds stand
# in their file. And what a page of memory costs at its first use, in microseconds: 0.1 to 0.5 on most machines, 10 to 20 in a virtual
# machine whose host keeps the page tables itself; starting a process costs hundreds of pages.
speed=() pages=()
measure() {
  local start=${EPOCHREALTIME/[.,]/} job
  for ((job = 0; job < jobs; ++job)); do compilation & done
  wait
  speed+=("$(awk -v a="$start" -v b="${EPOCHREALTIME/[.,]/}" 'BEGIN { print (b - a) / 1e6 }')")
  pages+=("$(page)")
}
page() {
  python3 - <<'TEXT'
import mmap, time
memory, start = mmap.mmap(-1, 32 << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS), time.perf_counter()
memory.madvise(mmap.MADV_NOHUGEPAGE)
for place in range(0, len(memory), 4096):
    memory[place] = 1
print(f"{(time.perf_counter() - start) / len(memory) * 4096 * 1e6:.2f}")
TEXT
}
compilation() {
  CCACHE_DISABLE=1 g++ -std=c++20 -x c++ -c - -o /dev/null <<'TEXT'
#include <map>
#include <random>
#include <regex>
std::map<std::string, unsigned> count(const std::string &text) {
  std::mt19937 numbers;
  return {{std::regex_replace(text, std::regex("a+b"), ""), numbers()}};
}
TEXT
}

settings=() # for CMake, beside those of the preset
# build_and_test PRESET [CTEST-ARGUMENT...]: a failed build ends all; after failed tests the next build has its turn.
build_and_test() {
  local preset=$1 start=$SECONDS
  shift
  echo "== $preset: configure and build"
  cmake --preset "$preset" "${settings[@]}" >"build/$preset.log" 2>&1 || { cat "build/$preset.log"; exit 1; }
  sed -n '/^-- libop2/,/^$/p' "build/$preset.log"
  cmake --build --preset "$preset" --parallel "$jobs" >>"build/$preset.log" 2>&1 || { tail -n 60 "build/$preset.log"; exit 1; }
  report+=("build.$preset" $((SECONDS - start)))
  run_tests "$preset" "$@"
}

# run_tests PRESET [CTEST-ARGUMENT...]
run_tests() {
  local preset=$1
  shift
  measure
  echo "== $preset: test"
  # Two more than there are cores: jobs of processes wait for launchers and for each other.
  ctest --preset "$preset" --parallel $((jobs + 2)) --output-junit "$root/build/$preset/tests.xml" "$@" || failed+=("$preset")
  folders+=("build/$preset")
  measure
}

# cross_changed: does anything that a build for another processor depends on differ from the base?
cross_changed() {
  local base=${OP2_TEST_BASE:-}
  [[ -n $base ]] || base=$(git merge-base HEAD origin/HEAD 2>/dev/null || true)
  [[ -n $base && $(git rev-parse "$base") != $(git rev-parse HEAD) ]] || base=$(git describe --tags --abbrev=0 2>/dev/null || true)
  [[ -n $base ]] || return 1
  ! git diff --quiet "$base" -- CMakeLists.txt CMakePresets.json src/package tests/package '*CMakeLists.txt' '*.cmake' src/base src/host src/jit/code
}

# What the packages' tests build again comes from the first build: the same commands but for the folder below build/, whose files
# CMake writes. No file of the library holds its own name.
export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
export CCACHE_DIR=$PWD/build/ccache CCACHE_BASEDIR=$PWD/build CCACHE_NOHASHDIR=1 CCACHE_MAXSIZE=2G
export CCACHE_SLOPPINESS=file_macro,locale,pch_defines,time_macros # packages are made in locale C
export CMAKE_GENERATOR=Ninja # make leaves cores idle between targets
# Code that loops get is kept here and not in the home of whoever runs the tests; both builds share it.
export OP2_JIT_CACHE=$PWD/build/jit_cache
if [[ $full == yes ]]; then
  build_and_test release -E '^bench\.all$' # for a machine with nothing else to do; bench.quick has the exact checks
  # Programs as they are, their loops in chains.
  OP2_CHAIN=auto OP2_CHAIN_TILE=16 ctest --preset release --parallel $((jobs + 2)) -L "programs|compat" -LE "long|cross|bench|mpi" -E "\.trace$" ||
    failed+=("programs in chains")
  build_and_test asan -LE "long|bench|abi|docs"
  settings=(-DOP2_CUDA=OFF "-DOP2_TESTS_WITHOUT=arch;badinput;meshfile;fuzz;io;view;trace;shm;shm/whole;cuda;compat;fortran;docs;package")
  build_and_test clang -LE "long|bench|abi"
  settings=()
  # Only what runs threads. Archer, beside clang's OpenMP runtime, tells the sanitizer about its barriers.
  runtime=$(readlink -f "$(ldconfig -p | awk '/libomp\.so\.5/ {print $NF; exit}')")
  export OMP_TOOL_LIBRARIES=${runtime%/*}/libarcher.so
  build_and_test tsan -R '^conformance\.(openmp|tasks)' -E '\.all$'
  # Its loops in chains, whose threads wait for each other's steps alone.
  OP2_CHAIN=auto OP2_CHAIN_TILE=16 run_tests tsan -R '^conformance\.(openmp(2|4|2_owner)|tasks2)$'
  # Chains on threads of several processes, and processes as threads of one program.
  run_tests tsan -R '^shm\.chain\..*on_(threads|tasks)|^unit\..*(LayerChoice|Ranks|Halo|DeclaredRows|Agreement|Declare|Partitioners|Divisions|PartQuality|SomeAreWrong)'
else
  # Each folder of tests is built and run where it finds most; tests/conformance and tests/check in both.
  pieces="unit;badinput;meshfile;fuzz;io;view;mpi;shm"
  wholes="arch;shm/whole;cuda;jit;kernels;compat;fortran;trace;docs;package"
  left_out="long|cross"
  if cross_changed; then left_out=long; fi
  settings=("-DOP2_TESTS_WITHOUT=$pieces")
  build_and_test release -LE "$left_out"
  export CCACHE_DISABLE=1 # nothing of it is compiled again
  # Without the emulated GPU, whose build takes long, and without the examples that only their own tests run.
  settings=(-DOP2_CUDA=OFF "-DOP2_TESTS_WITHOUT=$wholes;programs")
  build_and_test asan -LE "long|bench|abi|programs"
fi

budget=tests/budget.txt
[[ $full == no ]] || budget=
python3 tests/report.py --budget "$budget" --compilation "${speed[@]}" --page "${pages[@]}" --spent "${report[@]}" total "$SECONDS" --builds "${folders[@]}" || failed+=("the budget")
if ((${#failed[@]})); then
  echo "== FAILED: ${failed[*]}"
  exit 1
fi
echo "== all tests passed"

# SPDX-License-Identifier: MIT
