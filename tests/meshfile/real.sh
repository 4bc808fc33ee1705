#!/usr/bin/env bash
# real.sh OP2_MESH FETCH FOLDER FILES: meshes of others, fetched by FETCH into FOLDER, are read as what they are known to be, are
# clean, and come back from HDF5 files as the same; and what gmsh makes in all formats it has, where it is installed.
set -uo pipefail
tool=$1 fetch=$2 folder=$3 files=$4
bad=0
mkdir -p "$folder"
exec {lock}<"$folder" # tests that fetch into the same folder wait for each other
flock "$lock"
bash "$fetch" "$folder"
code=$?
((code == 0)) || exit $code
rm -f "$folder/was"

# expect FILE LINE...: op2_mesh info prints these lines, and check says clean.
expect() {
  local file=$1 line
  shift
  "$tool" info "$file" >"$folder/out" 2>&1
  for line in "$@"; do
    grep -qxF -- "$line" "$folder/out" && continue
    echo "$file: no line '$line' in:"
    cat "$folder/out"
    bad=1
  done
  "$tool" check "$file" >"$folder/out" 2>&1 && return
  echo "$file is not clean:"
  cat "$folder/out"
  bad=1
}

# both FILE LINE...: the same after a way through HDF5.
both() {
  local file=$1
  expect "$@"
  [[ $files == no ]] && return
  "$tool" convert "$file" "$folder/converted.h5" || bad=1
  shift
  expect "$folder/converted.h5" "$@"
}

both "$folder/naca0012" "nodes       76806" "cells       37800" "faces       74997" "bfaces      76806" \
  "patch 0     frontBack, 75600 faces" "patch 1     inlet, 808 faces"
both "$folder/cube_big_tetra.mesh" "nodes       36878" "cells       202596" "tetrahedra  202596" "faces       399108" \
  "bfaces      12168" "volume      1, of a cell 5.40706e-07 to 1.36002e-05"

if command -v gmsh >/dev/null; then
  cat >"$folder/box.geo" <<'GEO'
Point(1) = {0, 0, 0, 0.2}; Point(2) = {1, 0, 0, 0.2}; Point(3) = {1, 1, 0, 0.2}; Point(4) = {0, 1, 0, 0.2};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
out[] = Extrude {0, 0, 1} { Surface{1}; Layers{5}; Recombine; };
top[] = Extrude {0, 0, 1} { Surface{out[0]}; };
Physical Surface("floor") = {1};
Physical Surface("rest") = {out[2], out[3], out[4], out[5], top[0], top[2], top[3], top[4], top[5]};
Physical Volume("box") = {out[1], top[1]};
GEO
  for way in "msh22 msh" "msh22 msh -bin" "msh41 msh" "msh41 msh -bin" "su2 su2" "vtk vtk" "vtk vtk -bin"; do
    read -r format ending binary <<<"$way"
    # shellcheck disable=SC2086
    gmsh -v 1 -3 "$folder/box.geo" -format "$format" $binary -o "$folder/box.$ending" || bad=1
    expect "$folder/box.$ending" "volume      2, of a cell $(sed -n 's/^volume .*of a cell //p' <("$tool" info "$folder/box.$ending"))"
    "$tool" info "$folder/box.$ending" | grep -E "^(nodes|cells|faces|bfaces|tetrahedra|prisms|volume)" >"$folder/is"
    [[ -e $folder/was ]] || cp "$folder/is" "$folder/was"
    diff "$folder/was" "$folder/is" || { echo "$way: another mesh" && bad=1; }
  done
  rm -f "$folder/was"
else
  echo "gmsh is not installed: its own files were not looked at"
fi
rm -f "$folder/converted.h5" "$folder"/box.*
exit $bad

# SPDX-License-Identifier: MIT
