// Declarations from files.
#include <algorithm>
#include <limits>
#include <optional>

#include "base/error.hpp"
#include "distributed/declared/pieces.hpp"
#include "io/op2_layout.hpp"
#include "mesh/checks.hpp"

namespace op2::core {

namespace {

// Names are those of arrays, and nobody can look for one that is none.
void need_array_name(const char *name, const char *what) {
  if (!name || !name[0]) fail(OP_ERR_ARGUMENT, "the name of the ", what, " is ", name ? "empty" : "NULL");
}

void need_dim(const char *kind, const char *name, int dim) {
  if (dim < 0)
    fail(OP_ERR_DIM, "the dim of ", kind, " '", name, "' is ", dim,
         "; it must be at least 1, or 0 for that of the file");
}

std::string in_file(const OpenFile &file, const char *kind, const char *name) {
  return text(file.title(), ", ", kind, " '", name, "'");
}

[[noreturn]] void fail_missing(const OpenFile &file, const char *kind, const char *name) {
  fail(OP_ERR_FILE, in_file(file, kind, name), ": there is no such dataset");
}

// Runs look(file) on all processes, or fails on all.
template <class Look>
auto looked(Files &files, OpenFile &file, const Look &look) {
  return files.mesh().agreement().together(file.title(), [&] { return look(file); });
}

const char *title_of(const ElementType &type) {
  return type.builtin() ? type.name.c_str() : type.name.empty() ? "something that is no number" : type.name.c_str();
}

// All processes go on with the same, also where each has a file of its own under this name.
void agree_on(Files &files, const OpenFile &file, const char *kind, const char *name, const std::string &found) {
  files.mesh().agreement().agree(text(in_file(file, kind, name), ", which has ", found));
}

// What is there of a map or a dat, after a check that it fits; dim 0 fits any. No rank: there is nothing.
FileArray checked(Files &files, OpenFile &file, const char *kind, const char *name, const Set &set, int dim) {
  FileArray none;
  none.rank = 0;
  FileArray found = looked(files, file, [&](OpenFile &opened) {
    if (!opened.has(name)) return none;
    const FileArray array = opened.describe(name);
    if (array.rows != set.global_size)
      fail(OP_ERR_DIM, in_file(opened, kind, name), ": it has ", array.rows, " rows, but set '", set.label, "' has ",
           set.global_size, " elements");
    if (dim > 0 ? array.dim != dim : array.dim < 1)
      fail(OP_ERR_DIM, in_file(opened, kind, name), ": it has ", array.dim, " values in a row, not ",
           dim > 0 ? text(dim) : "at least 1");
    return array;
  });
  agree_on(files, file, kind, name,
           found.rank == 0 ? text("nothing") : text(found.rows, " x ", found.dim, " of ", title_of(found.type)));
  if (found.rank == 0)
    files.log().write(OP_LOG_WARN, in_file(file, kind, name) + ": there is no such dataset; the handle is NULL");
  found.chunk_rows = files.mesh().communicator().max(found.chunk_rows); // pieces are the same for all
  return found;
}

void need_type(const OpenFile &file, const char *name, const ElementType &found, const ElementType &requested) {
  const bool user = !requested.builtin();
  if (user != !found.builtin() || (user && !found.name.empty() && found.name != requested.name))
    fail(OP_ERR_TYPE, in_file(file, "dat", name), ": its type is ", title_of(found), ", not ", requested.name);
}

// This process's rows of an array, in pieces of a few MiB: take(n, piece, rows) gets the n-th of Pieces{first, rows,
// step}. Files are read into a buffer only, so that what it is copied to may be out of memory.
struct RowReader {
  Files &files;
  OpenFile &file;
  const char *name;
  op_type_id type;
  Pieces pieces;
  std::size_t row_bytes;

  template <class Take>
  void read(const Take &take) const {
    std::vector<char> rows;
    looked(files, file, [&](OpenFile &) {
      rows.resize(static_cast<std::size_t>(std::min(pieces.step, pieces.rows)) * row_bytes);
      return 0;
    });
    const std::int64_t count = files.mesh().communicator().max(std::max<std::int64_t>(1, pieces.count()));
    for (std::int64_t n = 0; n < count; ++n) {
      const Pieces::Piece piece = pieces[n];
      looked(files, file, [&](OpenFile &opened) {
        opened.read_rows(name, pieces.first + piece.at, piece.rows, type, rows.data());
        return 0;
      });
      take(n, piece, rows.data());
    }
  }
};

template <class Index>
Map &declare_entries(Files &files, OpenFile &file, const FileArray &found, op_set from, op_set to, const char *name,
                     std::optional<int> base) {
  const Set &source = files.mesh().objects().set(from, "argument 'from'");
  const std::size_t row = static_cast<std::size_t>(found.dim) * sizeof(Index);
  const RowReader rows{files,
                       file,
                       name,
                       sizeof(Index) == sizeof(int) ? OP_TYPE_INT : OP_TYPE_LL,
                       pieces_of(source, rows_in_piece(row, found.chunk_rows)),
                       row};
  return files.mesh().declare().map_of_parts<Index>(
      from, to, found.dim, name, base, [&](const Declarations::PutEntries<Index> &put) {
        rows.read([&](std::int64_t, const Pieces::Piece &piece, const char *bytes) {
          put(piece.at, piece.rows, reinterpret_cast<const Index *>(bytes));
        });
      });
}

} // namespace

std::optional<int> base_of(OpenFile &file, const std::string &map) {
  int base = 0;
  try {
    file.read_attribute(map, base_key, OP_TYPE_INT, 1, &base);
  } catch (const Error &error) {
    if (error.code == OP_ERR_FILE) return std::nullopt; // there is none
    throw;
  }
  if (base != 0 && base != 1)
    fail(OP_ERR_FILE, in_file(file, "map", map.c_str()), ": its attribute '", base_key, "' is ", base,
         "; entries count from 0 or from 1");
  return base;
}

Set &read_set(Files &files, const std::string &path, const char *name) {
  need_array_name(name, "set");
  files.mesh().agreement().agree(text("set '", name, "' from file '", path, "'"));
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  const op_gindex size = looked(files, *file, [&](OpenFile &opened) {
    if (!opened.has(name)) fail_missing(opened, "set", name);
    const FileArray array = opened.describe(name);
    if (array.rows != 1 || array.dim != 1)
      fail(OP_ERR_DIM, in_file(opened, "set", name), ": its size is one number, but the dataset has ", array.rows,
           " x ", array.dim);
    op_gindex value = 0;
    opened.read_rows(name, 0, 1, OP_TYPE_LL, &value);
    if (value < 0) fail(OP_ERR_RANGE, in_file(opened, "set", name), ": the size is ", value);
    return value;
  });
  agree_on(files, *file, "set", name, text(size, " elements"));
  return files.mesh().declare().set_share(size, name);
}

Set &infer_set(Files &files, const std::string &path, const char *name, const char *array) {
  need_array_name(name, "set");
  need_array_name(array, "dataset");
  files.mesh().agreement().agree(text("set '", name, "' from dataset '", array, "' of file '", path, "'"));
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  const op_gindex size = looked(files, *file, [&](OpenFile &opened) {
    if (!opened.has(array)) fail_missing(opened, "dataset", array);
    return opened.describe(array).rows;
  });
  agree_on(files, *file, "dataset", array, text(size, " rows"));
  return files.mesh().declare().set_share(size, name);
}

Map *read_map(Files &files, op_set from, op_set to, int dim, const std::string &path, const char *name) {
  need_array_name(name, "map");
  Mesh &mesh = files.mesh();
  const Set &source = mesh.objects().set(from, text("argument 'from' of map '", name, "'"));
  mesh.objects().set(to, text("argument 'to' of map '", name, "'"));
  need_dim("map", name, dim);
  mesh.agreement().agree(text("map '", name, "' from file '", path, "', dim ", dim));
  mesh.declare().settle();
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  const FileArray found = checked(files, *file, "map", name, source, dim);
  if (found.rank == 0) return nullptr;
  const std::optional<int> base = looked(files, *file, [&](OpenFile &opened) {
    const op_type_id type = found.type.id;
    if (type != OP_TYPE_INT && type != OP_TYPE_UINT && type != OP_TYPE_LL && type != OP_TYPE_ULL)
      fail(OP_ERR_TYPE, in_file(opened, "map", name), ": its type is ", title_of(found.type), ", not int");
    return base_of(opened, name);
  });
  agree_on(files, *file, "map", name, base ? text("entries from ", *base) : text("no attribute '", base_key, "'"));
  return found.type.id == OP_TYPE_INT ? &declare_entries<int>(files, *file, found, from, to, name, base)
                                      : &declare_entries<op_gindex>(files, *file, found, from, to, name, base);
}

Dat *read_dat(Files &files, op_set set, int dim, const char *type, const std::string &path, const char *name) {
  need_array_name(name, "dat");
  Mesh &mesh = files.mesh();
  const Set &owner = mesh.objects().set(set, text("argument 'set' of dat '", name, "'"));
  if (!type) sized_type(type, 0, name); // says what types there are
  const ElementType requested = parse_type(type);
  need_dim("dat", name, dim);
  mesh.agreement().agree(text("dat '", name, "' from file '", path, "', ", dim, " x ", type));
  mesh.declare().settle();
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  const FileArray found = checked(files, *file, "dat", name, owner, dim);
  if (found.rank == 0) return nullptr;
  looked(files, *file, [&](OpenFile &opened) {
    need_type(opened, name, found.type, requested);
    return 0;
  });
  const int size = requested.builtin() ? 0 : found.type.size;
  dim = found.dim;
  return &mesh.declare().dat_of_parts(set, dim, type, size, name, [&](Dat &dat) {
    const std::size_t row = static_cast<std::size_t>(dat.size);
    const RowReader rows{files, *file, name, requested.id, pieces_of(owner, rows_in_piece(row, found.chunk_rows)), row};
    rows.read([&](std::int64_t n, const Pieces::Piece &, const char *bytes) {
      put_piece(mesh, dat, rows.pieces.step, n, bytes);
    });
  });
}

std::string read_text(Files &files, const std::string &path, const char *array, const char *key) {
  need_array_name(array, "dataset");
  need_array_name(key, "attribute");
  files.mesh().agreement().agree(text("attribute '", key, "' of dataset '", array, "' from file '", path, "'"));
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  std::string out = looked(files, *file, [&](OpenFile &opened) {
    if (!opened.has(array)) fail_missing(opened, "dataset", array);
    return opened.read_text(array, key);
  });
  agree_on(files, *file, "attribute", key, text("'", out, "'"));
  return out;
}

void read_constant(Files &files, const std::string &path, const char *name, int dim, const char *type, void *values) {
  need_array_name(name, "constant");
  const ElementType element = sized_type(type, 0, name);
  row_bytes(dim, element, name);
  if (!values) fail(OP_ERR_ARGUMENT, "the array for constant '", name, "' is NULL");
  files.mesh().agreement().agree(text("constant '", name, "' from file '", path, "', ", dim, " x ", element.name));
  const std::unique_ptr<OpenFile> file = files.open_to_read(path);
  looked(files, *file, [&](OpenFile &opened) {
    if (!opened.has(name)) fail_missing(opened, "constant", name);
    const FileArray array = opened.describe(name);
    if (array.rows * array.dim != dim)
      fail(OP_ERR_DIM, in_file(opened, "constant", name), ": it has ", array.rows * array.dim, " values, not ", dim);
    if (!array.type.builtin())
      fail(OP_ERR_TYPE, in_file(opened, "constant", name), ": its type is ", title_of(array.type), ", not ",
           element.name);
    opened.read_rows(name, 0, array.rows, element.id, values);
    return 0;
  });
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
