#!/usr/bin/env bash
# symbols.sh LIBRARY VERSION-SCRIPT HEADER-FOLDER: the names the library exports, the names of the version script and
# the names that headers declare with OP_API are the same, and all are C names of version OP2_1.0.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need nm readelf
library=$1 map=$2 headers=$3

exports=$(exported "$library")
[[ -n $exports ]] || complain "$library exports nothing"
in_library=$(cut -d@ -f1 <<<"$exports" | sort -u)
in_map=$(sed -n '/global:/,/local:/s/^ *\([A-Za-z_0-9]*\);.*/\1/p' "$map" | sort)
in_headers=$(sed -n 's/^OP_API [^(]*[ *]\([A-Za-z_0-9]*\)(.*/\1/p' "$headers"/*.h | sort)

compare "the library" "$in_library" "the version script" "$in_map"
compare "the version script" "$in_map" "the headers" "$in_headers"

# Declarations that the pattern above cannot see would be missing without a word.
seen=$(wc -l <<<"$in_headers")
marked=$(cat "$headers"/*.h | grep -c '^ *OP_API ')
((seen == marked)) || complain "$marked lines of the headers begin with OP_API, $seen of them were understood"

while IFS= read -r name; do
  case $name in
    _Z*) complain "$name is a C++ name" ;;
    op_*@@OP2_1.0) ;;
    *) complain "$name does not begin with op_ or is not of version OP2_1.0" ;;
  esac
done <<<"$exports"
# Everything a plugin or a program could bind to must be a function: data cannot be moved later.
while read -r _ kind name; do
  [[ $kind == T || $kind == A ]] || complain "$name is exported, but is no function (nm says $kind)"
done < <(nm -D --defined-only "$library")
verdict "$(wc -l <<<"$exports") exported names"
