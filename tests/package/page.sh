#!/usr/bin/env bash
# page.sh: the ways that docs/install.md shows, as it shows them. (tests/docs/snippets.sh compares the page with the files
# used here.)
source "$(dirname "$0")/common.sh"
need make make
need pkg-config pkg-config
page=$work/page
fresh "$page"
cp "$here"/page/* "$page"
cp "$here/outside/loop.c" "$page/solver.c"

if [[ -f $tree/$libdir/op2/op2_exec_openmp.so ]]; then
  configure "$page/build" "$page" -DCMAKE_PREFIX_PATH="$tree" || complain "CMake"
  build "$page/build" solver && run_everywhere "$tree" "$page/build/solver"
fi

PATH=$tree/bin:$PATH make -s -C "$page" CC="$CC" || complain "make"
run_everywhere "$tree" "$page/solver"

command=$(sed -n '/^cc solver.c/p' "$source_folder/docs/install.md")
[[ $command == *pkg-config* ]] || complain "the page has no line for pkg-config: '$command'"
rm "$page/solver"
mkdir "$page/bin" && ln -s "$(command -v "$CC")" "$page/bin/cc"
(cd "$page" && PATH=$page/bin:$PATH PKG_CONFIG_PATH=$tree/$libdir/pkgconfig bash -c "$command") || complain "pkg-config"
LD_LIBRARY_PATH=$tree/$libdir run_everywhere "$tree" "$page/solver"

# What it says about options, presets and files exists.
grep -oE -- '--[a-z]+dir|--(version|prefix|cflags|cxxflags|libs|plugins)\b' "$source_folder/docs/install.md" | sort -u |
  while IFS= read -r option; do "$tree/bin/op2-config" "$option" >/dev/null || echo "$option"; done >"$page/options"
same "options that op2-config does not have" "$(cat "$page/options")" ""
verdict "docs/install.md"

# SPDX-License-Identifier: MIT
