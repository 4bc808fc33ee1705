// exchange.h: a kernel that sends, waits for and receives rows of other processes beside the elements of a loop.
//
// Blocks take work by a counter, in this order: one block waits for messages, a thread for each; then rows are packed
// into the memory of other processes; then elements run that need no message; then messages are unpacked as they come;
// then the other elements run. So nothing that is sent waits for something that is received, and a block waits only
// for what a block that runs already does, or for another process. Memory: messages and flags are those of
// channel_kernel.cpp; a fence for the whole system lies between what a flag tells of and the flag, on both sides.
#include "exchange_parts.h"
#include "halo.h"

namespace op2x {

// A flag has reached a round; rounds may wrap around.
inline bool reached(const unsigned *word, unsigned round) { return static_cast<int>(op2_look(word) - round) >= 0; }

inline void await(const unsigned *word, unsigned round, const unsigned *lost) {
  for (unsigned tries = 1; !reached(word, round); ++tries) {
    if (tries % 64 == 0 && op2_look(lost) != 0) return; // the host tells what has happened
    op2_pause();
  }
}

class work {
 public:
  unsigned chunk = 0; // of blockDim.x elements
  bool border = false;

  explicit inline work(const op2_exchange_params &given)
      : p(given),
        lost(op2_at(given.lost)),
        next_ticket(op2_at(given.state)),
        unpacked(next_ticket + 1),
        ended(next_ticket + 2),
        packed(next_ticket + OP2_EXCHANGE_STATE),
        ready(packed + given.nto) {}

  // Whether there is a chunk of elements for this block. Does all other work that comes before.
  inline bool next() {
    for (;;) {
      unsigned at = ticket();
      if (at-- == 0) {
        wait_for_messages();
      } else if (at < p.pack_blocks) {
        pack(at);
      } else if ((at -= p.pack_blocks) < p.interior) {
        chunk = at;
        return true;
      } else if ((at -= p.interior) < p.unpack_blocks) {
        unpack(at);
      } else if ((at -= p.unpack_blocks) < p.border) {
        wait_until_unpacked();
        chunk = at;
        border = true;
        return true;
      } else {
        end();
        return false;
      }
    }
  }

 private:
  inline unsigned ticket() {
    unsigned *const mine = reinterpret_cast<unsigned *>(op2_shared());
    __syncthreads(); // all threads have read the one before
    if (threadIdx.x == 0) *mine = atomicAdd(next_ticket, 1u);
    __syncthreads();
    return *mine;
  }

  // Messages without rows are sent here: no block packs them.
  inline void wait_for_messages() {
    for (unsigned m = threadIdx.x; m < p.nto; m += blockDim.x)
      if (op2_at(p.pack_chunks)[m] == 0) op2_signal(op2_at(op2_at(p.to)[m].arrived), p.round);
    for (unsigned m = threadIdx.x; m < p.nfrom; m += blockDim.x) {
      const op2_exchange_from from = op2_at(p.from)[m];
      await(op2_at(from.arrived), p.round, lost);
      op2_fence_system();
      *(volatile unsigned *)&ready[m] = 1;
      if (p.unpack_blocks == 0) op2_signal(op2_at(from.left), p.round);
    }
  }

  inline void pack(unsigned at) {
    const op2_halo_segment s = *op2_halo_find(op2_at(p.pack), p.npack, at);
    const op2_exchange_to to = op2_at(p.to)[s.message];
    if (threadIdx.x == 0) await(op2_at(to.left), p.round - 2, lost);
    __syncthreads();
    op2_halo_run<true, true>(s, op2_at(to.slot[p.round % 2]), at, threadIdx.x);
    op2_fence_system(); // the rows before the flag
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(&packed[s.message], 1u) + 1 != op2_at(p.pack_chunks)[s.message]) return;
    op2_fence_system(); // rows of other blocks, too
    op2_signal(op2_at(to.arrived), p.round);
  }

  inline void unpack(unsigned at) {
    const op2_halo_segment s = *op2_halo_find(op2_at(p.unpack), p.nunpack, at);
    if (threadIdx.x == 0) {
      await(&ready[s.message], 1, lost);
      op2_fence_system(); // the flag before the rows
    }
    __syncthreads();
    op2_halo_run<false, false>(s, op2_at(op2_at(p.from)[s.message].slot[p.round % 2]), at, threadIdx.x);
    op2_fence_system(); // the rows before the word that lets the other process write again
    __syncthreads();
    if (threadIdx.x != 0 || atomicAdd(unpacked, 1u) + 1 != p.unpack_blocks) return;
    op2_fence_system();
    for (unsigned m = 0; m < p.nfrom; ++m) op2_signal(op2_at(op2_at(p.from)[m].left), p.round);
  }

  inline void wait_until_unpacked() {
    if (threadIdx.x == 0 && p.unpack_blocks > 0) {
      await(unpacked, p.unpack_blocks, lost);
      op2_fence_system();
    }
    __syncthreads();
  }

  // The last block leaves zeros for the next launch.
  inline void end() {
    if (threadIdx.x != 0 || atomicAdd(ended, 1u) + 1 != gridDim.x) return;
    for (unsigned i = 0; i < OP2_EXCHANGE_STATE + p.nto + p.nfrom; ++i) next_ticket[i] = 0;
  }

  const op2_exchange_params &p;
  const unsigned *lost;
  unsigned *next_ticket, *unpacked, *ended, *packed, *ready;
};

} // namespace op2x
