#!/usr/bin/env bash
# bare.sh: the library that subproject.sh add_subdirectory has built without any optional package: the summary says of each what is
# missing, the library needs what a C++ program needs and nothing else, names of missing plugins are errors that say so, and the
# conformance suite passes on what is there.
source "$(dirname "$0")/common.sh"
project=$work/subproject-add_subdirectory
library=$(find "$project/build" -type f -name 'libop2.so.*')
info=$project/as-installed/bin/op2_info

# NVTX, CUDA, and what the table of packages in docs/install.md has for the library.
for word in 'profiler ranges (NVTX): left out, nvtx3' 'executor cuda: left out, cuda.h' 'executor openmp: left out, ' \
  'executor tasks: left out, oneTBB not found (package libtbb-dev)' \
  'compressed mesh files: left out, zlib not found (package zlib1g-dev)' 'partitioner scotch: left out, libscotch not found' \
  'data larger than memory by io_uring: left out, liburing not found (package liburing-dev)' \
  'communicator mpi: left out, MPI not found (package libopenmpi-dev)' 'files hdf5: left out, HDF5 not found' \
  'files hdf5_mpi: left out, ' 'meshes of CGNS: left out, libcgns not found' 'partitioner ptscotch: left out, MPI not found' \
  'partitioner parmetis: left out, MPI not found'; do
  grep -qF -- "  $word" "$project/build.log" || complain "the summary does not say '$word'"
done
plugins=$(find "$(dirname "$library")/op2" -name '*.so' -exec basename {} \; | sort | tr '\n' ' ')
same "plugins" "$plugins" "op2_comm_shm.so op2_exec_check.so "

needed=$(readelf -d "$library" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | grep -vE '^(libc|libm|libstdc\+\+|libgcc_s|ld-linux[-a-z0-9_]*)\.so' || true)
same "libraries that it needs" "$needed" ""

# refused BACKEND WORDS: the program ends and names what is missing.
refused() {
  OP2_BACKEND=$1 "$project/build/loop_c" seq >"$project/refused" 2>&1 && complain "OP2_BACKEND=$1 is taken"
  grep -q -- "$2" "$project/refused" || complain "OP2_BACKEND=$1: $(cat "$project/refused")"
}
refused openmp "back end 'openmp' is an executor that is not installed (all cores; it is left out when the compiler had no OpenMP)"
refused mpi+seq "back end 'mpi' is a communicator that is not installed .* (package libopenmpi-dev)"
refused cuda "back end 'cuda' is an executor that is not installed .* headers of the CUDA toolkit were not found)"
"$(dirname "$info")/op2_mesh" convert "$source_folder/tests/meshfile/data/two_squares.dat" "$project/mesh.h5" >"$project/refused" 2>&1 &&
  complain "op2_mesh writes HDF5 without HDF5"
grep -q "'hdf5' is a file driver that is not installed .* (packages libhdf5-dev, pkg-config)" "$project/refused" ||
  complain "op2_mesh: $(cat "$project/refused")"
[[ ! -e $project/mesh.h5 ]] || complain "op2_mesh leaves a file that it cannot write"
"$info" | grep -q refused && complain "op2_info: a plugin is refused"

# The programs of the tests find this library before the one that they were linked with.
export LD_LIBRARY_PATH=${library%/*}
suite=$build_folder/tests/op2_conformance
same "library of the conformance suite" "$(realpath "$(ldd "$suite" | awk '/libop2\.so/ { print $3 }')")" "$(realpath "$library")"
OP2_BACKEND=seq OP2_JIT=off OP2TEST_SIZE=small "$suite" --gtest_brief=1 >"$project/conformance" 2>&1 ||
  { tail -n 40 "$project/conformance"; complain "the conformance suite"; }
grep -E '^.  PASSED  . [1-9][0-9]* tests' "$project/conformance" || complain "no test ran: $(tail -n 5 "$project/conformance")"
verdict "libop2 without optional packages"

# SPDX-License-Identifier: MIT
