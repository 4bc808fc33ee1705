#!/usr/bin/env bash
# in_vectors.sh PROGRAM EMBEDDED ARGUMENT...: airfoil is right, and all of its loops run in vectors where the machine has some; without sources
# it is right, too, and says once how to give them. EMBEDDED: the same program with
# the texts of its kernels inside.
set -eu
program=$1
embedded=$2
shift 2
fail() {
  echo "in_vectors.sh: $*"
  exit 1
}
said=$(OP2_LOG=info "$program" "$@" 2>&1) || fail "the program failed: $said"
for loop in save_soln adt_calc res_calc bres_calc update; do
  grep -q "loop '$loop' .* form vector" <<<"$said" || fail "$loop is not in vectors: $(grep "loop '$loop'" <<<"$said")"
done
unset OP2_SOURCE_PATH
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$program" "$folder/alone"
said=$("$folder/alone" "$@" 2>&1) || fail "the program failed without its sources: $said"
[[ $(grep -c "warning.*the text of module 'airfoil_kernels' is not found.*OP2_SOURCE_PATH" <<<"$said") == 1 ]] || fail "nothing said of missing sources: $said"
cp "$embedded" "$folder/embedded"
said=$(OP2_LOG=info "$folder/embedded" "$@" 2>&1) || fail "the program with texts inside failed: $said"
grep -q "loop 'update' .* form vector" <<<"$said" || fail "texts inside the program were not found: $said"
sources=$(cd "$(dirname "$0")/airfoil" && pwd)
said=$(OP2_LOG=info OP2_SOURCE_PATH=/nowhere:$sources "$folder/alone" "$@" 2>&1) || fail "the program failed with OP2_SOURCE_PATH: $said"
grep -q "loop 'update' .* form vector" <<<"$said" || fail "OP2_SOURCE_PATH gave no text: $said"
# A source that is newer than the program is not what it was compiled from.
mkdir "$folder/src"
cp "$sources"/*.f90 "$sources"/*.F90 "$folder/src"
touch -d '1 hour ago' "$folder/src"/*
said=$(OP2_LOG=info "$folder/alone" "$@" 2>&1) || fail "the program failed beside its sources: $said"
grep -q "loop 'update' .* form vector" <<<"$said" || fail "sources beside the program were not found: $said"
touch -d '1 hour' "$folder/src/kernels.F90"
said=$(OP2_LOG=info "$folder/alone" "$@" 2>&1) || fail "the program failed beside a newer source: $said"
grep -q "loop 'update' .* form element .*kernels.F90 is newer than the program; rebuild it" <<<"$said" || fail "a newer source was taken: $said"
