// What parts shall weigh: shares of the processes, weights of the elements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/partitioner.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// Shares that are all the same in the form that says so.
PartShares shares_of(std::vector<double> given);

// "1, 1, 2": the list of setting OP2_PARTITION_WEIGHTS, one share for each process. Throws OP_ERR_ARGUMENT: another
// number of shares, no number, negative, not finite, all 0. processes 0: any number of them.
std::vector<double> shares_from_text(const std::string &list, int processes);

// "gpu=4": what a process gets whose executor has a memory of its own, where others get 1. Nothing for other texts.
// Throws OP_ERR_ARGUMENT: no number, negative, not finite.
std::optional<double> share_with_gpu(const std::string &setting);

// From measured speeds, which are never the same twice: relative to the slowest process, with two digits; a process
// that is slower than another by less than 10 % gets the same share. Speeds of 0 were not measured: then all are the
// same.
std::vector<double> shares_from_speeds(const std::vector<double> &speeds);

// The weights in a dat of one int, float or double, as whole numbers whose sum partitioners can count: fractions and
// large values are scaled by a power of two. Of the own elements; the mesh in its global form. Collective. Throws on
// all processes OP_ERR_ARGUMENT: negative, not finite, 0 everywhere.
std::vector<int> element_weights(Mesh &mesh, const Dat &dat);
void need_weights(const Dat &dat); // OP_ERR_TYPE, OP_ERR_DIM when these are none

// "1, 1, 2"; of many the first ones.
std::string listing_of(const std::vector<double> &shares);

} // namespace op2::core
