// XDMF: XML that describes the arrays of HDF5 files.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/types.hpp"
#include "io/view/series.hpp"
#include "mesh/entities.hpp"

namespace op2::core {

// Escapes text for XML. Bytes that are not UTF-8, and characters that XML does not have, become U+FFFD.
std::string xml_text(std::string_view value);

// An array in a file beside the XML.
struct XdmfArray {
  std::string file, place; // name without folder, and the dataset
  op_gindex rows = 0;
  int dim = 1;
  op_type_id type = OP_TYPE_DOUBLE;
  bool flat = false; // one-dimensional
};

// <DataItem> with a reference to the array.
std::string xdmf_data(const XdmfArray &array);
// <Attribute>: a field.
std::string xdmf_field(const std::string &name, bool nodes, const XdmfArray &array);
// The whole file: one grid, or a collection in time.
std::string xdmf_single(const std::string &grid);
std::string xdmf_series(const Series &series);
// <Grid> of one view; number -1: not a step.
std::string xdmf_grid(const std::string &name, int number, double time, const std::string &content);
// The steps of a list from xdmf_series(); nullopt for any other or an incomplete text.
std::optional<Series> read_xdmf_series(std::string_view list);

} // namespace op2::core

// SPDX-License-Identifier: MIT
