/* shim_table.h: what the fake driver and an object compiled with shim.h tell each other. */
#ifndef OP2_FAKE_SHIM_TABLE_H
#define OP2_FAKE_SHIM_TABLE_H

enum op2_fake_warp_kind { OP2_FAKE_WARP_SYNC, OP2_FAKE_WARP_SHUFFLE, OP2_FAKE_WARP_BALLOT };

/* What the driver does for a kernel while it runs. */
struct op2_fake_runtime {
  void (*barrier)(int line);
  /* lane: the lane to read from (shuffle). The answer: its value, or the votes of the lanes (ballot). */
  unsigned long long (*warp)(int kind, unsigned mask, unsigned long long value, int lane);
  void (*add)(const void *address);     /* somebody has added to memory without an atomic operation */
  void (*address)(const void *pointer); /* a pointer out of the parameters is about to be used */
  /* Where accesses are counted (OP2_FAKE_COUNT): the words that name a pointer; an access of one instruction (use: 0 a
     load, 1 a store); an atomic operation, which lasts until the same with no address; the start of a piece of code. */
  void (*named)(const char *text, const void *pointer);
  void (*access)(const void *site, const void *address, unsigned bytes, int use);
  void (*atomic)(const void *address, unsigned bytes);
  void (*step)(const void *site);
  /* Blocks that run at the same time: a store into memory of another device, which arrives late; a fence, before which
     the thread's stores arrive; a thread looks at a word again and again. */
  void (*put)(void *to, const void *value, unsigned bytes);
  void (*fence)(void);
  void (*pause)(void);
  void (*flag)(void); /* the store before this was one that another process waits for */
};

struct op2_fake_dim {
  unsigned x, y, z;
};

enum { OP2_FAKE_KNOWN = 16 };

/* One in every object. The driver fills it in before a thread runs. */
struct op2_fake_object {
  const struct op2_fake_runtime *runtime;
  struct op2_fake_dim thread, block, block_size, grid;
  char *shared;
  const void *known[OP2_FAKE_KNOWN]; /* pointers that `address` has seen in this launch */
};

#endif

/* SPDX-License-Identifier: MIT */
