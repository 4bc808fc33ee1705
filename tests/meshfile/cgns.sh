#!/usr/bin/env bash
# cgns.sh OP2_MESH MAKER: meshes that the library of CGNS has written, in HDF5 and ADF, are read as what they are.
set -uo pipefail
tool=$1 maker=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
"$maker" "$folder" || exit 1

# expect FILE LINE...: op2_mesh info prints these lines.
expect() {
  local file=$1 line
  shift
  "$tool" info "$folder/$file" >"$folder/out" 2>&1
  for line in "$@"; do
    grep -qxF -- "$line" "$folder/out" && continue
    echo "$file: no line '$line' in:" && cat "$folder/out"
    bad=1
  done
}
# refuses FILE WORDS [BEHIND]: op2_mesh says why it cannot be read; BEHIND stands between the name of the file and that.
refuses() {
  "$tool" info "$folder/$1" >"$folder/out" 2>&1
  local code=$?
  ((code == 1)) && grep -qF -- "$1${3:-}: $2" "$folder/out" && return
  echo "$1: no '$2' in:" && cat "$folder/out"
  bad=1
}

for file in mixed.cgns mixed_adf.cgns sections.cgns; do
  expect $file "nodes       12" "cells       4" "faces       3" "bfaces      14" "hexahedra   1" "prisms      1" \
    "volume      2.04167, of a cell 0.208333 to 1" "patch 1     ends, 2 faces" "patch 2     bottom, 1 faces"
done
expect polyhedra.cgns "nodes       12" "cells       2" "faces       1" "bfaces      10" \
  "volume      2, of a cell 1 to 1" "patch 1     walls, 8 faces" "patch 2     top, 1 faces"
expect bare.cgns "faces       1" "bfaces      10" "patch 1     faces, 10 faces"
expect lower.cgns "faces       1" "bfaces      10" "patch 1     lower, 5 faces"
# Faces that name their cells, whatever they count from and on whichever side they stand.
for file in parents parents_behind parents_right parents_adf; do
  expect $file.cgns "nodes       12" "cells       2" "faces       1" "bfaces      10" "volume      2, of a cell 1 to 1" \
    "patch 1     ends, 2 faces" "patch 2     walls, 8 faces" \
    "note        boundary condition ends has no GridLocation: its numbers are taken as those of elements" \
    "note        boundary condition walls has no GridLocation: its numbers are taken as those of elements" \
    "note        boundary condition low names 1 elements that are no sides of cells" \
    "note        1 faces of boundary condition low stay in ends, which comes first" \
    "note        2 faces of boundary condition low stay in walls, which comes first"
done
expect parents_patches.cgns "cells       2" "faces       1" "patch 2     ends, 2 faces" "patch 3     walls, 8 faces"
refuses parents_partly.cgns "section walls has faces (NGON_n) without ParentElements, and the zone no cells (NFACE_n)"
expect second.cgns "nodes       11" "pyramids    1" "prisms      1" "volume      0.833333, of a cell 0.333333 to 0.5"
expect flat.cgns "format      cgns, 2 coordinates" "triangles   2" "faces       1" "patch 2     inlet, 1 faces" \
  "patch 3     wall, 3 faces" "area        1, of a cell 0.5 to 0.5"
for file in flat.cgns bare.cgns parents.cgns parents_right.cgns parents_patches.cgns; do
  "$tool" check "$folder/$file" | grep -qx clean || { echo "$file is not clean" && bad=1; }
done
refuses structured.cgns "the zone is structured"

# Two zones become one mesh, by lists of nodes, by lists of faces, by the places of the nodes.
for how in nodes faces periodic; do
  expect zones_$how.cgns "nodes       12" "cells       2" "faces       1" "bfaces      10" "volume      2, of a cell 1 to 1" \
    "patch 1     wall, 9 faces" "patch 2     outlet, 1 faces"
done
expect zones_places.cgns "nodes       12" "cells       2" "faces       1" "bfaces      10" "patch 2     outside, 10 faces"
expect zones_periodic.cgns "note        connection around of zone Left is periodic: both sides stay parts of the boundary"
for how in nodes faces places; do
  "$tool" check "$folder/zones_$how.cgns" | grep -qx clean || { echo "zones_$how.cgns is not clean" && bad=1; }
done
expect zones_none.cgns "nodes       16" "faces       0" \
  "note        $folder/zones_none.cgns, zone Left: it has no node in common with other zones" \
  "note        $folder/zones_none.cgns, zone Right: it has no node in common with other zones"
refuses zones_wrong_node.cgns "a connection names point 9 of 8" ", zone Right"
refuses zones_apart.cgns "point 2 of $folder/zones_apart.cgns, zone Left is said to be point 8 of $folder/zones_apart.cgns, zone Right, but it lies at (1, 0, 0)"
refuses zones_faces_apart.cgns "$folder/zones_faces_apart.cgns, zone Left and $folder/zones_faces_apart.cgns, zone Right do not fit: a connection between them names a face with a point at (1, 0, 0), where the second one has none"
refuses zones_overset.cgns "connection over of zone Left joins zones whose nodes differ"
refuses zones_nowhere.cgns "cg_conn_info:donor zone Middle does not exist"
refuses mixed_zones.cgns "zone B is structured"
refuses outside.cgns "cell 0 has node 12 of 12"
refuses no_faces.cgns "there is no element 5"
refuses nothing.cgns "No such file or directory"
echo "this is no such file" >"$folder/text.cgns"
refuses text.cgns ""
head -c 3000 "$folder/mixed.cgns" >"$folder/cut.cgns"
refuses cut.cgns ""
exit $bad

# SPDX-License-Identifier: MIT
