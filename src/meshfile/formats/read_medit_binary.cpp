// Medit's .meshb: the tables of .mesh, each behind a code and the place of the next one.
#include <cmath>

#include "meshfile/formats/medit_words.hpp"
#include "meshfile/read.hpp"

namespace op2::core {

namespace {

class MeditBinaryReader {
 public:
  explicit MeditBinaryReader(Cursor in) : in_(std::move(in)), size_(in_.left()) {}

  MeshFile read() {
    mesh_.format = "medit";
    head();
    while (in_.left() > 0) {
      where_ = in_.at();
      const int code = in_.value<int>(swap_, "the code of a table");
      if (code == medit_end) break;
      const long long next = version_ >= 3 ? in_.value<long long>(swap_, "a place") : in_.value<int>(swap_, "a place");
      if (next != 0 && (next <= static_cast<long long>(where_) || static_cast<unsigned long long>(next) > size_))
        refuse(text("the table behind it begins at byte ", next, " of ", size_));
      table(code);
      if (next == 0) break;
      in_.seek(static_cast<std::size_t>(next));
    }
    if (!vertices_) refuse("the file ends without vertices");
    vertices();
    for (const auto &[table, begin] : tables_) elements(*table, begin);
    finish_medit(mesh_, elements_, higher_, left_out_);
    return std::move(mesh_);
  }

 private:
  static constexpr int medit_dimension = 3, medit_vertices = 4, medit_end = 54;

  // Lines mean nothing here, but the byte at which a table begins does.
  [[noreturn]] void refuse(const std::string &what) const {
    fail(OP_ERR_FILE, in_.file(), ": the table at byte ", where_, ": ", what);
  }

  void head() {
    if (size_ < 8) refuse("the file is too short");
    const int first = in_.value<int>(false, "the first number");
    swap_ = first != 1;
    if (swap_ && first != 1 << 24) refuse("the file does not begin with the number 1 in either order of bytes");
    version_ = in_.value<int>(swap_, "a version");
    if (version_ < 1 || version_ > 4) refuse(text("this is version ", version_, "; 1 to 4 can be read"));
  }

  void table(int code) {
    if (code == medit_dimension) {
      need(4);
      mesh_.dim = in_.value<int>(swap_, "a dimension");
      if (mesh_.dim != 2 && mesh_.dim != 3) refuse(text("the dimension is ", mesh_.dim));
      return;
    }
    if (code == medit_vertices) {
      if (vertices_) refuse("the vertices stand there a second time");
      vertices_ = where_;
      return;
    }
    for (const MeditTable &one : medit_tables)
      if (one.code == code) return void(tables_.emplace_back(&one, where_));
    std::string name = text("number ", code);
    for (const MeditName &one : medit_names)
      if (one.code == code) name = one.word;
    const bool order = code >= 127 && code <= 154; // of the nodes of elements, by itself
    if (order || medit_refuses(name) || name == "FloatingPointPrecision")
      refuse(text("it is ", name, order ? ", an order of nodes," : ",", " which cannot be read"));
    left_out_.push_back(name);
  }

  // To the rows of a table, which stand behind its code and the place of the next one.
  void go_to(std::size_t table) {
    where_ = table;
    in_.seek(table + (version_ >= 3 ? 12 : 8));
  }

  void need(std::size_t bytes) const {
    if (bytes > in_.left()) refuse("the file ends in it");
  }
  // Since version 4 whole numbers have 64 bits.
  std::size_t whole_bytes() const { return version_ >= 4 ? 8 : 4; }
  long long whole() {
    return version_ >= 4 ? in_.value<long long>(swap_, "a number") : in_.value<int>(swap_, "a number");
  }

  std::size_t rows(std::size_t row_bytes) {
    need(whole_bytes());
    const long long count = whole();
    if (count < 0 || static_cast<unsigned long long>(count) > in_.left() / row_bytes || count > 2147483647LL)
      refuse(text("it has ", count, " rows, for which the file is too short"));
    return static_cast<std::size_t>(count);
  }

  void vertices() {
    go_to(*vertices_);
    const auto dim = static_cast<std::size_t>(mesh_.dim), bytes = std::size_t{version_ == 1 ? 4u : 8u};
    const std::size_t count = rows(dim * bytes + whole_bytes());
    mesh_.x.reserve(count * dim);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < dim; ++k) {
        mesh_.x.push_back(version_ == 1 ? in_.value<float>(swap_, "a coordinate")
                                        : in_.value<double>(swap_, "a coordinate"));
        if (!std::isfinite(mesh_.x.back())) refuse(text("a coordinate of vertex ", i + 1, " is not a finite number"));
      }
      whole(); // its reference
    }
  }

  void elements(const MeditTable &table, std::size_t begin) {
    go_to(begin);
    const auto columns = static_cast<std::size_t>(table.columns);
    const auto corners = static_cast<std::size_t>(element_nodes(table.kind));
    const std::size_t count = rows((columns + 1) * whole_bytes());
    std::array<int, 8> nodes{};
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t k = 0; k < columns; ++k) {
        const long long node = whole();
        if (node < 1 || node > mesh_.nodes())
          refuse(text("row ", i + 1, " of ", table.word, " has vertex ", node, " of ", mesh_.nodes()));
        if (k < corners) nodes[k] = static_cast<int>(node - 1);
      }
      elements_.add(table.kind, {nodes.data(), corners}, static_cast<int>(whole()));
    }
    if (count > 0) higher_ |= table.higher();
  }

  Cursor in_;
  std::size_t size_, where_ = 0;
  MeshFile mesh_;
  Elements elements_;
  std::optional<std::size_t> vertices_; // where their table begins
  std::vector<std::pair<const MeditTable *, std::size_t>> tables_;
  std::vector<std::string> left_out_;
  int version_ = 0;
  bool swap_ = false, higher_ = false;
};

} // namespace

MeshFile read_medit_binary(Cursor in) { return MeditBinaryReader(std::move(in)).read(); }

} // namespace op2::core

// SPDX-License-Identifier: MIT
