#include "meshfile/join.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "meshfile/geometry.hpp"

namespace op2::core {

namespace {

// Points that are said to be one may be as far apart as rounding brings them, as a part of the size of the mesh.
constexpr double most_apart = 1e-6;

// The points of all pieces.
class Points {
 public:
  Points(const std::string &file, std::span<const VtkPiece> pieces)
      : file_(file), pieces_(pieces), starts_(piece_starts(file, pieces)) {
    Point low{}, high{};
    for (int i = 0; i < size(); ++i) {
      const Point x = at(i);
      if (!std::isfinite(x[0]) || !std::isfinite(x[1]) || !std::isfinite(x[2]))
        fail(OP_ERR_FILE, name(piece(i)), ": a coordinate of point ", i - starts_[piece(i)], " is not a finite number");
      for (std::size_t k = 0; k < 3; ++k) {
        low[k] = i > 0 ? std::min(low[k], x[k]) : x[k];
        high[k] = i > 0 ? std::max(high[k], x[k]) : x[k];
      }
    }
    most_apart_ = most_apart * length(high - low);
  }

  int size() const { return starts_.back(); }
  int first(std::size_t piece) const { return starts_[piece]; }
  int behind(std::size_t piece) const { return starts_[piece + 1]; }
  std::size_t piece(int point) const {
    return static_cast<std::size_t>(std::upper_bound(starts_.begin(), starts_.end(), point) - starts_.begin()) - 1;
  }
  const std::string &name(std::size_t piece) const { return pieces_[piece].in.file(); }
  const std::string &file() const { return file_; }
  Point at(int point) const {
    const std::size_t of = piece(point), row = 3 * static_cast<std::size_t>(point - starts_[of]);
    const std::vector<double> &x = pieces_[of].grid.points;
    return {x[row], x[row + 1], x[row + 2]};
  }
  std::string place(int point) const {
    const Point x = at(point);
    return text("(", x[0], ", ", x[1], ", ", x[2], ")");
  }
  void need_near(int one, int other, const std::string &why) const {
    if (length(at(one) - at(other)) > most_apart_)
      fail(OP_ERR_FILE, file_, ": ", why, ", but it lies at ", place(one), " in ", name(piece(one)), " and at ",
           place(other), " in ", name(piece(other)));
  }

 private:
  const std::string &file_;
  std::span<const VtkPiece> pieces_;
  std::vector<int> starts_;
  double most_apart_ = 0;
};

// Points with their coordinates, in the order of these; equal ones in that of their numbers.
struct Placed {
  Point x;
  int point;
  friend bool operator<(const Placed &a, const Placed &b) { return a.x != b.x ? a.x < b.x : a.point < b.point; }
};

std::vector<Placed> by_place(const Points &points, int first, int behind) {
  std::vector<Placed> out;
  out.reserve(static_cast<std::size_t>(behind - first));
  for (int i = first; i < behind; ++i) out.push_back({points.at(i), i});
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<int> themselves(int count) {
  std::vector<int> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0);
  return out;
}

// Calls each(run) for the runs of equal items of a sorted list.
template <class T, class Equal, class Each>
void for_runs(const std::vector<T> &all, const Equal &equal, const Each &each) {
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && equal(all[begin], all[end])) ++end;
    if (end - begin > 1) each(std::span(all).subspan(begin, end - begin));
  }
}

std::vector<int> join_places(const Points &points) {
  std::vector<int> same = themselves(points.size());
  const auto equal = [](const Placed &a, const Placed &b) { return a.x == b.x; };
  for_runs(by_place(points, 0, points.size()), equal, [&](std::span<const Placed> run) {
    const std::size_t first = points.piece(run.front().point), last = points.piece(run.back().point);
    if (first == last) return; // in one piece only
    for (std::size_t i = 1; i < run.size(); ++i) {
      const std::size_t own = points.piece(run[i].point);
      if (own == points.piece(run[i - 1].point))
        fail(OP_ERR_FILE, points.file(), ": ", points.name(own), " has two points at ", points.place(run[i].point),
             ", and ", points.name(own == last ? first : last),
             " has one there, too: which of them are one cannot be told; write the file with global numbers of points");
      same[static_cast<std::size_t>(run[i].point)] = run.front().point;
    }
  });
  return same;
}

std::vector<int> join_ids(const Points &points, std::span<const VtkPiece> pieces) {
  std::vector<std::pair<long long, int>> all;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const std::vector<long long> &ids = pieces[p].grid.ids;
    const int count = points.behind(p) - points.first(p);
    if (ids.size() != static_cast<std::size_t>(count))
      fail(OP_ERR_FILE, points.name(p), ": there are ", ids.size(), " global numbers for ", count, " points");
    for (int i = 0; i < count; ++i) all.emplace_back(ids[static_cast<std::size_t>(i)], points.first(p) + i);
  }
  std::sort(all.begin(), all.end());
  std::vector<int> same = themselves(points.size());
  const auto equal = [](const auto &a, const auto &b) { return a.first == b.first; };
  for_runs(all, equal, [&](auto run) {
    for (std::size_t i = 1; i < run.size(); ++i) {
      const std::size_t own = points.piece(run[i].second);
      if (own == points.piece(run[i - 1].second))
        fail(OP_ERR_FILE, points.name(own), ": two points have the global number ", run[i].first);
      points.need_near(run.front().second, run[i].second, text("there is one point of number ", run[i].first));
      same[static_cast<std::size_t>(run[i].second)] = run.front().second;
    }
  });
  return same;
}

// Joins points that links name, of whatever length the chains of links are.
class Linker {
 public:
  explicit Linker(const Points &points) : points_(points), same_(themselves(points.size())) {}

  void link(const PointLink &link) {
    const int one = number(link.piece, link.point);
    const int other = link.other_point < 0 ? beside(link.other, one) : number(link.other, link.other_point);
    points_.need_near(one, other,
                      text("point ", link.point + 1, " of ", points_.name(at(link.piece)), " is said to be point ",
                           link.other_point + 1, " of ", points_.name(at(link.other))));
    const int root_one = root(one), root_other = root(other);
    same_[at(std::max(root_one, root_other))] = std::min(root_one, root_other);
  }
  std::vector<int> result() {
    for (int i = 0; i < points_.size(); ++i) same_[at(i)] = root(i);
    return std::move(same_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  int root(int point) {
    while (same_[at(point)] != point) point = same_[at(point)] = same_[at(same_[at(point)])];
    return point;
  }
  int number(int piece, long long point) const {
    const int count = points_.behind(at(piece)) - points_.first(at(piece));
    if (point < 0 || point >= count)
      fail(OP_ERR_FILE, points_.name(at(piece)), ": a connection names point ", point + 1, " of ", count);
    return points_.first(at(piece)) + static_cast<int>(point);
  }
  int beside(int piece, int point) {
    std::vector<Placed> &all = places_[piece];
    if (all.empty()) all = by_place(points_, points_.first(at(piece)), points_.behind(at(piece)));
    const Placed wanted{points_.at(point), 0};
    const auto found = std::lower_bound(all.begin(), all.end(), wanted);
    if (found == all.end() || found->x != wanted.x)
      fail(OP_ERR_FILE, points_.file(), ": ", points_.name(points_.piece(point)), " and ", points_.name(at(piece)),
           " do not fit: a connection between them names a face with a point at ", points_.place(point),
           ", where the second one has none");
    return found->point;
  }

  const Points &points_;
  std::vector<int> same_;
  std::map<int, std::vector<Placed>> places_;
};

} // namespace

std::vector<int> piece_starts(const std::string &file, std::span<const VtkPiece> pieces) {
  std::vector<int> out = {0};
  for (const VtkPiece &piece : pieces) {
    const std::size_t end = static_cast<std::size_t>(out.back()) + piece.grid.points.size() / 3;
    if (end > static_cast<std::size_t>(std::numeric_limits<int>::max()))
      fail(OP_ERR_UNSUPPORTED, file, ": its pieces have more than 2^31 points together");
    out.push_back(static_cast<int>(end));
  }
  return out;
}

std::vector<int> join_points(const std::string &file, std::span<const VtkPiece> pieces) {
  const Points points(file, pieces);
  const bool by_ids = std::all_of(pieces.begin(), pieces.end(), [](const VtkPiece &piece) {
    return piece.grid.points.empty() || !piece.grid.ids.empty();
  });
  return by_ids ? join_ids(points, pieces) : join_places(points);
}

std::vector<int> join_linked(const std::string &file, std::span<const VtkPiece> pieces,
                             std::span<const PointLink> links) {
  const Points points(file, pieces);
  Linker linker(points);
  for (const PointLink &link : links) linker.link(link);
  return linker.result();
}

namespace {

// Boundary faces, as files list them, all of whose nodes are joined, and whose nodes two pieces name.
std::vector<bool> faces_between(const MeshFile &mesh, std::span<const int> same, std::span<const int> starts) {
  std::vector<bool> joined(same.size()), out(static_cast<std::size_t>(mesh.boundary.size()));
  for (std::size_t i = 0; i < same.size(); ++i)
    if (same[i] != static_cast<int>(i)) joined[i] = joined[static_cast<std::size_t>(same[i])] = true;
  const auto piece = [&](int node) { return std::upper_bound(starts.begin(), starts.end(), node) - starts.begin(); };
  std::map<std::vector<int>, std::set<std::ptrdiff_t>> pieces; // by the nodes of the face, in their order
  const auto key_of = [&](std::span<const int> face) {
    std::vector<int> key;
    for (const int node : face)
      if (joined[static_cast<std::size_t>(node)]) key.push_back(same[static_cast<std::size_t>(node)]);
    std::sort(key.begin(), key.end());
    return key.size() == face.size() ? key : std::vector<int>();
  };
  for (int i = 0; i < mesh.boundary.size(); ++i)
    if (const std::vector<int> key = key_of(mesh.boundary[i]); !key.empty())
      pieces[key].insert(piece(mesh.boundary[i].front()));
  for (int i = 0; i < mesh.boundary.size(); ++i)
    if (const auto found = pieces.find(key_of(mesh.boundary[i])); found != pieces.end())
      out[static_cast<std::size_t>(i)] = found->second.size() > 1;
  return out;
}

} // namespace

void merge_nodes(MeshFile &mesh, std::span<const int> same, std::span<const int> starts) {
  const std::vector<bool> between = faces_between(mesh, same, starts);
  std::vector<int> place(same.size());
  std::size_t kept = 0;
  const auto dim = static_cast<std::ptrdiff_t>(mesh.dim);
  for (std::size_t i = 0; i < same.size(); ++i) {
    const auto first = static_cast<std::size_t>(same[i]);
    if (first != i) {
      place[i] = place[first];
      continue;
    }
    std::copy_n(mesh.x.begin() + static_cast<std::ptrdiff_t>(i) * dim, dim,
                mesh.x.begin() + static_cast<std::ptrdiff_t>(kept) * dim);
    place[i] = static_cast<int>(kept++);
  }
  mesh.x.resize(kept * static_cast<std::size_t>(dim));
  const auto follow = [&](std::vector<int> &nodes) {
    for (int &node : nodes) node = place[static_cast<std::size_t>(node)];
  };
  for (CellBlock &block : mesh.blocks) follow(block.nodes);
  follow(mesh.free.sides.items);
  Lists boundary;
  std::vector<int> patches;
  for (int i = 0; i < mesh.boundary.size(); ++i) {
    if (between[static_cast<std::size_t>(i)]) continue;
    for (const int node : mesh.boundary[i]) boundary.items.push_back(place[static_cast<std::size_t>(node)]);
    boundary.close();
    patches.push_back(mesh.boundary_patch[static_cast<std::size_t>(i)]);
  }
  mesh.boundary = std::move(boundary);
  mesh.boundary_patch = std::move(patches);
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
