#!/usr/bin/env bash
# self_test_update.sh: from version 1.0.0 on, abi/update_baseline.sh refuses to work anywhere but at a clean release
# tag, and the gate's advice is another one. In a checkout of its own with a version made up.
# shellcheck source=self_test_common.sh
source "$(dirname "$0")/self_test_common.sh"
need git
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CEILING_DIRECTORIES=$scratch GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1
tree=$scratch/tree
git_here() { git -C "$tree" -c user.name=tester -c user.email=tester@example.org "$@"; }
set_version() { sed -i "s/^project(op2 VERSION [0-9.]*/project(op2 VERSION $1/" "$tree/CMakeLists.txt"; }
checksum() { (cd "$tree/abi" && find . -type f -exec sha256sum {} + | sort); }

mkdir -p "$tree/tests"
cp -r "$root"/{CMakeLists.txt,CHANGELOG.md,include,abi} "$tree"
cp -r "$root/tests/abi" "$tree/tests"
update=("$tree/abi/update_baseline.sh")
before=$(checksum)

set_version 0.9.1
must_pass "${update[@]}" --dry-run
set_version 1.2.3
must_fail "this is no checkout of git" "${update[@]}"
git_here init -q -b main
git_here add .
git_here commit -q -m "a release"
must_fail "HEAD is not at the tag v1.2.3" "${update[@]}"
git_here tag v1.2.2
git_here tag v1.2.30
must_fail "HEAD is not at the tag v1.2.3" "${update[@]}"
git_here tag v1.2.3
must_pass "${update[@]}" --dry-run
echo "more" >>"$tree/CHANGELOG.md"
must_fail "the tree has changes" "${update[@]}"
git_here commit -q -am "after the release"
must_fail "HEAD is not at the tag v1.2.3" "${update[@]}"
git_here checkout -q v1.2.3
must_pass "${update[@]}" --dry-run
touch "$tree/new_file"
must_fail "the tree has changes" "${update[@]}"
rm "$tree/new_file"
[[ $(checksum) == "$before" ]] || complain "a refusal or a dry run wrote something"

sed -i 's/#define OP_INC 3/#define OP_INC 9/' "$tree/include/op2/types.h"
must_fail "libop2.so.1 keeps its ABI" "$tree/abi/check.sh" --only layouts
set_version 0.9.1
must_fail "update with abi/update_baseline.sh (allowed while draft)" "$tree/abi/check.sh" --only layouts
verdict "self-test: $caught refusals"

# SPDX-License-Identifier: MIT
