// SU2's native text: NDIME=, then NELEM=, NPOIN=, NMARK= with tables behind them, in any order. Other keywords and what
// follows them are left out.
#include "meshfile/elements.hpp"
#include "meshfile/geometry.hpp"
#include "meshfile/read.hpp"
#include "meshfile/vtk/vtk_cells.hpp"

namespace op2::core {

namespace {

class Su2Reader {
 public:
  explicit Su2Reader(Cursor in) : in_(std::move(in)) { in_.comments('%'); }

  MeshFile read() {
    mesh_.format = "su2";
    while (!in_.at_end()) {
      const std::string key = keyword();
      if (!has_dim_ && (key == "NELEM" || key == "NPOIN" || key == "NMARK"))
        in_.fail_here(text("expected NDIME= before ", key, "="));
      if (key == "NDIME")
        dimension();
      else if (key == "NELEM")
        elements(true, 0);
      else if (key == "NPOIN")
        points();
      else if (key == "NMARK")
        markers();
      else
        leave_out(key);
    }
    if (mesh_.x.empty()) in_.fail_here("expected NPOIN=, but the file ends");
    elements_.finish(mesh_);
    if (mesh_.cell_dim != mesh_.dim) in_.fail_here(text("the mesh has no cells of dimension ", mesh_.dim));
    turn_prisms(mesh_);
    return std::move(mesh_);
  }

 private:
  // KEY of "KEY= "; the cursor stands behind the sign.
  std::string keyword() {
    std::string out;
    for (char c = in_.peek(); (c >= 'A' && c <= 'Z') || c == '_'; c = in_.peek()) out += in_.raw(1, "a keyword");
    if (out.empty() || !in_.take("=")) in_.fail_expected("a keyword and '='");
    return out;
  }

  void dimension() {
    const int dim = in_.number("2 or 3", 2, 3);
    if (has_dim_ && dim != mesh_.dim) in_.fail_here("a second NDIME= differs from the first");
    has_dim_ = true;
    mesh_.dim = dim;
  }

  // Up to the next table that is read.
  void leave_out(const std::string &key) {
    mesh_.notes.push_back(text("SU2's ", key.substr(0, 40)));
    in_.line();
    while (!in_.at_end()) {
      const std::size_t here = in_.at();
      for (const char *known : {"NDIME", "NELEM", "NPOIN", "NMARK"})
        if (in_.take(known)) return in_.seek(here);
      in_.line();
    }
  }

  void points() {
    if (!mesh_.x.empty()) in_.fail_here("the points stand there a second time");
    const auto dim = static_cast<std::size_t>(mesh_.dim);
    const std::size_t count = in_.count("the number of points", 2 * dim);
    in_.line(); // also how many of them are no halo
    mesh_.x.reserve(count * dim);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < dim; ++k) mesh_.x.push_back(in_.real("a coordinate"));
      in_.line(); // the number of the point, which may be missing
    }
  }

  void elements(bool cells, int tag) {
    const std::size_t count = in_.count("the number of elements", 4);
    in_.line();
    std::array<int, 8> nodes{};
    for (std::size_t i = 0; i < count; ++i) {
      const int type = in_.number("the type of an element");
      const std::optional<Element> kind = vtk_element(type);
      if (!kind || element_dim(*kind) != mesh_.dim - (cells ? 0 : 1))
        in_.fail_here(text("elements of type ", type, " are not possible here"));
      const auto width = static_cast<std::size_t>(element_nodes(*kind));
      for (std::size_t k = 0; k < width; ++k) nodes[k] = in_.number("the number of a node", 0, 2147483646);
      in_.line(); // the number of the element, which may be missing
      elements_.add(*kind, {nodes.data(), width}, tag);
    }
  }

  void markers() {
    const std::size_t count = in_.count("the number of markers", 8);
    for (std::size_t i = 0; i < count; ++i) {
      in_.expect("MARKER_TAG=");
      const std::string name(in_.rest_of_line_trimmed());
      elements_.name_patch(mesh_.dim - 1, static_cast<int>(i), name);
      in_.expect("MARKER_ELEMS=");
      elements(false, static_cast<int>(i));
      if (in_.take("SEND_RECV=")) in_.line();
    }
  }

  Cursor in_;
  MeshFile mesh_;
  bool has_dim_ = false;
  Elements elements_;
};

} // namespace

MeshFile read_su2(Cursor in) { return Su2Reader(std::move(in)).read(); }

} // namespace op2::core
