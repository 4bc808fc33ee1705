#!/usr/bin/env bash
# test_run.sh BUILD [--all]: bench/run.sh for real, with --quick unless --all is given: sound JSON, every judged ratio there, exit code as
# the checks say, and every exact check holds. Whether the ratios hold is not asked: that needs a machine with nothing else to do.
set -euo pipefail
build=$1 all=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

mode=(--quick)
[[ $all != --all ]] || mode=()
code=0
"$here/../run.sh" ${mode[@]+"${mode[@]}"} --build "$build" --json "$scratch/out.json" 2>&1 | tee "$scratch/out" || code=${PIPESTATUS[0]}
echo "exit code $code after $SECONDS s"
((code < 2)) || exit 1
built() { ! grep -q "^$1:" "$build/bench/programs.txt"; }
says() { grep -qsF "\"name\": \"$1" "$scratch/out.json"; }

# Counts and answers, whatever the machine has to do.
exact="airfoil.residuals.difference;compat.residuals.difference;scale.memory.twice_the_parts;trace_scale.simulated.steps_difference"
for value in adt res q rms; do exact+=";accuracy.worst.$value"; done
if built bench_exchange; then
  for ranks in 2 4; do
    for value in messages_difference bytes_difference halo_differences; do exact+=";scale.${ranks}_ranks.$value"; done
  done
fi

# A machine without openmp, or a build without Google Benchmark, skips; what is skipped stands in the same JSON.
names="verify.40k.check_to_seq;layout.40k.seq1.default_to_best.iteration;compile.warm_to_cold.total"
names+=";trace_scale.2_processes.handed_over_difference;compat.40k.seq1_range.headers_to_cpp;compat.40k.seq1_specialised.headers_to_cpp"
for kernel in adt_calc res_calc update; do names+=";speed.40k.library_to_scalar.$kernel"; done
if built bench_loop_call; then names+=";loop_call.seq1.1_element"; else names+=";bench_loop_call"; fi
if built bench_fortran; then names+=";fortran.40k.seq1.text_to_cpp"; fi
if built bench_exchange; then
  for size in 8B 64B 512B 4kB 32kB 256kB 1MB; do names+=";exchange.$size.halo_to_sendrecv"; done
  for size in 8B 512B; do names+=";reduction.$size.record_to_allreduce"; done
fi
if says async_output.call; then names+=";async_output.call.to_memcpy"; fi # not without HDF5, nor on one core
results="stream.triad.range_to_hand.seq1;orders.box_rows.seq1.automatic_to_best;caches.seq1.as_reported.to_best"
if [[ $all == --all ]]; then
  size=1M
  names+=";orders.box_rows.seq1.automatic_to_best;orders.box_curve.seq1.automatic_to_best;orders.box_shuffled.seq1.automatic_to_best"
  names+=";caches.seq1.as_reported.to_best;caches.seq1.2_and_260_MiB.to_best"
  names+=";threads.1M.openmp.1_to_2;race.1M.auto.1_thread;race.1M.auto.2_threads;renumber.1M.cost_in_iterations"
  names+=";renumber.1M.seq1.iteration.renumbered_to_natural;renumber.1M.openmp2.iteration.renumbered_to_natural"
  for kernel in save_soln adt_calc res_calc update; do names+=";airfoil.1M.seq1.range_to_hand.$kernel"; done
  for kernel in adt_calc res_calc update iteration; do names+=";speed.1M.library_to_scalar.$kernel"; done
  names+=";threads.1M.openmp.2_to_1;threads.4M.openmp.2_to_1;threads.1M.openmp.2_to_roofline"
  names+=";shuffled.1M.seq1.to_natural;shuffled.1M.openmp2.to_natural;shuffled.1M.seq1.renumbering"
  names+=";layout.1M.seq1.default_to_best.iteration"
  if built bench_exchange; then names+=";ranks.1M.2_ranks_to_1;ranks.1M.2_ranks_to_2_threads"; fi
else
  # Programs with nothing to judge on the small mesh have run on it.
  size=40k
  results+=";shuffled.40k.seq1.to_natural;renumber.40k.cost_in_iterations"
  if says airfoil.40k.openmp2; then
    results+=";threads.40k.openmp.1_to_2;race.40k.auto.2_threads;threads.40k.openmp.2_to_1"
    results+=";renumber.40k.openmp2.iteration.renumbered_to_natural"
    if built bench_exchange; then results+=";ranks.40k.2_ranks_to_1"; fi
  fi
fi
if built bench_plan_cost; then results+=";plan.natural.colours"; fi
results+=";airfoil.$size.seq1.range_to_hand.res_calc;speed.$size.library_to_scalar.res_calc"

verdict=$(cmake "-DFILE=$scratch/out.json" "-DNAMES=$names" "-DEXACT=$exact" "-DRESULTS=$results" -P "$here/test_json.cmake")
failed=${verdict##*failed: }
if (((failed > 0) != (code == 1))); then
  echo "FAILED: exit code $code, but $failed checks failed"
  exit 1
fi
if grep -F '"name": "programs.' "$scratch/out.json"; then
  echo "FAILED: a program did not run"
  exit 1
fi
if command -v python3 >/dev/null; then
  python3 -m json.tool "$scratch/out.json" >/dev/null
else
  echo "skipped: a second opinion on the JSON, no python3"
fi

# SPDX-License-Identifier: MIT
