#!/usr/bin/env bash
# repeatable.sh PROGRAM MESH: airfoil must give the same digits in every run, and on openmp with any number of threads.
set -euo pipefail
digits() { OP2_BACKEND=$1 OP2_NUM_THREADS=$2 "$3" "$4" --iterations 40 | grep -E 'max err|^rms'; }
for backend in seq openmp; do
  first=$(digits $backend 1 "$1" "$2")
  [[ -n $first ]] || { echo "no digits in the output"; exit 1; }
  for threads in 1 2 2 3; do
    [[ $(digits $backend $threads "$1" "$2") == "$first" ]] || { echo "$backend with $threads threads differs"; exit 1; }
  done
  echo "$backend: $(tail -n 1 <<<"$first")"
done

# SPDX-License-Identifier: MIT
