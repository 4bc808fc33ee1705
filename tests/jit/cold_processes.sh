#!/bin/bash
# cold_processes.sh PROGRAM MESH LAUNCHER: eight processes start with an empty cache: each text is compiled once for all of them, and nothing
# is written below $HOME where a setting names the folder; later processes compile nothing.
program=$1 mesh=$2 launcher=$3
. "$(dirname "$0")/common.sh"
have_compiler || { echo "skipped: there is no C++ compiler"; exit 77; }
export OP2_BACKEND=auto OP2_NUM_THREADS=1 OP2_JIT_FORM=first HOME=$work/home XDG_CACHE_HOME= runs=$work/runs
mkdir "$HOME" && : >"$runs"
# Notes the digest of each text that is compiled.
cat >"$work/counting_compiler" <<'END'
#!/bin/sh
for word; do case $word in *.cpp) sha256sum <"$word" >>"$runs" ;; esac; done
exec c++ "$@"
END
chmod +x "$work/counting_compiler"
export OP2_CXX=$work/counting_compiler

run() { # run NAME
  "$launcher" -n 8 "$program" "$mesh" --iterations 20 >"$work/$1" 2>&1 || complain "$1: exit code $?: $(tail -5 "$work/$1")"
}
run cold
texts=$(sort -u "$runs" | wc -l) compilations=$(wc -l <"$runs")
echo "$compilations runs of the compiler for $texts texts"
((texts >= 4)) || complain "only $texts texts were compiled"
((compilations == texts)) || complain "a text was compiled twice: $(sort "$runs" | uniq -d)"
: >"$runs"
run warm
[ ! -s "$runs" ] || complain "processes with a full cache compile"
[ -z "$(ls -A "$HOME")" ] || complain "written below HOME: $(find "$HOME")"
finish

# SPDX-License-Identifier: MIT
