#!/usr/bin/env bash
# fortran.sh: a Fortran program is built against the installed modules, with the flags of op2-config and with CMake, and runs without
# being told where the libraries are. A kernel's text is inside the program.
source "$(dirname "$0")/common.sh"
need gfortran gfortran
[[ -f $tree/$libdir/libop2_fortran.so ]] || skip "the Fortran modules are not built"
project=$work/fortran
fresh "$project"
unset LD_LIBRARY_PATH
config=$tree/bin/op2-config

# The words of the answers are separate options.
# shellcheck disable=SC2046
gfortran $("$config" --fflags) "$here/outside/loop_fortran.f90" $("$config" --flibs) -Wl,-rpath,"$("$config" --libdir)" \
  -o "$project/by_flags" || complain "gfortran with op2-config"

deep=$project/build/a/b/c/d
mkdir -p "$project/source" "$deep" "$project/texts/kernels" "$project/texts/numbers"
cp "$here"/outside/scale_* "$project/texts/kernels"
cp "$here/outside/factors_fortran.f90" "$project/texts/numbers"
scale=("$project/texts/numbers/factors_fortran.f90" "$project/texts/kernels/scale_fortran.f90")
cat >"$project/source/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(somebody Fortran CXX)
find_package(op2 REQUIRED COMPONENTS fortran)
add_executable(by_cmake $here/outside/loop_fortran.f90)
target_link_libraries(by_cmake PRIVATE op2::fortran)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY $deep)
op2_add_program(added ${scale[*]})
# A library without libop2 keeps its texts for the programs that are linked with it.
add_library(numbers OBJECT ${scale[0]})
op2_embed_kernels(numbers)
op2_add_program(embedded ${scale[1]})
target_link_libraries(embedded PRIVATE numbers)
set_target_properties(numbers embedded PROPERTIES Fortran_MODULE_DIRECTORY $project/build/modules)
TEXT
configure "$project/build" "$project/source" -DCMAKE_PREFIX_PATH="$tree" || exit 1
build "$project/build" by_cmake added embedded || exit 1
# shellcheck disable=SC2046
gfortran -O2 -J "$project" $("$config" --fflags) "${scale[@]}" $("$config" --flibs) -Wl,-rpath,"$("$config" --libdir)" \
  -o "$deep/by_flags" || complain "gfortran with op2-config"
"$tree/bin/op2fc" -O2 -J "$project" "${scale[@]}" -o "$deep/by_wrapper" || complain "op2fc"
# finds WHETHER PROGRAM: loop scale has (1) or has not (0) code made from its text.
finds() {
  local said whether=0
  said=$(OP2_BACKEND=seq OP2_JIT=on OP2_LOG=info OP2_JIT_CACHE=off "$2" 2>&1) || complain "$2: exit code $?: $said"
  if grep -Eq "loop 'scale' .*form (vector|scalar)" <<<"$said"; then whether=1; fi
  same "the text of $2" "$whether" "$1"
}
strip --strip-debug "$deep/by_flags" "$deep/added" "$deep/embedded"
finds 1 "$deep/by_flags"
finds 1 "$deep/by_wrapper"
finds 1 "$deep/added"
finds 1 "$deep/embedded"

for program in "$project/by_flags" "$project/build/by_cmake"; do run_everywhere "$tree" "$program"; done
verdict "a Fortran program outside"

# SPDX-License-Identifier: MIT
