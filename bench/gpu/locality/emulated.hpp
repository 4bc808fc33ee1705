// emulated.hpp: what the emulated device counts when the library runs a loop.
#ifndef OP2_BENCH_LOCALITY_EMULATED_HPP
#define OP2_BENCH_LOCALITY_EMULATED_HPP

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/locality/requests.hpp"

namespace bench::locality {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Runs bench_gpu_locality_loops with these settings; nothing, and why, where no emulated device counts. All kernels of
// the loop together.
std::optional<Counts> emulated(const std::string &loop, int size, const Variables &settings, std::string &why);

} // namespace bench::locality

#endif

// SPDX-License-Identifier: MIT
