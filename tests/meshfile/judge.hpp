// judge.hpp: is what was read the sample?
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "meshfile/connectivity.hpp"
#include "meshfile/quality.hpp"
#include "meshfile/read.hpp"
#include "sample.hpp"

namespace meshes {

// Coordinates, cells of each type, faces, patches with their names, volume. `in_order`: the cells stand as in the
// sample.
void expect_sample(const op2::core::MeshFile &mesh, const Sample &sample, bool in_order = true);

// Nodes that belong to no cell, and nothing else.
void expect_no_cells(const op2::core::MeshFile &mesh, int nodes);

// The sample in every format and form: its name and the bytes.
std::vector<std::pair<std::string, std::string>> all_formats(const Sample &sample);

// What body() throws must be an error of the library: its text.
std::string refusal(const std::function<void()> &body);

} // namespace meshes

// SPDX-License-Identifier: MIT
