#!/usr/bin/env bash
# cross.sh: the library, its plugins and examples built for 64-bit ARM with the toolchain file, optimised, and installed; they run
# under qemu-user on every executor and give the answers of the native programs. A sample of the conformance suite runs on seq.
source "$(dirname "$0")/common.sh"
need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
need qemu-aarch64 qemu-user
[[ $(uname -m) != aarch64 ]] || skip "this machine is an ARM"
cross=$work/cross
fresh "$cross"

# The preset's settings, in a folder of the test; without CUDA.
cmake --preset aarch64 -S "$source_folder" -B "$cross/build" -G "$TEST_GENERATOR" \
  -DCMAKE_INSTALL_PREFIX="$cross/prefix" -DCMAKE_CXX_FLAGS_RELEASE="-O2 -DNDEBUG" -DOP2_CUDA=OFF -DCMAKE_C_COMPILER_LAUNCHER="$TEST_LAUNCHER" \
  -DCMAKE_CXX_COMPILER_LAUNCHER="$TEST_LAUNCHER" >"$cross/build.log" 2>&1 || { cat "$cross/build.log"; exit 1; }
sed -n '/^-- libop2/,/^$/p' "$cross/build.log"
# shellcheck disable=SC2086
build "$cross/build" op2 op2_info op2_launch op2_mesh op2_trace_tool airfoil_c jac1 || exit 1
cmake --install "$cross/build" >/dev/null

for file in "$cross"/prefix/lib/libop2.so.1.0.0 "$cross"/prefix/lib/libop2_trace.so.1.0.0 "$cross"/prefix/lib/op2/*.so "$cross/prefix/bin/op2_info"; do
  readelf -h "$file" | grep -q 'Machine: *AArch64' || complain "$file is not for ARM"
done
arm=(qemu-aarch64 -L /usr/aarch64-linux-gnu)
"${arm[@]}" "$cross/prefix/bin/op2_info" >"$cross/info" || complain "the ARM op2_info does not run"
head -n 2 "$cross/info"
same "library folder" "$(sed -n 's/^  library folder: //p' "$cross/info")" "$cross/prefix/lib"
grep refused "$cross/info" && complain "a plugin is refused"
executors=$(awk '$1 == "exec" && $3 == "score" && $4 > 0 { print $2 }' "$cross/info")
for executor in seq openmp; do
  grep -qx "$executor" <<<"$executors" || complain "no executor $executor on ARM"
done

# The same example natively, from the installed sources and library.
airfoil=$tree/share/doc/op2/examples/airfoil
"$CXX" -std=c++17 -O1 -ffp-contract=off "$airfoil/make_mesh.cpp" "$airfoil/naca_mesh.cpp" -o "$cross/make_mesh"
# shellcheck disable=SC2046
"$CC" -O2 -ffp-contract=off "$airfoil"/{airfoil,report,mesh_reader}.c $("$tree/bin/op2-config" --cflags --libs) -lm \
  -Wl,-rpath,"$tree/$libdir" -o "$cross/airfoil_c"
"$cross/make_mesh" 24 36 "$cross/small.dat" >/dev/null

# rms PROGRAM...: what the flow around the profile gives after 100 iterations.
rms() { "$@" "$cross/small.dat" --iterations 100 | tee -a "$cross/airfoil.log" | sed -n 's/^rms = //p'; }
native=$(OP2_BACKEND=seq rms "$cross/airfoil_c")
echo "native, seq: rms $native"
for executor in $executors; do
  export OP2_BACKEND=$executor
  there=$(rms "${arm[@]}" "$cross/build/bin/airfoil_c")
  echo "ARM, $executor: rms $there"
  # Neither processor may round differently; sums in another order may.
  awk -v a="$native" -v b="$there" 'BEGIN { exit !(a > 1e-8 && (a - b) ^ 2 < (1e-12 * a) ^ 2) }' ||
    complain "ARM, $executor: rms '$there' instead of '$native'"
  "${arm[@]}" "$cross/build/bin/jac1" >"$cross/jac1.$executor" || complain "jac1 on ARM, $executor: exit code $?"
done

# A sample of the conformance suite, with GoogleTest from its sources: what is direct and indirect, reductions with payloads, types,
# orders and transfers. No compiler for generated code is there.
gtest=/usr/src/googletest/googletest # of Debian
if [[ ! -f $gtest/src/gtest-all.cc ]]; then
  ((failures == 0)) || verdict "cross build for aarch64"
  skip "the conformance suite on ARM: no sources of GoogleTest (package libgtest-dev)"
fi
suite=$source_folder/tests/conformance 
sample=(suite meshes constants direct globals indirect maps payload reductions transfer types vectors)
flags=(-std=c++20 -O2 -ffp-contract=off -I"$source_folder/include" -I"$gtest/include" -I"$gtest")
for file in "$gtest/src/gtest-all.cc" "$gtest/src/gtest_main.cc" "${sample[@]/%/.cpp}"; do
  [[ $file == /* ]] || file=$suite/$file
  echo "aarch64-linux-gnu-g++ ${flags[*]} -c $file -o $cross/$(basename "${file%.*}").o"
done | xargs -d '\n' -P 2 -I{} sh -c '{}' || exit 1
objects=("${sample[@]/%/.o}" gtest-all.o gtest_main.o)
aarch64-linux-gnu-g++ "${objects[@]/#/$cross/}" -L"$cross/prefix/lib" -lop2 -lpthread -o "$cross/conformance"
OP2_BACKEND=seq OP2_JIT=off OP2TEST_SIZE=small "${arm[@]}" -E LD_LIBRARY_PATH="$cross/prefix/lib" "$cross/conformance" --gtest_brief=1 \
  >"$cross/conformance.log" 2>&1 || { tail -n 40 "$cross/conformance.log"; complain "the conformance suite on ARM, seq"; }
grep -E 'tests? from .* ran' "$cross/conformance.log" || complain "no test ran on ARM"
verdict "cross build for aarch64"

# SPDX-License-Identifier: MIT
