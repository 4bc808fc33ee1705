#!/usr/bin/env bash
# tool.sh OP2_MESH DATA FILES: op2_mesh as users call it, on small meshes. FILES=no: there is no driver for HDF5 files here.
set -uo pipefail
tool=$1 data=$2 files=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
bad=0

# says CODE WORDS ARGUMENT...: op2_mesh ends with this code and prints the words.
says() {
  local code=$1 words=$2 got
  shift 2
  timeout -k 1 60 "$tool" "$@" >"$folder/out" 2>&1
  got=$?
  if ((got != code)) || { [[ -n $words ]] && ! grep -qF -- "$words" "$folder/out"; }; then
    echo "op2_mesh $*: exit code $got instead of $code, or no '$words' in:"
    cat "$folder/out"
    bad=1
  fi
}

says 0 "usage: op2_mesh convert" --help
says 0 "op2_mesh of " --version
says 2 "a command is expected"
says 2 "there is no command 'show'" show x
says 2 "convert needs two files" convert x
says 2 "info needs one file" info
says 2 "option '--what' is unknown" info x --what 1
says 2 "--scale 0: a number above zero is expected" info x --scale 0
says 2 "partition needs -n P" partition x y
says 1 "No such file or directory" info "$folder/nothing.msh"
says 1 "there is no mesh format 'gmesh'" info "$data/two_squares.dat" --format gmesh
says 0 "cells       2" info "$data/two_cubes"
says 0 "patch 1     walls, 9 faces" info "$data/two_cubes"
says 0 "volume      16, of a cell 8 to 8" info "$data/two_cubes" --scale 2
says 0 "clean" check "$data/two_cubes"
sed 's/^1 2 5 4$/1 2 4 5/' "$data/two_squares.dat" >"$folder/crossed.dat"
says 1 "cells have no volume" check "$folder/crossed.dat"
sed '9s/5/6/' "$data/two_squares.dat" >"$folder/outside.dat"
says 1 "outside.dat: line 9: expected the number of a node from 0 to 5, found 6" info "$folder/outside.dat"
says 0 "" convert "$data/two_cubes" "$folder/cubes.vtu"
says 0 "patch 1     patch1, 9 faces" info "$folder/cubes.vtu"
says 0 "volume      2, of a cell 1 to 1" info "$folder/cubes.vtu"
says 0 "" partition "$data/two_cubes" "$folder/cubes.pvtu" -n 2
says 0 "nodes       8" info "$folder/cubes_1.vtu"
says 0 "nodes       12" info "$folder/cubes.pvtu"
says 0 "clean" check "$folder/cubes.pvtu"
rm "$folder/cubes_0.vtu"
says 1 "cubes_0.vtu: No such file or directory" info "$folder/cubes.pvtu"
says 1 "/no/folder" convert "$data/two_cubes" /no/folder/cubes.vtu
printf '\377\376N\0D\0' >"$folder/wide.su2"
says 1 "wide.su2: this is text in UTF-16, which cannot be read; UTF-8 can" info "$folder/wide.su2"
cp -r "$data/two_cubes" "$folder/marked" && mkdir "$folder/marked/polyMesh/sets"
(printf '\357\273\277' && sed 's/$/\r/' "$data/two_cubes/polyMesh/faces") >"$folder/marked/polyMesh/faces"
echo 'FoamFile{format ascii;class regIOobject;}1(rotor{type cellZone;cellLabels List<label> 2(0 1);})' >"$folder/marked/polyMesh/cellZones"
echo 'FoamFile{format ascii;class regIOobject;}1(rotor' >"$folder/marked/polyMesh/faceZones"
says 0 "zone rotor with 2 cells is left out" info "$folder/marked"
says 0 "zones are left out, and cannot be counted: $folder/marked/polyMesh/faceZones: line 2: expected '{', but the file ends" info "$folder/marked"
says 0 "the sets in folder sets are left out" info "$folder/marked"
says 0 "clean" check "$folder/marked"
head -c 60 "$data/two_squares.dat" >"$folder/short.dat"
says 1 "short.dat: line" check "$folder/short.dat"

# No command writes over what it reads, by whatever name, nor under the name of a format that it does not write.
# keeps WORDS ARGUMENT...: op2_mesh ends with 2 and these words, and all files stay as they are.
keeps() {
  (cd "$folder/own" && find . -type f -exec cksum {} + | sort) >"$folder/before"
  says 2 "$@"
  (cd "$folder/own" && find . -type f -exec cksum {} + | sort) | cmp - "$folder/before" || { echo "after op2_mesh ${*:2}" && bad=1; }
}
mkdir -p "$folder/own/link" && cp -r "$data/two_cubes" "$folder/own/cubes" && cp "$data/two_squares.dat" "$folder/own/squares"
says 0 "" partition "$data/two_cubes" "$folder/own/parts.pvtu" -n 2
cp "$folder/own/parts_0.vtu" "$folder/own/other_0.vtu"
ln -s ../squares "$folder/own/link/soft" && ln "$folder/own/squares" "$folder/own/link/hard"
over="which the mesh is read from" name="has the name of a format that is not written"
for command in convert renumber "partition -n 2"; do
  keeps "$over" $command "$folder/own/squares" "$folder/own/squares" --format airfoil
  keeps "$over" $command "$folder/own/squares" "$folder/own/link/../squares" --format airfoil
  keeps "$over" $command "$folder/own/link/soft" "$folder/own/squares" --format airfoil
  keeps "$over" $command "$folder/own/squares" "$folder/own/link/soft" --format airfoil
  keeps "$over" $command "$folder/own/squares" "$folder/own/link/hard" --format airfoil
  keeps "$over" $command "$folder/own/parts.pvtu" "$folder/own/parts_1.vtu"
  keeps "$over" $command "$folder/own/other_0.vtu" "$folder/own/other.pvtu"
  for folder_of in "" /polyMesh; do keeps "$over" $command "$folder/own/cubes$folder_of" "$folder/own/cubes/polyMesh/faces"; done
  for ending in msh mesh meshb su2 vtk dat MSH; do keeps "$name" $command "$data/two_cubes" "$folder/own/new.$ending"; done
  keeps "ends otherwise than with .vtu" $command "$data/two_cubes" "$folder/own/new.VTU"
done
printf 'NDIME= 2\nSPAM= 1\nNELEM= 1\n5 0 1 2\nNPOIN= 3\n0 0\n1 0\n0 1\nNMARK= 1\nMARKER_TAG= all\nMARKER_ELEMS= 3\n3 0 1\n3 1 2\n3 2 0\n' \
  >"$folder/noted.su2"
says 0 "op2_mesh: note " convert "$folder/noted.su2" "$folder/noted.vtu" # what is left out is told
says 0 "wrote $folder/cubes.vtu (VTK): 12 nodes, 2 cells" convert "$data/two_cubes" "$folder/cubes.vtu"

if [[ $files != no ]]; then
  says 0 "wrote $folder/cubes.h5 (HDF5): 12 nodes, 2 cells" convert "$data/two_cubes" "$folder/cubes.h5"
  says 0 "wrote $folder/again.h5 (HDF5): 6 nodes, 2 cells" renumber "$data/two_squares.dat" "$folder/again.h5"
  says 2 "$over" renumber "$folder/cubes.h5" "$folder/cubes.h5"
  says 0 "" convert "$data/two_cubes" "$folder/cubes.h5"
  says 0 "patch 1     walls, 9 faces" info "$folder/cubes.h5"
  says 0 "clean" check "$folder/cubes.h5"
  says 0 "writing" convert "$data/two_squares.dat" "$folder/squares.h5" --progress
  says 0 "patch 2     farfield, 4 faces" info "$folder/squares.h5"
  says 0 "clean" check "$folder/squares.h5"
  says 1 "/no/folder" convert "$data/two_cubes" /no/folder/cubes.h5
  says 0 "" renumber "$data/two_squares.dat" "$folder/again.h5"
  says 0 "clean" check "$folder/again.h5"
  says 0 "" renumber "$folder/cubes.h5" "$folder/again.h5" --method hilbert
  says 0 "clean" check "$folder/again.h5"
  says 0 "" partition "$folder/cubes.h5" "$folder/parts.h5" -n 2
  says 0 "clean" check "$folder/parts.h5"
  # More names of patches than an attribute of HDF5 holds, one of them longer than any of its pieces.
  awk 'BEGIN { n = 2000; print "NDIME= 2\nNELEM= " n; for (i = 0; i < n; i++) print 9, 2 * i, 2 * i + 2, 2 * i + 3, 2 * i + 1
    print "NPOIN= " 2 * n + 2; for (i = 0; i <= n; i++) print i, 0 "\n" i, 1
    print "NMARK= " n; name = "floor_with_a_name_that_is_quite_long_"; for (i = 0; i < 6; i++) name = name name
    for (i = 0; i < n; i++) print "MARKER_TAG= " (i == 7 ? name : substr(name, 1, 37)) i "\nMARKER_ELEMS= 1\n3", 2 * i, 2 * i + 2 }' >"$folder/many.su2"
  says 0 "" convert "$folder/many.su2" "$folder/many.h5"
  "$tool" info "$folder/many.su2" | grep '^patch' | sort >"$folder/given"
  "$tool" info "$folder/many.h5" | grep '^patch' | sort >"$folder/kept"
  if ! cmp "$folder/given" "$folder/kept" || (($(wc -l <"$folder/kept") != 2001)); then
    echo "patches of many.su2 were lost:" && diff "$folder/given" "$folder/kept" | head -n 4
    bad=1
  fi
  says 1 "cannot be in 3 parts" partition "$folder/cubes.h5" "$folder/parts.h5" -n 3
  head -c 3000 "$folder/cubes.h5" >"$folder/cut.h5"
  says 1 "cut.h5" info "$folder/cut.h5"
fi
exit $bad

# SPDX-License-Identifier: MIT
