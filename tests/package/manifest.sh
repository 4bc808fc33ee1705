#!/usr/bin/env bash
# manifest.sh [TREE [LIBDIR [EXTRA-PATTERN]]]: the installed tree contains what manifest.txt says, nothing else, and the
# headers of the source folder unchanged.
source "$(dirname "$0")/common.sh"
root=${1:-$tree} lib=${2:-$libdir} extra=${3:-}

files=$(cd "$root" && find . ! -type d -printf '%P\n' | sort)
patterns=$(sed -e '/^#/d' -e "s|LIBDIR|$lib|" "$here/manifest.txt")
[[ -z $extra ]] || patterns+=$'\n'"+ $extra"
while read -r sign pattern; do
  grep -qxE -- "$pattern" <<<"$files" || [[ $sign == "?" ]] || complain "nothing installed matches $pattern"
done <<<"$patterns"
while IFS= read -r file; do complain "$file should not be there"; done < \
  <(grep -vxE -f <(cut -c 3- <<<"$patterns") <<<"$files" || true)

diff -rq -x fortran "$source_folder/include/op2" "$root/include/op2" || complain "the headers differ from those of the source"
diff -rq "$source_folder/docs" "$root/share/doc/op2/docs" | grep '\.md' && complain "the documentation differs"
[[ -x $root/bin/op2-config && -x $root/bin/op2_info && -x $root/bin/op2_launch ]] || complain "a program is not executable"
while IFS= read -r link; do complain "$link leads nowhere"; done < <(find "$root" -xtype l)
verdict "manifest ($(wc -l <<<"$files") files)"

# SPDX-License-Identifier: MIT
