#!/usr/bin/env bash
# trace.sh JOB LAUNCHER...: trace_job on 1, 2, 3 and 5 processes: every way of drawing the lines gives the same bytes.
# LAUNCHER... -n N starts N processes.
set -uo pipefail
job=$1
shift
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for processes in 1 2 3 5; do
  mkdir "$folder/$processes"
  launch=("$@" -n "$processes")
  ((processes > 1)) || launch=(env OP2_BACKEND=seq)
  OP2_TRACE=$folder/$processes.json "${launch[@]}" "$job" "$folder/$processes" >"$folder/$processes.out" 2>&1 || { echo "trace_job on $processes processes failed:"; cat "$folder/$processes.out"; failed=1; }
done
cd "$folder" || exit 1
for kind in "" cells_; do
  files=([1235]/"$kind"{plain,threads,blocks,many_blocks,overlap,cyclic,bisection,mesh,broadcast,reduction}.vtp)
  sums=$(sha256sum "${files[@]}" | sort)
  ((${#files[@]} == 40 && $(wc -l <<<"$sums") == 40)) || { echo "files are missing: ${files[*]}"; failed=1; }
  (($(cut -d' ' -f1 <<<"$sums" | uniq | wc -l) == 1)) || { echo "lines differ:"; echo "$sums"; failed=1; }
done
# Something was handed over, and what was counted is what there is.
grep -q '"handed_over":0,' 5.out && { echo "no particle changed its process:"; cat 5.out; failed=1; }
(($(grep -o '"lines":[0-9]*' ./*.out | sed 's/.*://' | sort -u | wc -l) == 1)) || { echo "numbers of lines differ:"; grep -o '"lines":[0-9]*' ./*.out; failed=1; }
for name in streamlines trace messages wait; do # the lane and its spans, of the last process
  grep -q "\"name\":\"$name\"" 5.4.json || { echo "the trace shows no '$name'"; failed=1; }
done
(($(grep -h exponents ./*.out | sort -u | wc -l) == 1)) || { echo "exponents differ:"; grep exponents ./*.out; failed=1; }
# Lines for HDF5 where there is no driver: a word about it, and no file.
if OP2_BACKEND=seq OP2_IO_DRIVER=nothing "$job" "$folder" vtkhdf >none.out 2>&1 || [[ -e lines.vtkhdf ]] || ! grep -q "op_write_lines: .*'nothing'" none.out; then
  echo "lines were written to lines.vtkhdf without a driver, or it was not told why not:"; cat none.out; failed=1
fi
exit $failed

# SPDX-License-Identifier: MIT
