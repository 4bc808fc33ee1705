#!/usr/bin/env bash
# damaged_hdf5.sh OP2_MESH READER DATA COUNT: HDF5 meshes with values, shapes, types and attributes that are wrong.
set -uo pipefail
[[ -x /usr/bin/python3 ]] || { echo "skipped: there is no /usr/bin/python3 to damage files" && exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for mesh in two_cubes two_squares.dat; do
  "$1" convert "$3/$mesh" "$folder/mesh.h5" || exit 1
  /usr/bin/python3 "$(dirname "$0")/damage.py" "$folder/mesh.h5" "$folder" "$4" || exit $?
  timeout 120 "$2" "$folder" "$4" || { echo "$mesh: failed" && exit 1; }
done

# SPDX-License-Identifier: MIT
