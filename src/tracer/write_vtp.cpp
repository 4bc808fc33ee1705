#include "tracer/write_vtp.hpp"

#include <numeric>

#include "meshfile/vtk/appended.hpp"

namespace op2::core::tracer {

std::string vtp_bytes(const Polylines &lines) {
  Appended arrays;
  std::vector<std::int64_t> nodes(lines.points.size() / 3);
  std::iota(nodes.begin(), nodes.end(), std::int64_t{0});
  std::string out =
      text(Appended::head("PolyData"), "<PolyData>\n<Piece NumberOfPoints=\"", nodes.size(), "\" NumberOfLines=\"",
           lines.ends.size(), "\" NumberOfVerts=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData>\n");
  for (const auto &array : lines.at_points) out += arrays.array("Float64", array.name.c_str(), array.dim, array.values);
  out += "</PointData>\n<CellData>\n";
  for (const auto &array : lines.of_lines) out += arrays.array("Float64", array.name.c_str(), array.dim, array.values);
  for (const auto &array : lines.numbers_of_lines)
    out += arrays.array("Int64", array.name.c_str(), array.dim, array.values);
  out += text("</CellData>\n<Points>\n", arrays.array("Float64", "Points", 3, lines.points), "</Points>\n<Lines>\n",
              arrays.array("Int64", "connectivity", 1, nodes), arrays.array("Int64", "offsets", 1, lines.ends),
              "</Lines>\n</Piece>\n</PolyData>\n");
  return out + arrays.tail();
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
