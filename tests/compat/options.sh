#!/usr/bin/env bash
# options.sh PROGRAMS LAUNCHER [cuda]: OP2's options do what they do here, or say once what to use instead. PROGRAMS: the folder of
# compat_jac, compat_loops and compat_by_hand. cuda: those of a GPU, on the emulation that the environment names.
set -uo pipefail
programs=$1 launch=$2 device=${3:-} bad=0
export OP2_LOG=info OP2_NUM_THREADS=2 OMP_WAIT_POLICY=passive
complain() {
  echo "FAILED: $*"
  bad=1
}
# run [NAME=VALUE...] COMMAND...: its exit code in $code, what it says in $said.
run() {
  said=$(env "$@" 2>&1)
  code=$?
}
# says REGEX / never REGEX: of the last run, which must have ended well.
says() {
  ((code == 0)) || complain "exit code $code: $said"
  grep -qE -- "$1" <<<"$said" || complain "no '$1' in: $said"
}
never() { if grep -qE -- "$1" <<<"$said"; then complain "'$1' in: $said"; fi; }

host() {
  export OP2_JIT=off
  run OP2_BACKEND=self+seq "$programs/compat_jac"
  says '^part_size 0, block_size 64, auto_soa 0, partial_exchange 1, gpu_direct 0, hybrid_balance 1, base 0$'
  never 'of OP2 has no effect'
  run OP2_BACKEND=self+seq OP_HYBRID_BALANCE=2.5 OP_AUTO_SOA= "$programs/compat_jac" OP_PART_SIZE=32 \
    OP_BLOCK_SIZE=16 -gpudirect
  says '^part_size 32, block_size 32, auto_soa 1, partial_exchange 1, gpu_direct 1, hybrid_balance 2.5, base 0$'

  # Blocks: 157 edges of 16, or of 32.
  executor=seq
  "$programs/../bin/op2_info" | grep -q '^  exec openmp .*score [1-9]' && executor=openmp
  run OP2_BACKEND=self+$executor "$programs/compat_loops" OP_BLOCK_SIZE=16
  says "'count' on set 'edges', 157 elements: .* blocks: 10,"
  run OP2_BACKEND=self+$executor OP_PART_SIZE=32 "$programs/compat_loops"
  says "'count' on set 'edges', 157 elements: .* blocks: 5,"

  # The program's maps count from 0.
  run OP2_BACKEND=self+seq OP_MAPS_BASE_INDEX=1 "$programs/compat_jac"
  ((code != 0)) || complain "OP_MAPS_BASE_INDEX=1 does nothing"
  grep -q "entry 0 is outside set 'nodes' (1 to" <<<"$said" || complain "OP_MAPS_BASE_INDEX=1: $said"

  # Those without a setting, on two processes: one says so, once, and the program goes on.
  run OP2_BACKEND=shm+seq OP_NO_REALLOC= OP_WHITELIST=loops.txt "$launch" -n 2 "$programs/compat_jac" blocks OP_NO_REALLOC \
    OP_CACHE_LINE_SIZE=64 OP_TEST_FREQ=1 OP_CUDA_REDUCTIONS_MIB=9
  says '^op2: rank 0: warning: option OP_NO_REALLOC of OP2 has no effect: what is declared is copied'
  for option in OP_NO_REALLOC OP_WHITELIST OP_CACHE_LINE_SIZE OP_TEST_FREQ OP_CUDA_REDUCTIONS_MIB; do
    [[ $(grep -c "option $option of OP2 has no effect: ." <<<"$said") == 1 ]] || complain "$option is not told once: $said"
  done
  # On a CPU rows stay rows.
  unset OP2_JIT
  run OP2_BACKEND=self+seq "$programs/compat_jac" OP_AUTO_SOA OP2_JIT_CACHE=off OP2_JIT_MIN_ELEMENTS=100000
  says 'warning: OP2_LAYOUT=soa has no effect on executor seq: the program reads dat->data'
}

gpu() {
  export OP2_FALLBACK=warn
  # Rows of two floats lie component by component when somebody says so, those of type "double:soa" in any case.
  run OP2_BACKEND=self+cuda "$programs/compat_jac"
  never "'update'.*soa"
  run OP2_BACKEND=self+cuda "$programs/compat_jac" OP_AUTO_SOA
  says "loop 'update' .*form cuda[^;]*, soa;"
  run OP2_BACKEND=self+cuda OP_AUTO_SOA=1 "$programs/compat_jac"
  says "loop 'update' .*form cuda[^;]*, soa;"
  run OP2_BACKEND=self+cuda "$programs/compat_jac" soa
  says "loop 'update' .*form cuda[^;]*, soa;"
  run OP2_BACKEND=self+cuda OP2_LAYOUT=aos "$programs/compat_jac" soa
  says '^part_size 0'
  never ', soa;'
  run OP2_BACKEND=self+cuda "$programs/compat_by_hand"
  says "loop 'flux' .*form cuda[^;]*, soa;"

  run OP2_BACKEND=shm+cuda,seq "$launch" -n 2 "$programs/compat_jac" OP_HYBRID_BALANCE=3
  says 'shares of the processes: 3, 1 \(OP2_PARTITION_WEIGHTS\)'
  # Shared memory of the host is not what a device's messages go through, and the library says so.
  run OP2_BACKEND=shm+cuda "$launch" -n 2 "$programs/compat_jac" -gpudirect
  says 'OP2_GPU_DIRECT=mpi: .*messages go through the host'
}

if [[ $device ]]; then gpu; else host; fi
exit $bad

# SPDX-License-Identifier: MIT
