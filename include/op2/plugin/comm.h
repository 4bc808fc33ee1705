/* comm.h: the table of a communicator, which moves bytes between processes.  EXPERIMENTAL.
 *
 * Every entry is collective over the communicator, except abort, claim_failure, caps, probe_space, native, post, poll,
 * halo_test, halo_wants_tests and the entries that return ranks and sizes. Memory is host memory unless a parameter
 * names a space. */
#ifndef OP2_PLUGIN_COMM_H
#define OP2_PLUGIN_COMM_H

#include "op2/plugin/plugin.h"

typedef struct op_comm_s op_comm;           /* the private context of the communicator */
typedef struct op_comm_halo_s op_comm_halo; /* the private state of a halo exchange */

/* Parameters of open. */
typedef struct op_comm_params {
  size_t size;
  const op_host_v1 *host;
  int32_t native_given; /* 1: use `native`, MPI's Fortran handle of a communicator, instead of all processes */
  int32_t native;
  int32_t *argc; /* may be NULL */
  char ***argv;
} op_comm_params;

/* Properties of the communicator. The core sets size; the communicator fills in the fields within size. */
typedef struct op_comm_caps {
  size_t size;
  op_space spaces[4];      /* memory that it can send from and receive into; OP_SPACE_NONE ends the list */
  int32_t thread_multiple; /* several threads may call entries */
} op_comm_caps;

/* Operations of allreduce. */
#define OP_COMM_SUM 0
#define OP_COMM_MIN 1
#define OP_COMM_MAX 2

/* A halo exchange: one message for each neighbour, always with the same sizes and buffers, so that the communicator can
 * use persistent requests. */
typedef struct op_comm_halo_params {
  size_t size;
  op_space space;
  int32_t nsend, nrecv;
  const int32_t *send_rank, *recv_rank;
  const size_t *send_offset, *recv_offset; /* [n + 1] byte offsets into the buffers */
  const void *send_buffer;
  void *recv_buffer;
} op_comm_halo_params;

/* The messages that sparse_exchange has received, one after another, by ascending sender. The communicator allocates
 * the three arrays with host->alloc; the caller frees them with host->free. Without messages, count is 0 and offset[0]
 * is 0. */
typedef struct op_comm_messages {
  size_t size;
  int32_t count, reserved;
  int32_t *rank;  /* [count] */
  size_t *offset; /* [count + 1] byte offsets into data */
  void *data;
} op_comm_messages;

/* Combines two records of allreduce_record: into = into (+) later; `later` comes from processes of higher rank. */
typedef void (*op_comm_combine_fn)(void *context, void *into, const void *later);

/* The table. R: required, from the plugin or its parent. O: optional, may be NULL. */
typedef struct op_comm_ops_v1 {
  size_t size;
  op_status (*open)(const op_comm_params *params, op_comm **comm);           /* R */
  void (*close)(op_comm *comm);                                              /* R */
  void (*abort)(op_comm *comm, int code);                                    /* R: ends all processes */
  int32_t (*rank)(op_comm *comm);                                            /* R */
  int32_t (*size_of)(op_comm *comm);                                         /* R */
  int32_t (*node_rank)(op_comm *comm);                                       /* R */
  int32_t (*node_size)(op_comm *comm);                                       /* R */
  op_status (*caps)(op_comm *comm, op_comm_caps *caps);                      /* R */
  op_status (*barrier)(op_comm *comm);                                       /* R */
  op_status (*bcast)(op_comm *comm, void *data, size_t bytes, int32_t root); /* R */
  op_status (*allreduce)(op_comm *comm, void *data, size_t count, op_type_id type,
                         int32_t operation); /* R, the same bits on all processes */
  op_status (*allgatherv)(op_comm *comm, const void *send, size_t bytes, void *recv,
                          const size_t *offsets); /* R, offsets [size + 1] */
  op_status (*exscan)(op_comm *comm, const int64_t *send, int64_t *recv,
                      size_t count); /* R, sums over lower ranks; zeros on rank 0 */
  op_status (*halo_create)(op_comm *comm, const op_comm_halo_params *params, op_comm_halo **halo); /* R */
  op_status (*halo_start)(op_comm *comm, op_comm_halo *halo);                                      /* R */
  op_status (*halo_wait)(op_comm *comm, op_comm_halo *halo);                                       /* R */
  void (*halo_free)(op_comm *comm, op_comm_halo *halo);                                            /* R */
  int (*halo_test)(op_comm *comm, op_comm_halo *halo); /* O: advances the messages; 1 = complete */
  op_status (*probe_space)(
      op_comm *comm, op_space space, void *a, void *b,
      size_t bytes); /* O: sends a message from a to b within the process, so that the core can compare */
  op_status (*native)(op_comm *comm, int32_t kind, int64_t *handle); /* O: e.g. MPI's Fortran handle */
  /* Sends one message to each of nsend processes, which are distinct and may include the sender. A receiver does not
     know in advance how many messages arrive. Memory and time depend on the messages, not on the number of processes.
     Required with more than one process */
  op_status (*sparse_exchange)(op_comm *comm, int32_t nsend, const int32_t *send_rank, const size_t *send_offset,
                               const void *send, op_comm_messages *mail);
  /* Combines one record per process in the order of the ranks, along a fixed tree, so that all processes receive the
     same bits. Required with more than one process */
  op_status (*allreduce_record)(op_comm *comm, void *record, size_t bytes, op_comm_combine_fn combine, void *context);
  /* Returns 1 to the first process that calls it, which then reports why the job ends, and 0 to processes that fail
     later for the same reason. Not collective. May wait for a short time, O */
  int (*claim_failure)(op_comm *comm);
  /* Called before halo_start: returns addresses where the core may write the messages instead of send_buffer, and where
     received messages will be instead of recv_buffer, which saves copies: send [nsend], recv [nrecv]. The addresses may
     point into the buffers. Messages received earlier are lost, O */
  op_status (*halo_buffers)(op_comm *comm, op_comm_halo *halo, void **send, const void **recv);
  int (*halo_wants_tests)(op_comm *comm,
                          op_comm_halo *halo); /* O: 1 = its messages advance only inside halo_test or halo_wait */
  /* Messages at any time between any processes, for work whose pattern nobody knows in advance. post sends a copy of
     the bytes to another process and does not wait for it. poll returns the messages that have arrived, possibly none;
     those of one sender are in the order in which it has posted them. It fails when a process has ended. Before the
     communicator closes, every message must have been taken. O: both or neither */
  op_status (*post)(op_comm *comm, int32_t rank, const void *data, size_t bytes);
  op_status (*poll)(op_comm *comm, op_comm_messages *mail);
} op_comm_ops_v1;

#endif

/* SPDX-License-Identifier: MIT */
