// exchange_parts.h: what the host tells kernels that exchange rows with other processes (exchange.h). Compiled on both
// sides, behind halo_parts.h; nothing is included.

// A process that rows go to.
struct op2_exchange_to {
  char *slot[2];        // there: where the message goes, by the parity of the round
  unsigned *arrived;    // there: the last round whose message has arrived
  const unsigned *left; // here: the last round whose message the other process has taken out of the slot
};

// A process that rows come from.
struct op2_exchange_from {
  char *slot[2];           // here
  const unsigned *arrived; // here
  unsigned *left;          // there
};

// A launch sends (nto > 0), receives (nfrom > 0), or both.
struct op2_exchange_params {
  const op2_halo_segment *pack, *unpack;
  const op2_exchange_to *to;
  const op2_exchange_from *from;
  const unsigned *pack_chunks; // of each message
  unsigned *state;             // zeros between launches: OP2_EXCHANGE_STATE + nto + nfrom words of the halo
  const unsigned *lost;        // in memory of the host; not 0: nobody waits any more
  unsigned round;              // from 1 on
  unsigned npack, nunpack;     // segments
  unsigned pack_blocks, unpack_blocks;
  unsigned nto, nfrom;
  unsigned interior, border; // chunks of elements: those that need no copies of other processes' rows, and the others
  unsigned reserved;
};

#define OP2_EXCHANGE_STATE 3u
