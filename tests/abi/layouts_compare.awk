# layouts_compare.awk OLD NEW: prints FAILED for each line of the list NEW that breaks programs or plugins built with
# the headers of OLD, and note for what was added. The form of the lists: layout_list.sh; the rules: abi/POLICY.md.

function rest(from, i, out) {
  for (i = from; i <= NF; ++i) out = out (i > from ? " " : "") $i
  return out
}

# Plugins of another ABI number are refused by name, so with a new number experimental tables are free.
function broken(key, what) {
  if (status[key] == "experimental" && new_number) print "note: " what " (allowed: OP2_PLUGIN_ABI was raised)"
  else print "FAILED: " what
}

function compare_struct(key, name, was, is) {
  split(old[key], was, " ")
  split(new[key], is, " ")
  if (was[3] != is[3]) broken(key, "struct " name " was " was[3] " and is " is[3])
  else if (is[1] > was[1] + 0 && was[3] == "growing")
    print "note: struct " name " grew from " was[1] " to " is[1] " bytes"
  else if (is[1] != was[1]) broken(key, "struct " name " had " was[1] " bytes and has " is[1])
  if (is[2] != was[2]) broken(key, "struct " name " was aligned to " was[2] " bytes and is to " is[2])
}

function owner_of(name) { sub(/\..*/, "", name); return name }

# A reserved field is zero in programs and plugins of before, and its place may become that of new fields.
function in_reserve(name, is, i) {
  for (i = 1; i <= reserves; ++i)
    if (reserve_owner[i] == owner_of(name) && is[1] >= reserve_from[i] && is[1] + is[2] <= reserve_to[i]) return 1
  return 0
}

function compare_field(key, name, was, is) {
  split(old[key], was, " ")
  if (name ~ /\.reserved[a-z_0-9]*$/) {
    ++reserves
    reserve_owner[reserves] = owner_of(name)
    reserve_from[reserves] = was[1]
    reserve_to[reserves] = was[1] + was[2]
    if (!(key in new)) { print "note: " name " was taken into use"; return }
    split(new[key], is, " ")
    if (in_reserve(name, is)) { print "note: a part of " name " was taken into use"; return }
  }
  if (!(key in new)) broken(key, "field " name " is gone; it was '" old[key] "'")
  else broken(key, "field " name " was '" old[key] "' and is '" new[key] "'")
}

function compare_old(key, kind, name) {
  if (key in new && status[key] == "stable" && new_status[key] != "stable")
    print "FAILED: " kind " " name " is no longer stable"
  else if (key in new && old[key] == new[key]) return
  else if (kind == "field") compare_field(key, name)
  else if (!(key in new)) broken(key, kind " " name " is gone; it was '" old[key] "'")
  else if (kind == "struct") compare_struct(key, name)
  else if (kind == "constant" && name ~ /^(OP2_PLUGIN_API|OP_PLUGIN_KINDS|OP_MAX_ARGS)$/ && new[key] > old[key] + 0)
    print "note: constant " name " grew from " old[key] " to " new[key]
  else if (key == "constant OP2_PLUGIN_ABI" && new[key] > old[key] + 0)
    print "note: constant OP2_PLUGIN_ABI rose from " old[key] " to " new[key] ": older plugins are refused"
  else broken(key, kind " " name " was '" old[key] "' and is '" new[key] "'")
}

function compare_new(key, kind, name, was, is) {
  if (kind != "field") { print "note: new: " kind " " name; return }
  if (!(("struct " owner_of(name)) in old)) return # part of a new struct
  split(old["struct " owner_of(name)], was, " ")
  split(new[key], is, " ")
  status[key] = new_status[key]
  if (in_reserve(name, is) || (was[3] == "growing" && is[1] >= was[1] + 0)) print "note: new: field " name
  else if (was[3] == "growing")
    broken(key, "new field " name " lies inside the old " was[1] " bytes: callers did not set it")
  else broken(key, "new field " name " in a frozen struct")
}

/^#/ || NF == 0 { next }
FNR == NR { key = $2 " " $3; old[key] = rest(4); status[key] = $1; old_order[++old_count] = key; next }
{ key = $2 " " $3; new[key] = rest(4); new_status[key] = $1; new_order[++new_count] = key }
END {
  key = "constant OP2_PLUGIN_ABI"
  new_number = key in old && key in new && new[key] > old[key] + 0
  if (!old_count || !new_count) print "FAILED: a list of layouts is empty"
  for (i = 1; i <= old_count; ++i) { split(old_order[i], part, " "); compare_old(old_order[i], part[1], part[2]) }
  for (i = 1; i <= new_count; ++i)
    if (!(new_order[i] in old)) { split(new_order[i], part, " "); compare_new(new_order[i], part[1], part[2]) }
}

# SPDX-License-Identifier: MIT
