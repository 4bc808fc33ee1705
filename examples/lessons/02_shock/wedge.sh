#!/bin/sh
# wedge.sh N: writes the mesh of lesson 2 in SU2's format, 3/2 N * N quadrilaterals: a channel of height 1 from x = -0.25
# to x = 1.25, whose bottom rises by 15 degrees from x = 0 on. Patches: inlet, outlet, floor, ramp, top.
exec awk -v n="${1:-60}" 'BEGIN {
  m = n + int(n / 2)            # cells along the channel, the first sixth of them before the ramp
  low = int(m / 6); row = m + 1
  rise = 0.2679491924311227     # tan 15 degrees
  print "NDIME= 2\nNELEM= " m * n
  for (j = 0; j < n; j++)
    for (i = 0; i < m; i++) print 9, i + row * j, i + 1 + row * j, i + 1 + row * (j + 1), i + row * (j + 1)
  print "NPOIN= " row * (n + 1)
  for (j = 0; j <= n; j++)
    for (i = 0; i <= m; i++) {
      x = i < low ? -0.25 * (low - i) / low : 1.25 * (i - low) / (m - low)
      bottom = x > 0 ? rise * x : 0
      printf "%.15g %.15g\n", x, bottom + (1 - bottom) * j / n
    }
  print "NMARK= 5"
  print "MARKER_TAG= inlet\nMARKER_ELEMS= " n
  for (j = 0; j < n; j++) print 3, row * j, row * (j + 1)
  print "MARKER_TAG= outlet\nMARKER_ELEMS= " n
  for (j = 0; j < n; j++) print 3, m + row * j, m + row * (j + 1)
  print "MARKER_TAG= floor\nMARKER_ELEMS= " low
  for (i = 0; i < low; i++) print 3, i, i + 1
  print "MARKER_TAG= ramp\nMARKER_ELEMS= " m - low
  for (i = low; i < m; i++) print 3, i, i + 1
  print "MARKER_TAG= top\nMARKER_ELEMS= " m
  for (i = 0; i < m; i++) print 3, i + row * n, i + 1 + row * n
}'

# SPDX-License-Identifier: MIT
