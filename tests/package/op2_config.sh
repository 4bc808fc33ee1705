#!/usr/bin/env bash
# op2_config.sh: every answer of op2-config, also when it is called through a link, and what it does with nonsense.
source "$(dirname "$0")/common.sh"
tool=$tree/bin/op2-config
version=$(sed -n 's/^project(op2 VERSION \([0-9.]*\).*/\1/p' "$source_folder/CMakeLists.txt")

same --version "$("$tool" --version)" "$version"
same --prefix "$("$tool" --prefix)" "$tree"
text=-B$tree/$libdir/op2/compiler/
same --cflags "$("$tool" --cflags)" "-I$tree/include $text"
same --cxxflags "$("$tool" --cxxflags)" "-I$tree/include $text"
same --op2-flags "$("$tool" --op2-flags)" "-I$tree/include/op2/compat -I$tree/include $text"
same --fflags "$("$tool" --fflags)" "-I$tree/include/op2/fortran $text"
same --flibs "$("$tool" --flibs)" "-L$tree/$libdir -lop2_fortran -lop2_trace -lop2"
same --libs "$("$tool" --libs)" "-L$tree/$libdir -lop2"
same --trace-libs "$("$tool" --trace-libs)" "-L$tree/$libdir -lop2_trace -lop2"
same --includedir "$("$tool" --includedir)" "$tree/include"
same --libdir "$("$tool" --libdir)" "$tree/$libdir"
same --plugindir "$("$tool" --plugindir)" "$tree/$libdir/op2"
same "two questions" "$("$tool" --version --prefix)" "$version"$'\n'"$tree"
same --plugins "$("$tool" --plugins)" "$("$tree/bin/op2_info" |
  awk '/^  (exec|comm|part|io) / { print $1 "_" $2 }' | sort)"
[[ $("$tool" --help) == usage:* ]] || complain "--help prints no usage"

ln -sf "$tool" "$work/a-link"
same "through a link" "$("$work/a-link" --prefix)" "$tree"
same "through the search path" "$(PATH=$tree/bin:$PATH op2-config --prefix)" "$tree"

# refused ARGUMENT...: exit code 2, an answer to nothing, the usage on the error stream.
refused() {
  local code=0
  "$tool" "$@" >"$work/out" 2>"$work/err" || code=$?
  same "exit code of op2-config $*" "$code" 2
  [[ ! -s $work/out ]] || complain "op2-config $*: output '$(cat "$work/out")'"
  grep -q '^usage:' "$work/err" || complain "op2-config $*: no usage"
}
refused
refused --cflag
grep -q "unknown option '--cflag'" "$work/err" || complain "the unknown option is not named"

if command -v dash >/dev/null; then same "under dash" "$(dash "$tool" --prefix)" "$tree"; fi
verdict "op2-config"

# SPDX-License-Identifier: MIT
