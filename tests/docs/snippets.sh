#!/usr/bin/env bash
# snippets.sh SOURCE BUILD TEXTS PAGE...: the code in these pages compiles, runs and prints what they say. A comment in the
# line before a block says what the block is; every block of C, C++ or CMake must have one:
#   <!-- file: NAME -->                 part of the file NAME; parts of one name are put together in their order
#   <!-- output: NAME [BACKEND...] -->  what the program NAME.c or NAME.cpp prints, on both streams, on these back ends
#                                       (none: seq and auto). Add "fails" when the program must end with an error, "like"
#                                       when numbers, spacing and the order of the lines may differ, "with=PLUGIN" when it
#                                       needs a plugin that a build may be without, "SETTING=VALUE" for its environment
#   <!-- run: [FILE...] -->             commands of the shell that end well and leave these files, where the programs of
#                                       the page are made and run; the tools of the library are found, and op2-config
#                                       speaks of this build. Left out where op2_plot is called and the modules it needs
#                                       are missing, and where gfortran is called and FC does not name it
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

# What stays the same when a program runs again at another speed.
likeness() { sed -E 's/[0-9]+([.][0-9]+)?/#/g; s/ +/ /g; s/^ //' "$1" | sort; }

# Compilers disagree about the line of a call that takes several.
any_line() { sed -E 's/\[([a-z_]+\.c):[0-9]+\]/[\1:#]/' "$1"; }

# expect_output PLACE BLOCK NAME [BACKEND...] [fails] [like]
expect_output() {
  local place=$1 block=$2 name=$3 backends=() settings=() fails=no like=no backend status word
  for word in "${@:4}"; do
    case $word in
      with=*)
        [[ -e $build/lib/op2/op2_${word#with=}.so ]] && continue
        echo "$place: left out, there is no plugin ${word#with=} here"
        return 0
        ;;
      *=*) settings+=("$word") ;;
      fails) fails=yes ;;
      like) like=yes ;;
      *) backends+=("$word") ;;
    esac
  done
  ((${#backends[@]})) || backends=(seq auto)
  [[ $without_fortran == no ]] || return 0
  [[ -x $work/$name ]] || { complain "$place: there is no program $name before this"; return 0; }
  for backend in "${backends[@]}"; do
    status=0
    (cd "$work" && env "${settings[@]}" "OP2_BACKEND=$backend" "./$name") >"$work/out" 2>&1 || status=$?
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

total=0 programs=0
for page in "$@"; do
  rm -rf "${work:?}"/*
  mkdir "$work/block" "$work/new" "$work/tools"
  printf '#!/bin/sh\ncase $1 in\n--fflags) echo %s -I%s/fortran ;;\n--flibs) echo -L%s/lib -lop2_fortran -lop2 ;;\n--libdir) echo %s/lib ;;\nesac\n' \
    "$texts" "$build" "$build" "$build" >"$work/tools/op2-config"
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
        run_commands "$place" "$block" $what
        ;;
      from:) stands_in "$block" "$source/$what" || complain "$place: does not stand like this in $what" ;;
      output:)
        read -r name rest <<<"$what"
        program=$name.c
        [[ ! -f $work/$name.cpp ]] || program=$name.cpp
        if [[ -f $work/$program && ! -x $work/$name ]]; then # complete by now
          (cd "$work" && compile "$program" -O2 -o "$name" -L "$build/lib" -lop2 -Wl,-rpath,"$build/lib" -lm) ||
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
exit $bad
