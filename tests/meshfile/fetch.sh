#!/usr/bin/env bash
# fetch.sh FOLDER [naca0012|cube]...: brings third-party meshes from Debian's packages into FOLDER, all of them unless
# some are named. What is there already stays. Leaves
#   FOLDER/naca0012/polyMesh/{points,faces,owner,neighbour,boundary}   OpenFOAM, 37800 hexahedra, 151803 faces
#   FOLDER/cube_big_tetra.mesh                                         Medit, 36878 nodes, 202596 tetrahedra
# Ends with 77 and a reason when a package cannot be had here, with 1 when what came is not what is expected.
set -euo pipefail

skip() {
  echo "skipped: $*"
  exit 77
}
(($# >= 1)) || { echo "usage: fetch.sh FOLDER [naca0012|cube]..." >&2 && exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
shift
(($#)) || set -- naca0012 cube

# package NAME VERSION ARCHITECTURE SHA256: unpacked into $work/NAME.
package() {
  local file
  if ! command -v apt-get >/dev/null || ! command -v dpkg-deb >/dev/null; then skip "no apt-get or dpkg-deb here"; fi
  (cd "$work" && timeout 240 apt-get -qq download "$1:$3=$2" >log 2>&1) ||
    skip "package $1 $2 cannot be downloaded: $(tail -n 1 "$work/log" 2>/dev/null)"
  file=$(find "$work" -maxdepth 1 -name "$1_*.deb")
  echo "$4  $file" | sha256sum --check --status || { echo "$1: its checksum is not the expected one" >&2 && exit 1; }
  dpkg-deb -x "$file" "$work/$1"
  rm -f "$file"
}

# Complete or not there at all: the mesh is moved into its place when it is whole.
fetch_naca0012() {
  local part from=openfoam-examples/usr/share/doc/openfoam-examples/examples/incompressible/adjointOptimisationFoam
  [[ -e $folder/naca0012/polyMesh/points ]] && return
  package openfoam-examples 1912.200626-1 all cf2060b848b9e4e95b69c57f70fdd9b96310db7399f0c538280caca750fb2a37
  mkdir -p "$work/naca0012/polyMesh"
  for part in points faces owner neighbour boundary; do
    gzip -dc "$work/$from/resources/meshes/naca0012/polyMesh/$part.gz" >"$work/naca0012/polyMesh/$part"
  done
  rm -rf "$folder/naca0012"
  mv "$work/naca0012" "$folder/naca0012"
}

fetch_cube() {
  [[ -e $folder/cube_big_tetra.mesh ]] && return
  package python3-sfepy 2021.4-4+b1 amd64 4e941379d1c25b2317041cb91208c489db9461f7e66b82149867f75f6bb2a5b9
  mv "$(find "$work/python3-sfepy" -name cube_big_tetra.mesh)" "$folder/cube_big_tetra.mesh"
}

work=$(mktemp -d "$folder/.fetch.XXXXXX")
trap 'rm -rf "$work"' EXIT
for mesh in "$@"; do
  case $mesh in
    naca0012 | cube) "fetch_$mesh" ;;
    *) echo "fetch.sh: no mesh '$mesh'" >&2 && exit 2 ;;
  esac
done

# SPDX-License-Identifier: MIT
