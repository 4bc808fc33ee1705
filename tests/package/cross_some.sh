#!/usr/bin/env bash
# cross_some.sh: what depends on the processor is compiled for 64-bit ARM in every run of the tests: the sources that ask for the
# processor, a program with lanes of op2.hpp, and the lanes of generated code, which have the same bits here and under qemu-user.
# The whole library: cross.sh.
source "$(dirname "$0")/common.sh"
need aarch64-linux-gnu-g++ g++-aarch64-linux-gnu
need qemu-aarch64 qemu-user
[[ $(uname -m) != aarch64 ]] || skip "this machine is an ARM"
cross=$work/cross_some
fresh "$cross"
cd "$source_folder"
flags=(-std=c++20 -O1 -ffp-contract=off -Wall -Wextra -Werror -Wno-psabi -I src -I include -I "$build_folder/include" -I "$build_folder/src")

# compile OUTPUT SOURCE FLAG...
compile() { aarch64-linux-gnu-g++ "${flags[@]}" -c "$2" -o "$cross/$1" "${@:3}" || complain "$2 is not compiled for ARM"; }

# Found, not listed, so that a new place where the processor matters is compiled, too. The tools have no headers of MPI for ARM.
mapfile -t sources < <(grep -rlE '__aarch64__|__x86_64__|immintrin\.h|arm_neon\.h' src --include='*.cpp' | grep -v '^src/plugins/comm_mpi/')
((${#sources[@]} >= 3)) || complain "only ${#sources[@]} sources ask for the processor"
for source in "${sources[@]}"; do compile "$(basename "$source").o" "$source"; done

# Loops of op2.hpp get functions for vectors of this processor.
compile jac1.o examples/jac1/jac1.cpp -O2
grep -qaw neon "$cross/jac1.o" || complain "jac1 has no function for the vectors of ARM"

# Lanes of generated code.
"$CXX" "${flags[@]}" "$here/cross_some.cpp" -o "$cross/lanes"
aarch64-linux-gnu-g++ "${flags[@]}" "$here/cross_some.cpp" -o "$cross/lanes.arm" || complain "lanes are not compiled for ARM"
readelf -h "$cross/lanes.arm" | grep -q 'Machine: *AArch64' || complain "the program of lanes is not for ARM"
native=$("$cross/lanes")
there=$(qemu-aarch64 -L /usr/aarch64-linux-gnu "$cross/lanes.arm") || complain "the program of lanes does not run on ARM"
(($(wc -l <<<"$native") == 13)) || complain "not all lanes were tried here: $native"
same "lanes" "$native" "$there"
verdict "what depends on the processor, for aarch64"

# SPDX-License-Identifier: MIT
