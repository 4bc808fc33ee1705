#!/usr/bin/env bash
# program.sh KIND LIBRARY INCLUDE-FOLDER: a program built by a plain compiler command line with these headers runs with
# the library and gives the right answers. KIND: c, cxx, hpp (op2.hpp), trace (libop2_trace), dlopen (finds libop2.so.1 and its functions at
# run time, links nothing), or plugin (an executor built with these headers, used by a program in C).
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need_plain_programs
kind=$1 library=$2 include=$3
folder=$(cd "$(dirname "$library")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
c=("${CC:-cc}" -std=c99 -Wall -Wextra -Wpedantic -Werror -I"$include")
cxx=("${CXX:-c++}" -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$include")
link=(-L"$folder" -lop2 -o "$scratch/program")
plugin=(-shared -fPIC "$here/plugin.c" -o "$scratch/op2_exec_plain.so")
backends=(seq auto)

# build COMMAND...
build() {
  "$@" && return
  complain "cannot build: $*"
  verdict "program $kind"
}
plugin_number() { sed -n 's/^#define OP2_PLUGIN_ABI \([0-9]*\)u.*/\1/p' "$1/op2/plugin/plugin.h"; }
case $kind in
  c) build "${c[@]}" "$here/program.c" "${link[@]}" ;;
  cxx) build "${cxx[@]}" "$here/program.cpp" "${link[@]}" ;;
  hpp) build "${cxx[@]}" "$here/program_hpp.cpp" "${link[@]}" ;;
  trace) build "${c[@]}" "$here/program_trace.c" -L"$folder" -lop2_trace "${link[@]}" ;;
  dlopen) build "${c[@]}" "$here/program_dlopen.c" -ldl -o "$scratch/program" ;;
  plugin)
    [[ $(plugin_number "$include") == "$(plugin_number "$root/include")" ]] ||
      skip "OP2_PLUGIN_ABI is not what it is in these headers: plugins built with them are refused, as it should be"
    build "${c[@]}" "${plugin[@]}"
    build "${c[@]}" "$here/program.c" "${link[@]}"
    backends=(plain) ;;
  *) complain "unknown kind of program: $kind"; verdict "program $kind" ;;
esac

unset "${!OP2_@}"
export LD_LIBRARY_PATH=$folder
[[ $kind != plugin ]] || export OP2_PLUGIN_PATH=$scratch
for backend in "${backends[@]}"; do
  output=$(OP2_BACKEND=$backend timeout 60 "$scratch/program" 2>&1) ||
    complain "OP2_BACKEND=$backend: exit code $?, it says: $output"
  [[ $output == *"all answers are right"* ]] || complain "OP2_BACKEND=$backend: it says: $output"
done
if [[ $kind == plugin ]]; then
  [[ $output == *"right on self+plain"* && $output == *"the plugin ran 3 loops"* ]] ||
    complain "the plugin did not run the loops; the program says: $output"
  verdict "program $kind"
fi
# A name nobody knows must end the program with code 1 and a word.
if output=$(OP2_BACKEND=sek timeout 60 "$scratch/program" 2>&1); then
  complain "OP2_BACKEND=sek: the program went on"
else
  code=$?
  ((code == 1)) || complain "OP2_BACKEND=sek: exit code $code instead of 1"
  [[ $output == *"did you mean 'seq'"* ]] || complain "OP2_BACKEND=sek: it says: $output"
fi
verdict "program $kind"

# SPDX-License-Identifier: MIT
