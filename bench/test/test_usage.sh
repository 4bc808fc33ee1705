#!/usr/bin/env bash
# test_usage.sh BENCH_TABLE: run.sh's arguments and exit codes, with made-up programs in the place of the benchmarks.
# shellcheck disable=SC2016
set -euo pipefail
table=$1
run=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)/run.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# A build folder with nothing to build: the cmake found first says so.
build=$scratch/build
mkdir -p "$build/bench" "$scratch/path"
touch "$build/CMakeCache.txt"
ln -s "$table" "$build/bench/bench_table"
printf '#!/bin/sh\n[ "$BUILD_FAILS" = yes ] && { echo "no compiler"; exit 1; }\nexit 0\n' >"$scratch/path/cmake"
program() { # NAME SCRIPT
  printf '#!/bin/sh\n%s\n' "$2" >"$build/bench/$1"
  chmod +x "$build/bench/$1"
}
chmod +x "$scratch/path/cmake"
program good 'echo "check good.time 1 2 below x"; [ "$1" != --quick ] || echo "result good.quick 1 s"'
program slow 'echo "check slow.time 3 2 below x"'
program crash 'echo "result crash.before 1 s"; kill -SEGV $$'
program greedy 'cat >/dev/null; echo "result greedy.read 1 s"'

# expect CODE NAME ARGUMENT...
expect() {
  local code=0 want=$1 name=$2
  shift 2
  PATH=$scratch/path:$PATH "$run" "$@" >"$scratch/out" 2>&1 || code=$?
  if ((code != want)); then
    echo "FAILED: $name: exit code $code, not $want"
    cat "$scratch/out"
    failures=$((failures + 1))
  fi
}
contains() { # FILE TEXT
  grep -qF -- "$2" "$1" || { echo "FAILED: '$2' is not in $1"; cat "$1"; failures=$((failures + 1)); }
}

expect 0 "help" --help
contains "$scratch/out" "usage: bench/run.sh"
expect 2 "an unknown argument" --fast
expect 2 "no file name" --json
expect 2 "an empty file name" --json ""
expect 2 "no build folder" --build
expect 2 "a folder that is not there" --json "$scratch/none/out.json" --build "$build"
expect 2 "a folder as the file" --json "$scratch" --build "$build"

json=$scratch/out.json
printf 'greedy\ngood\nbench_x: not built, it is made up\n' >"$build/bench/programs.txt"
expect 0 "all good" --quick --build "$build" --json "$json"
contains "$json" '"mode": "quick"'
contains "$json" '"name": "good.quick"'
contains "$json" '{"name": "bench_x", "reason": "not built, it is made up"}'
contains "$scratch/out" "not built, it is made up"
printf 'good\nslow\n' >"$build/bench/programs.txt"
expect 1 "a check that fails" --build "$build" --json "$json"
contains "$json" '"mode": "full"'
contains "$json" '"name": "slow.time", "value": 3, "limit": 2, "better": "below", "unit": "x", "exact": false, "ok": false'
printf 'crash\ngood\n' >"$build/bench/programs.txt"
expect 1 "a program that crashes" --build "$build" --json "$json"
contains "$json" '"name": "programs.crash.exit_code", "value": 139, "limit": 0, "better": "below", "unit": "-", "exact": true'
contains "$json" '"name": "good.time"'
printf 'missing\n' >"$build/bench/programs.txt"
expect 1 "a program that is not there" --build "$build" --json "$json"
printf 'good\nbench_stream\nbench_orders\nbench_layout: left out\n' >"$build/bench/programs.txt"
program bench_stream 'echo "result stream.others 1 s"'
program bench_orders 'echo "check orders.arguments $# 1 below -"' # --quick, and no meshes
expect 0 "programs of others" --others --quick --build "$build" --json "$json"
contains "$json" '"name": "stream.others"'
contains "$json" '"name": "orders.arguments", "value": 1'
contains "$json" '"caches": "'
! grep -qE 'good|bench_layout' "$json" || { echo "FAILED: --others runs all"; failures=$((failures + 1)); }
rm "$json"
BUILD_FAILS=yes expect 1 "a build that fails" --build "$build" --json "$json"
contains "$scratch/out" "no compiler"
[[ ! -e $json ]] || { echo "FAILED: JSON without measurements"; failures=$((failures + 1)); }
((failures == 0)) && echo "all passed"

# SPDX-License-Identifier: MIT
