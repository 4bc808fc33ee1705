#!/usr/bin/env bash
# symbols.sh LIBRARY VERSION-SCRIPT HEADER-FOLDER LIST OLD-HEADER-FOLDER: the names the library exports, those of the
# version script, those that its headers declare with OP_API, and those of LIST (abi/symbols.txt) are the same; all are
# functions with C names; none that OLD-HEADER-FOLDER declares is gone. The columns of LIST agree with version nodes and
# comments.
# shellcheck source=common.sh
source "$(dirname "$0")/common.sh"
need nm readelf
library=$1 map=$2 list=$4
mapfile -t headers < <(headers_of "$library" "$3")
mapfile -t old_headers < <(headers_of "$library" "$5")

exports=$(exported "$library")
[[ -n $exports ]] || complain "$library exports nothing"
in_library=$(cut -d@ -f1 <<<"$exports" | sort -u)
in_map=$(sed -n '/global:/,/local:\|^}/s/^ *\([A-Za-z_0-9]*\);.*/\1/p' "$map" | sort)
in_headers=$(declared "${headers[@]}")
in_list=$(awk '!/^#/ && NF { print $1 }' "$list" | sort)
compare "the library" "$in_library" "the version script" "$in_map"
compare "the version script" "$in_map" "the headers" "$in_headers"
compare "the headers" "$in_headers" "the list of symbols" "$in_list"

# Declarations that the pattern of declared() cannot see would be missing without a word.
seen=$(wc -l <<<"$in_headers")
marked=$(cat "${headers[@]}" | grep -c '^ *OP_API ')
((seen == marked)) || complain "$marked lines of the headers begin with OP_API, $seen of them were understood"

# Only functions with C names: data cannot be moved later, and C++ names differ between compilers.
while IFS= read -r name; do
  case $name in
    _Z*) complain "$name is a C++ name" ;;
    op_*@@*) ;;
    *) complain "$name does not begin with op_ or has no version" ;;
  esac
done <<<"$exports"
while read -r _ kind name; do
  [[ $kind == T || $kind == A ]] || complain "$name is exported, but is no function (nm says $kind)"
done < <(nm -D --defined-only "$library")

# deprecated_in_comments: "name version" for each function whose comment says "Deprecated since VERSION". A comment goes
# with the declarations below it, up to the next empty line.
deprecated_in_comments() {
  awk 'FNR == 1 || NF == 0 { version = "" }
       match($0, /Deprecated since [0-9.]*[0-9]/) { version = substr($0, RSTART + 17, RLENGTH - 17) }
       /^OP_API / && version { sub(/\(.*/, ""); sub(/.*[ *]/, ""); print $0, version }' "${headers[@]}" | sort
}
version=$(project_version)
while read -r name since deprecated more; do
  [[ $since =~ ^[0-9]+\.[0-9]+$ && $deprecated =~ ^([0-9]+\.[0-9]+|-)$ && -z $more ]] ||
    { complain "the list of symbols: not of the form 'name 1.2 -': $name $since $deprecated $more"; continue; }
  ! is_newer "$since" "${version%.*}" || complain "$name is listed as new in $since, but this is version $version"
  # Everything of the first stable release is in its node.
  node=OP2_$(is_newer "$since" 1.0 && echo "$since" || echo 1.0)
  [[ $exports == *"$name@@"* ]] && ! grep -qx "$name@@$node" <<<"$exports" &&
    complain "$name is not of version $node, which a function of $since is"
done < <(awk '!/^#/ && NF' "$list")
in_column=$(awk '!/^#/ && NF && $3 != "-" { print $1, $3 }' "$list" | sort)
compare "the column 'deprecated' of the list of symbols" "$in_column" \
  "the comments of the headers" "$(deprecated_in_comments)"

before=$failures
while IFS= read -r name; do complain "$name was removed: the headers of the baseline declare it"; done < <(
  comm -13 <(echo "$in_library") <(declared "${old_headers[@]}"))
((failures == before)) && verdict "$(wc -l <<<"$exports") exported names"
incompatible_verdict "exported names"

# SPDX-License-Identifier: MIT
