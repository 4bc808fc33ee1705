// Target weights of parts: shares of the processes, weights of the elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/partitioner.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Equal shares become PartShares(given.size()), whose requested() is empty.
PartShares shares_of(std::vector<double> given);

// "1, 1, 2": the list of setting OP2_PARTITION_WEIGHTS, one share for each process. Throws OP_ERR_ARGUMENT: wrong
// number of shares, not a number, negative, not finite, all 0. processes 0: any number of shares.
std::vector<double> shares_from_text(const std::string &list, int processes);

// "gpu=4": the share of a process whose executor has its own memory; other processes get 1. Nullopt for other texts.
// Throws OP_ERR_ARGUMENT: not a number, negative, not finite.
std::optional<double> share_with_gpu(const std::string &setting);

// From measured speeds, which vary from run to run: relative to the slowest, with two digits. Speeds up to 10 % above
// the slowest of their group give the same share. If any speed is 0 (not measured) or not finite, all shares are
// equal.
std::vector<double> shares_from_speeds(const std::vector<double> &speeds);

// The weights of the own elements, from a dat of one int, float or double, as integers whose sum fits 32 bits:
// fractions and large values are scaled by a power of two. The mesh must be in its global form. Collective. Throws
// OP_ERR_ARGUMENT on all processes: negative, not finite, 0 everywhere.
std::vector<int> element_weights(Mesh &mesh, const Dat &dat);
// The same in two steps: the values of the dat, in any form of the mesh, and the integers of any values that are
// finite, 0 or more, and not all 0; `whole`: they stay as they are if they fit. Collective.
std::vector<double> work_in(Mesh &mesh, const Dat &dat);
std::vector<int> whole_weights(Communicator &communicator, const std::vector<double> &values, bool whole);
void need_weights(const Dat &dat); // throws OP_ERR_TYPE, OP_ERR_DIM

// "1, 1, 2"; the first 16 of many.
std::string listing_of(const std::vector<double> &shares);

} // namespace op2::core

// SPDX-License-Identifier: MIT
