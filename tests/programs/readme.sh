#!/usr/bin/env bash
# readme.sh SOURCE BUILD CC: the complete program of README.md, built as the README says, prints what the 3x3 example must give.
set -euo pipefail
source=$1 build=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
awk '/^```c$/ {take = 1; next} /^```$/ {if (take) exit} take' "$source/README.md" >"$work/program.c"
"$cc" "$work/program.c" -I "$source/include" -L "$build/lib" -lop2 -Wl,-rpath,"$build/lib" -o "$work/program"
for backend in seq auto; do
  OP2_BACKEND=$backend "$work/program" | tee "$work/out"
  for value in 10.828 11.245 9.924 20.818 28.546 24.824 14.412 17.828 10.237; do
    grep -qF ": $value" "$work/out" || { echo "value $value is missing"; exit 1; }
  done
  grep -qE 'sum of the edges on self\+[a-z]+: 73\.0' "$work/out" || { echo "the sum is wrong"; exit 1; }
done

# SPDX-License-Identifier: MIT
