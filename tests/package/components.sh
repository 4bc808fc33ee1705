#!/usr/bin/env bash
# components.sh: the plugins as components of find_package, also one that another project builds and installs later;
# missing ones; versions that fit and versions that do not.
source "$(dirname "$0")/common.sh"
version=$("$tree/bin/op2-config" --version)
project=$work/components
fresh "$project"
cp -r "$tree" "$project/prefix" # a copy, to put a plugin into
prefix=$project/prefix

# seek NAME ARGUMENT...: configures the outside project; the output is in NAME.log whether it works or not.
seek() {
  local name=$1
  shift
  configure "$project/$name" "$here/outside" -DCMAKE_PREFIX_PATH="$prefix" "$@" >/dev/null
}
# says NAME TEXT: the output of that configuration contains it (line breaks and indentation count as one blank).
says() { tr -s ' \n' ' ' <"$project/$1.log" | grep -qF -- "$2" || complain "$1: no '$2' in: $(cat "$project/$1.log")"; }

plugins=$("$tree/bin/op2-config" --plugins | tr '\n' ';')
seek all -DOP2_COMPONENTS="$plugins" -DOP2_WANTED="${version%.*}" || complain "not all of $plugins are found"
for plugin in ${plugins//;/ }; do says all "op2_${plugin}_FOUND=TRUE"; done
says all "op2_exec_nothing_FOUND=FALSE"
says all "op2_PLUGINS=${plugins%;}"
says all "op2_VERSION=$version"
says all "op2_PLUGIN_DIR=$prefix/$libdir/op2"

seek missing "-DOP2_COMPONENTS=exec_seq;exec_small" && complain "a required plugin that is not there is found"
there=$(sed 's/;$//; s/;/, /g' <<<"$plugins")
says missing "libop2 has no plugin exec_small in $prefix/$libdir/op2. The plugins there are: $there."

# A plugin installed later counts.
seek plugin -DPLUGIN_SOURCE="$source_folder/tests/plugins/small_exec.c" || complain "the plugin cannot be configured"
build "$project/plugin" op2_exec_small || complain "the plugin cannot be built"
cp "$project/plugin/op2_exec_small.so" "$prefix/$libdir/op2"
touch "$prefix/$libdir/op2/op2_readme.so" "$prefix/$libdir/op2/notes.txt" # not names of plugins
seek later "-DOP2_COMPONENTS=exec_seq;exec_small" || complain "a plugin installed later is not found"
says later "op2_exec_small_FOUND=TRUE"
says later "op2_PLUGINS=$({ tr ';' '\n' <<<"${plugins%;}"; echo exec_small; } | sort | tr '\n' ';' | sed 's/;$//')"
build "$project/later" loop_c || complain "the program cannot be built"
OP2_BACKEND=small "$project/later/loop_c" small || complain "the program does not run on the plugin installed later"
"$prefix/bin/op2-config" --plugins | grep -qx exec_small || complain "op2-config does not list it"

# Below 1.0 the minor version must agree, from 1.0 on the major one.
IFS=. read -r major minor patch <<<"$version"
for good in "$version" "$major.$minor"; do
  seek "wants-$good" -DOP2_WANTED="$good" || complain "version $good is refused, $version is installed"
done
bad_ones=("$major.$minor.$((patch + 1))" "$major.$((minor + 1))" "$((major + 1)).0")
((major > 0 || minor == 0)) || bad_ones+=("0.$((minor - 1))")
((major == 0)) || bad_ones+=("$((major - 1)).$minor")
for bad in "${bad_ones[@]}"; do
  seek "wants-$bad" -DOP2_WANTED="$bad" && complain "version $bad is accepted, $version is installed"
  says "wants-$bad" "$version"
done
verdict "components"

# SPDX-License-Identifier: MIT
