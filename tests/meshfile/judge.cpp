// judge.cpp: see judge.hpp.
#include "judge.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace meshes {

using namespace op2::core;

namespace {

// The patch of each side of the sample must be that of the boundary face with these nodes.
void expect_patches(const MeshFile &mesh, const Connectivity &faces, const Sample &sample) {
  for (const Piece &side : sample.sides) {
    std::vector<int> wanted = side.nodes;
    std::sort(wanted.begin(), wanted.end());
    int found = 0;
    for (int i = 0; i < faces.boundary_faces(); ++i) {
      const auto row = face_row(faces.boundary_nodes, faces.arity, i);
      std::vector<int> nodes(row.begin(), row.end());
      std::sort(nodes.begin(), nodes.end());
      if (nodes != wanted) continue;
      ++found;
      const int id = faces.boundary_patch[static_cast<std::size_t>(i)];
      for (const Patch &patch : mesh.patches)
        EXPECT_EQ(patch.id == id, patch.name == sample.patches[static_cast<std::size_t>(side.patch)]);
    }
    EXPECT_EQ(found, 1);
  }
}

} // namespace

void expect_sample(const MeshFile &mesh, const Sample &sample, bool in_order) {
  SCOPED_TRACE(mesh.format);
  EXPECT_EQ(mesh.dim, sample.dim);
  EXPECT_EQ(mesh.cell_dim, sample.dim);
  ASSERT_EQ(static_cast<std::size_t>(mesh.nodes()), sample.x.size() / 3);
  for (std::size_t i = 0; i < sample.x.size() / 3; ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(mesh.dim); ++k)
      EXPECT_EQ(mesh.x[i * static_cast<std::size_t>(mesh.dim) + k], sample.x[3 * i + k]);
  ASSERT_EQ(static_cast<std::size_t>(mesh.cells), sample.cells.size());
  if (in_order) {
    std::array<std::size_t, cell_types> next{};
    for (std::size_t i = 0; i < sample.cells.size(); ++i) {
      const auto type = static_cast<std::size_t>(sample.cells[i].kind) - static_cast<std::size_t>(Element::triangle);
      const CellBlock &block = mesh.blocks[type];
      const std::size_t at = next[type]++, width = sample.cells[i].nodes.size();
      ASSERT_LT(at, block.cells.size());
      EXPECT_EQ(block.cells[at], static_cast<int>(i));
      const auto begin = block.nodes.begin() + static_cast<std::ptrdiff_t>(at * width);
      EXPECT_EQ(std::vector<int>(begin, begin + static_cast<std::ptrdiff_t>(width)), sample.cells[i].nodes);
    }
  }
  const Connectivity faces = connect(mesh);
  EXPECT_EQ(faces.faces(), sample.interior);
  EXPECT_EQ(faces.boundary_faces(), sample.boundary);
  EXPECT_EQ(static_cast<std::size_t>(sample.boundary - faces.unnamed), sample.sides.size());
  EXPECT_EQ(faces.unmatched, 0);
  expect_patches(mesh, faces, sample);
  const Quality quality = measure(mesh, faces);
  EXPECT_NEAR(quality.volume.sum, sample.volume, 1e-14);
  EXPECT_EQ(quality.negative + quality.zero + quality.turned_faces + quality.open_cells, 0);
}

void expect_no_cells(const op2::core::MeshFile &mesh, int nodes) {
  EXPECT_EQ(mesh.nodes(), nodes);
  EXPECT_EQ(mesh.cells, 0);
  EXPECT_EQ(connect(mesh).boundary_faces(), 0);
}

std::vector<std::pair<std::string, std::string>> all_formats(const Sample &sample) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Form form : {Form::text, Form::binary, Form::swapped}) {
    out.emplace_back("gmsh", gmsh2(sample, form));
    out.emplace_back("gmsh", gmsh4(sample, form));
  }
  for (const Form form : {Form::text, Form::binary})
    for (const bool version5 : {false, true}) out.emplace_back("vtk", vtk(sample, form, version5));
  for (const Encoding encoding : {Encoding::text, Encoding::base64, Encoding::appended_raw, Encoding::appended_base64})
    out.emplace_back("vtu", vtu(sample, encoding, encoding != Encoding::base64));
#ifdef OP2_HAVE_ZLIB
  out.emplace_back("vtu", vtu(sample, Encoding::base64, false, true));
  out.emplace_back("vtu", vtu(sample, Encoding::appended_raw, true, true, true));
  out.emplace_back("vtu", vtu(sample, Encoding::appended_base64, true, true));
#endif
  out.emplace_back("medit", medit(sample));
  for (const int version : {2, 3, 4}) out.emplace_back("medit", medit_binary(sample, version, version == 3));
  out.emplace_back("su2", su2(sample));
  return out;
}

std::string refusal(const std::function<void()> &body) {
  try {
    body();
  } catch (const Error &error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

} // namespace meshes

// SPDX-License-Identifier: MIT
