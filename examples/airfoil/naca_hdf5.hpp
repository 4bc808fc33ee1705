// naca_hdf5.hpp: writes the airfoil mesh as an HDF5 file with the names that OP2's airfoil programs read, without ever
// holding the mesh: a few MiB of memory for any size.
#ifndef OP2_EXAMPLES_NACA_HDF5_HPP
#define OP2_EXAMPLES_NACA_HDF5_HPP

#include <string>

#include "naca_mesh.hpp"

namespace naca {

// The file has what naca_mesh_to_hdf5 writes for the same mesh: sets, maps, coordinates, the free stream, zeros (which
// take no room) and constants. It appears under its name only when it is complete. Throws std::runtime_error, also at
// once if the file system has no room for it.
void write_hdf5(const MeshRows &rows, const std::string &file);

} // namespace naca

#endif

// SPDX-License-Identifier: MIT
