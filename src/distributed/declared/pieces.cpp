#include "distributed/declared/pieces.hpp"

#include <algorithm>
#include <cstring>
#include <span>

#include "base/error.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/declared/exchange.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

constexpr std::int64_t piece_bytes = std::int64_t{4} << 20;
constexpr std::int64_t chunk_bytes = std::int64_t{1} << 20; // of compressed arrays that the library makes

std::size_t size(std::int64_t number) { return static_cast<std::size_t>(number); }

// The rows of this process in which the elements at, at + 1, ... of its declared part lie.
std::span<const int> places_of(const Set &set, const Pieces::Piece &piece) {
  return std::span(set.place).subspan(size(piece.at), size(piece.rows));
}

// Elements lie in rows of their own numbers.
bool in_order(const Mesh &mesh, const Set &set) { return mesh.several() ? !set.distributed : !set.renumbered(); }

template <class Value>
void resize_on_all(Mesh &mesh, std::vector<Value> &buffer, std::size_t values) {
  all_or_none(mesh, "memory for a piece of rows", [&] { buffer.resize(values); });
}

void own_entries(const Map &map, std::span<const int> rows, op_gindex *to) {
  const std::size_t dim = size(map.dim);
  const std::vector<op_gindex> &global = map.target().global;
  for (const int row : rows)
    for (std::size_t entry = size(row) * dim, end = entry + dim; entry < end; ++entry)
      *to++ = map.built ? global[size(map.table[entry])] : map.targets[entry];
}

} // namespace

std::int64_t rows_in_piece(std::size_t row_bytes, std::int64_t chunk_rows) {
  const std::int64_t row = std::max<std::int64_t>(1, static_cast<std::int64_t>(row_bytes));
  const std::int64_t chunk = chunk_rows > 0 ? chunk_rows : std::max<std::int64_t>(1, chunk_bytes / row);
  return chunk * std::max<std::int64_t>(1, piece_bytes / (chunk * row));
}

Pieces::Piece Pieces::operator[](std::int64_t n) const {
  const std::int64_t begin = (first / step + n) * step, end = begin + step, last = first + rows;
  const std::int64_t from = std::clamp(begin, first, last), to = std::clamp(end, first, last);
  return {from - first, to - from};
}

Pieces pieces_of(const Set &set, std::int64_t step) { return {set.declared_first, set.declared_size, step}; }

DatPieces::DatPieces(Mesh &mesh, Dat &dat, std::int64_t step)
    : mesh_(mesh),
      dat_(dat),
      pieces_(pieces_of(dat.on(), step)),
      shown_(mesh.copies().span(trace_lane::data, "fetch", dat, dat.own_bytes())) {
  if (dat.acquired >= 0) fail(OP_ERR_STATE, "dat '", dat.label, "' is acquired; call op_dat_release() first");
  all_or_none(mesh, "rows on their way to the host", [&] { mesh.copies().prepare_host(dat, OP_READ, false); });
}

const char *DatPieces::get(std::int64_t n) {
  const Set &set = dat_.on();
  const std::size_t row = size(dat_.size);
  const Pieces::Piece piece = pieces_[n];
  resize_on_all(mesh_, rows_, size(piece.rows) * row);
  const char *const own = dat_.host.data();
  if (in_order(mesh_, set))
    std::copy_n(own + size(piece.at) * row, rows_.size(), rows_.data());
  else if (mesh_.several())
    piece_to_declared(mesh_, set, {pieces_, n, row}, rows_.data(),
                      [&](std::span<const int> rows, char *to) { gather_rows(to, own, rows, row); });
  else
    gather_rows(rows_.data(), own, places_of(set, piece), row);
  return rows_.data();
}

void put_piece(Mesh &mesh, Dat &dat, std::int64_t step, std::int64_t n, const char *rows) {
  const Set &set = dat.on();
  const std::size_t row = size(dat.size);
  const Pieces pieces = pieces_of(set, step);
  const Pieces::Piece piece = pieces[n];
  char *const own = dat.host.data();
  if (in_order(mesh, set))
    std::copy_n(rows, size(piece.rows) * row, own + size(piece.at) * row);
  else if (mesh.several())
    piece_from_declared(mesh, set, {pieces, n, row}, rows,
                        [&](std::span<const int> places, const char *from) { scatter_rows(own, from, places, row); });
  else
    scatter_rows(own, rows, places_of(set, piece), row);
  mesh.copies().note_host(dat, OP_WRITE);
}

MapPieces::MapPieces(Mesh &mesh, const Map &map, std::int64_t step)
    : mesh_(mesh), map_(map), pieces_(pieces_of(map.source(), step)) {}

const std::vector<op_gindex> &MapPieces::get(std::int64_t n) {
  const Set &from = map_.source(), &to = map_.target();
  const std::size_t dim = size(map_.dim);
  const Pieces::Piece piece = pieces_[n];
  resize_on_all(mesh_, entries_, size(piece.rows) * dim);
  if (!mesh_.several()) {
    auto out = entries_.begin();
    for (std::int64_t number = piece.at; number < piece.at + piece.rows; ++number) {
      const std::size_t row = from.renumbered() ? size(from.place[size(number)]) : size(number);
      for (std::size_t entry = row * dim; entry < (row + 1) * dim; ++entry)
        *out++ = to.renumbered() ? to.original[size(map_.table[entry])] : map_.table[entry];
    }
  } else if (!map_.built && (map_.in_declared_order || !from.distributed)) {
    std::copy_n(map_.targets.begin() + static_cast<std::ptrdiff_t>(size(piece.at) * dim), entries_.size(),
                entries_.begin());
  } else {
    const auto own = [&](std::span<const int> rows, char *bytes) {
      own_entries(map_, rows, reinterpret_cast<op_gindex *>(bytes));
    };
    piece_to_declared(mesh_, from, {pieces_, n, dim * sizeof(op_gindex)}, reinterpret_cast<char *>(entries_.data()),
                      own);
  }
  return entries_;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
