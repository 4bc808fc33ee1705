#!/usr/bin/env bash
# snippets.sh SOURCE BUILD TEXTS PAGE...: the code in these pages compiles, runs and prints what they say. A comment in the
# line before a block says what the block is; every block of C, C++ or CMake must have one:
#   <!-- file: NAME -->                 part of the file NAME; parts of one name are put together in their order
#   <!-- output: NAME [BACKEND...] -->  what the program NAME.c or NAME.cpp prints, on both streams, on these back ends
#                                       (none: seq and auto). Add "fails" when the program must end with an error, "like"
#                                       when numbers, spacing and the order of the lines may differ, "with=PLUGIN" when it
#                                       needs a plugin that a build may be without, "processes=N" when N processes under
#                                       op2_launch print the same on the last back end, "SETTING=VALUE" for its environment
#   <!-- run: [FILE...] -->             commands of the shell that end well and leave these files, where the programs of
#                                       the page are made and run; the tools of the library are found, and op2-config
#                                       speaks of this build. Left out where op2_plot is called and the modules it needs
#                                       are missing, and where gfortran is called and FC does not name it
#   <!-- session: [needs=TOOL...] -->   what a terminal shows where run: runs its commands. Lines that begin with "$ " are
#                                       commands of the shell, those that begin with "(gdb) " are given to the gdb that
#                                       was called last. The other lines are what the commands print, on both streams;
#                                       "..." stands for any text in a line, and on a line of its own for any lines;
#                                       with "unordered" it stands for lines anywhere, and the others come in any order.
#                                       Where TOOL (gdb, perf, valgrind, gfortran, op2_plot, or "texts" for generated code)
#                                       cannot be used, the reason is printed, and the whole ends with 77
#                                       "run:" and "session:" also take from=FOLDER: a copy of this folder of the source
#                                       tree is brought to the place first; and with=PLUGIN, as "output:" does
#   <!-- frame: FRAME -->               compiles in the place of the line "block" of tests/docs/frames/FRAME
#   <!-- from: PATH -->                 stands like this in a file of the source tree, indentation apart
# TEXTS: the option with which compilers keep texts of kernels, or empty.
# With DOCS_UPDATE=1, outputs that are not alike are put into the pages: read what changed before you keep it.
set -euo pipefail
source=$1 build=$2 texts=$3
shift 3
cc=${CC:-cc} cxx=${CXX:-c++}
for variable in "${!OP2_@}"; do unset "$variable"; done # pages speak of the defaults
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
complain() { echo "$*"; bad=1; }
warnings=(-Wall -Wextra -Werror -Wno-unused-function -Wno-unused-variable -Wno-unused-parameter)

# compile FILE ARGUMENT...: with the compiler of its language, as a user of the library would.
compile() {
  local file=$1
  shift
  case $file in
    *.c) "$cc" $texts -std=c99 "${warnings[@]}" -I "$source/include" "$file" "$@" ;;
    *.cpp) "$cxx" $texts -std=c++17 "${warnings[@]}" -I "$source/include" "$file" "$@" ;;
  esac
}

# Blocks of a page: $work/block/N holds the text, the list has "N line language mark".
blocks() {
  awk -v folder="$work/block" '
    /^```/ {
      if (open) { close(folder "/" count); open = 0 }
      else {
        open = 1
        language = substr($0, 4)
        printf "" > (folder "/" ++count)
        print count, FNR, (language == "" ? "-" : language), mark
      }
      mark = ""
      next
    }
    open { print > (folder "/" count); next }
    /^<!-- .* -->$/ { mark = $0; gsub(/^<!-- | -->$/, "", mark); next }
    { mark = "" }
    END { if (open) print "unfinished block" > "/dev/stderr" }
  ' "$1"
}

without_indentation() { sed 's/^ *//' "$1"; }

# Is the text of $1 found as a whole in $2? Both are lines; indentation does not count.
stands_in() {
  awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
    END {
      for (i = 0; i + n <= m; ++i) {
        for (k = 1; k <= n && have[i + k] == want[k]; ++k) { }
        if (k > n) exit 0
      }
      exit 1
    }
  ' <(without_indentation "$1") <(without_indentation "$2")
}

# What a block needs beside its commands: from=FOLDER is brought, with=PLUGIN looked for. The other words go to `rest`.
prepare() {
  local place=$1 word
  shift
  rest=()
  for word in "$@"; do
    case $word in
      from=*) cp -r "$source/${word#from=}/." "$work" || { complain "$place: there is no folder ${word#from=}"; return 1; } ;;
      with=*)
        [[ -e $build/lib/op2/op2_${word#with=}.so ]] && continue
        echo "$place: left out, there is no plugin ${word#with=} here"
        return 1
        ;;
      *) rest+=("$word") ;;
    esac
  done
}

# run_commands PLACE BLOCK FILE...
run_commands() {
  local place=$1 block=$2 file
  local PATH=$work/tools:$build/bin:$source/src/tools:/usr/bin:$PATH # the system's Python has the modules of Debian's packages
  shift 2
  if grep -q op2_plot "$block" && ! python3 -c 'import h5py, matplotlib' 2>/dev/null; then
    echo "$place: left out, op2_plot needs python3-h5py and python3-matplotlib"
    return 0
  fi
  if [[ $without_fortran == yes ]] || { grep -q gfortran "$block" && [[ ${FC:-} != *gfortran* ]]; }; then
    echo "$place: left out, the library has no modules of gfortran here"
    without_fortran=yes # what follows runs the program
    return 0
  fi
  (cd "$work" && sh -e "$block") >"$work/out" 2>&1 ||
    { complain "$place: a command failed:" && cat "$work/out"; }
  for file in "$@"; do
    [[ -s $work/$file ]] || complain "$place: there is no file $file afterwards"
  done
}

declare -A trouble # why a tool cannot be used here, or nothing
trouble_with() {
  local probe
  case $1 in
    texts) [[ -n $texts ]] || echo "compilers keep no texts of kernels here"; return ;;
    gfortran) [[ ${FC:-} == *gfortran* ]] || echo "the library has no modules of gfortran here"; return ;;
    op2_plot) python3 -c 'import h5py, matplotlib' 2>/dev/null || echo "op2_plot needs python3-h5py and python3-matplotlib"; return ;;
  esac
  command -v "$1" >/dev/null || { echo "there is no $1"; return; }
  case $1 in
    gdb) probe=(timeout -s KILL 60 gdb -nx -batch -ex run /bin/true) ;;
    perf) probe=(perf record -o "$work/probe" /bin/true) ;;
    *) probe=("$1" --version) ;;
  esac
  "${probe[@]}" </dev/null >"$work/tried" 2>&1 || { echo "$1 cannot be used: $(tail -1 "$work/tried")"; return; }
  [[ $1 != gdb ]] || grep -q 'exited normally' "$work/tried" || echo "gdb cannot run programs: $(tail -1 "$work/tried")"
}

# shows_unordered EXPECTED OUTPUT: does the output have the expected lines, and others only where "..." allows them?
shows_unordered() {
  local want have line pattern more=no n
  mapfile -t want <"$1"
  mapfile -t have <"$2"
  for line in "${want[@]}"; do
    [[ $line != ... ]] || { more=yes; continue; }
    pattern=$(sed 's/[][*?\\]/\\&/g; s/[.][.][.]/*/g' <<<"$line")
    # shellcheck disable=SC2053
    for n in "${!have[@]}"; do [[ ${have[n]} != $pattern ]] || { unset "have[n]"; continue 2; }; done
    echo "no line '$line'"
    return 1
  done
  [[ $more == yes ]] || ((${#have[@]} == 0)) || { printf "one more line: '%s'\n" "${have[@]}"; return 1; }
}

# shows EXPECTED OUTPUT: does the output have the expected lines, one after the other?
shows() {
  local want have line pattern n=0 skip=no
  mapfile -t want <"$1"
  mapfile -t have <"$2"
  for line in "${want[@]}"; do
    [[ $line != ... ]] || { skip=yes; continue; }
    pattern=$(sed 's/[][*?\\]/\\&/g; s/[.][.][.]/*/g' <<<"$line")
    # shellcheck disable=SC2053
    while [[ $skip == yes ]] && ((n < ${#have[@]})) && [[ ${have[n]} != $pattern ]]; do n=$((n + 1)); done
    # shellcheck disable=SC2053
    ((n < ${#have[@]})) && [[ ${have[n]} == $pattern ]] || { echo "no line '$line' where one should be"; return 1; }
    n=$((n + 1)) skip=no
  done
  [[ $skip == yes ]] || ((n == ${#have[@]})) || { echo "one more line: '${have[n]}'"; return 1; }
}

# run_session PLACE BLOCK [needs=TOOL...|unordered]...
run_session() {
  local place=$1 block=$2 reason='' line commands=() typed n word compare=shows
  local PATH=$work/tools:$build/bin:$source/src/tools:/usr/bin:$PATH
  for word in "${@:3}"; do
    [[ $word != unordered ]] || { compare=shows_unordered; continue; }
    word=${word#needs=}
    [[ -n ${trouble[$word]+known} ]] || trouble[$word]=$(trouble_with "$word")
    [[ -n $reason ]] || reason=${trouble[$word]}
  done
  [[ -z $reason ]] || { echo "$place: skipped: $reason"; skipped=yes; return 0; }
  rm -f "$work"/typed.* "$work"/expected.*
  while IFS= read -r line; do
    case $line in
      '$ '*) commands+=("${line#'$ '}") ;;
      '(gdb) '*) echo "${line#'(gdb) '}" >>"$work/typed.${#commands[@]}" ;;
    esac
    [[ $line == '$ '* ]] || echo "$line" >>"$work/expected.${#commands[@]}"
  done <"$block"
  for ((n = 1; n <= ${#commands[@]}; ++n)); do
    line=${commands[n - 1]} typed=$work/typed.$n
    if [[ -f $typed ]]; then printf 'set width 0\nset trace-commands on\n' | cat - "$typed" >"$work/input"; else : >"$work/input"; fi
    (cd "$work" && LD_LIBRARY_PATH=$build/lib sh -c "$line") <"$work/input" >"$work/out" 2>&1 ||
      { complain "$place: '${commands[n - 1]}' failed:" && cat "$work/out"; }
    [[ ! -f $typed ]] || # what gdb reads appears behind its prompt, the end of the input as a question
      sed -Ei 's/^(\(gdb\) )+[+]/(gdb) /; /^\(gdb\) quit$/,$d; /^(\(gdb\) )+$/,$d' "$work/out"
    touch "$work/expected.$n"
    "$compare" "$work/expected.$n" "$work/out" || { complain "$place: '${commands[n - 1]}' prints something else:" && cat "$work/out"; }
  done
}

# What stays the same when a program runs again at another speed.
likeness() { sed -E 's/[0-9]+([.][0-9]+)?/#/g; s/ +/ /g; s/^ //' "$1" | sort; }

# Compilers disagree about the line of a call that takes several.
any_line() { sed -E 's/\[([a-z_]+\.c):[0-9]+\]/[\1:#]/' "$1"; }

# expect_output PLACE BLOCK NAME [BACKEND...] [fails] [like] [processes=N]
expect_output() {
  local place=$1 block=$2 name=$3 backends=() settings=() fails=no like=no processes=1 launch backend status word
  for word in "${@:4}"; do
    case $word in
      with=*)
        [[ -e $build/lib/op2/op2_${word#with=}.so ]] && continue
        echo "$place: left out, there is no plugin ${word#with=} here"
        return 0
        ;;
      processes=*) processes=${word#*=} ;;
      *=*) settings+=("$word") ;;
      fails) fails=yes ;;
      like) like=yes ;;
      *) backends+=("$word") ;;
    esac
  done
  ((${#backends[@]})) || backends=(seq auto)
  if ((processes > 1)); then
    [[ -e $build/lib/op2/op2_comm_shm.so && -x $build/bin/op2_launch ]] && backends+=("shm+${backends[-1]}") ||
      echo "$place: left out on $processes processes, there is no communicator shm here"
  fi
  [[ $without_fortran == no ]] || return 0
  [[ -x $work/$name ]] || { complain "$place: there is no program $name before this"; return 0; }
  for backend in "${backends[@]}"; do
    status=0 launch=()
    [[ $backend != shm+* ]] || launch=("$build/bin/op2_launch" -n "$processes")
    (cd "$work" && env "${settings[@]}" "OP2_BACKEND=$backend" "${launch[@]}" "./$name") >"$work/out" 2>&1 || status=$?
    if [[ $fails == no ]] && ((status != 0)); then complain "$place: $name on $backend failed with $status"; fi
    if [[ $fails == yes ]] && ((status == 0)); then complain "$place: $name on $backend was to fail"; fi
    cp "$block" "$work/expected"
    cp "$work/out" "$work/new/${block##*/}"
    if [[ $like == yes ]]; then
      likeness "$block" >"$work/expected"
      likeness "$work/out" >"$work/out.like"
      mv "$work/out.like" "$work/out"
    fi
    if ! diff <(any_line "$work/expected") <(any_line "$work/out") >"$work/diff"; then
      complain "$place: $name on $backend prints something else (page <, program >):"
      cat "$work/diff"
    else
      rm "$work/new/${block##*/}"
    fi
    programs=$((programs + 1))
  done
}

# Puts the outputs in new/ into the page $1, the last block first.
update() {
  local block line
  for block in $(cd "$work/new" && find . -type f | sed 's|^./||' | sort -rn); do
    line=$(awk -v n="$block" '$1 == n {print $2}' <<<"$list")
    awk -v line="$line" -v out="$work/new/$block" '
      FNR > line && !done { if (!/^```/) next; while ((getline text < out) > 0) print text; done = 1 }
      { print }' "$1" >"$work/page"
    cp "$work/page" "$1"
  done
}

total=0 programs=0 skipped=no
for page in "$@"; do
  rm -rf "${work:?}"/*
  mkdir "$work/block" "$work/new" "$work/tools"
  cat >"$work/tools/op2-config" <<TEXT
#!/bin/sh
case \$1 in
--cflags | --cxxflags) echo $texts -I$source/include ;;
--op2-flags) echo -I$source/include/op2/compat $texts -I$source/include ;;
--libs) echo -L$build/lib -lop2 ;;
--trace-libs) echo -L$build/lib -lop2_trace -lop2 ;;
--fflags) echo $texts -I$build/fortran ;;
--flibs) echo -L$build/lib -lop2_fortran -lop2_trace -lop2 ;;
--libdir) echo $build/lib ;;
esac
TEXT
  chmod +x "$work/tools/op2-config"
  without_fortran=no
  list=$(blocks "$source/$page")
  while read -r number line language kind what; do
    [[ -n $number ]] || continue
    place=$page:$line block=$work/block/$number
    if [[ -z $kind ]]; then
      case $language in
        c | cpp | cmake) complain "$place: a block of $language without a mark (see tests/docs/snippets.sh)" ;;
      esac
      continue
    fi
    total=$((total + 1))
    case $kind in
      file:)
        [[ ! -s $work/$what ]] || echo >>"$work/$what"
        cat "$block" >>"$work/$what"
        ;;
      frame:)
        frame=$source/tests/docs/frames/$what
        [[ -f $frame ]] || { complain "$place: there is no frame $what"; continue; }
        awk -v block="$block" '$1 == "block" { while ((getline text < block) > 0) print text; next } { print }' \
          "$frame" >"$work/framed.$what"
        (cd "$work" && compile "framed.$what" -fsyntax-only) || complain "$place: does not compile in the frame $what"
        ;;
      run:)
        # shellcheck disable=SC2086
        prepare "$place" $what && run_commands "$place" "$block" "${rest[@]}"
        ;;
      session:)
        # shellcheck disable=SC2086
        prepare "$place" $what && run_session "$place" "$block" "${rest[@]}"
        ;;
      from:) stands_in "$block" "$source/$what" || complain "$place: does not stand like this in $what" ;;
      output:)
        read -r name rest <<<"$what"
        program=$name.c
        [[ ! -f $work/$name.cpp ]] || program=$name.cpp
        if [[ -f $work/$program && ! -x $work/$name ]]; then # complete by now
          (cd "$work" && compile "$program" -O2 -o "$name" -L "$build/lib" -Wl,--as-needed -lop2_trace -lop2 -Wl,-rpath,"$build/lib" -lm) ||
            complain "$place: $program does not compile"
        fi
        # shellcheck disable=SC2086
        expect_output "$place" "$block" "$name" $rest
        ;;
      *) complain "$place: unknown mark '$kind'" ;;
    esac
  done <<<"$list"
  [[ ${DOCS_UPDATE:-} != 1 ]] || update "$source/$page"
  for file in "$work"/*.c "$work"/*.cpp; do # every file is a program with an output, or at least compiles
    [[ -f $file && $file != */framed.* && ! -x ${file%.*} ]] || continue
    compile "$file" -fsyntax-only || complain "$page: $(basename "$file") does not compile"
  done
done
((total > 0)) || complain "no marked block was found"
((bad)) || echo "$total blocks of ${#} pages hold; $programs runs of programs"
((bad == 1)) || [[ $skipped == no ]] || exit 77
exit $bad

# SPDX-License-Identifier: MIT
