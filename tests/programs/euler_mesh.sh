#!/usr/bin/env bash
# euler_mesh.sh EULER3D FETCH FOLDER naca0012|cube OP2_MESH [LAUNCHER...]: the Euler example on a third-party mesh, whose
# verdict is the answer; with a launcher it is only begun, and a picture comes out. Ends with 77 and a reason when the mesh
# cannot be fetched.
set -euo pipefail
euler=$1 fetch=$2 folder=$3 mesh=$4 convert=$5
shift 5

mkdir -p "$folder"
flock "$folder" bash "$fetch" "$folder" "$mesh" # passes its 77 on
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

factor=25 drag=0.05 # of the residual, with which the drag has come down to that
if (($#)); then factor=10 drag=0.25; fi
case $mesh in
  naca0012)
    file=$folder/naca0012/polyMesh
    arguments=(--mach 0.5 --alpha 0 --walls "pressure,suction" --symmetry frontBack --steps 400 --factor "$factor")
    size="37800 cells, 74997 faces, 76806 boundary faces"
    ;;
  cube)
    file=$folder/cube_big_tetra.mesh
    arguments=(--steps 1 --factor 1 --lines "$work/lines.vtp" --lines-every 1 --seeds -0.4,-0.4,-0.4:0.4,0.4,0.4:20)
    size="202596 cells, 399108 faces, 12168 boundary faces, 36878 nodes"
    ;;
esac
if (($#)); then arguments+=(--view "$work/boundary.vtkhdf"); fi
OP2_BACKEND=self+seq "$convert" convert "$file" "$work/mesh.h5"
"$@" "$euler" --file "$work/mesh.h5" "${arguments[@]}" | tee "$work/out"
grep -q "$size" "$work/out" || { echo "this is not the mesh: $size are expected" && exit 1; }
if [[ $mesh == naca0012 ]]; then # a symmetric profile at no angle, both halves numbered alike
  awk -v most=$drag '/residual .* lift/ { sub(",", "", $10); lift = $10; drag = $12; seen = 1 }
       END { exit !(seen && lift * lift < 1e-12 && drag > 0 && drag < most) }' "$work/out" ||
    { echo "lift must be 0 and drag small" && exit 1; }
fi
if [[ $mesh == cube ]]; then # streamlines while it runs
  grep -aq 'NumberOfLines="20"' "$work/lines_000001.vtp" || { echo "20 streamlines are expected" && exit 1; }
fi
if (($#)); then
  [[ -s $work/boundary.vtkhdf ]] || { echo "there is no view" && exit 1; }
  if /usr/bin/python3 -c "import h5py, matplotlib" 2>/dev/null; then
    /usr/bin/python3 "$(dirname "$fetch")/../../src/tools/op2_plot" "$work/boundary.vtkhdf" mach -o "$work/mach.png" --where "patch == 0" \
      --along z --window=-0.5,1.5,-0.65,0.65
    [[ $(head -c 4 "$work/mach.png" | tail -c 3) == PNG ]] || { echo "there is no picture" && exit 1; }
  fi
fi

# SPDX-License-Identifier: MIT
