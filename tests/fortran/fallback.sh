#!/usr/bin/env bash
# fallback.sh PROGRAM: kernels that the library does not read are compiled by the Fortran compiler with their loops around them, also from the
# cache of the run before; without that compiler, and with one that fails, they run as compiled with the program. The answers are right
# every time: the program says so itself.
set -eu
program=$(realpath "$1")
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
export OP2_JIT_CACHE=$folder/cache OP2_LOG=info
fail() {
  echo "fallback.sh: $*"
  exit 1
}
# What compilers of other days have left where the program runs is no matter.
cd "$folder"
for module in state fallback_kernels; do echo junk >$module.mod; done
# forms WHAT PATTERN VARIABLE=VALUE...: all three loops have lines like this.
forms() {
  local what=$1 pattern=$2 said loop
  shift 2
  said=$(env "$@" "$program" 2>&1) || fail "$what: the program failed: $said"
  for loop in flux around oldker; do
    grep -q "loop '$loop' .*$pattern" <<<"$said" || fail "$what: $loop: $(grep "'$loop'" <<<"$said")"
  done
  said_last=$said
}
forms "with gfortran" 'form range, by the Fortran compiler (compiled by .*gfortran in ' OP2_BACKEND=seq
grep -q "loop 'flux' .*no vectors: .*kernels.f90:[0-9]*: " <<<"$said_last" || fail "no reason: $(grep "'flux'" <<<"$said_last")"
forms "from the cache" 'form range, by the Fortran compiler (from the cache' OP2_BACKEND=seq
forms "on threads" 'form range, by the Fortran compiler' OP2_BACKEND=openmp
forms "shipped" 'form range, by the Fortran compiler (from the cache' OP2_BACKEND=seq OP2_JIT_CACHE="off:$folder/cache" OP2_FC=off
forms "without it" 'form element .*: .*; no Fortran compiler: OP2_FC=off' OP2_BACKEND=seq OP2_FC=off
forms "with none" "form element .*: .*; no Fortran compiler: OP2_FC='/nowhere/gfortran' is no program" OP2_BACKEND=seq OP2_FC=/nowhere/gfortran
printf '#!/bin/sh\nif [ "$1" = --version ]; then echo "GNU Fortran"; exit; fi\necho called >>"$0.calls"\necho "Error: it has a bad day"\nexit 1\n' >"$folder/fc"
chmod +x "$folder/fc"
forms "with one that fails" "form element .*kernels.f90:[0-9]*: .*; and .*fc ended with status 1.*bad day\|oldker.*form element" OP2_BACKEND=seq OP2_FC="$folder/fc"
cp "$folder/fc.calls" "$folder/calls"
forms "with one that failed before" "form element .*kernels.f90:[0-9]*: .*; and .*bad day\|oldker.*form element" OP2_BACKEND=seq OP2_FC="$folder/fc"
cmp -s "$folder/fc.calls" "$folder/calls" || fail "a text that was refused before is compiled again"
if grep -q warning <<<"$said_last"; then fail "a warning: $said_last"; fi
forms "with a flag that it does not know" 'form element' OP2_BACKEND=seq OP2_FC="gfortran -fno-such-flag"

# SPDX-License-Identifier: MIT
