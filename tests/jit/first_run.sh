#!/bin/bash
# first_run.sh AIRFOIL MESH: with nothing in the cache, loops begin with scalar code and go on with vectors, to the same
# bits; later runs need neither the compiler nor the program's text.
airfoil=$1 mesh=$2
. "$(dirname "$0")/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
export OP2_JIT_FORM=first # forms are not compared by time
export OP2_JIT_MIN_ELEMENTS=0  # code from the first run on
iterations=100

run() { # run NAME SETTINGS...
  local name=$1
  shift
  env "$@" "$airfoil" "$mesh" --iterations $iterations >"$work/$name" 2>&1 || complain "$name: exit code $?"
  expect "$name" PASSED
}
same_residual() { [ "$(grep 'rms =' "$work/$1")" = "$(grep 'rms =' "$work/$2")" ] || complain "$1 and $2: another residual"; }

# Compilers that take their time over everything but the first code, and that fail on vectors.
cat >"$work/slow_compiler" <<'END'
#!/bin/sh
for word; do case $word in *.cpp) source=$word ;; esac; done
grep -q "^// to be compiled quickly" "$source" || sleep 0.3
exec c++ "$@"
END
chmod +x "$work/slow_compiler"
cat >"$work/failing_compiler" <<'END'
#!/bin/sh
for word; do case $word in *.cpp) source=$word ;; esac; done
grep -q "op2_lanes" "$source" && exit 1
exec c++ "$@"
END
chmod +x "$work/failing_compiler"

run waiting OP2_JIT_CACHE=off
run cold OP2_JIT=auto
for loop in save_soln adt_calc res_calc bres_calc update; do
  expect cold "loop '$loop'.* form (scalar.*they are|own .*its own code is) being compiled"
done
same_residual cold waiting

# The program runs on while a slow compiler is at work.
iterations=1000
run late OP2_JIT=auto OP2_CXX="$work/slow_compiler" OP2_JIT_CACHE="$work/late_cache"
expect late "loop 'res_calc': now form vector"
run late_waiting OP2_JIT_CACHE=off
same_residual late late_waiting
iterations=100

# Where there are no vectors in the end, scalar code stays, and one line says why.
run failing OP2_JIT=auto OP2_CXX="$work/failing_compiler" OP2_JIT_CACHE=off
expect failing "warning: loop '.*' runs scalar code"
refuse failing "now form vector"
same_residual failing waiting

# All is kept in the end, and text is not looked at again: a folder is needed, neither a compiler nor the source.
run fill
run warm OP2_JIT=auto
count warm "form vector.*\(from the cache" 5
if command -v strace >/dev/null; then
  strace -f -e trace=openat -o "$work/opened" "$airfoil" "$mesh" --iterations 1 >"$work/traced" 2>&1
  refuse opened 'airfoil_kernels\.h'
else
  echo "left out: strace would show which files are opened"
fi

# Somebody at a terminal is told what the program waits for; a file is not.
if command -v script >/dev/null; then
  export OP2_LOG=warn OP2_CXX=$work/slow_compiler
  OP2_JIT_CACHE=off script -qec "'$airfoil' '$mesh' --iterations 1" "$work/terminal" >/dev/null </dev/null
  expect terminal "^op2: loops are being compiled"
  [ "$(grep -c 'loops are being compiled' "$work/terminal")" = 1 ] || complain "terminal: told more than once"
  OP2_JIT_CACHE=off "$airfoil" "$mesh" --iterations 1 >"$work/file" 2>&1
  refuse file "being compiled"
else
  echo "left out: a terminal needs the program script"
fi
finish

# SPDX-License-Identifier: MIT
