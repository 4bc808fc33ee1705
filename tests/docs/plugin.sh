#!/usr/bin/env bash
# plugin.sh SOURCE BUILD: the plugin of the guide, built out of tree against an installed libop2, exports one function
# and passes the conformance suite on the installed library; installed by its own rules it is found.
set -euo pipefail
source=$1 build=$2
cache=${OP2_JIT_CACHE:-$build/jit_cache} # that of the conformance suite, where most of the code is
for variable in "${!OP2_@}"; do unset "$variable"; done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { echo "failed: $*"; cat "$work/log"; exit 1; }; }

quietly cmake --install "$build" --prefix "$work/prefix"
library=$(find "$work/prefix" -name libop2.so.1)
[[ -n $library ]] || { echo "the installation has no libop2.so.1"; exit 1; }

# A copy, so that nothing but the installation can be found.
cp -r "$source/examples/plugin_executor" "$work/project"
quietly cmake -S "$work/project" -B "$work/out" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="${CXX:-c++}"
quietly cmake --build "$work/out"
plugin=$work/out/op2_exec_threads.so
exports=$(nm -D --defined-only "$plugin" | awk '{print $NF}')
[[ $exports == op2_plugin_v1 ]] || { echo "it exports $exports"; exit 1; }
! readelf -d "$plugin" | grep -q 'NEEDED.*libop2' || { echo "it needs libop2.so"; exit 1; }

export OP2_JIT_CACHE=$cache
export OP2TEST_SIZE=small OP2_PLUGIN_PATH=$work/out OP2_BACKEND=threads LD_LIBRARY_PATH=${library%/*}
for threads in 1 2 4; do # a third of the suite each, one of them with code that is made for its loops
  part=(GTEST_TOTAL_SHARDS=3 GTEST_SHARD_INDEX=$((threads / 2)))
  ((threads == 2)) || part+=(OP2_JIT=off)
  quietly env OP2_NUM_THREADS="$threads" "${part[@]}" "$build/tests/op2_conformance" --gtest_brief=1
  grep 'PASSED' "$work/log" | sed "s/^/threads=$threads: /"
done

# Installed by its own rules it is found without OP2_PLUGIN_PATH.
unset OP2_PLUGIN_PATH
quietly cmake --install "$work/out"
info=$(find "$work/prefix" -name op2_info -type f)
"$info" >"$work/log"
grep -q 'exec threads *score' "$work/log" || { echo "the installed plugin is not listed:"; cat "$work/log"; exit 1; }

# SPDX-License-Identifier: MIT
