#!/usr/bin/env bash
# test_run.sh BUILD: bench/run.sh --quick for real: sound JSON, every judged ratio there, exit code as the checks say.
# Whether the ratios hold is not asked here: that needs a machine with nothing else to do.
set -euo pipefail
build=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

code=0
"$here/run.sh" --quick --build "$build" --json "$scratch/out.json" 2>&1 | tee "$scratch/out" || code=${PIPESTATUS[0]}
echo "exit code $code after $SECONDS s"
((code < 2)) || exit 1

# A machine without openmp, or a build without Google Benchmark, skips; what is skipped stands in the same JSON.
names="threads.1M.openmp.1_to_2;race.1M.auto.1_thread;race.1M.auto.2_threads;verify.40k.check_to_seq;airfoil.residuals.difference"
names+=";renumber.1M.seq1.iteration.renumbered_to_natural;renumber.1M.openmp2.iteration.renumbered_to_natural"
names+=";renumber.1M.cost_in_iterations"
for kernel in save_soln adt_calc res_calc update; do names+=";airfoil.1M.seq1.range_to_hand.$kernel"; done
for kernel in adt_calc res_calc update; do
  for size in 40k 1M; do names+=";speed.$size.library_to_scalar.$kernel"; done
done
names+=";speed.1M.library_to_scalar.iteration"
names+=";threads.1M.openmp.2_to_1;threads.4M.openmp.2_to_1;threads.1M.openmp.2_to_roofline"
names+=";shuffled.1M.seq1.to_natural;shuffled.1M.openmp2.to_natural;shuffled.1M.seq1.renumbering"
names+=";compile.warm_to_cold.total"
for size in 40k 1M; do names+=";layout.$size.seq1.default_to_best.iteration"; done
for value in adt res q rms; do names+=";accuracy.worst.$value"; done
if grep -q '^bench_loop_call:' "$build/bench/programs.txt"; then
  names+=";bench_loop_call"
else
  names+=";loop_call.seq1.1_element"
fi
if ! grep -q '^bench_fortran:' "$build/bench/programs.txt"; then
  names+=";fortran.40k.seq1.ranges_to_cpp"
fi
names+=";compat.40k.seq1_range.headers_to_cpp;compat.40k.seq1_specialised.headers_to_cpp;compat.residuals.difference"
names+=";scale.memory.twice_the_parts"
if ! grep -q '^bench_exchange:' "$build/bench/programs.txt"; then
  for ranks in 2 4; do
    for value in messages_difference bytes_difference halo_differences; do names+=";scale.${ranks}_ranks.$value"; done
  done
  for size in 8B 64B 512B 4kB 32kB 256kB 1MB; do names+=";exchange.$size.halo_to_sendrecv"; done
  names+=";ranks.1M.2_ranks_to_1;ranks.1M.2_ranks_to_2_threads"
  for size in 8B 512B; do names+=";reduction.$size.record_to_allreduce"; done
fi
if grep -qs 'async_output.call' "$scratch/out.json"; then # not without HDF5, nor on one core
  names+=";async_output.call.to_memcpy"
fi
verdict=$(cmake "-DFILE=$scratch/out.json" "-DNAMES=$names" -P "$here/test_json.cmake")
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
