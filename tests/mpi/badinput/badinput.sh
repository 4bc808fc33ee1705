#!/usr/bin/env bash
# badinput.sh PROGRAM LAUNCHER [SECONDS]: wrong input on one process, or on all, ends the job soon with one message; with
# OP2_ERROR=return the call gives a status on all processes, the program's handler hears of it once, and the library goes on.
# SECONDS: how long a job may take, 10 when not given. OP2TEST_COMM: the communicator, mpi when not given; LAUNCHER is its own.
# OP2TEST_THREADS=1: executor openmp is there, for chains on threads.
# OP2TEST_SIZE=small: a third of the cases, and mistakes of one process only.
set -uo pipefail
program=$1 communicator=${OP2TEST_COMM:-mpi} job=("$2")
[[ $communicator == shm ]] || job+=(--bind-to none)
executor=seq ranks=3 longest=${3:-10} bad=0 jobs=0 cases=0 every=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out

if [[ ${OP2TEST_SIZE-} == small ]]; then every=3 all_too=; fi

complain() {
  echo "$1"
  sed 's/^/  | /' "$out"
  bad=1
}

# run SETTING... -- ARGUMENT...: the job; its exit code, 124 when it does not end in time.
run() {
  local settings=()
  while [[ $1 != -- ]]; do settings+=("$1"); shift; done
  jobs=$((jobs + 1))
  timeout -k 1 "$longest" env ${settings[@]+"${settings[@]}"} "${job[@]}" -n $ranks "$program" "${@:2}" >"$out" 2>&1
}

# What the library says of itself after the refused call: it works, or a loop was left half done.
works=works
half_done='op_barrier: a call failed earlier and left data half written .*only op_exit\(\) is possible now'

# refused DECLARE CASE STATUS WORDS [SETTING]: on process 1 alone and, unless the case needs a difference, on all of them.
refused() {
  local declare=$1 name=$2 status=$3 words=$4 who arguments count code what
  cases=$((cases + 1))
  if ((cases % every)); then return; fi
  for who in 1 ${all_too-all}; do
    arguments=("$name")
    [[ $who == all ]] || arguments+=("$who")
    what="$name under $declare, wrong on process $who"
    if [[ $who == all && " ${only_one[*]} " == *" $name "* ]]; then continue; fi
    run OP2_BACKEND="$communicator+$executor" OP2_DECLARE="$declare" ${5:+"$5"} -- "${arguments[@]}"
    code=$?
    count=$(grep -c 'op2: error: ' "$out")
    if ((code == 0 || code >= 124)); then
      complain "$what: exit code $code"
    elif [[ $count != 1 ]]; then
      complain "$what: $count messages"
    elif ! grep 'op2: error: ' "$out" | grep -qE -- "$words.*\($status\)"; then
      complain "$what: it does not say '$words' and $status"
    fi
    run OP2_BACKEND="$communicator+$executor" OP2_DECLARE="$declare" OP2_ERROR=return ${5:+"$5"} -- "${arguments[@]}"
    code=$?
    if ((code != 0)); then
      complain "$what, with OP2_ERROR=return: exit code $code"
    elif [[ $(grep -cE "^process [0-9]: $status, told 1 times; afterwards: $works; $words" "$out") != "$ranks" ]]; then
      complain "$what, with OP2_ERROR=return: not all processes get $status and '$words', once, and go on"
    fi
  done
}
# accepted DECLARE CASE WORDS [SETTING]: the job goes on, with one warning.
accepted() {
  local declare=$1 name=$2 words=$3
  run OP2_BACKEND="$communicator+seq" OP2_DECLARE="$declare" ${4:+"$4"} -- "$name" || complain "$name under $declare: exit code $?"
  [[ $(grep -cE -- "warning: .*$words" "$out") == 1 ]] || complain "$name under $declare: no warning '$words', or several"
}

# These are no mistake when everybody does the same.
only_one=(set_name set_size set_or_dat map_dim map_name dat_dim dat_type dat_set fetch_other other_partitioner loop_name weights_missing shares_other shares_nearly)

same="the processes do not do the same"
for declare in replicated root local auto; do
  refused $declare set_negative OP_ERR_ARGUMENT "op_decl_set: .*size of set 'cells' is negative"
  refused $declare set_name OP_ERR_STATE "op_decl_set: $same: .*process 1: set 'zellen'"
done
refused replicated set_size OP_ERR_ARGUMENT "op_decl_set: .*set 'cells' has 2[45] elements here, but not on all processes"
for declare in replicated local; do
  refused $declare set_or_dat OP_ERR_STATE "op_decl_(set|dat): $same: .*process 1: dat 'n' on set 'cells'"
  refused $declare map_entry OP_ERR_RANGE "op_decl_map: .*map 'neighbours', element 3, column 1: entry [0-9]* is outside set 'cells'"
  refused $declare map_null OP_ERR_ARGUMENT "op_decl_map: .*entries of map 'neighbours' are NULL"
  refused $declare map_handle OP_ERR_HANDLE "op_decl_map: .*argument 'from' of map 'neighbours'"
  refused $declare dat_dim OP_ERR_STATE "op_decl_dat: $same: .*process 1: dat 'r' on set 'cells', 3 x double"
  refused $declare dat_type OP_ERR_STATE "op_decl_dat: $same: .*process 1: dat 'r' on set 'cells', 2 x float"
done
refused local map_dim OP_ERR_STATE "op_decl_map: $same: .*process 1: map 'neighbours' .*dim 1"
refused local map_name OP_ERR_STATE "op_decl_map: $same: .*process 1: map 'n'"
refused local compose OP_ERR_SET "op_map_compose: .*map 'edge_cells' leads to set 'cells'"
refused local dat_unknown_type OP_ERR_TYPE "op_decl_dat: .*'r': unknown type 'quaternion'"
refused local dat_set OP_ERR_STATE "op_decl_dat: $same: .*process 1: dat 'r' on set 'edges'"
refused local fetch_null OP_ERR_ARGUMENT "op_fetch_data: .*array for dat 'q' is NULL"
refused local fetch_handle OP_ERR_HANDLE "op_fetch_data: .*the dat"
refused local fetch_other OP_ERR_STATE "op_fetch_data: $same: .*process 1: op_fetch_data of dat 'part'"
refused local put_null OP_ERR_ARGUMENT "op_put_data: .*array for dat 'q' is NULL"
refused local acquire_access OP_ERR_ACCESS "op_dat_acquire: .*dat 'q' can be acquired"
refused local geom_without_points OP_ERR_ARGUMENT "op_partition: .*GEOM .*needs coordinates"
refused local geom_nan OP_ERR_ARGUMENT "op_partition: .*point [0-9]*.* coordinate"
refused local external OP_ERR_RANGE "op_partition: .*dat 'part' gives element [0-9]* to process 3"
refused local other_partitioner OP_ERR_STATE "op_partition: $same: .*process 1: op_partition\('RANDOM'"
refused local weights_negative OP_ERR_ARGUMENT "op_partition_with: .*dat 'part' gives element [0-9]* the weight -1"
refused local weights_none OP_ERR_ARGUMENT "op_partition_with: .*dat 'part' gives no element a weight"
refused local weights_dim OP_ERR_DIM "op_partition_with: .*dat 'q' has dim 2"
refused local weights_missing OP_ERR_STATE "op_partition_with: $same: .*process 1: op_partition_with\('RANDOM', '', NULL, NULL, NULL\)"
refused local shares_count OP_ERR_ARGUMENT "op_partition_with: .*nshares is 4; there are 3 processes"
refused local shares_nan OP_ERR_ARGUMENT "op_partition_with: .*part 1 cannot have the share"
refused local shares_other OP_ERR_STATE "op_partition_with: $same: .*process 1: .*shares 1, 1.5, 1"
refused local shares_nearly OP_ERR_STATE "op_partition_with: .*the processes do not pass the same shares"
# Only with MPI there is PT-Scotch.
[[ $communicator == shm ]] || refused local no_map OP_ERR_ARGUMENT "op_partition: .*PTSCOTCH KWAY divides by a map" OP2_FALLBACK=strict
refused local unknown_partitioner OP_ERR_BACKEND "op_partition: .*no partitioner ZOLTAN" OP2_FALLBACK=strict
accepted local no_map "op_partition\(\): no map tells"
accepted local unknown_partitioner "op_partition\(\): there is no partitioner ZOLTAN"
refused auto doubt_no_map OP_ERR_STATE "op_get_size: .*set OP2_DECLARE=local when"
refused auto doubt_data OP_ERR_STATE "op_get_size: .*dat 'mine' is not the same on all of them.*set OP2_DECLARE=local when"
refused local loop_name OP_ERR_STATE "op_par_loop: .*$same: .*process 1: loop 'mine'"
refused local loop_argument OP_ERR_HANDLE "op_par_loop: .*loop 'common'"
refused local loop_type OP_ERR_TYPE "op_par_loop: .*loop 'common'"

# Programs whose loops have run before: the others are on their way into an exchange, or somewhere else.
refused local again_handle OP_ERR_HANDLE "op_par_loop: loop 'gather'.*the dat is NULL"
refused local again_dim OP_ERR_DIM "op_par_loop: loop 'gather'.*the argument says 3"
refused local again_map OP_ERR_HANDLE "op_par_loop: loop 'gather'.*needs a map"
refused local again_null OP_ERR_ARGUMENT "op_par_loop: loop 'sum'.*global variable is NULL"
refused local again_freed OP_ERR_HANDLE "op_par_loop: loop 'scatter': .*temporary dat 'scratch' was freed"
refused local loop_no_name OP_ERR_ARGUMENT "op_par_loop: .*name of the loop is NULL"
only_one+=(put_range)
refused local put_range OP_ERR_STATE "op_put_data_idx: .*process 1: op_put_data_idx, elements -1 to 5"
refused local renumber_handle OP_ERR_HANDLE "op_renumber: .*map 'base' is NULL"
refused auto renumber_handle OP_ERR_HANDLE "op_renumber: .*map 'base' is NULL"
refused auto size_handle OP_ERR_HANDLE "op_get_size: .*the set is NULL"
refused auto order_handle OP_ERR_HANDLE "op_get_order: .*the set is NULL"
for call in fetch:op_fetch_data barrier:op_barrier table:op_timing_output table_file:op_timings_to_csv table_op2:op_timing_write exit:op_exit \
  partition:op_partition renumber:op_renumber timers:op_timers; do
  only_one+=("${call%%:*}_alone")
  refused local "${call%%:*}_alone" OP_ERR_STATE "op_[a-z_]*: $same: .*process 1: ${call#*:}"
done
# Files, views, meshes of generators. Most of it on one communicator only: nothing gets as far as a message of it.
file=/no/such/folder/f
only_one+=(file_other file_set_name file_dat_type file_write_const file_fetch_other)
refused local file_null OP_ERR_ARGUMENT "op_decl_set_hdf5: .*the name of the file is NULL"
refused local file_dump_nowhere OP_ERR_FILE "op_dump_to_hdf5: .*'$file.h5' cannot be written: folder '/no/such/folder'"
refused local mesh_declare OP_ERR_HANDLE "op_mesh_declare: .*the mesh is NULL"
if [[ $communicator == shm ]]; then
  refused local file_other OP_ERR_STATE "op_decl_set_hdf5: $same: .*process 1: set 'cells' from file 'other'"
  refused local file_absent OP_ERR_FILE "op_decl_set_hdf5: .*'$file.h5': there is no such file"
  refused local file_set_name OP_ERR_STATE "op_decl_set_hdf5_infer_size: $same: .*process 1: .*dataset 'pcell' of file '$file.h5'"
  refused local file_map_dim OP_ERR_DIM "op_decl_map_hdf5: .*the dim of map 'pedge' is -1"
  refused local file_map_handle OP_ERR_HANDLE "op_decl_map_hdf5: .*argument 'to' of map 'pedge' is NULL"
  refused local file_dat_type OP_ERR_STATE "op_decl_dat_hdf5: $same: .*process 1: dat 'p_q' .*1 x float"
  refused local file_const_null OP_ERR_ARGUMENT "op_get_const_hdf5: .*array for constant 'gam' is NULL"
  refused local file_text_key OP_ERR_ARGUMENT "op_get_text_hdf5: .*name of the attribute is empty"
  refused local file_write_const OP_ERR_STATE "op_write_const_hdf5: $same: .*process 1: constant 'gam', 2 x double"
  refused local file_fetch_handle OP_ERR_HANDLE "op_fetch_data_hdf5_file: .*the dat is NULL"
  refused local file_fetch_other OP_ERR_STATE "op_fetch_data_hdf5_file: $same: .*process 1: dat 'part' to file"
  refused local file_fetch_path OP_ERR_ARGUMENT "op_fetch_data_hdf5_file_path: .*path in the file is NULL"
  refused local file_text_null OP_ERR_ARGUMENT "op_print_dat_to_txtfile: .*name of the file is NULL"
  refused local view_dim OP_ERR_TYPE "op_decl_view: .*dat 'part' has type int"
  refused local view_type OP_ERR_DIM "op_view_cells: .*a triangle has 3 nodes"
  refused local view_field OP_ERR_HANDLE "op_view_field: .*dat of the field is NULL"
  refused local view_format OP_ERR_ARGUMENT "op_write_view: .*'$file.vtk' names no format"
  refused local view_time OP_ERR_ARGUMENT "op_write_view_step: .*the time is nan"
  refused local mesh_dump OP_ERR_ARGUMENT "op_mesh_dump: .*argument 'file' is NULL"
fi
works=$half_done
for loop in kernel_throws:spread kernel_throws_in_exchange:gather kernel_throws_adding:scatter; do
  refused local "${loop%%:*}" OP_ERR_KERNEL "op_par_loop: loop '${loop#*:}': .*no more"
done
for order in 0 1; do
  for when in '' _across; do
    OP2_REPRODUCIBLE=$order refused local reduction_throws$when OP_ERR_KERNEL "op_par_loop: loop 'sum_with': .*cannot be combined"
  done
done
executors=(seq)
[[ ${OP2TEST_THREADS-} != 1 ]] || executors+=(openmp)
for executor in "${executors[@]}"; do
  for when in in_tiles across; do
    OP2_CHAIN_TILE=1 OP2_CHAIN_DEPTH=4 OP2_NUM_THREADS=2 refused local chain_throws_$when OP_ERR_KERNEL "op_chain_end: loop 'sum_with': .*cannot be combined"
  done
done
executor=seq
works=works

# A process that leaves with exit code 0: the launcher ends the others.
for mode in abort return; do
  run OP2_BACKEND="$communicator+seq" OP2_DECLARE=local OP2_ERROR=$mode -- leave 1
  code=$?
  if ((code == 0 || code >= 124)); then complain "leave with OP2_ERROR=$mode: exit code $code"; fi
done
((bad)) || echo "$jobs jobs ended as they should"
exit $bad

# SPDX-License-Identifier: MIT
