#!/usr/bin/env bash
# ship.sh: programs of an outside project that run far from their sources, and from any compiler. Those that bring the
# text of their kernels get code made for their loops, compiled there or beforehand; the others say why they do not.
source "$(dirname "$0")/common.sh"
for name in "${!OP2_JIT@}" "${!OP2_CXX@}"; do unset "$name"; done
command -v c++ g++ clang++ >/dev/null || skip "the library finds no C++ compiler in PATH"
project=$work/ship
fresh "$project"
cp -r "$here/ship" "$project/source"
export LD_LIBRARY_PATH=$tree/$libdir OP2_BACKEND=seq OP2_LOG=info OP2_JIT=on # vectors from the first call on

configure "$project/build" "$project/source" -DCMAKE_PREFIX_PATH="$tree" || exit 1
build "$project/build" all || exit 1
grep -q 'op2_precompile(solver): code of 2 loops' "$project/build.build.log" || complain "solver: not two loops are compiled"
grep -q 'op2_precompile(waves): code of 1 loops' "$project/build.build.log" || complain "waves: not one loop is compiled"

# A change of a header is a change of the program's text.
sleep 0.1
echo '// another line' >>"$project/source/include/flow/gas.h"
build "$project/build" all || exit 1
grep -q 'Compiling the loops of solver' "$project/build.build.log" || complain "a changed header is not embedded again"
grep -q 'Compiling the loops of waves' "$project/build.build.log" && complain "an unchanged program is embedded again"

cmake --install "$project/build" --prefix "$project/away" >/dev/null
kernels=$tree/$libdir/cmake/op2/op2Kernels.cmake
mkdir "$project/empty"
cmake -DOP2_CHECK_FOLDER="$project/empty" -DOP2_CHECK_TARGET=solver -P "$kernels" >"$project/nothing" 2>&1 &&
  complain "op2_precompile takes a run that compiles nothing"
grep -q 'the run compiled no loop' "$project/nothing" || complain "it does not say why: $(cat "$project/nothing")"
rm -rf "$project/source" "$project/build"

# run NAME PROGRAM [ARGUMENT...]: the settings are in the environment; the output goes to NAME.
run() {
  local name=$1 program=$2
  shift 2
  "$project/away/bin/$program" "$@" >"$project/$name" 2>&1 || complain "$name: exit code $?"
}
# has NAME COUNT PATTERN: so many lines match.
has() {
  local count
  count=$(grep -cE -- "$3" "$project/$1" || true)
  [[ $count == "$2" ]] || complain "$1: $count lines match '$3', not $2: $(cat "$project/$1")"
}
vector='form vector x[0-9]+'

# With a compiler: compiled where they run, then taken from the cache.
export OP2_JIT_CACHE=$project/cache
run here solver
has here 2 "$vector \(compiled by"
run here_again solver
has here_again 2 "$vector \(from the cache"
run here_c waves
has here_c 1 "$vector \(compiled by"
OP2_BACKEND=$(executors "$tree" | grep -vx -e check | tail -n 1) run here_threads solver 2000
has here_threads 2 "$vector(, owner)? \(from the cache"

# Without the text.
run plain solver_plain
has plain 2 'form (range|own) .*the text of its unit is not in the program: compile with op2cxx'
has plain 0 '^op2: warning'

# Without a compiler: shipped code, whatever the size of the mesh; no form is worse for a program that ships none.
export OP2_JIT_CACHE=off OP2_CXX=/nonexistent
OP2_JIT_CACHE=off:$project/away/lib/solver run shipped solver
has shipped 2 "$vector \(from the cache, $project/away/lib/solver/"
has shipped 0 '^op2: warning'
OP2_JIT_CACHE=off:$project/away/lib/solver run shipped_100000 solver 100000
has shipped_100000 2 "$vector \(from the cache"
# The library makes other code for data that fill no cache; shipped code is for any size.
cache=$(getconf LEVEL3_CACHE_SIZE 2>/dev/null || true)
[[ $cache =~ ^[1-9][0-9]*$ ]] || cache=$((32 << 20))
if ((cache <= 512 << 20)); then
  OP2_JIT_CACHE=off:$project/away/lib/solver run shipped_large solver $((cache / 24))
  has shipped_large 2 "$vector \(from the cache, $project/away/lib/solver/"
  has shipped_large 0 '^op2: warning'
else
  echo "left out: a mesh that does not fit into a cache of $((cache >> 20)) MiB takes too long"
fi
OP2_JIT_CACHE=off:$project/away/lib/solver:$project/away/lib/waves run shipped_c waves
has shipped_c 1 "$vector \(from the cache, $project/away/lib/waves/"
run unshipped solver
has unshipped 2 'form (range|own) .*no C\+\+ compiler: OP2_CXX'
has unshipped 1 '^op2: warning'

# Code for another kind of processor.
other=scalar
[[ $(uname -m) != x86_64 ]] || other=sse2
OP2_JIT_ISA=$other OP2_JIT_CACHE=off:$project/away/lib/solver run elsewhere solver
has elsewhere 2 'form (range|own)'
has elsewhere 1 '^op2: warning.*no C\+\+ compiler'
[[ -n ${KEEP:-} ]] || rm -rf "$project/away"
verdict "programs that travel"

# SPDX-License-Identifier: MIT
