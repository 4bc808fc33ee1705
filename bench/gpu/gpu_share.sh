#!/usr/bin/env bash
# gpu_share.sh COPY: reads a table of OP2_TIMING from standard input and writes it with one column more: the GB/s of each loop as a share
# of COPY, the GB/s of a copy within the device. COPY "" or 0: it was not measured, and the column has "-".
set -euo pipefail
awk -v copy="${1-}" '
  /  loops on / { inside = 1 }
  !inside { next }
  !column && (at = index($0, "GB/s")) { column = at + 3; print $0 "  (of copy)"; next }
  column && !/%/ && !/outside loops/ { print; next } # all loops together
  column && /outside loops/ { print; exit }
  column { printf "%s  (%s)\n", $0, (copy > 0 ? sprintf("%.1f %%", 100 * substr($0, column - 7, 8) / copy) : "-"); next }
  { print }'

# SPDX-License-Identifier: MIT
