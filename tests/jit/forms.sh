#!/bin/bash
# forms.sh AIRFOIL MESH: every loop of airfoil gets generated code, and all forms reach the published answer.
airfoil=$1 mesh=$2
. "$(dirname "$0")/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
vectors=x[0-9]+
[ "$(uname -m)" = x86_64 ] || [ "$(uname -m)" = aarch64 ] || vectors=

run() { # run NAME SETTINGS...
  local name=$1
  shift
  env "$@" "$airfoil" "$mesh" --iterations 100 >"$work/$name" 2>&1 || complain "$name: exit code $?"
  expect "$name" PASSED
}

# Forms that no time chooses.
run cold OP2_JIT_FORM=first
for loop in save_soln adt_calc res_calc bres_calc update; do
  expect cold "loop '$loop'.* form vector $vectors \(compiled"
done
run warm OP2_JIT_FORM=first
count warm "elements: form vector $vectors \(from the cache" 5
refuse warm "\(compiled by"

# Forms chosen by time: measured once, then taken from the cache; pinned ones are not measured.
run measured OP2_JIT_FORM=soon
for loop in adt_calc res_calc; do
  expect measured "loop '$loop': now form .* \(the fastest of vector $vectors [0-9.]+ ms, .*scalar [0-9.]+ ms"
  expect measured "forms of $loop by time: vector $vectors"
done
run chosen OP2_JIT_FORM=soon
for loop in adt_calc res_calc; do expect chosen "loop '$loop' on .*\(chosen before\)"; done
refuse chosen "loop '(adt|res)_calc'.*(the fastest of|\(compiled by)|forms of (adt|res)_calc by time"
run threads OP2_BACKEND=openmp OP2_NUM_THREADS=2 OP2_JIT_FORM=soon
expect threads "forms of adt_calc by time: vector $vectors"
run pinned OP2_JIT_FORM=scalar
count pinned "form scalar" 5
refuse pinned "the fastest of"
for name in measured chosen pinned; do
  [ "$(grep 'rms =' "$work/$name")" = "$(grep 'rms =' "$work/cold")" ] || complain "$name: another residual"
done

run scalar OP2_JIT_ISA=scalar
count scalar "elements: form scalar" 5
run off OP2_JIT=off
count off "elements: form (range|own)" 5
for isa in sse2 avx2 avx512; do
  case $isa in
    sse2) flag=sse2 ;;
    avx2) flag=avx2 ;;
    avx512) flag=avx512f ;;
  esac
  grep -qw $flag /proc/cpuinfo || { echo "left out: this processor has no $isa"; continue; }
  run $isa OP2_JIT_ISA=$isa
  count $isa "elements: form vector $vectors" 5
done

# The sources to read name loop and kernel.
run dumped OP2_JIT_DUMP="$work/dump" OP2_JIT_CACHE=off
grep -q "Loop 'res_calc'.*kernel res_calc of .*airfoil_kernels.h" "$work"/dump/res_calc*.cpp || complain "no readable source of res_calc"
finish

# SPDX-License-Identifier: MIT
