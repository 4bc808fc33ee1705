// Rows for files a piece at a time, in the declared distribution, so that no array lies in memory twice while it is
// read or written. Functions of the system get the buffers of pieces, never addresses in a dat or a map, whose pages
// may be out of memory. Collective.
#pragma once

#include <vector>

#include "base/trace.hpp"
#include "mesh/mesh.hpp"

namespace op2::core {

// How many rows a piece of a few MiB has: a multiple of `chunk_rows`, the rows that the file keeps together. 0: as a
// new file does.
std::int64_t rows_in_piece(std::size_t row_bytes, std::int64_t chunk_rows = 0);

// Rows first ... first + rows - 1, cut where the number of a row is a multiple of `step`.
struct Pieces {
  std::int64_t first = 0, rows = 0, step = 1;

  std::int64_t count() const { return rows == 0 ? 0 : (first + rows - 1) / step - first / step + 1; }
  // at: counted from `first`. The n-th, or an empty one after the last.
  struct Piece {
    std::int64_t at, rows;
  };
  Piece operator[](std::int64_t n) const;
};

// The declared part of a set.
Pieces pieces_of(const Set &set, std::int64_t step);

// The rows of a dat.
class DatPieces {
 public:
  // Throws OP_ERR_STATE if acquired.
  DatPieces(Mesh &mesh, Dat &dat, std::int64_t step);
  // The n-th piece of pieces_of(set, step) on all processes, valid until the next call.
  const char *get(std::int64_t n);

 private:
  Mesh &mesh_;
  Dat &dat_;
  Pieces pieces_;
  std::vector<char> rows_;
  TraceSpan shown_;
};

// The other way; `rows` is the n-th piece. The dat may be one that is just being declared.
void put_piece(Mesh &mesh, Dat &dat, std::int64_t step, std::int64_t n, const char *rows);

// The entries of a map: declared numbers of targets, from 0.
class MapPieces {
 public:
  MapPieces(Mesh &mesh, const Map &map, std::int64_t step);
  const std::vector<op_gindex> &get(std::int64_t n); // [rows of the piece][dim], as above

 private:
  Mesh &mesh_;
  const Map &map_;
  Pieces pieces_;
  std::vector<op_gindex> entries_;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
