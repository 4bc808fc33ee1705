#!/usr/bin/env bash
# fortran.sh: a Fortran program is built against the installed modules, with the flags of op2-config and with CMake, and runs without
# being told where the libraries are.
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

mkdir "$project/source"
cat >"$project/source/CMakeLists.txt" <<TEXT
cmake_minimum_required(VERSION 3.25)
project(somebody Fortran CXX)
find_package(op2 REQUIRED COMPONENTS fortran)
add_executable(by_cmake $here/outside/loop_fortran.f90)
target_link_libraries(by_cmake PRIVATE op2::fortran)
TEXT
configure "$project/build" "$project/source" -DCMAKE_PREFIX_PATH="$tree" || exit 1
build "$project/build" by_cmake || exit 1

for program in "$project/by_flags" "$project/build/by_cmake"; do run_everywhere "$tree" "$program"; done
verdict "a Fortran program outside"
