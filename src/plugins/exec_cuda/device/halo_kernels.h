// halo_kernels.h: all segments of an exchange to or from one buffer, by one launch.
#include "halo.h"

template <bool pack>
inline void op2_halo_all(const op2_halo_params &p) {
  const op2_halo_segment s = *op2_halo_find(op2_at(p.segments), p.nsegments, blockIdx.x);
  op2_halo_run<pack, false>(s, op2_at(p.buffer), blockIdx.x, threadIdx.x);
}

OP2_KERNEL_INDEPENDENT(op2_halo_pack, op2_halo_params) { op2_halo_all<true>(p); }

OP2_KERNEL_INDEPENDENT(op2_halo_unpack, op2_halo_params) { op2_halo_all<false>(p); }
