#!/usr/bin/env bash
# abi/check.sh: the gate that keeps the ABI of libop2.so.1 and libop2_trace.so.1. See --help, and abi/POLICY.md for what the checks mean.
# shellcheck source=../tests/abi/common.sh
source "$(dirname "${BASH_SOURCE[0]}")/../tests/abi/common.sh"

usage() {
  cat <<'TEXT'
usage: abi/check.sh [--library FILE] [--build FOLDER] [--only CHECK] [--list] [--self-test] [--help]
Compare this source tree and the libraries built from it with the baseline in abi/. One line per check.
  --library FILE   libop2.so: compiled with -g and not stripped, libop2_trace.so and the folder op2 with plugins beside it.
                   Without it a debug build is made first (in FOLDER, default build/abi)
  --only CHECK     only this check
  --list           the names of the checks
  --self-test      break things on purpose, in a copy, and see whether the checks notice
CC and CXX choose the compilers. Exit code: 0 nothing failed, 1 something failed, 2 wrong use, 77 the check of --only
was skipped.
TEXT
}

checks=(version symbols symbols.trace dependences dependences.trace plugins headers.c99 headers.c++17 headers.c++20 layouts baseline
  baseline.trace program.c program.cxx program.hpp program.trace program.dlopen program.plugin
  old_program.c old_program.cxx old_program.hpp old_program.trace old_program.plugin)
self_tests=(self_test.sh self_test_layouts.sh self_test_sources.sh self_test_update.sh)

library="" build=$root/build/abi only="" self_test=no
while (($#)); do
  case $1 in
    --library | --build | --only)
      (($# > 1)) || { usage >&2; exit 2; }
      declare "${1#--}=$2"
      shift ;;
    --self-test) self_test=yes ;;
    --list) printf '%s\n' "${checks[@]}"; exit 0 ;;
    -h | --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
  shift
done
if [[ -n $only ]]; then
  [[ " ${checks[*]} " == *" $only "* ]] || { echo "There is no check '$only'; --list names them." >&2; exit 2; }
  checks=("$only")
fi

abi=$root/abi
old=$abi/baseline/include
# command_of CHECK: sets `command`.
command_of() {
  local plugins=("$(dirname "$library")"/op2/op2_*.so) trace
  trace=$(dirname "$library")/libop2_trace.so
  case $1 in
    version) command=(version.sh) ;;
    symbols) command=(symbols.sh "$library" "$abi/op2.map" "$root/include/op2" "$abi/symbols.txt" "$old/op2") ;;
    symbols.trace) command=(symbols.sh "$trace" "$abi/op2_trace.map" "$root/include/op2" "$abi/symbols_trace.txt" "$old/op2") ;;
    dependences) command=(dependences.sh "$library") ;;
    dependences.trace) command=(dependences.sh "$trace") ;;
    plugins) command=(plugins.sh "${plugins[@]}") ;;
    headers.*) command=(headers.sh "${1#*.}" "$root/include") ;;
    layouts) command=(layouts.sh "$root/include" "$abi/layouts.txt") ;;
    baseline) command=(baseline.sh "$library" "$root/include" "$abi/baseline/libop2.abi" "$abi/layouts.txt") ;;
    baseline.trace) command=(baseline.sh "$trace" "$root/include" "$abi/baseline/libop2_trace.abi" "$abi/layouts.txt") ;;
    program.*) command=(program.sh "${1#*.}" "$library" "$root/include") ;;
    old_program.*) command=(program.sh "${1#*.}" "$library" "$old") ;;
  esac
}

# report NAME COMMAND...: runs a script and prints its line, what was added, and all of it when it failed.
report() {
  local name=$1 output code=0
  shift
  output=$(bash "$here/$1" "${@:2}" 2>&1) || code=$?
  case $code in
    0) printf 'ok       %-20s %s\n' "$name" "$(sed -n '$s/: ok$//p' <<<"$output")" ;;
    77) printf 'skipped  %-20s %s\n' "$name" "$(sed -n 's/^SKIPPED: //p' <<<"$output")" ;;
    *)
      printf 'FAILED   %s\n' "$name"
      sed 's/^/  | /' <<<"$output"
      failures=$((failures + 1)) ;;
  esac
  ((code != 0 && code != 77)) || sed -n 's/^note: /         note: /p' <<<"$output"
  last=$code
}

last=0
if [[ $self_test == yes ]]; then
  for script in "${self_tests[@]}"; do report "${script%.sh}" "$script"; done
  verdict "self-test of the ABI gate"
fi
if [[ -z $library && ! $only =~ ^(version|headers.*|layouts)$ ]]; then
  case $only in # of a baseline the functions, without what is behind them
    baseline*)
      need_baseline
      library=$build/src/doors/libop2.so
      build_library "$build" op2_doors op2_trace_doors ;;
    *)
      library=$build/lib/libop2.so
      build_library "$build" op2 op2_trace ;;
  esac || { complain "cannot build the libraries"; verdict "ABI gate"; }
fi
[[ -z $library || -f $library ]] || { complain "$library is not there"; verdict "ABI gate"; }
for check in "${checks[@]}"; do
  command_of "$check"
  report "$check" "${command[@]}"
done
if [[ -n $only ]]; then
  ((failures == 0)) || exit 1
  exit "$last"
fi
verdict "ABI gate of version $(project_version)$(draft && echo ' (draft)')"

# SPDX-License-Identifier: MIT
