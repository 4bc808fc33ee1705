// OpenFOAM's polyMesh: points, faces given by their nodes, and for each face its owner and neighbour; text or binary.
#include <algorithm>
#include <cmath>
#include <optional>

#include "meshfile/read.hpp"

namespace op2::core {

namespace {

// One file of it: the header tells how the list behind it is written.
class FoamFile {
 public:
  explicit FoamFile(Cursor &in) : in_(in) {
    in_.comments('/');
    if (!in_.take("FoamFile")) in_.fail_expected("'FoamFile'");
    in_.expect("{");
    while (!in_.take("}")) {
      const std::string_view key = in_.word("an entry of the header or '}'");
      const std::string_view value = in_.rest_of_line_trimmed();
      if (!value.ends_with(';')) in_.fail_here("expected an entry of the header, which ends with ';'");
      entry(key, value.substr(0, value.size() - 1));
    }
  }

  bool compact() const { return class_ == "faceCompactList"; }
  bool binary() const { return binary_; }

  // A list of coordinates, three for each point.
  void points(std::vector<double> &out) {
    const std::size_t count = begin("the number of points", binary_ ? real_bytes_ * 3 : 7);
    out.reserve(3 * count);
    for (std::size_t i = 0; i < count; ++i) {
      if (!binary_) in_.expect("(");
      for (int k = 0; k < 3; ++k) out.push_back(binary_ ? binary_real() : in_.real("a coordinate"));
      if (!binary_) in_.expect(")");
    }
    end();
  }

  // Each from `least` to `most`.
  void labels(std::vector<int> &out, const char *what, int least = 0, int most = 2147483647) {
    const std::size_t count = begin(what, binary_ ? label_bytes_ : 2);
    out.reserve(out.size() + count);
    for (std::size_t i = 0; i < count; ++i) out.push_back(label(what, i, least, most));
    end();
  }

  // Of so many points.
  void faces(Lists &out, int points) {
    if (compact()) return compact_faces(out, points);
    if (binary_) in_.fail_here("expected class faceCompactList in a binary file");
    const std::size_t count = begin("the number of faces", 4);
    out.begin.reserve(count + 1);
    out.items.reserve(4 * count);
    for (std::size_t i = 0; i < count; ++i) {
      const int nodes = in_.number("the number of nodes of a face", 2, most_face_nodes);
      in_.expect("(");
      for (int k = 0; k < nodes; ++k) out.items.push_back(in_.number("the number of a point", 0, points - 1));
      in_.expect(")");
      out.close();
    }
    end();
  }

 private:
  void entry(std::string_view key, std::string_view value) {
    if (key == "format") {
      if (value != "ascii" && value != "binary") in_.fail_here("expected format ascii or binary");
      binary_ = value == "binary";
    } else if (key == "class") {
      class_ = value;
    } else if (key == "arch") {
      swap_ = (value.find("MSB") != value.npos) == little_endian;
      if (value.find("label=64") != value.npos) label_bytes_ = 8;
      if (value.find("scalar=32") != value.npos) real_bytes_ = 4;
    }
  }

  std::size_t begin(const char *what, std::size_t least) {
    const std::size_t count = in_.count(what, least);
    in_.expect("(");
    return count;
  }
  void end() { in_.expect(")"); }

  int label(const char *what, std::size_t entry, int least, int most) {
    if (!binary_) return in_.number(what, least, most);
    const long long out = label_bytes_ == 8 ? in_.value<long long>(swap_, what) : in_.value<int>(swap_, what);
    if (out < least || out > most)
      in_.fail_here(text("expected ", what, " from ", least, " to ", most, " in entry ", entry, ", found ", out));
    return static_cast<int>(out);
  }

  double binary_real() {
    const double out =
        real_bytes_ == 8 ? in_.value<double>(swap_, "a coordinate") : in_.value<float>(swap_, "a coordinate");
    if (!std::isfinite(out)) in_.fail_here("a coordinate is not a finite number");
    return out;
  }

  // Where each face begins, one entry more than faces, then all nodes.
  void compact_faces(Lists &out, int points) {
    std::vector<int> begins;
    labels(begins, "the beginning of a face");
    labels(out.items, "the number of a point", 0, points - 1);
    if (begins.empty() || begins.front() != 0 || begins.back() < 0 ||
        static_cast<std::size_t>(begins.back()) != out.items.size())
      in_.fail_here("the beginnings of the faces do not fit to their nodes");
    for (std::size_t i = 1; i < begins.size(); ++i) {
      const int length = begins[i] - begins[i - 1];
      if (length < 2 || length > most_face_nodes)
        in_.fail_here(text("face ", i - 1, " has ", length, " points; 2 to ", most_face_nodes, " are possible"));
      out.begin.push_back(static_cast<std::size_t>(begins[i]));
    }
  }

  Cursor &in_;
  std::string_view class_;
  bool binary_ = false, swap_ = !little_endian;
  std::size_t label_bytes_ = 4, real_bytes_ = 8;
};

struct FoamPatch {
  std::string name;
  std::size_t first, faces;
};

// name { nFaces 12; startFace 30; ... } for each patch.
class FoamBoundary {
 public:
  explicit FoamBoundary(Cursor &in) : in_(in) {}

  std::vector<FoamPatch> read() {
    FoamFile header(in_);
    const std::size_t count = in_.count("the number of patches", 8);
    in_.expect("(");
    std::vector<FoamPatch> out;
    for (std::size_t i = 0; i < count; ++i) out.push_back(patch());
    in_.expect(")");
    return out;
  }

 private:
  FoamPatch patch() {
    FoamPatch out{std::string(in_.word("the name of a patch")), 0, 0};
    if (out.name.ends_with("{")) in_.fail_here("expected a blank before '{'");
    in_.expect("{");
    std::optional<int> first, faces;
    while (!in_.take("}")) {
      const std::string_view key = in_.word("an entry of a patch or '}'");
      if (key == "nFaces")
        faces = in_.number("a number of faces", 0, 2147483647LL);
      else if (key == "startFace")
        first = in_.number("the number of a face", 0, 2147483647LL);
      skip_value();
    }
    if (!first || !faces) in_.fail_here(text("patch ", out.name, " lacks nFaces or startFace"));
    out.first = static_cast<std::size_t>(*first);
    out.faces = static_cast<std::size_t>(*faces);
    return out;
  }

  // Up to the ';', which may stand some lines below, or over a dictionary.
  void skip_value(int depth = 0) {
    if (depth > 20) in_.fail_here("dictionaries stand too deep inside of each other");
    if (in_.take("{")) {
      while (!in_.take("}")) {
        in_.word("an entry or '}'");
        skip_value(depth + 1);
      }
      return;
    }
    while (!in_.take(";")) {
      const std::string_view word = in_.word("a value or ';'");
      if (word.ends_with(';')) return;
    }
  }

  Cursor &in_;
};

// Boundary faces belong to the patch that names them; those of none stay without.
void set_patches(MeshFile &mesh, const std::vector<FoamPatch> &patches, std::size_t interior, const Cursor &in) {
  const std::size_t faces = mesh.faces.left.size();
  std::vector<int> at(faces - interior, -1);
  for (std::size_t i = 0; i < patches.size(); ++i) {
    const FoamPatch &patch = patches[i];
    if (patch.faces > 0 && (patch.first < interior || patch.first + patch.faces > faces))
      in.fail_here(text("patch ", patch.name, " has faces from ", patch.first, " to ", patch.first + patch.faces,
                        "; the mesh has boundary faces from ", interior, " to ", faces));
    mesh.patches.push_back({static_cast<int>(i), patch.name});
    for (std::size_t k = 0; k < patch.faces; ++k) at[patch.first + k - interior] = static_cast<int>(i);
  }
  const bool unnamed = std::any_of(at.begin(), at.end(), [](int patch) { return patch < 0; });
  const int none = unnamed ? mesh.patch(-1, "none") : -1;
  std::replace(at.begin(), at.end(), -1, none);
  mesh.boundary_patch = std::move(at);
}

} // namespace

MeshFile read_openfoam(OpenFoamFiles files) {
  MeshFile mesh;
  mesh.format = "openfoam";
  FoamFile(files.points).points(mesh.x);
  FoamFile(files.faces).faces(mesh.faces.nodes, mesh.nodes());
  const int most = std::max(mesh.faces.nodes.size() - 1, 0); // a cell has a face at least
  FoamFile(files.owner).labels(mesh.faces.left, "the owner of a face", 0, most);
  FoamFile(files.neighbour).labels(mesh.faces.right, "the neighbour of a face", -1, most);
  const auto faces = static_cast<std::size_t>(mesh.faces.nodes.size());
  if (mesh.faces.left.size() != faces)
    files.owner.fail_here(text("expected an owner for each of ", faces, " faces, found ", mesh.faces.left.size()));
  std::vector<int> &right = mesh.faces.right;
  while (right.size() > 0 && right.size() <= faces && right.back() == -1)
    right.pop_back(); // older files have all faces
  if (right.size() > faces)
    files.neighbour.fail_here(text("expected at most ", faces, " neighbours, found ", right.size()));
  if (const auto none = std::find(right.begin(), right.end(), -1); none != right.end())
    files.neighbour.fail_here(text("entry ", none - right.begin(), " is -1, but other faces with neighbours follow"));
  int last = -1;
  for (const int cell : mesh.faces.left) last = std::max(last, cell);
  for (const int cell : right) last = std::max(last, cell);
  if (last < 0) files.owner.fail_here("there are no cells");
  CellBlock &cells = mesh.block(CellType::polyhedron);
  mesh.cells = last + 1;
  for (int i = 0; i < mesh.cells; ++i) cells.cells.push_back(i);
  set_patches(mesh, FoamBoundary(files.boundary).read(), right.size(), files.boundary);
  return mesh;
}

} // namespace op2::core
