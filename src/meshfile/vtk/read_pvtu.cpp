// VTK's lists of pieces: a mesh in several files of its XML format, as programs of several processes write it.
#include "meshfile/join.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/xml_tags.hpp"

namespace op2::core {

namespace {

// The text of an attribute.
std::string without_entities(std::string_view from) {
  struct Entity {
    std::string_view code;
    char character;
  };
  constexpr std::array entities = {Entity{"&amp;", '&'}, Entity{"&lt;", '<'}, Entity{"&gt;", '>'},
                                   Entity{"&quot;", '"'}, Entity{"&apos;", '\''}};
  std::string out;
  while (!from.empty()) {
    const auto found = std::find_if(entities.begin(), entities.end(),
                                    [&](const Entity &entity) { return from.starts_with(entity.code); });
    out += found == entities.end() ? from.front() : found->character;
    from.remove_prefix(found == entities.end() ? 1 : found->code.size());
  }
  return out;
}

} // namespace

bool is_pvtu(std::string_view bytes) {
  if (!bytes.substr(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size())).starts_with('<')) return false;
  std::optional<XmlTag> tag = next_tag(bytes, 0);
  while (tag && (tag->name.starts_with('?') || tag->name.starts_with('!'))) tag = next_tag(bytes, tag->behind);
  return tag && tag->name == "VTKFile" && (*tag)["type"] == "PUnstructuredGrid";
}

std::vector<std::string> pvtu_files(Cursor in) {
  in.seek(0);
  const std::string_view bytes = in.raw(in.left(), "");
  std::vector<std::string> out;
  bool ends = false;
  for (std::optional<XmlTag> tag = next_tag(bytes, 0); tag && !ends; tag = next_tag(bytes, tag->behind)) {
    in.seek(tag->begin);
    ends = tag->name == "/VTKFile";
    if (tag->name != "Piece") continue;
    const std::string_view source = (*tag)["Source"];
    if (source.empty()) in.fail_here("this piece has no attribute Source, which names its file");
    out.push_back(without_entities(source));
  }
  if (!ends) in.fail_here("the list of pieces ends before its tag /VTKFile");
  if (out.empty()) in.fail_here("the list has no pieces");
  return out;
}

MeshFile join_vtu(const std::string &file, std::span<VtkPiece> pieces) {
  if (pieces.size() == 1) return vtk_mesh(pieces, {}, "vtu");
  const VtkPiece *named = nullptr;
  for (const VtkPiece &piece : pieces) {
    if (piece.grid.data_name.empty() || piece.grid.types.empty()) continue;
    if (named && piece.grid.data_name != named->grid.data_name)
      fail(OP_ERR_FILE, file, ": the first whole numbers of cells, which tell their patches, are '",
           named->grid.data_name, "' in ", named->in.file(), " and '", piece.grid.data_name, "' in ", piece.in.file());
    named = &piece;
  }
  return vtk_mesh(pieces, join_points(file, pieces), "vtu");
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
