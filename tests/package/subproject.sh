#!/usr/bin/env bash
# subproject.sh add_subdirectory|FetchContent: a project that builds libop2 as a part of itself gets the library, its
# plugins and its CMake functions, and none of its tests, examples, settings or install rules. With add_subdirectory it does so on a
# machine that has a compiler and CMake and nothing else: no header, library or tool of a package is found. bare.sh looks at
# what was built there.
source "$(dirname "$0")/common.sh"
way=$1
project=$work/subproject-$way
fresh "$project"
from=$source_folder
if [[ $way == FetchContent ]]; then
  from=$project/libop2.tar.gz
  tar -C "$source_folder" -czf "$from" CMakeLists.txt src include abi bindings
fi
settings=(-DWAY="$way" -DOP2_FROM="$from" -DLOOPS="$here/outside" -DOP2_WERROR="$TEST_WERROR")
expected=$(executors "$tree")
if [[ $way == add_subdirectory ]]; then
  bare=(-DCMAKE_FIND_ROOT_PATH="$project/nothing")
  for kind in INCLUDE LIBRARY PACKAGE; do bare+=(-DCMAKE_FIND_ROOT_PATH_MODE_$kind=ONLY); done
  for package in OpenMP MPI PkgConfig TBB ZLIB; do bare+=(-DCMAKE_DISABLE_FIND_PACKAGE_$package=ON); done # found by running compilers
  settings+=("${bare[@]}" -DCMAKE_CXX_FLAGS_RELEASE=-O0) # how fast it is, is not asked here
  # Whichever compiler is done first. What gcc says of these sources it has said in the first build.
  if command -v clang >/dev/null && command -v clang++ >/dev/null; then :; fi
  expected=$'seq\ncheck'
fi
configure "$project/build" "$here/subproject" "${settings[@]}" -DCMAKE_BUILD_TYPE="$TEST_CONFIG" -DCMAKE_UNITY_BUILD=ON || exit 1
build "$project/build" all || exit 1

# The plugins lie beside the library, wherever that is; op2_info shows the executors.
info=$(find "$project/build" -type f -name op2_info)
mkdir -p "$project/as-installed"
ln -s "$(dirname "$info")" "$project/as-installed/bin"
same "executors" "$(executors "$project/as-installed" | sort)" "$(sort <<<"$expected")"
for program in loop_c loop_cpp; do run_everywhere "$project/as-installed" "$project/build/$program"; done

# The functions for programs that travel are there, too.
[[ -n $(find "$project/build/loop_c_op2_code" -name '*.so') ]] || complain "op2_precompile keeps no code"

same "tests registered" "$(cd "$project/build" && ctest -N | sed -n 's/^Total Tests: //p')" 0
same "examples built" "$(find "$project/build" -type f -name 'quads*')" ""
cmake --install "$project/build" --prefix "$project/prefix" >/dev/null
same "installed files" "$(cd "$project/prefix" && find . -type f)" "./bin/loop_c"

# The project's build type counts. One without any gets an optimised library all the same.
if [[ $way == add_subdirectory ]]; then
  configure "$project/debug" "$here/subproject" "${settings[@]}" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-Og || exit 1
  grep '"command".*/src/loop/engine/engine\.cpp' "$project/debug/compile_commands.json" | grep -q -- ' -Og .*-fPIC' ||
    complain "the library has another build type than the project"
  configure "$project/typeless" "$here/subproject" "${settings[@]}" -DCMAKE_BUILD_TYPE= || exit 1
  grep '"command".*/src/loop/engine/engine\.cpp' "$project/typeless/compile_commands.json" | grep -q -- '-O2' ||
    complain "the library is not optimised"
fi
verdict "libop2 by $way"

# SPDX-License-Identifier: MIT
