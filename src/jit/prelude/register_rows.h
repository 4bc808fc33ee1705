// register_rows.h: rows to which neighbouring elements add one after the other, kept in registers meanwhile. Part of
// every generated file that has such a form, after rows.h.
//
// Where a column of a map has the same entry for several elements in a row (the first node of edges in good order),
// each would load what the one before has just stored, and wait for it. Here a row is loaded when the column leads to
// it, and stored when it leads elsewhere. Another column of the same element may lead to that row, too: then the row
// goes to memory and back. All additions stay in the order of the elements.
namespace op2j {

template <class T, int C>
struct piece_of : simd<T, C> {};
template <class T>
struct piece_of<T, 1> {
  typedef T is;
};
// A row of D values in the pieces that row_block adds to.
template <class T, int W, int D, int c = 0, bool More = (c < D)>
struct register_row {
  static constexpr int C = chunk_of(D - c, W);
  typename piece_of<T, C>::is here;
  register_row<T, W, D, c + C> rest;
  OP2J_INLINE void take(const T *row) {
    if constexpr (C == 1)
      here = row[c];
    else
      here = load<T, C>(row + c);
    rest.take(row);
  }
  OP2J_INLINE void give(T *row) const {
    if constexpr (C == 1)
      row[c] = here;
    else
      store<T, C>(row + c, here);
    rest.give(row);
  }
  template <int Lane, Put How>
  OP2J_INLINE void add(const row_block<T, W, D> &block) {
    if constexpr (C == 1)
      add_piece<How>(block.v[c][Lane]);
    else
      add_piece<How>(part<Lane / C * C>(block.v[c + Lane % C], upto<C>()));
    rest.template add<Lane, How>(block);
  }

 private:
  template <Put How, class Piece>
  OP2J_INLINE void add_piece(Piece more) {
    here = How == put_subtract ? here - more : here + more;
  }
};
template <class T, int W, int D, int c>
struct register_row<T, W, D, c, false> {
  OP2J_INLINE void take(const T *) {}
  OP2J_INLINE void give(T *) const {}
  template <int Lane, Put How>
  OP2J_INLINE void add(const row_block<T, W, D> &) {}
};

// Increments of the kept row, and of rows of the same dat beside it.
template <Put How, class T, int W, int D>
struct kept_increment {
  const row_block<T, W, D> &block;
  T *base;
  register_row<T, W, D> &row;
};
template <Put How, class T, int W, int D, class Rows>
struct increment_beside {
  const row_block<T, W, D> &block;
  T *base;
  Rows rows;
  register_row<T, W, D> &row;
};
template <Put How, class T, int W, int D>
OP2J_INLINE kept_increment<How, T, W, D> kept_increment_of(const row_block<T, W, D> &block, T *base,
                                                           register_row<T, W, D> &row) {
  return {block, base, row};
}
template <Put How, class T, int W, int D, class Rows>
OP2J_INLINE increment_beside<How, T, W, D, Rows> increment_beside_of(const row_block<T, W, D> &block, T *base,
                                                                     const Rows &rows, register_row<T, W, D> &row) {
  return {block, base, rows, row};
}

template <class Increment>
OP2J_INLINE void give(const Increment &, long) {}
template <Put How, class T, int W, int D>
OP2J_INLINE void give(const kept_increment<How, T, W, D> &i, long at) {
  i.row.give(i.base + at * D);
}
template <class Increment>
OP2J_INLINE void take(const Increment &, long) {}
template <Put How, class T, int W, int D>
OP2J_INLINE void take(const kept_increment<How, T, W, D> &i, long at) {
  i.row.take(i.base + at * D);
}
template <int Lane, class Increment>
OP2J_INLINE void add_one(const Increment &i, long) {
  i.template add<Lane>();
}
template <int Lane, Put How, class T, int W, int D>
OP2J_INLINE void add_one(const kept_increment<How, T, W, D> &i, long) {
  i.row.template add<Lane, How>(i.block);
}
template <int Lane, Put How, class T, int W, int D, class Rows>
OP2J_INLINE void add_one(const increment_beside<How, T, W, D, Rows> &i, long kept) {
  T *const row = i.base + i.rows(Lane) * D;
  if (__builtin_expect(i.rows(Lane) == kept, 0)) {
    i.row.give(row);
    i.block.template put<Lane, How>(row);
    i.row.take(row);
  } else {
    i.block.template put<Lane, How>(row);
  }
}

// kept: the row in registers, -1 = none yet; rows: where the column leads.
template <int Lane, int W, class Rows, class... Increment>
OP2J_INLINE void add_lanes_keeping(long &kept, const Rows &rows, const Increment &...increments) {
  if constexpr (Lane < W) {
    if (rows(Lane) != kept) {
      if (kept >= 0) (give(increments, kept), ...);
      kept = rows(Lane);
      (take(increments, kept), ...);
    }
    (add_one<Lane>(increments, kept), ...);
    add_lanes_keeping<Lane + 1, W>(kept, rows, increments...);
  }
}

} // namespace op2j
