// Medit's .mesh (text): keywords with tables, in any order; vertices, cells and faces carry a reference.
#include "meshfile/formats/medit_words.hpp"
#include "meshfile/read.hpp"

namespace op2::core {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class MeditReader {
 public:
  explicit MeditReader(Cursor in) : in_(std::move(in)) { in_.comments('#'); }

  MeshFile read() {
    mesh_.format = "medit";
    find_tables();
    if (!vertices_) in_.fail_here("expected 'Vertices', but the file ends");
    vertices();
    for (const auto &[table, begin] : tables_) elements(*table, begin);
    finish_medit(mesh_, elements_, higher_, left_out_);
    return std::move(mesh_);
  }

 private:
  void find_tables() {
    while (!in_.at_end()) {
      const std::size_t begin = in_.at();
      const std::string_view word = in_.word("a keyword");
      if (word == "End") return;
      if (word == "MeshVersionFormatted") {
        in_.number("a version", 0, 4);
      } else if (word == "Dimension") {
        mesh_.dim = in_.number("a dimension", 2, 3);
      } else if (word == "Vertices") {
        if (vertices_) in_.fail_here("the vertices stand there a second time");
        vertices_ = in_.at();
      } else if (const MeditTable *table = find_medit_table(word)) {
        tables_.emplace_back(table, in_.at());
      } else {
        other_table(word, begin);
      }
      skip_table();
    }
  }

  // A table begins with how many rows it has; other words stand in one, as in Comments.
  void other_table(std::string_view word, std::size_t begin) {
    const char next = in_.peek();
    if (word.front() < 'A' || word.front() > 'Z' || next < '0' || next > '9') return;
    if (medit_refuses(word)) {
      in_.seek(begin);
      in_.fail_here(text("the table ", word, " cannot be read"));
    }
    left_out_.emplace_back(word);
  }

  // Up to a word that begins with a letter.
  void skip_table() {
    for (char next = in_.peek(); next != 0 && !is_letter(next); next = in_.peek()) in_.word("a number");
  }

  void end_table() {
    if (const char next = in_.peek(); next != 0 && !is_letter(next)) in_.fail_expected("a keyword");
  }

  void vertices() {
    in_.seek(*vertices_);
    const auto dim = static_cast<std::size_t>(mesh_.dim);
    const std::size_t count = in_.count("the number of vertices", 2 * dim + 2);
    mesh_.x.reserve(count * dim);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < dim; ++k) mesh_.x.push_back(in_.real("a coordinate"));
      in_.real("a reference"); // some programs write it as a real number
    }
    end_table();
  }

  void elements(const MeditTable &table, std::size_t begin) {
    in_.seek(begin);
    const auto columns = static_cast<std::size_t>(table.columns);
    const auto corners = static_cast<std::size_t>(element_nodes(table.kind));
    const std::size_t count = in_.count("the number of rows", 2 * columns + 2);
    std::array<int, 8> nodes{};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const int node = in_.number("the number of a vertex", 1, mesh_.nodes()) - 1;
        if (k < corners) nodes[k] = node;
      }
      elements_.add(table.kind, {nodes.data(), corners}, in_.number("a reference"));
    }
    if (count > 0) higher_ |= table.higher();
    end_table();
  }

  Cursor in_;
  MeshFile mesh_;
  Elements elements_;
  std::optional<std::size_t> vertices_; // where they begin
  std::vector<std::pair<const MeditTable *, std::size_t>> tables_;
  std::vector<std::string> left_out_;
  bool higher_ = false;
};

} // namespace

MeshFile read_medit(Cursor in) {
  if (in.left() > 0 && static_cast<unsigned char>(in.peek()) <= 1) return read_medit_binary(std::move(in));
  return MeditReader(std::move(in)).read();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
