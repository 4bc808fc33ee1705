#!/usr/bin/env bash
# compile_lanes.sh [BUILD]: what the functions in lanes (op2/cpp/lanes.hpp) cost where loops are compiled: time of the
# compiler and bytes of code, with them and without (-DOP2_LANES=0), for examples and for a file with a hundred loops.
# BUILD: folder with the library, build/release.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "${1:-$root/build/release}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

{
  echo '#include "op2/op2.hpp"'
  for k in $(seq 100); do
    echo "static void kernel$k(const double *a, const double *b, const double *w, double *sum, double *other) {
      const double slope = a[0] * $k - b[1] * w[0];
      for (int c = 0; c < 3; ++c) { sum[c] += slope * a[c]; other[c] -= slope * b[c] / (1 + w[0] * w[0]); }
    }"
  done
  echo 'void all(op2::set &edges, op2::map &ends, op2::dat<double, 3> &q, op2::dat<double, 1> &w, op2::dat<double, 3> &r) {'
  for k in $(seq 100); do
    echo "op_par_loop(kernel$k, \"kernel$k\", edges, op2::read(q, 0, ends), op2::read(q, 1, ends), op2::read(w),
      op2::inc(r, 0, ends), op2::inc(r, 1, ends));"
  done
  echo '}'
} >"$work/hundred.cpp"

TIMEFORMAT=%U
# seconds FILE FLAG...: of the compiler; leaves $work/out.o
seconds() { { time g++ -std=c++20 -O3 -fno-math-errno -I"$root/include" -I"$build/include" -I"$root/examples/common" "${@:2}" -c "$1" -o "$work/out.o"; } 2>&1; }
code() { size "$work/out.o" | awk 'END { print $1 }'; }
status=0
# row NAME FILE BOUND: the shortest of three times each, in turn; at most BOUND times as long
row() {
  local with=1e9 without=1e9 bytes_with bytes_without round t
  for round in 1 2 3; do
    t=$(seconds "$2" -DOP2_LANES=0) without=$(awk "BEGIN { print $t < $without ? $t : $without }") bytes_without=$(code)
    t=$(seconds "$2") with=$(awk "BEGIN { print $t < $with ? $t : $with }") bytes_with=$(code)
  done
  echo "result compile_lanes.$1.without $without s"
  echo "result compile_lanes.$1.with $with s"
  awk -v a="$bytes_without" -v b="$bytes_with" -v n="$1" 'BEGIN { printf "result compile_lanes.%s.code %.2f x\n", n, b / a }'
  awk -v a="$without" -v b="$with" -v n="$1" -v most="$3" \
    'BEGIN { r = b / a; printf "check compile_lanes.%s.time %.3f %s below x\n", n, r, most; exit !(r <= most) }' || status=1
}
row airfoil "$root/examples/airfoil/airfoil.cpp" 1.5
row tets "$root/examples/tets/tets.cpp" 1.5
row euler3d "$root/examples/euler3d/euler3d.cpp" 1.5
row hundred "$work/hundred.cpp" 2.2
exit $status

# SPDX-License-Identifier: MIT
