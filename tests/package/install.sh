#!/usr/bin/env bash
# install.sh: cmake --install into an empty folder; the other tests look at the result.
source "$(dirname "$0")/common.sh"
fresh "$tree"
cmake --install "$build_folder" --prefix "$tree" >"$work/install.log" 2>&1 || { cat "$work/install.log"; exit 1; }
"$tree/bin/op2_info" >"$work/op2_info.txt" || complain "the installed op2_info does not start"
head -n 2 "$work/op2_info.txt"

# Everything that is built as a plugin is installed as one.
same "installed plugins" "$(cd "$tree/$libdir/op2" && ls)" "$(cd "$build_folder/lib/op2" && ls)"
# The plugins that need no file are those that the package files list as built in.
built_in=$(sort <(awk '/^  (exec|comm|part|io) / { name = $1 "_" $2 } $1 == "built" { print name }' "$work/op2_info.txt"))
same "built-in plugins" "$(tr '\n' ' ' <<<"$built_in")" \
  "$(sed -n 's/^    for name in \([^;]*\);.*/\1 /p' "$tree/bin/op2-config")"
verdict "install"

# SPDX-License-Identifier: MIT
