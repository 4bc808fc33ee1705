#!/usr/bin/env bash
# moved.sh: an installed tree that is moved to another folder works there like before; also in a folder with a blank in
# its name, for what can express one.
source "$(dirname "$0")/common.sh"
# Characters that make, CMake and regular expressions may stumble over.
moved="$work/moved/opt+1.0~x"
fresh "$work/moved"
away=$work/moved/original
cmake --install "$build_folder" --prefix "$away" >/dev/null
mv "$away" "$moved"

"$moved/bin/op2_info" >"$work/moved/info" || complain "op2_info does not start"
grep -qF "library folder: $moved/$libdir" "$work/moved/info" || complain "the library does not know its new place"
same "prefix" "$("$moved/bin/op2-config" --prefix)" "$moved"
for way in find_package pkg-config make; do
  TEST_WORK=$work/moved bash "$here/outside.sh" "$way" "$moved" || complain "by $way"
done
grep -rF "$away" "$moved" && complain "a file remembers the first place"

blank="$work/moved/with a blank"
mv "$moved" "$blank"
"$blank/bin/op2_info" >"$work/moved/info" || complain "op2_info does not start in '$blank'"
grep -qF "library folder: $blank/$libdir" "$work/moved/info" || complain "op2_info does not work in '$blank'"
same "executors" "$(executors "$blank")" "$(executors "$tree")"
same "prefix with a blank" "$("$blank/bin/op2-config" --prefix)" "$blank"
TEST_WORK=$work/moved bash "$here/outside.sh" find_package "$blank" || complain "by find_package with a blank"
verdict "moved tree"

# SPDX-License-Identifier: MIT
