#!/usr/bin/env bash
# texts.sh: compilers keep the text of kernels in programs: by the options of op2-config, by op2cxx and op2cc, in CMake with op2::op2 and with
# op2_embed_kernels(); through ccache, link-time optimisation and strip; without a word in dependency files; and not where a program says so.
source "$(dirname "$0")/common.sh"
project=$work/texts
fresh "$project"
cp "$here"/outside/loop.c "$here"/outside/loop.cpp "$project"
cd "$project"
unset CCACHE_DISABLE
export OP2_BACKEND=seq OP2_LOG=info OP2_JIT=on OP2_JIT_CACHE=$project/cache CCACHE_DIR=$project/ccache
export LD_LIBRARY_PATH=$tree/$libdir
config=$tree/bin/op2-config

# kept WHETHER PROGRAM: its loop has (1) or has not (0) code made from its text, and the program is right.
kept() {
  local said whether=0
  said=$("./$2" seq 2>&1) || complain "$2: exit code $?: $said"
  if grep -Eq "loop 'add_edge'.* form (vector|scalar)" <<<"$said"; then whether=1; fi
  same "the text of $2" "$whether" "$1"
}
# made PROGRAM WORDS...: compiled and linked.
made() {
  local program=$1
  shift
  "$@" -o "$program" >"$program.log" 2>&1 || { complain "$program is not made: $(head -5 "$program.log")"; return 1; }
}
read -ra cxxflags <<<"$("$config" --cxxflags) -std=c++17 -O2"
read -ra cflags <<<"$("$config" --cflags) -O2"
read -ra libs <<<"$("$config" --libs)"
need g++ g++
made by_flags g++ "${cxxflags[@]}" loop.cpp "${libs[@]}" && kept 1 by_flags
made by_flags_c gcc "${cflags[@]}" loop.c "${libs[@]}" && kept 1 by_flags_c
made lto g++ -flto "${cxxflags[@]}" loop.cpp "${libs[@]}" && kept 1 lto
made asked_not_to g++ -DOP_UNIT_TEXT=NULL "${cxxflags[@]}" loop.cpp "${libs[@]}" && kept 0 asked_not_to
cp by_flags stripped && strip -s stripped && kept 1 stripped
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || { echo "left out: $compiler is not there"; continue; }
  OP2_CXX=$compiler made "op2cxx_$compiler" "$tree/bin/op2cxx" -std=c++17 -O2 loop.cpp && kept 1 "op2cxx_$compiler"
  OP2_CXX=$compiler "$tree/bin/op2cxx" -std=c++17 -O2 -MD -MP -c loop.cpp -o loop.o || complain "op2cxx -c with $compiler"
  if grep -q unit_text loop.d; then complain "$compiler: a dependency on what is gone: $(cat loop.d)"; fi
  OP2_CXX=$compiler made "linked_$compiler" "$tree/bin/op2cxx" loop.o && kept 1 "linked_$compiler"
done
for compiler in gcc clang; do
  command -v $compiler >/dev/null || continue
  OP2_CC=$compiler made "op2cc_$compiler" "$tree/bin/op2cc" -O2 loop.c && kept 1 "op2cc_$compiler"
done
if command -v ccache >/dev/null; then
  for time in first second; do
    ccache g++ "${cxxflags[@]}" -c loop.cpp -o "$time.o" && made "$time" g++ "$time.o" "${libs[@]}" && kept 1 "$time"
  done
  cmp -s first.o second.o || complain "ccache gives another object"
fi
# A program that does not compile is told so by its own compiler, once.
echo 'int main() { op_par_loop(nothing); }' >broken.cpp
if g++ "${cxxflags[@]}" -c broken.cpp 2>said; then complain "nonsense compiles"; fi
grep -q "broken.cpp:1:.*error" said || complain "nonsense is not told: $(cat said)"

mkdir source && cp loop.cpp source
cat >source/CMakeLists.txt <<TEXT
cmake_minimum_required(VERSION 3.20)
project(somebody CXX)
find_package(op2 REQUIRED)
add_executable(by_cmake loop.cpp)
target_link_libraries(by_cmake PRIVATE op2::op2)
target_compile_features(by_cmake PRIVATE cxx_std_17)
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  op2_embed_kernels(by_cmake)
endif()
TEXT
for compiler in g++ clang++; do
  command -v $compiler >/dev/null || continue
  cmake -S source -B "build_$compiler" -DCMAKE_CXX_COMPILER=$compiler -DCMAKE_PREFIX_PATH="$tree" >"$compiler.log" 2>&1 &&
    cmake --build "build_$compiler" >>"$compiler.log" 2>&1 || complain "CMake with $compiler: $(tail -3 "$compiler.log")"
  kept 1 "build_$compiler/by_cmake"
done
verdict "texts of kernels"

# SPDX-License-Identifier: MIT
