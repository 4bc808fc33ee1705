#!/usr/bin/env bash
# links.sh SOURCE: every relative link in README.md, in CONTRIBUTING.md and in the pages below docs/ leads to a file of the source tree
# and, where it names a heading, to a heading of that page. Every page is listed in docs/README.md. No line outside of blocks is longer than
# 140 characters.
set -euo pipefail
root=$(cd "$1" && pwd)
bad=0 count=0
complain() { echo "$*"; bad=1; }

# Text of a page without blocks of code.
prose() { awk '/^```/ {code = !code; next} !code' "$1"; }

# Anchors of a page's headings, as the usual hosts of git repositories make them: lower case, blanks to hyphens, most
# signs dropped.
anchors() {
  prose "$1" | sed -n 's/^#\{1,6\} *//p' | sed 's/\[\([^]]*\)\]([^)]*)/\1/g; s/`//g' | tr '[:upper:]' '[:lower:]' |
    sed 's/[^[:alnum:] _-]//g; s/ /-/g' | awk '{print $0 (seen[$0]++ ? "-" seen[$0] - 1 : "")}'
}

# Targets of a page's links, one a line. Text in backticks has none.
# shellcheck disable=SC2016
links() { prose "$1" | sed 's/`[^`]*`//g' | grep -oE '\]\([^)]+\)' | sed 's/^](//; s/)$//'; }

mapfile -t pages < <(cd "$root" && printf '%s\n' README.md CONTRIBUTING.md && find docs -name '*.md' | sort)
for page in "${pages[@]}"; do
  folder=$(dirname "$root/$page")
  while read -r link; do
    [[ -n $link && ! $link =~ ^(https?:|mailto:) ]] || continue
    count=$((count + 1))
    target=${link%%#*} anchor=
    [[ $link != *"#"* ]] || anchor=${link#*#}
    file=$root/$page
    [[ -z $target ]] || file=$folder/$target
    if [[ ! -e $file ]]; then
      complain "$page: $link leads nowhere"
    elif [[ $(realpath "$file") != "$root"/* ]]; then
      complain "$page: $link leads out of the source tree"
    elif [[ -n $anchor ]] && ! anchors "$file" | grep -qxF -- "$anchor"; then
      complain "$page: $link: that page has no such heading"
    fi
  done < <(links "$root/$page")
  if [[ $page == docs/* && $page != docs/README.md ]]; then
    grep -qF -e "](${page#docs/})" -e "](${page#docs/}#" "$root/docs/README.md" ||
      complain "docs/README.md does not list $page"
  fi
done
while IFS= read -r page; do
  while read -r line; do complain "$page: ${line:0:60}... is longer than 140 characters"; done < <(prose "$root/$page" | LC_ALL=C.UTF-8 grep -E '.{141}')
done < <(cd "$root" && find . -name '*.md' -not -path './build*' -not -path './.*' | sed 's|^./||' | sort)
((count > 10)) || complain "only $count links were found"
((bad)) || echo "$count links in ${#pages[@]} pages lead somewhere"
exit $bad

# SPDX-License-Identifier: MIT
