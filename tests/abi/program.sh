#!/usr/bin/env bash
# program.sh KIND LIBRARY INCLUDE-FOLDER: a program built by a plain compiler command line against the built library
# runs and gives the right answers. KIND: c, cxx, or dlopen (finds libop2.so.1 and its
# functions at run time, links nothing).
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
kind=$1 library=$2 include=$3
folder=$(dirname "$library")
case ${OP2_SANITIZE:-} in
  *address* | *thread* | *memory*)
    echo "SKIPPED: no plain program can load a library built with -fsanitize=$OP2_SANITIZE: its runtime must come first"
    exit 77 ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
warnings=(-Wall -Wextra -Wpedantic -Werror)
case $kind in
  c) build=("${CC:-cc}" -std=c99 "${warnings[@]}" -I"$include" "$here/program.c" -L"$folder" -lop2) ;;
  cxx) build=("${CXX:-c++}" -std=c++17 "${warnings[@]}" -I"$include" "$here/program.cpp" -L"$folder" -lop2) ;;
  dlopen) build=("${CC:-cc}" -std=c99 "${warnings[@]}" -I"$include" "$here/program_dlopen.c" -ldl) ;;
  *) complain "unknown kind of program: $kind" ;;
esac
"${build[@]}" -o "$scratch/program" || { complain "cannot build: ${build[*]}"; verdict "program $kind"; }

unset OP2_BACKEND OP2_ERROR OP2_LOG OP2_PLUGIN_PATH
for backend in seq auto; do
  output=$(LD_LIBRARY_PATH=$folder OP2_BACKEND=$backend "$scratch/program" 2>&1) ||
    complain "OP2_BACKEND=$backend: exit code $?, it says: $output"
  [[ $output == *"all answers are right"* ]] || complain "OP2_BACKEND=$backend: it says: $output"
done
# A name nobody knows must end the program with code 1 and a word.
if output=$(LD_LIBRARY_PATH=$folder OP2_BACKEND=sek "$scratch/program" 2>&1); then
  complain "OP2_BACKEND=sek: the program went on"
else
  code=$?
  ((code == 1)) || complain "OP2_BACKEND=sek: exit code $code instead of 1"
  [[ $output == *"did you mean 'seq'"* ]] || complain "OP2_BACKEND=sek: it says: $output"
fi
verdict "program $kind"
