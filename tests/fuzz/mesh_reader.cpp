// mesh_reader.cpp: libFuzzer's entry for the format that the variable OP2_FUZZ_FORMAT of the environment names. A file
// is read or refused, its faces found and judged.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "meshfile/model.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/write_vtu.hpp"

namespace {

using namespace op2::core;

// The five files of OpenFOAM stand one behind the other with a line "=====" between them.
MeshFile read_openfoam_parts(std::string_view all) {
  std::array<std::string_view, 5> part;
  for (std::string_view &one : part) {
    const std::size_t end = all.find("=====\n");
    one = all.substr(0, end);
    all = end == all.npos ? std::string_view() : all.substr(end + 6);
  }
  MeshFile out = read_openfoam(
      {{part[0], "points"}, {part[1], "faces"}, {part[2], "owner"}, {part[3], "neighbour"}, {part[4], "boundary"}});
  check_numbers(out, "polyMesh");
  return out;
}

MeshFile read_one(std::string_view bytes) {
  static const char *const format_wanted = std::getenv("OP2_FUZZ_FORMAT");
  const std::string_view format = format_wanted ? format_wanted : "gmsh";
  return format == "openfoam" ? read_openfoam_parts(bytes) : parse_mesh(bytes, "input", format);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
  try {
    MeshModel model(read_one({reinterpret_cast<const char *>(data), size}));
    model.info();
    model.findings();
    vtu_bytes(model);
    for (const MeshSet &set : model.sets()) {
      std::vector<int> backwards(static_cast<std::size_t>(set.size));
      for (int i = 0; i < set.size; ++i) backwards[static_cast<std::size_t>(i)] = set.size - 1 - i;
      model.reorder(set, backwards);
    }
  } catch (const Error &) { // what it is for
  }
  return 0;
}

// SPDX-License-Identifier: MIT
