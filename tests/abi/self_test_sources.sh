#!/usr/bin/env bash
# self_test_sources.sh: the gate notices deliberate breaks of the real sources, made in a copy. The library of this test
# is linked from src/api alone: all exported functions are there, and breaking it costs seconds.
# shellcheck source=self_test_common.sh
source "$(dirname "$0")/self_test_common.sh"
# shellcheck source=dump.sh
source "$here/dump.sh"
# shellcheck source=layout_list.sh
source "$here/layout_list.sh"
need_baseline
need cmake strip
tree=$scratch/tree pristine=$scratch/pristine library=$scratch/lib/libop2.so.1.0.0
map=$tree/abi/op2.map

copy_sources() {
  mkdir -p "$tree/tests" "$scratch/lib" "$scratch/objects" "$scratch/build"
  cp -r "$root"/{CMakeLists.txt,CHANGELOG.md,CITATION.cff,include,src,abi,bindings,docs} "$tree"
  cp -r "$root/tests/abi" "$tree/tests"
  cp -r "$tree" "$pristine"
  ln -s libop2.so.1.0.0 "$scratch/lib/libop2.so.1"
  ln -s libop2.so.1 "$scratch/lib/libop2.so"
}

# The compiler's command lines come from CMake, so they are those of every other build.
configure() {
  cmake -S "$tree" -B "$scratch/build" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG="-g -O0" -DOP2_INSTALL=OFF \
    -DCMAKE_C_COMPILER="${CC:-cc}" -DCMAKE_CXX_COMPILER="${CXX:-c++}" -DOP2_OPENMP=OFF -DOP2_BUILD_TESTS=OFF \
    -DOP2_BUILD_EXAMPLES=OFF -DOP2_BUILD_BENCH=OFF -DOP2_FORTRAN=OFF >"$scratch/log" 2>&1 || { cat "$scratch/log"; return 1; }
}

# compile FILE...: of src/api, two at a time.
compile() {
  local file
  for file in "$@"; do
    sed -n "s|^ *\"command\": \"\(.* -c [^ ]*/src/api/$file\)\",*\$|\1|p" "$scratch/build/compile_commands.json" |
      sed -e 's/\\\(.\)/\1/g' -e "s| -o [^ ]* | -o $scratch/objects/$file.o |" | grep . ||
      complain "no command compiles $file"
  done >"$scratch/commands"
  xargs -d '\n' -n 1 -P 2 bash -c <"$scratch/commands" >"$scratch/log" 2>&1 ||
    { complain "cannot compile $*"; cat "$scratch/log"; }
}
compile_all() {
  local files=("$tree"/src/api/*.cpp)
  compile "${files[@]##*/}"
}
link() { # link [OPTION...]
  "${CXX:-c++}" -shared -Wl,-soname,libop2.so.1 -Wl,--version-script="$map" "$scratch"/objects/*.o -o "$library" "$@"
}

gate() { printf '%s\n' "$tree/abi/check.sh" --only "$1" --library "$library"; }
notices() { # notices CHECK WORDS
  local command
  mapfile -t command < <(gate "$1")
  must_fail "$2" "${command[@]}"
}
accepts() { # accepts CHECK
  local command
  mapfile -t command < <(gate "$1")
  must_pass "${command[@]}"
}

# change FILE SED-COMMAND: plants a break; restore FILE...: takes it back.
change() {
  sed -i "$2" "$tree/$1"
  ! cmp -s "$tree/$1" "$pristine/$1" || complain "the planted break changes nothing in $1: $2"
}
restore() {
  local file
  for file in "$@"; do cp "$pristine/$file" "$tree/$file"; done
}

copy_sources
configure && compile_all && link
((failures)) && verdict "self-test on the sources"
# Its own baseline, so that this test does not depend on what changed since the one in abi/.
list_layouts "$tree/include" "${CC:-cc}" c11 "$scratch" "$tree/abi/layouts.txt" || complain "cannot list the layouts"
dump_library "$library" "$tree/include" "$tree/abi/baseline/libop2.abi"
rm -rf "$tree/abi/baseline/include" && cp -r "$tree/include" "$tree/abi/baseline/include"
for check in version symbols dependences layouts baseline headers.c99; do accepts "$check"; done

# A function removed with all its traces.
change abi/op2.map '/op_map_compose/d'
change abi/symbols.txt '/^op_map_compose/d'
change include/op2/decl.h '/^OP_API op_map op_map_compose/d'
link
notices symbols "op_map_compose was removed"
notices baseline "Removed function"
restore abi/op2.map abi/symbols.txt include/op2/decl.h

# A parameter of another type.
change include/op2/decl.h 's/op_decl_set(op_index size/op_decl_set(op_gindex size/'
change src/api/decl.cpp 's/op_decl_set(op_index size/op_decl_set(op_gindex size/'
compile decl.cpp && link
notices baseline "typedef name changed from op_index to op_gindex"
restore include/op2/decl.h src/api/decl.cpp
compile decl.cpp

# A C++ function that gets out.
echo 'namespace op2 { __attribute__((visibility("default"))) int leak(int n) { return n; } }' >>"$tree/src/api/data.cpp"
change abi/op2.map 's/^ *op_arg_dat;/&\n    _ZN3op24leakEi;/'
compile data.cpp && link
notices symbols "_ZN3op24leakEi@@OP2_1.0 is a C++ name"
restore abi/op2.map src/api/data.cpp
compile data.cpp

# Links: another name, another library, nothing for the debugger.
link -Wl,-soname,libop2.so.2
notices dependences "the SONAME is 'libop2.so.2'"
notices baseline "SONAME changed"
echo 'void other(void) {}' >"$scratch/other.c"
"${CC:-cc}" -shared -fPIC "$scratch/other.c" -o "$scratch/libother.so" -Wl,-soname,libother.so
link -Wl,--no-as-needed "$scratch/libother.so"
notices dependences "it needs libother.so"
link && strip "$library"
notices baseline "has no debug information"
accepts symbols # it is there all the same: only the baseline needs to know more
link && accepts baseline

# Headers alone.
change include/op2/types.h 's/#define OP_INC 3/#define OP_INC 9/'
notices layouts "constant OP_INC was '3' and is '9'"
restore include/op2/types.h
change include/op2/plugin/exec.h '/(\*mem_free)/{h;d};/(\*mem_zero)/{G}' # one entry later than it was
notices layouts "field op_exec_ops_v1.mem_free was '40"
restore include/op2/plugin/exec.h
change include/op2/data.h '/#include "op2\/types.h"/d'
notices headers.c99 "op2/data.h does not compile alone as c99"
restore include/op2/data.h
change include/op2/version.h 's/^#define OP2_VERSION_MAJOR .*/#define OP2_VERSION_MAJOR 9/'
notices version "version.h 9."
restore include/op2/version.h
change CITATION.cff 's/^version: .*/version: 9.0.0/'
notices version "CITATION.cff '9.0.0'"
restore CITATION.cff

# A frozen struct that grew.
change include/op2/types.h 's/^} op_arg;/  void *more;\n&/'
compile_all && link
notices baseline "type size changed from 1024 to 1088"
notices layouts "struct op_arg had 128 bytes and has 136"
verdict "self-test on the sources: $caught breaks caught"

# SPDX-License-Identifier: MIT
