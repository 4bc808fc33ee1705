// Nothing: the target of this file reads the headers that benchmarks have in common.

// SPDX-License-Identifier: MIT
