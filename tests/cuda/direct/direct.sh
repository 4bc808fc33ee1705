#!/usr/bin/env bash
# direct.sh CASE RANKS FAKE_MPI LAUNCHER PROGRAM ARGUMENTS...: a program that prints "rms = ...", on several fake devices and with an
# MPI that takes their addresses, or says so, against itself on the processor. CASE is the name of a function below.
set -uo pipefail
case=$1 ranks=$2 fake=$3 launcher=$4
shift 4
program=("$@")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
out=$folder/out

die() {
  echo "$case: $1"
  sed 's/^/  | /' "$out" 2>/dev/null
  exit 1
}
says() { grep -qE -- "$1" "$out" || die "it does not say '$1'"; }
says_not() { ! grep -qE -- "$1" "$out" || die "it says '$1'"; }
rms() { sed -n 's/^rms = //p' "$1"; }
right() {
  OP2_BACKEND=seq "${program[@]}" >"$folder/alone" 2>&1 || die "it ends with $? on one process"
  awk -v a="$(rms "$folder/alone")" -v b="$(rms "$out")" 'BEGIN { exit !(a > 0 && b > 0 && (a / b - 1) ^ 2 < 1e-20) }' ||
    die "wrong result: $(rms "$out") instead of $(rms "$folder/alone")"
}
# job SETTING=VALUE...: it ends well, with the right result.
job() {
  local set=()
  for each in FAKE_CUDA_IPC=off "$@"; do set+=(-x "$each"); done # else devices reach each other without MPI
  timeout -k 1 250 "$launcher" --bind-to none -n "$ranks" -x "LD_PRELOAD=$fake" "${set[@]}" "${program[@]}" >"$out" 2>&1 ||
    die "it ends with $?"
  right
}
devices="messages between processes: from memory of the device"
pinned="messages between processes: from pinned memory of the host"
way="^op2: (rank 0: )?exchange of .*: "
from_device() { says "$way.*from device to device by mpi, which takes addresses of devices$" && says "$devices" && says "fake MPI: [1-9][0-9]* messages left devices, [1-9][0-9]* reached" && says_not "fake MPI: 0"; }
from_host() { says "$way.*through page-locked memory of the host, by mpi: " && says "$pinned" && says_not "fake MPI: [1-9]"; }

honest() { job OP2_LOG=info && from_device && says_not warning; }
asked() { job OP2_LOG=info OP2_GPU_DIRECT=mpi && from_device && says_not warning; }
off() { job OP2_LOG=info OP2_GPU_DIRECT=off && from_host && says_not warning; }
# For others to serve.
nccl() { job OP2_LOG=info OP2_GPU_DIRECT=nccl && says_not "fake MPI: [1-9]"; }

# What arrives tells.
zeros() {
  job OP2_LOG=info FAKE_MPI=zeros && from_host
  says "warning: mpi says that it reaches memory of the device, but other values arrive than were sent; messages go through the host"
}
nothing() { job OP2_LOG=info FAKE_MPI=nothing && from_host && says "warning: .* but other values arrive than were sent"; }
failing() { job OP2_LOG=info FAKE_MPI=failing && from_host && says "warning: .* but .*MPI_Sendrecv: .*; messages go through the host"; }

# It says no, though it could: that is believed.
no() { job OP2_LOG=info FAKE_MPI=no && from_host && says "; mpi does not reach memory of the device" && says_not warning; }
no_but_asked() {
  job OP2_LOG=info FAKE_MPI=no OP2_GPU_DIRECT=mpi && from_host
  says "warning: OP2_GPU_DIRECT=mpi: mpi does not reach memory of the device: .*MPIX_Query_cuda_support.*; messages go through the host"
}

# Processes need not agree: all but the last send from the host, among themselves in memory they share.
mixed() {
  local common=(-x "LD_PRELOAD=$fake" -x OP2_LOG=info)
  timeout -k 1 250 "$launcher" --bind-to none -n "$((ranks - 1))" "${common[@]}" -x OP2_GPU_DIRECT=off "${program[@]}" : \
    -n 1 "${common[@]}" "${program[@]}" >"$out" 2>&1 || die "it ends with $?"
  right
  says "$pinned" && says "fake MPI: 0 messages" && says "fake MPI: [1-9]"
}

"$case"

# SPDX-License-Identifier: MIT
