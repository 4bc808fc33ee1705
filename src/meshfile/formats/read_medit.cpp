// Medit's .mesh (text): keywords with tables; vertices, cells and faces carry a reference.
#include "meshfile/elements.hpp"
#include "meshfile/formats/medit_words.hpp"
#include "meshfile/read.hpp"

namespace op2::core {

namespace {

class MeditReader {
 public:
  explicit MeditReader(Cursor in) : in_(std::move(in)) { in_.comments('#'); }

  MeshFile read() {
    mesh_.format = "medit";
    dim_ = 3;
    while (!in_.at_end()) {
      const std::string_view word = in_.word("a keyword");
      if (word == "End") break;
      if (word == "MeshVersionFormatted") {
        in_.number("a version", 0, 4);
      } else if (word == "Dimension") {
        dim_ = in_.number("a dimension", 2, 3);
      } else if (word == "Vertices") {
        vertices();
      } else if (const MeditTable *table = find_medit_table(word)) {
        elements(*table);
      } else {
        skip_table();
      }
    }
    if (mesh_.x.empty()) in_.fail_here("expected 'Vertices', but the file ends");
    mesh_.dim = dim_;
    elements_.finish(mesh_, "ref");
    drop_flat_coordinate(mesh_);
    return std::move(mesh_);
  }

 private:
  void vertices() {
    if (!mesh_.x.empty()) in_.fail_here("the vertices stand there a second time");
    const std::size_t count = in_.count("the number of vertices", 2 * static_cast<std::size_t>(dim_) + 2);
    mesh_.x.reserve(count * static_cast<std::size_t>(dim_));
    for (std::size_t i = 0; i < count; ++i) {
      for (int k = 0; k < dim_; ++k) mesh_.x.push_back(in_.real("a coordinate"));
      in_.real("a reference"); // some programs write it as a real number
    }
    nodes_ = static_cast<int>(count);
  }

  void elements(const MeditTable &table) {
    const auto width = static_cast<std::size_t>(table.columns);
    const std::size_t count = in_.count("the number of rows", 2 * width + 2);
    std::array<int, 8> nodes{};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < width; ++k) nodes[k] = in_.number("the number of a vertex", 1, nodes_) - 1;
      const int reference = in_.number("a reference");
      elements_.add(table.kind, {nodes.data(), width}, reference);
    }
  }

  // The numbers behind a keyword that is of no use here.
  void skip_table() {
    for (char next = in_.peek(); next != 0; next = in_.peek()) {
      if ((next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z')) return;
      in_.real("a number or a keyword");
    }
  }

  Cursor in_;
  MeshFile mesh_;
  Elements elements_;
  int dim_ = 3, nodes_ = 0;
};

} // namespace

MeshFile read_medit(Cursor in) {
  if (in.left() > 0 && static_cast<unsigned char>(in.peek()) <= 1) return read_medit_binary(std::move(in));
  return MeditReader(std::move(in)).read();
}

} // namespace op2::core
