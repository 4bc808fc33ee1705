# expand.awk: makes a module's text from its template.
#
#   !each-kind      up to !end: once for every type of values, with @kind@ @type@ @c@ in its place
#   !each-count     up to !end: once for 1 ... 43 arguments, with @n@, and @args@ for a1, a2, ..., an; lines with @i@ for each of them
BEGIN {
  kinds = split("i4 i8 r4 r8 l4 l1", kind)
  split("integer(4)|integer(8)|real(4)|real(8)|logical(4)|logical(1)", type, "|")
  split("int|ll|float|double|int|bool", c, "|")
  most = 43
}

function list(n,    i, out) {
  for (i = 1; i <= n; ++i) out = out "a" i (i == n ? "" : i % 16 == 0 ? ", \\&\n      " : ", ")
  return out
}

function with_kind(line, k) {
  gsub(/@kind@/, kind[k], line)
  gsub(/@type@/, type[k], line)
  gsub(/@c@/, c[k], line)
  return line
}

function with_count(line, n,    i, one) {
  gsub(/@n@/, n, line)
  if (line ~ /@i@/) {
    for (i = 1; i <= n; ++i) {
      one = line
      gsub(/@i@/, i, one)
      print one
    }
    return
  }
  gsub(/@args@/, list(n), line)
  print line
}

/^ *!each-kind/ || /^ *!each-count/ { each = $1; lines = 0; next }
/^ *!end$/ && each {
  for (k = 1; k <= (each == "!each-kind" ? kinds : most); ++k)
    for (l = 1; l <= lines; ++l)
      if (each == "!each-kind") print with_kind(held[l], k)
      else with_count(held[l], k)
  each = ""
  next
}
each { held[++lines] = $0; next }
{ print }

# SPDX-License-Identifier: MIT
