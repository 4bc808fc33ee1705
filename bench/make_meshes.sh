#!/usr/bin/env bash
# bench/make_meshes.sh: makes meshes by programs of others, and in other orders. See --help.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: bench/make_meshes.sh [--build DIR] FOLDER
Make meshes in FOLDER, a few hundred thousand cells each, for bench_orders: by Gmsh, Tetgen, Netgen and OpenFOAM, as far as they are
installed (packages gmsh, tetgen, python3-netgen, openfoam), quadrilaterals, hexahedra and triangles in rows, some of these along a
Hilbert curve and by Cuthill-McKee, and two in no order at all. Netgen takes some minutes.
  --build DIR  a build folder with op2_mesh; default build/release
What is there already is not made again. Exit code: 0 made, 1 something failed, 2 wrong usage.
TEXT
}

build=build/release
folder=
while (($#)); do
  case $1 in
    --build) build=${2:?"--build needs a folder"}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) folder=$1 ;;
  esac
  shift
done
[[ -n $folder ]] || { usage >&2; exit 2; }
op2_mesh=$(realpath -- "$build")/bin/op2_mesh
mkdir -p -- "$folder"
cd -- "$folder"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# make FILE COMMAND...: unless the file is there. A command that fails leaves nothing under that name.
make() {
  local file=$1
  shift
  [[ -e $file ]] || { "$@" >"$scratch/log" 2>&1 || { tail -n 20 "$scratch/log" >&2; rm -f -- "$file"; exit 1; }; }
}

if command -v gmsh >/dev/null; then
  cat >"$scratch/box.geo" <<'TEXT'
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Sphere(2) = {0.5, 0.5, 0.5, 0.2};
BooleanDifference(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };
Mesh.CharacteristicLengthMax = 0.026;
Mesh.CharacteristicLengthMin = 0.012;
TEXT
  cat >"$scratch/disc.geo" <<'TEXT'
SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 1, 0.6};
Disk(2) = {0.1, 0, 0, 0.2, 0.1};
BooleanDifference(3) = { Surface{1}; Delete; }{ Surface{2}; Delete; };
Mesh.CharacteristicLengthMax = 0.0055;
TEXT
  make gmsh_delaunay.msh gmsh -3 -algo del3d -format msh41 -o gmsh_delaunay.msh "$scratch/box.geo"
  make gmsh_hxt.msh gmsh -3 -algo hxt -format msh41 -o gmsh_hxt.msh "$scratch/box.geo"
  make gmsh_disc.msh gmsh -2 -format msh41 -o gmsh_disc.msh "$scratch/disc.geo"
else
  echo "left out: gmsh is not installed" >&2
fi

if command -v tetgen >/dev/null; then
  printf '%s\n' '8 3 0 0' '1 0 0 0' '2 1 0 0' '3 1 1 0' '4 0 1 0' '5 0 0 1' '6 1 0 1' '7 1 1 1' '8 0 1 1' '6 0' \
    1 '4 1 2 3 4' 1 '4 5 6 7 8' 1 '4 1 2 6 5' 1 '4 2 3 7 6' 1 '4 3 4 8 7' 1 '4 4 1 5 8' 0 0 >"$scratch/cube.poly"
  by_tetgen() { tetgen -pq1.3a0.000016g "$scratch/cube.poly" && mv "$scratch/cube.1.mesh" tetgen.mesh; }
  make tetgen.mesh by_tetgen
else
  echo "left out: tetgen is not installed" >&2
fi

if /usr/bin/python3 -c 'import netgen.csg' 2>/dev/null; then
  by_netgen() {
    /usr/bin/python3 - <<'TEXT'
from netgen.csg import CSGeometry, OrthoBrick, Pnt, Sphere
body = CSGeometry()
body.Add(OrthoBrick(Pnt(0, 0, 0), Pnt(1, 1, 1)) - Sphere(Pnt(0.5, 0.5, 0.5), 0.2))
body.GenerateMesh(maxh=0.025).Export("netgen.msh", "Gmsh2 Format")
TEXT
  }
  make netgen.msh by_netgen
else
  echo "left out: python3-netgen is not installed" >&2
fi

if command -v blockMesh >/dev/null; then
  head() { printf 'FoamFile { version 2.0; format ascii; class dictionary; object %s; }\n' "$1"; }
  by_openfoam() {
    mkdir -p "$scratch/foam/system" "$scratch/foam/constant"
    cd "$scratch/foam/system"
    { head controlDict; echo 'startFrom startTime; startTime 0; stopAt endTime; endTime 1; deltaT 1; writeInterval 1; writeFormat ascii;'; } >controlDict
    { head fvSchemes; echo 'ddtSchemes {} gradSchemes {} divSchemes {} laplacianSchemes {} interpolationSchemes {} snGradSchemes {}'; } >fvSchemes
    head fvSolution >fvSolution
    { head blockMeshDict; cat; } >blockMeshDict <<'TEXT'
vertices ((0 0 0) (1 0 0) (1 1 0) (0 1 0) (0 0 1) (1 0 1) (1 1 1) (0 1 1) (2 0 0) (2 1 0) (2 0 1) (2 1 1));
blocks (hex (0 1 2 3 4 5 6 7) (50 50 50) simpleGrading (1 1 1) hex (1 8 9 2 5 10 11 6) (50 50 50) simpleGrading (1 1 1));
boundary (walls { type wall; faces ((0 4 7 3) (8 9 11 10)); });
TEXT
    cd - >/dev/null
    WM_PROJECT_DIR=${WM_PROJECT_DIR:-/usr/share/openfoam} blockMesh -case "$scratch/foam" && mv "$scratch/foam" openfoam
  }
  make openfoam by_openfoam
else
  echo "left out: OpenFOAM's blockMesh is not installed" >&2
fi

# rows TYPE NX NY NZ: a box in Gmsh's format, row by row; TYPE 2: triangles, 3: quadrilaterals, 5: hexahedra.
rows() {
  awk -v type="$2" -v nx="$3" -v ny="$4" -v nz="$5" 'BEGIN {
    row = nx + 1; layer = row * (ny + 1); layers = type == 5 ? nz + 1 : 1
    print "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" layer * layers
    for (k = 0; k < layers; k++) for (j = 0; j <= ny; j++) for (i = 0; i <= nx; i++) print ++n, i / nx, j / nx, k / nx
    print "$EndNodes\n$Elements\n" nx * ny * nz * (type == 2 ? 2 : 1)
    for (k = 0; k < nz; k++) for (j = 0; j < ny; j++) for (i = 0; i < nx; i++) {
      a = 1 + i + row * j + layer * k; b = a + 1; d = a + row; c = d + 1
      if (type == 2) print ++m, 2, 2, 0, 1, a, b, c "\n" ++m, 2, 2, 0, 1, a, c, d
      if (type == 3) print ++m, 3, 2, 0, 1, a, b, c, d
      if (type == 5) print ++m, 5, 2, 0, 1, a, b, c, d, a + layer, b + layer, c + layer, d + layer
    }
    print "$EndElements" }' >"$1"
}
make rows_triangles.msh rows rows_triangles.msh 2 400 300 1
make rows_quadrilaterals.msh rows rows_quadrilaterals.msh 3 600 400 1
make rows_hexahedra.msh rows rows_hexahedra.msh 5 60 60 60
# shuffled FROM TO: nodes and cells of a file in Gmsh's format 2.2 at random, always the same way.
shuffled() {
  awk 'BEGIN { srand(7) }
    /^\$Nodes/ { part = 1; print; next } /^\$Elements/ { part = 2; print; next }
    /^\$End/ { for (i = n; i > 0; i--) { j = int(rand() * i) + 1; print line[j]; line[j] = line[i] } n = 0; part = 0 }
    part && NF == 1 { print; next }
    part { line[++n] = $0; next }
    { print }' "$1" >"$2"
}
make rows_hexahedra_shuffled.msh shuffled rows_hexahedra.msh rows_hexahedra_shuffled.msh
make rows_triangles_shuffled.msh shuffled rows_triangles.msh rows_triangles_shuffled.msh
for mesh in gmsh_delaunay rows_hexahedra rows_quadrilaterals; do
  [[ -e $mesh.msh ]] || continue
  make "${mesh}_hilbert.vtu" "$op2_mesh" renumber "$mesh.msh" "${mesh}_hilbert.vtu" --method hilbert
  make "${mesh}_rcm.vtu" "$op2_mesh" renumber "$mesh.msh" "${mesh}_rcm.vtu"
done
ls

# SPDX-License-Identifier: MIT
