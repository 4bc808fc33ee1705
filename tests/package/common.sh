# common.sh: helpers of the tests in this folder; to be sourced (bash). CMakeLists.txt sets the TEST_ variables:
# TEST_SOURCE, TEST_BUILD (its folders), TEST_WORK (a folder for these tests), TEST_LIBDIR (lib, lib64, ...), CC, CXX,
# TEST_GENERATOR, TEST_LAUNCHER (ccache or nothing), TEST_CONFIG (Release, ...), TEST_WERROR (ON or OFF).
# shellcheck shell=bash disable=SC2034
set -euo pipefail
export LC_ALL=C OMP_WAIT_POLICY=passive OP2_NUM_THREADS=2
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_folder=$TEST_SOURCE build_folder=$TEST_BUILD work=$TEST_WORK libdir=$TEST_LIBDIR
tree=$work/tree
failures=0

# Nothing of the caller's may help the outside projects to find the library, nor send the installed files elsewhere.
unset DESTDIR CMAKE_PREFIX_PATH CMAKE_INSTALL_MODE PKG_CONFIG_PATH PKG_CONFIG_LIBDIR CPATH C_INCLUDE_PATH
unset CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH LD_PRELOAD OP2_PLUGIN_PATH OP2_BACKEND CFLAGS CXXFLAGS LDFLAGS

# Programs outside find the texts of their kernels by the names of their own files.
export CCACHE_DISABLE=1

# complain MESSAGE...: notes a failure and goes on, so that one run shows all of them.
complain() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

skip() {
  echo "SKIPPED: $*"
  exit 77
}

# need TOOL PACKAGE: without it the test is skipped.
need() { command -v "$1" >/dev/null || skip "$1 is not installed (package $2)"; }

# verdict WHAT: ends the script.
verdict() {
  if ((failures)); then
    echo "$1: $failures failures"
    exit 1
  fi
  echo "$1: ok"
  exit 0
}

# same WHAT A B: complains unless the two texts are equal.
same() { [[ $2 == "$3" ]] || complain "$1: '$2' instead of '$3'"; }

# fresh FOLDER: empty, and there.
fresh() { rm -rf "$1" && mkdir -p "$1"; }

# configure FOLDER SOURCE ARGUMENT...: runs cmake with the compilers of this build; prints its output only if it fails.
configure() {
  local folder=$1 source=$2
  shift 2
  cmake -S "$source" -B "$folder" -G "$TEST_GENERATOR" -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
    -DCMAKE_C_COMPILER_LAUNCHER="$TEST_LAUNCHER" -DCMAKE_CXX_COMPILER_LAUNCHER="$TEST_LAUNCHER" \
    -DCMAKE_EXPORT_NO_PACKAGE_REGISTRY=ON -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "$@" >"$folder.log" 2>&1 ||
    { cat "$folder.log"; return 1; }
}

# build FOLDER TARGET...: prints the end of the log only if it fails.
build() {
  local folder=$1
  shift
  cmake --build "$folder" --parallel 2 --target "$@" >"$folder.build.log" 2>&1 ||
    { tail -n 40 "$folder.build.log"; return 1; }
}

# executors TREE: names of the executors installed there that can run here. One that cannot (no such device) says so in
# op2_info with score 0.
executors() {
  "$1/bin/op2_info" | awk '$1 == "exec" && $3 == "score" && $4 > 0 { print $2 }'
}

# run_everywhere TREE PROGRAM: runs it on every executor installed in TREE; its exit code says whether the answer was
# right.
run_everywhere() {
  local executor count=0
  for executor in $(executors "$1"); do
    count=$((count + 1))
    OP2_BACKEND=$executor "$2" "$executor" || complain "$2 on $executor: exit code $?"
  done
  ((count)) || complain "no executor in $1"
}

# SPDX-License-Identifier: MIT
