#!/usr/bin/env bash
# memory_lines.sh [BUILD [CELLS]]: cache lines that airfoil takes from memory in an iteration, counted by a cache
# simulator (package valgrind) with a last-level cache of 2 MiB: loop after loop, and in chains of seven iterations in
# tiles. What a machine has per core when all its cores work, which a measurement on one core of a quiet machine does
# not show. BUILD: folder with the library, build/release. CELLS: about, 400000. Takes some minutes.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd) cells=${2:-400000}
command -v valgrind >/dev/null || { echo "memory_lines.sh: valgrind is not there (package valgrind)" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The simulator knows no AVX-512: the program's own loops, compiled for AVX2, run instead of generated code.
airfoil=$root/examples/airfoil
for source in report mesh_reader; do
  gcc -O2 -I"$root/include" -c "$airfoil/$source.c" -o "$work/$source.o"
done
g++ -std=c++17 -O3 -mavx2 -I"$root/include" "$airfoil/airfoil.cpp" "$work"/*.o -L"$build/lib" -lop2 \
  -Wl,-rpath,"$build/lib" -o "$work/airfoil"
side=$(awk -v n="$cells" 'BEGIN { printf "%d", sqrt(n / 4.5) }')
"$build/bin/make_naca_mesh" "$side" $((side * 3 / 2)) "$work/mesh.dat" >"$work/said"
cells=$(grep -oE '[0-9]+ cells' "$work/said" | grep -oE '^[0-9]+')

# lines TILE ITERATIONS: of the whole run
lines() {
  OP2_BACKEND=seq OP2_JIT=off OP2_LOG=error OP2_CHAIN_TILE=$1 valgrind --tool=cachegrind --cache-sim=yes \
    --cachegrind-out-file=/dev/null --I1=32768,8,64 --D1=32768,8,64 --LL=2097152,16,64 \
    "$work/airfoil" "$work/mesh.dat" --iterations "$2" 2>&1 | tr -d , | awk '/LLd misses/ { print $4 }'
}
# of_iteration TILE: 15 iterations have one chain of seven more than 8
of_iteration() { echo $((($(lines "$1" 15) - $(lines "$1" 8)) / 7)); }
apart=$(of_iteration 1000000000) chain=$(of_iteration 1024) # KiB: all rows in one tile; half of the cache
for row in "apart $apart" "chain $chain"; do
  set -- $row
  awk -v row="$1" -v n="$2" -v cells="$cells" 'BEGIN { printf "result memory_lines.airfoil.%s %.1f bytes/cell\n", row, 64 * n / cells }'
done
awk -v a="$apart" -v c="$chain" 'BEGIN { r = c / a; printf "check memory_lines.airfoil.chain_to_apart %.3f 0.45 below x\n", r; exit !(r <= 0.45) }'

# SPDX-License-Identifier: MIT
