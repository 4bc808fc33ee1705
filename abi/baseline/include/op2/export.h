/* export.h: how public symbols are declared.
 *
 * Only what carries OP_API leaves libop2.so; everything else is hidden. The list of exported names is abi/op2.map. */
#ifndef OP2_EXPORT_H
#define OP2_EXPORT_H

/* OP_API: before every exported function. OP_PRINTF_LIKE: behind one that takes a format, for warnings. */
#if defined(__GNUC__) || defined(__clang__)
#define OP_API __attribute__((visibility("default")))
#define OP_PRINTF_LIKE(string, first) __attribute__((__format__(__printf__, string, first)))
#else
#define OP_API
#define OP_PRINTF_LIKE(string, first)
#endif

/* Around declarations of C functions. */
#ifdef __cplusplus
#define OP_BEGIN_DECLS extern "C" {
#define OP_END_DECLS }
#else
#define OP_BEGIN_DECLS
#define OP_END_DECLS
#endif

#endif
