#!/usr/bin/env bash
# same_bits.sh PLAIN RANGES ARGUMENT...: both programs give the same solution to the last bit, and the second one runs ranges.
set -euo pipefail
plain=$1 ranges=$2
shift 2
export OP2_LOG=info # which names the form of each loop
first=$("$plain" "$@" 2>&1)
second=$("$ranges" "$@" 2>&1)
one=$(grep 'bits of the solution' <<<"$first")
two=$(grep 'bits of the solution' <<<"$second")
echo "$one / $two"
[[ $one == "$two" ]]
for kernel in save_soln adt_calc res_calc bres_calc update; do
  grep -q "loop '$kernel' .*form element" <<<"$first" || { echo "FAILED: $kernel is not called by pointer in the first program"; exit 1; }
  grep -q "loop '$kernel' .*form range" <<<"$second" || { echo "FAILED: $kernel has no range in the second program"; exit 1; }
done
