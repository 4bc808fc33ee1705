#!/usr/bin/env bash
# in_vectors.sh PROGRAM ARGUMENT...: airfoil is right, and all of its loops run in vectors where the machine has some, from the texts
# that its compiler has kept: wherever it runs, whatever lies there, and without line tables. Without texts it is right, too, and says once how
# to give them.
set -eu
program=$1
shift
fail() {
  echo "in_vectors.sh: $*"
  exit 1
}
# in_vectors PROGRAM WHAT ARGUMENT...
in_vectors() {
  local program=$1 what=$2 said
  shift 2
  said=$(OP2_LOG=info "$program" "$@" 2>&1) || fail "$what failed: $said"
  for loop in save_soln adt_calc res_calc bres_calc update; do
    grep -q "loop '$loop' .* form vector" <<<"$said" || fail "$what: $loop is not in vectors: $(grep "loop '$loop'" <<<"$said")"
  done
}
in_vectors "$program" "the program" "$@"

folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$program" "$folder/elsewhere"
strip --strip-debug "$folder/elsewhere"
# A text of the same name where the program runs is none of its own.
cp "$(dirname "$0")"/airfoil/*.f90 "$(dirname "$0")"/airfoil/*.F90 "$folder"
sed -i 's/rms = rms + /rms = rms + 2 */' "$folder/kernels.F90"
touch -d '1 hour ago' "$folder"/*.F90
(cd "$folder" && OP2_JIT_CACHE=off in_vectors ./elsewhere "a copy beside another text" "$@")

objcopy -R .note.op2 "$program" "$folder/alone"
said=$("$folder/alone" "$@" 2>&1) || fail "the program failed without its texts: $said"
[[ $(grep -c "warning.*the text of module 'airfoil_kernels' is not found.*op2-config --fflags.*op2_embed_kernels.*op_kernel_source" <<<"$said") == 1 ]] ||
  fail "nothing said of missing texts: $said"

# SPDX-License-Identifier: MIT
