/* export.h: macros for the declaration of public symbols.
 *
 * libop2.so exports only the symbols marked OP_API and hides all others. abi/op2.map lists the exported names. */
#ifndef OP2_EXPORT_H
#define OP2_EXPORT_H

/* OP_API stands before every exported function. OP_PRINTF_LIKE stands after a function that takes a printf format, so
 * that the compiler can check the arguments against the format. */
#if defined(__GNUC__) || defined(__clang__)
#define OP_API __attribute__((visibility("default")))
#define OP_PRINTF_LIKE(string, first) __attribute__((__format__(__printf__, string, first)))
#else
#define OP_API
#define OP_PRINTF_LIKE(string, first)
#endif

/* Enclose declarations of functions with C linkage. */
#ifdef __cplusplus
#define OP_BEGIN_DECLS extern "C" {
#define OP_END_DECLS }
#else
#define OP_BEGIN_DECLS
#define OP_END_DECLS
#endif

#endif

/* SPDX-License-Identifier: MIT */
