#!/usr/bin/env bash
# in_vectors.sh PROGRAM EMBEDDED ARGUMENT...: airfoil is right, and all of its loops run in vectors where the machine has some; without sources
# it is right, too, and says once how to give them; and it is with texts that are not what it was compiled from, which it names. EMBEDDED: the
# same program with the texts of its kernels inside.
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
# Its line tables say where its sources are.
if ldconfig -p 2>/dev/null | grep -q libdw.so.1 && readelf -S "$program" | grep -q debug_info; then
  said=$(OP2_LOG=info "$folder/alone" "$@" 2>&1) || fail "the program failed with line tables: $said"
  grep -q "loop 'update' .* form vector" <<<"$said" || fail "line tables gave no text: $said"
fi
strip --strip-debug "$folder/alone"
said=$("$folder/alone" "$@" 2>&1) || fail "the program failed without its sources: $said"
[[ $(grep -c "warning.*the text of module 'airfoil_kernels' is not found.*-g1.*OP2_SOURCE_PATH.*op2_embed_kernels.*op_source_text" <<<"$said") == 1 ]] ||
  fail "nothing said of missing sources: $said"
cp "$embedded" "$folder/embedded"
strip --strip-debug "$folder/embedded"
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
# refused WHAT WORDS: the answers are right with the sources as they are now, and this is said of loop update.
refused() {
  said=$(OP2_LOG=info "$folder/alone" "${arguments[@]}" 2>&1) || fail "the program failed with $1: $said"
  grep -q "loop 'update' .*$2" <<<"$said" || fail "with $1: $(grep "'update'" <<<"$said")"
}
arguments=("$@")
kernels=$folder/src/kernels.F90
touch -d '1 hour' "$kernels"
refused "a newer source" "form element .*src/kernels.F90:[0-9]*: the text of module 'airfoil_kernels' is in a file that is newer than the program; rebuild it"
# One that changed and does not look so: the trial finds it, and says where that text is.
sed -i 's/rms = rms + /rms = rms + 2 */' "$kernels"
touch -d '1 hour ago' "$kernels"
refused "another source" "runs as compiled with the program: .*differ.*code made of .*src/kernels.F90:[0-9]*"
cp "$sources/kernels.F90" "$folder/src/copy.F90"
touch -d '1 hour ago' "$folder/src/copy.F90"
# What is remembered of runs before knows nothing of a file that came since.
OP2_JIT_CACHE=off refused "two sources" "form element .*src/kernels.F90:[0-9]*: module 'airfoil_kernels' has another text in .*src/copy.F90:[0-9]*"
rm "$folder/src/copy.F90"
sed 's/^\( *\)rms = /\1rms ? /' "$sources/kernels.F90" >"$kernels"
touch -d '1 hour ago' "$kernels"
refused "a line that cannot be read" "form element .*src/kernels.F90:[0-9]*: "
printf '\0' >>"$kernels"
touch -d '1 hour ago' "$kernels"
refused "a file that is no text" "form element .*src/kernels.F90:[0-9]*: the text of module 'airfoil_kernels' is in a file that is not text"
