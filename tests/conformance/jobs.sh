#!/usr/bin/env bash
# jobs.sh (make|check|list) [TABLE]: the table of conformance jobs on several processes.
#   make           writes a table in which any two values of different factors meet at least once
#   check TABLE    says which pairs the table lacks; exit code 1 when there are some
# One row is one job, one column is one factor; the values are below and CMakeLists.txt knows what they mean.
set -euo pipefail
factors=(
  "executor seq openmp check"
  "ranks 1 2 3 4 8"
  "division off ptscotch parmetis geom hilbert inertial random external"
  "renumber auto always off"
  "order declared shuffled"
  "declare local replicated root"
  "layout aos soa"
)

# Greedy: each row begins with a pair that is missing; every further column takes the value that brings most pairs that
# are missing. A generator of our own, so that the table is the same everywhere.
make_table() {
  printf '%s\n' "${factors[@]}" | awk '
    { f[NR] = $1; n[NR] = NF - 1; for (i = 2; i <= NF; i++) v[NR, i - 1] = $i }
    function gain(c, x,   d, g) { g = 0; for (d = 1; d <= NR; d++) if (row[d] && !met[d, row[d], c, x]) g++; return g }
    END {
      line = "#"; for (c = 1; c <= NR; c++) line = line " " f[c]; print line
      for (a = 1; a < NR; a++) for (b = a + 1; b <= NR; b++) left += n[a] * n[b]
      while (left > 0) {
        split("", row); found = 0
        for (s = 2; s < 2 * NR && !found; s++) for (a = 1; a < NR && !found; a++) for (b = a + 1; b <= NR && !found; b++)
          if (a + b == s + 1) for (i = 1; i <= n[a] && !found; i++) for (j = 1; j <= n[b] && !found; j++)
            if (!met[a, i, b, j]) { row[a] = i; row[b] = j; found = 1 }
        for (step = 1; step <= NR; step++) {
          best = -1
          for (c = 1; c <= NR; c++) if (!row[c]) for (k = 0; k < n[c]; k++) {
            x = (k + rows + c) % n[c] + 1
            if (gain(c, x) > best) { best = gain(c, x); bc = c; bx = x }
          }
          if (best >= 0) row[bc] = bx
        }
        line = "" ; rows++
        for (a = 1; a <= NR; a++) {
          line = line (a > 1 ? " " : "") v[a, row[a]]
          for (b = 1; b <= NR; b++) if (a != b && !met[a, row[a], b, row[b]]) { met[a, row[a], b, row[b]] = 1; if (a < b) left-- }
        }
        print line
      }
    }'
}

check_table() {
  { printf '%s\n' "${factors[@]}"; echo; grep -v '^#' "$1"; } | awk '
    !NF { table = 1; next }
    !table { k++; f[k] = $1; for (i = 2; i <= NF; i++) { v[k, i - 1] = $i; known[k, $i] = 1 }; n[k] = NF - 1; next }
    NF != k { print "this row has " NF " values instead of " k ": " $0; bad = 1; next }
    { rows++
      for (a = 1; a <= k; a++) { if (!known[a, $a]) { print "no factor " f[a] " has value " $a; bad = 1 }
        for (b = a + 1; b <= k; b++) met[a, $a, b, $b] = 1 } }
    END {
      for (a = 1; a < k; a++) for (b = a + 1; b <= k; b++) for (i = 1; i <= n[a]; i++) for (j = 1; j <= n[b]; j++) {
        pairs++
        if (!met[a, v[a, i], b, v[b, j]]) { print "never together: " f[a] " " v[a, i] ", " f[b] " " v[b, j]; bad = 1 }
      }
      if (!bad) print rows " jobs, " pairs " pairs of values, each at least once"
      exit bad }'
}

case ${1:-} in
  make) make_table ;;
  check) check_table "$2" ;;
  *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac

# SPDX-License-Identifier: MIT
