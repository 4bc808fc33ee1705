#!/usr/bin/env bash
# channel_jobs.sh CASE AIRFOIL MESH NCCL LAUNCHER...: whole programs whose messages go from device to device. CASE is the name of a function
# below; NCCL a fake one; LAUNCHER... takes a number of processes and a command. The right answer is that of the same job by way of
# the host, bit for bit.
# shellcheck disable=SC2016 # texts for other shells
set -uo pipefail
case=$1 airfoil=$2 mesh=$3 nccl=$4
launcher=("${@:5}")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out
# Another order of additions would be another answer; NCCL wants a device for each process.
export OP2_LOG=info OP2_TIMING=table OP2_PARTITION=random OP2_RACE=colour OP2_CUDA_PATH=$(dirname "$nccl"):$OP2_CUDA_PATH FAKE_CUDA_DEVICES=3 FAKE_CUDA_LEAKS=1

die() {
  echo "$case: $1"
  sed 's/^/  | /' "$out"
  exit 1
}
says() { grep -qF -- "$1" "$out" || die "it does not say '$1'"; }
# path WAY: so each exchange says in the log, and the table of times of the loops.
path() {
  grep -qE "op2: (rank 0: )?exchange of [a-z, ]+: .* come, the longest has [0-9]+: $1" "$out" || die "no exchange is '$1'"
  grep -qE "^  messages of res_calc.* $1" "$out" || die "messages of no loop go '$1'"
}
says_not() { ! grep -qF -- "$1" "$out" || die "it says '$1'"; }
# job WAY PROCESSES [COMMAND...]: the program, with messages by WAY.
job() {
  local way=$1 processes=$2
  shift 2
  OP2_GPU_DIRECT=$way timeout 100 "${launcher[@]}" "$processes" "$@" "$airfoil" "$mesh" --iterations "${iterations:-3}" >"$out" 2>&1 ||
    die "it fails with $way on $processes processes"
  says_not 'fake CUDA: leak'
  rms=$(grep '^rms' "$out")
}
same_as_by_the_host() {
  local processes=$1 got=$rms
  shift
  cp "$out" "$out.first"
  job off "$processes" "$@"
  [[ $rms == "$got" ]] || { cp "$out.first" "$out"; die "$got instead of $rms"; }
}
by() {
  local processes
  for processes in 2 3; do
    job "$1" "$processes"
    says "messages between processes: from device to device by ${2:-$1}"
    path "from device to device by ${2:-$1}\$"
    same_as_by_the_host "$processes"
  done
}
goes_another_way() {
  job "$1" 2
  says "warning: OP2_GPU_DIRECT=$1: no messages from device to device by $1: $2"
  says_not 'processes: from device to device'
  path "through page-locked memory of the host, by [a-z]+: no messages from device to device by $1: .*$(sed 's/[()]/\\&/g' <<<"$2")"
  same_as_by_the_host 2
}

ipc() { by ipc; }
# Also on four processes; each in other orders of blocks.
kernel() { FAKE_CUDA_SEED=$RANDOM by kernel; job kernel 4; says 'exchanges in one launch with the elements'; same_as_by_the_host 4; }
# The blocks that must run together are more than the device runs at a time: all streams wait instead.
kernel_does_not_fit() { FAKE_CUDA_RESIDENT=1 job kernel 4; says 'of a process does not run at a time what an exchange needs'; same_as_by_the_host 4; }
# Whether streams or the host had better send and wait, told once for each exchange; where kernels exchange there is nothing to compare.
measured() {
  local iterations=14 way us='-?[0-9.]+ us' holds='(holds|does not hold)'
  for way in ipc off; do
    job "$way" 2
    [[ $(grep -cE "loop 'res_calc', exchange of [a-z, ]+: enqueued in $us, runs $us \(C1 $holds\); the device waits $us, and $us if the host waits \(C2 $holds\); set up in $us, (never gained|gained in [0-9]+ exchanges) \(C3\)" "$out") == 1 ]] ||
      die "it does not tell what was measured of an exchange by $way, or not once"
  done
  job kernel 2
  says_not 'enqueued in'
}
nccl() { by nccl; }
auto() { FAKE_CUDA_DEVICES=1 by auto ipc; }
# Devices that have little to do.
tiny_mesh() {
  mesh=$folder/tiny.dat
  "$(dirname "$airfoil")/make_naca_mesh" 4 6 "$mesh" >"$out" 2>&1 || die 'there is no mesh'
  export FAKE_CUDA_DEVICES=1
}
# Hosts that need longer to enqueue an exchange than fast devices run it: all processes send through the host, from the same exchange on.
auto_chooses() {
  tiny_mesh
  local iterations=42 processes us='-?[0-9.]+ us' by='through page-locked memory of the host, by [a-z]+: chosen by measured conditions'
  for processes in 2 3; do
    FAKE_CUDA_ENQUEUE=60 FAKE_CUDA_SPEED=100 job auto "$processes"
    [[ $(grep -cE "loop 'res_calc', exchange of [a-z, ]+: mean of all processes: enqueued in $us, runs $us \(C1 does not hold\); .* \(C3\); a run takes $us; OP2_GPU_DIRECT=auto sends from exchange 80 on $by\$" "$out") == 1 ]] ||
      die 'messages do not go through the host from exchange 80 on'
    grep -qE "^  messages of res_calc.* from device to device by ipc \| $by\$" "$out" || die 'the table does not tell both paths of res_calc'
    same_as_by_the_host "$processes"
    local by_host=$rms
    job ipc "$processes"
    [[ $rms == "$by_host" ]] || die "$rms instead of $by_host"
  done
}
# Only one of the processes has a slow host: whatever they find together, they send by the same way.
auto_disagrees() {
  tiny_mesh
  local iterations=85
  job auto 3 bash -c '[[ ${OP2_LAUNCH_RANK:-${OMPI_COMM_WORLD_RANK:-0}} == 0 ]] && export FAKE_CUDA_ENQUEUE=60 FAKE_CUDA_SPEED=100; exec "$@"' sh
  says "loop 'res_calc', exchange of"
  says 'mean of all processes'
  same_as_by_the_host 3
}
auto_without_ipc() { FAKE_CUDA_IPC=closed FAKE_CUDA_DEVICES=1 job auto 2 && says 'no messages from device to device by ipc' && says_not 'processes: from device to device' && path 'through page-locked memory of the host, by [a-z]+: no messages from device to device by ipc: .*NOT_PERMITTED.*; no messages .* by nccl: .*share device' && same_as_by_the_host 2; }
off() { job off 2 && path 'through page-locked memory of the host, by [a-z]+: OP2_GPU_DIRECT=off$' && says_not 'from device to device' && says 'messages between processes: from pinned memory'; }
ipc_is_not_there() { FAKE_CUDA_IPC=off goes_another_way ipc 'executor cuda, channel_halo_create: process 0: share device memory (CUDA IPC): CUDA_ERROR_NOT_SUPPORTED'; }
ipc_is_not_permitted() { FAKE_CUDA_IPC=closed goes_another_way ipc 'executor cuda, channel_halo_create: process 0: open device memory of process 1 (CUDA IPC): CUDA_ERROR_NOT_PERMITTED'; }
ipc_does_not_wait() { FAKE_CUDA_FAULT=drop_value_wait goes_another_way ipc 'other values arrive than were sent'; }
nccl_shares_a_device() { FAKE_CUDA_DEVICES=1 goes_another_way nccl 'executor cuda, channel_open: processes 0 and 1 share device'; }
nccl_does_not_start() { FAKE_NCCL=init_fails goes_another_way nccl 'executor cuda, channel_open: process 0: NCCL, start a communicator'; }
nccl_brings_wrong_values() { FAKE_NCCL=wrong_bytes goes_another_way nccl 'other values arrive than were sent'; }

# One process has no device.
not_all_have_devices() {
  OP2_PARTITION_WEIGHTS=equal OP2_BACKEND=${OP2_BACKEND},seq goes_another_way ipc 'an executor of this job has no links'
}
# One process cannot compile a kernel and runs its loop on the host; the others run it on their devices.
loops_on_the_host() {
  export OP2_FALLBACK=warn
  local way
  for way in ipc nccl; do
    job "$way" 3 bash -c '[[ ${OP2_LAUNCH_RANK:-${OMPI_COMM_WORLD_RANK:-0}} == 0 ]] && export OP2_CUDA_OPTIONS=-Dadt1=\(; exec "$@"' sh
    says "messages between processes: from device to device by $way"
    says "loop 'res_calc' runs on the host"
    local got=$rms
    job off 3
    # Sums of the host have another order than those of a device.
    [[ ${rms:0:16} == "${got:0:16}" ]] || die "$got instead of $rms"
  done
}
# What others wait for on their devices never comes.
a_process_is_killed() {
  OP2_GPU_DIRECT=ipc "${launcher[@]}" 3 "$airfoil" "$mesh" --iterations 1000000 >"$out" 2>&1 &
  local job=$! i victim
  for ((i = 0; i < 600; i++)); do
    grep -q "loop 'update'" "$out" && break
    sleep 0.1
  done
  sleep 1
  victim=$(pgrep -P "$job" -f "$airfoil" | tail -1)
  [[ $victim ]] || die "there are no processes"
  kill -9 "$victim"
  for ((i = 0; i < 150; i++)); do
    [[ -d /proc/$job && $(sed 's/.*) \(.\).*/\1/' "/proc/$job/stat") != Z ]] || return 0
    sleep 0.1
  done
  kill -9 "$job"
  die "the job goes on without one of its processes"
}

"$case"

# SPDX-License-Identifier: MIT
