#!/usr/bin/env bash
# cgns_written.sh OP2_MESH MAKER LOOK DATA LIBRARY NO_ROOM: CGNS files that op2_mesh writes are what the library of CGNS
# and we ourselves read again, with one zone and with several; what cannot be written leaves nothing behind. LIBRARY: libop2.so;
# NO_ROOM: a library for LD_PRELOAD that lets the disk be full.
set -uo pipefail
tool=$1 maker=$2 look=$3 data=$4 library=$5 no_room=$6
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0
"$maker" "$folder" || exit 1
cd "$folder" || exit 1

# says CODE WORDS ARGUMENT...: op2_mesh ends with this code and prints the words.
says() {
  local code=$1 words=$2 got
  shift 2
  timeout -k 1 60 "$tool" "$@" >out 2>&1
  got=$?
  if ((got != code)) || { [[ -n $words ]] && ! grep -qF -- "$words" out; }; then
    echo "op2_mesh $*: exit code $got instead of $code, or no '$words' in:"
    cat out
    bad=1
  fi
}
# facts FILE: what does not depend on the order of cells, nor on the numbers of patches.
facts() {
  "$tool" info "$1" 2>&1 | grep -vE '^(format|bandwidth|note)' | sed -E 's/^patch +[0-9]+ +/patch /' | sort
}
# same FILE FILE [LINE]: they hold the same mesh; the first may have a line that the second lacks.
same() {
  facts "$1" | grep -vxF -- "${3:-none}" >wanted
  facts "$2" >got
  diff wanted got >difference && grep -q '^cells' got && return
  echo "$2 is not $1:"
  cat difference
  bad=1
}
# finds FILE LINE...: the library of CGNS finds these in it.
finds() {
  local file=$1 line
  shift
  "$look" "$file" >out 2>&1 || bad=1
  for line in "$@"; do
    grep -qxF -- "$line" out && continue
    echo "$file: no line '$line' in:" && cat out
    bad=1
  done
}
# back FILE PARTS [LINE]: written with one zone, and with so many.
back() {
  says 0 "" convert "$1" one.cgns
  same "$1" one.cgns "${3:-}"
  says 0 "" partition "$1" several.cgns -n "$2"
  same "$1" several.cgns "${3:-}"
  (($("$look" several.cgns | grep -c '^zone ') == $2)) || { echo "$1: not $2 zones" && bad=1; }
  "$tool" check "$1" >wanted
  for file in one.cgns several.cgns; do
    "$tool" check $file >got
    cmp -s wanted got || { echo "$1 has other findings as $file" && bad=1; }
  done
}

# A block of 4 x 2 x 2 cubes with patches of which one has a name that is none in CGNS, and one of which is long.
long="a_patch_with_a_name_of_more_bytes_than_the_32_that_CGNS_has"
block() { # N M: of N x M x M cubes
  awk -v long="$long" -v n="$1" -v m="$2" 'BEGIN { row = n + 1; layer = row * (m + 1)
  print "NDIME= 3\nNELEM= " n * m * m
  for (k = 0; k < m; k++) for (j = 0; j < m; j++) for (i = 0; i < n; i++) { a = i + row * j + layer * k; b = a + layer
    print 12, a, a + 1, a + 1 + row, a + row, b, b + 1, b + 1 + row, b + row }
  print "NPOIN= " layer * (m + 1)
  for (k = 0; k <= m; k++) for (j = 0; j <= m; j++) for (i = 0; i <= n; i++) print i, j, k
  print "NMARK= 4"
  split("Zone1 hot/cold " long " " long "er", names, " ")
  for (i = 0; i <= n; i += n) { print "MARKER_TAG= " names[i ? 2 : 1] "\nMARKER_ELEMS= " m * m
    for (k = 0; k < m; k++) for (j = 0; j < m; j++) { a = i + row * j + layer * k; print 9, a, a + row, a + row + layer, a + layer } }
  for (j = 0; j <= m; j += m) { print "MARKER_TAG= " names[j ? 4 : 3] "\nMARKER_ELEMS= " m * n
    for (k = 0; k < m; k++) for (i = 0; i < n; i++) { a = i + row * j + layer * k; print 9, a, a + 1, a + 1 + layer, a + layer } } }'
}
block 4 2 >block.su2
back block.su2 3
finds several.cgns "base Base: 3, 3" "family Zone1_2" "family hot_cold" "family ${long:0:32}" "family ${long:0:30}_2"
"$tool" info several.cgns | grep '^patch' | sort >patches
printf 'patch %d     %s\n' -1 "none, 16 faces" 1 "Zone1, 4 faces" 2 "hot/cold, 4 faces" 3 "$long, 8 faces" 4 "${long}er, 8 faces" |
  sort | diff - patches || { echo "patches of block.su2 are others" && bad=1; }

back mixed.cgns 2
finds one.cgns "zone Zone: 12 nodes, 4 cells" "  section Tetrahedra: TETRA_4 1-1" "  section Pyramids: PYRA_5 2-2" \
  "  section Prisms: PENTA_6 3-3" "  section Hexahedra: HEXA_8 4-4" "  section ends: TRI_3 5-6" \
  "  section bottom: QUAD_4 7-7" "  condition ends: FaceCenter PointRange 5-6, FamilySpecified ends" \
  "  condition bottom: FaceCenter PointRange 7-7, FamilySpecified bottom" "family ends"
back polyhedra.cgns 2
finds one.cgns "  section Faces: NGON_n 1-11" "  section Polyhedra: NFACE_n 12-13, 12 sides, 1 from outside" \
  "  condition walls: FaceCenter PointRange 3-10, FamilySpecified walls"
back flat.cgns 2
finds one.cgns "base Base: 2, 2" "  section Triangles: TRI_3 1-2" "  section inlet: BAR_2 3-3" \
  "  condition wall: EdgeCenter PointRange 4-6, FamilySpecified wall"
finds several.cgns "  connection ToZone2: Vertex Abutting1to1, 2 PointList, 2 PointListDonor of Zone2" \
  "  connection ToZone1: Vertex Abutting1to1, 2 PointList, 2 PointListDonor of Zone1"
back "$data/two_cubes" 2
back zones_nodes.cgns 2
cp several.cgns read.cgns
back read.cgns 2

# A pentagon beside a square; a cube by its faces and one by its nodes, which other programs take only by their faces, too.
printf '%s\n' "# vtk DataFile Version 2.0" x ASCII "DATASET UNSTRUCTURED_GRID" "POINTS 7 float" "0 0 0 1 0 0 1 1 0 0 1 0 2 0 0" \
  "2 1 0 1.5 1.5 0" "CELLS 2 11" "4 0 1 2 3" "5 2 6 5 4 1" "CELL_TYPES 2" "9 7" >pentagon.vtk
back pentagon.vtk 2
finds one.cgns "  section Quadrangles: QUAD_4 1-1" "  section Polygons: NGON_n 2-2"
printf '%s\n' "# vtk DataFile Version 4.2" x ASCII "DATASET UNSTRUCTURED_GRID" "POINTS 12 double" "0 0 0 1 0 0 1 1 0 0 1 0 0 0 1" \
  "1 0 1 1 1 1 0 1 1 0 0 2 1 0 2 1 1 2 0 1 2" "CELLS 3 46" "31 6 4 0 3 2 1 4 4 5 6 7 4 0 1 5 4 4 1 2 6 5 4 2 3 7 6 4 3 0 4 7" \
  "8 4 5 6 7 8 9 10 11" "4 8 9 10 11" "CELL_TYPES 3" "42 12 9" "CELL_DATA 3" "SCALARS patch int 1" "LOOKUP_TABLE default" "0 0 5" >both.vtk
says 0 "" convert both.vtk one.cgns
same both.vtk one.cgns "hexahedra   1"
finds one.cgns "  section Faces: NGON_n 1-11" "  section Polyhedra: NFACE_n 12-13, 12 sides, 1 from outside"
"$look" one.cgns | grep -q Hexahedra && echo "both kinds of cells in one zone" && bad=1

# What cannot be written is said, and what was there stays.
says 0 "" convert mixed.cgns kept.cgns
chmod 640 kept.cgns
says 0 "" convert flat.cgns kept.cgns
[[ $(stat -c %a kept.cgns) == 640 ]] || { echo "kept.cgns has another mode" && bad=1; }
says 1 "cannot be written: folder '/no/folder': No such file or directory" convert mixed.cgns /no/folder/x.cgns
mkdir folder.cgns
says 1 "it is a folder" convert mixed.cgns folder.cgns
block 16 16 >large.su2
(
  ulimit -S -f 10
  says 1 "more bytes are needed, and nothing was written" convert mixed.cgns kept.cgns
  ulimit -S -f 300 # not at once, but while it is written
  says 1 "more bytes are needed, and nothing was written" convert large.su2 kept.cgns
  exit $bad
) || bad=1
# Where room was kept and is not there all the same; HDF5 crashes at exit with such a file. A sanitizer that is a library wants to be the
# first one.
for room in 100 10000; do
  (
    ulimit -c 0
    export OP2_TEST_ROOM=$room ASAN_OPTIONS=verify_asan_link_order=0:${ASAN_OPTIONS:-}
    timeout -k 1 60 env "LD_PRELOAD=$no_room" "$tool" convert mixed.cgns kept.cgns
  ) >out 2>&1 && bad=1
  grep -q "file 'kept.cgns'.*File Close error" out || { echo "no room after $room bytes:" && cat out && bad=1; }
done
same flat.cgns kept.cgns
mkdir alone
cp -L "$library" alone/libop2.so.1
cp kept.cgns before.cgns
LD_LIBRARY_PATH=$folder/alone says 1 "mesh_cgns" convert "$data/two_cubes" kept.cgns
cmp kept.cgns before.cgns || bad=1
compgen -G '*unfinished*' && echo "files that are not finished were left" && bad=1
exit $bad

# SPDX-License-Identifier: MIT
