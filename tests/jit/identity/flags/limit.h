/* The default of a setting, which -DLIMIT=... overrides. */
#ifndef LIMIT
#define LIMIT 6
#endif

/* SPDX-License-Identifier: MIT */
