#!/usr/bin/env bash
# damaged_cgns.sh OP2_MESH MAKER: CGNS files whose arrays have other sizes than the file says are refused with a reason.
set -uo pipefail
[[ -x /usr/bin/python3 ]] || { echo "skipped: there is no /usr/bin/python3 to damage files" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
"$2" "$folder" || exit 1
/usr/bin/python3 "$(dirname "$0")/damage_cgns.py" "$folder" || exit $?

# refuses FILE WORDS
refuses() {
  timeout 60 "$1" info "$folder/$2.cgns" >"$folder/out" 2>&1
  local code=$?
  ((code == 1)) && grep -qF -- "$3" "$folder/out" && return
  echo "$2.cgns: exit code $code, no '$3' in:" && cat "$folder/out"
  bad=1
}
refuses "$1" offsets "faces/ElementStartOffset has 5012 numbers instead of 12"
refuses "$1" few_offsets "faces/ElementStartOffset has 11 numbers instead of 12"
refuses "$1" wide_faces "faces/ElementConnectivity has 2 dimensions instead of 1"
refuses "$1" wide_cells "cells/ElementConnectivity has 2 dimensions instead of 1"
refuses "$1" wide_hexa "hexa/ElementConnectivity has 2 dimensions instead of 1"
refuses "$1" wide_mixed "cells/ElementConnectivity has 2 dimensions instead of 1"
refuses "$1" wide_list "PointList has 3 x 2000 numbers instead of 2000"
refuses "$1" wide_range "PointRange has 3 x 2000 numbers instead of 2000"
refuses "$1" long_range "walls has a range of"
refuses "$1" wide_x "CoordinateX"
refuses "$1" long_x "oordinate"
refuses "$1" far "the last element has the number 2000000007"
refuses "$1" smallest "there is no element -"
refuses "$1" many "the faces of cells have too many nodes"
refuses "$1" large "face 10 has 132 nodes; at most 128 can be read"
refuses "$1" wide_connection "PointList has 3 x 4 numbers instead of 4"
refuses "$1" wide_donors "PointListDonor has 3 x 4 numbers instead of 4"
refuses "$1" few_donors "connection to_right of zone Left has 4 nodes here and 3 in the other zone"
refuses "$1" donor_zero "connection to_right of zone Left names node 0 of the other zone"
refuses "$1" node_far "connection to_right of zone Left names node 2000000000 of 8"
refuses "$1" parents_far "zone Zone has 2 cells, but ParentElements of its faces name cells from 3 to 6"
refuses "$1" parents_few "ParentElements' incorrectly defined"
refuses "$1" parents_none "zone Zone has 2 cells, but ParentElements of its faces name cells from 0 to 0"
refuses "$1" parents_below "zone Zone: a face has the parent -"
refuses "$1" parents_real "R4 not supported for element 'ParentElements'"
# Not damaged, but as others write them.
for file in parents_wide parents_alone parents_data old_polyhedra old_parents; do
  "$1" info "$folder/$file.cgns" >"$folder/out" 2>&1
  for line in "cells       2" "faces       1" "bfaces      10" "volume      2, of a cell 1 to 1"; do
    grep -qxF -- "$line" "$folder/out" || { echo "$file.cgns: no line '$line' in:" && cat "$folder/out" && bad=1; }
  done
done
exit $bad

# SPDX-License-Identifier: MIT
