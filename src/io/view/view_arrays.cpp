#include "io/view/view_arrays.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include "base/error.hpp"
#include "distributed/declared/pieces.hpp"
#include "distributed/declared/rows.hpp"

namespace op2::core {

namespace {

std::size_t count_of(op_gindex number) { return static_cast<std::size_t>(number); }

// Values of cells that have none in a field of several parts.
template <class Value>
void fill_missing(std::vector<char> &bytes, std::size_t count, Value *) {
  const std::vector<Value> values(count, std::numeric_limits<Value>::quiet_NaN()); // 0 for integers
  bytes.resize(count * sizeof(Value));
  std::memcpy(bytes.data(), values.data(), bytes.size());
}
void fill_missing(std::vector<char> &bytes, std::size_t count, bool *) { bytes.assign(count, 0); }

template <class Value>
std::vector<Value> three_components(const char *rows, op_gindex count, int dim) {
  const std::size_t columns = static_cast<std::size_t>(dim);
  std::vector<Value> out(3 * count_of(count), Value(0));
  for (std::size_t n = 0; n < count_of(count); ++n)
    std::memcpy(&out[3 * n], rows + n * columns * sizeof(Value), columns * sizeof(Value));
  return out;
}

// take(first, rows, n) for each piece of the declared part of a set, equally often on all processes.
template <class Take>
void in_pieces(Mesh &mesh, const Set &set, std::int64_t step, const Take &take) {
  const Pieces pieces = pieces_of(set, step);
  const std::int64_t count = mesh.communicator().max(pieces.count());
  for (std::int64_t n = 0; n < count; ++n) take(set.declared_first + pieces[n].at, pieces[n].rows, n);
}

// The same with the rows of a dat, or the entries of a map.
template <class Take>
void in_pieces(Mesh &mesh, Dat &dat, const Take &take) {
  const std::int64_t step = rows_in_piece(count_of(dat.size));
  DatPieces rows(mesh, dat, step);
  in_pieces(mesh, dat.on(), step,
            [&](op_gindex first, op_gindex count, std::int64_t n) { take(first, count, rows.get(n)); });
}
template <class Take>
void in_pieces(Mesh &mesh, const Map &map, const Take &take) {
  const std::int64_t step = rows_in_piece(count_of(map.dim) * sizeof(op_gindex));
  MapPieces entries(mesh, map, step);
  in_pieces(mesh, map.source(), step,
            [&](op_gindex first, op_gindex count, std::int64_t n) { take(first, count, entries.get(n)); });
}

} // namespace

ViewArrays::ViewArrays(Mesh &mesh, const op_view_core &view)
    : mesh_(mesh), view_(view), coordinates_(&mesh.objects().dat(view.coordinates, "the dat of coordinates")) {
  if (view.cells.empty())
    fail(OP_ERR_STATE, "view '", view.name, "' has no cells; add some (op_view_cells) before it is written");
  const auto need_released = [](const Dat &dat) {
    if (dat.acquired >= 0) fail(OP_ERR_STATE, "dat '", dat.label, "' is acquired; call op_dat_release() first");
  };
  need_released(*coordinates_);
  for (const ViewField &field : view.fields) need_released(dat_of(field));
  for (const ViewCells &cells : view.cells)
    blocks_.push_back({&mesh.objects().map(cells.map, "the map"), cells.shape, 0, 0});
  for (ViewBlock &block : blocks_) {
    block.first_cell = cells_;
    block.first_node = entries_;
    cells_ += block.map->source().global_size;
    entries_ += block.map->source().global_size * block.map->dim;
  }
}

Dat &ViewArrays::dat_of(const ViewField &field) const {
  return mesh_.objects().dat(field.dat, text("field '", field.name, "' of view '", view_.name, "'"));
}

bool ViewArrays::mixed() const {
  return std::any_of(blocks_.begin(), blocks_.end(), [this](const ViewBlock &block) {
    return block.shape != &shape() || block.map->dim != cell_nodes();
  });
}

ViewArray ViewArrays::points(const std::string &name) {
  const op_type_id type = coordinates_->element.id;
  return {name, nodes(), 3, type, false, [this, type](const PutRows &put) {
            const int dim = coordinates_->dim;
            in_pieces(mesh_, *coordinates_, [&](op_gindex first, op_gindex count, const char *rows) {
              if (type == OP_TYPE_FLOAT)
                put(first, count, three_components<float>(rows, count, dim).data());
              else
                put(first, count, three_components<double>(rows, count, dim).data());
            });
          }};
}

ViewArray ViewArrays::connectivity(const std::string &name) {
  return {name, entries_, 1, OP_TYPE_LL, true, [this](const PutRows &put) {
            for (const ViewBlock &block : blocks_)
              in_pieces(mesh_, *block.map, [&](op_gindex first, op_gindex, const std::vector<op_gindex> &numbers) {
                put(block.first_node + first * block.map->dim, static_cast<op_gindex>(numbers.size()), numbers.data());
              });
          }};
}

// Where each cell's nodes begin, and where those of the last one end.
ViewArray ViewArrays::offsets(const std::string &name) {
  return {name, cells_ + 1, 1, OP_TYPE_LL, true, [this](const PutRows &put) {
            const op_gindex zero = 0;
            put(0, mesh_.communicator().rank() == 0 ? 1 : 0, &zero);
            for (const ViewBlock &block : blocks_) {
              const std::int64_t step = rows_in_piece(sizeof(op_gindex));
              in_pieces(mesh_, block.map->source(), step, [&](op_gindex first, op_gindex count, std::int64_t) {
                std::vector<op_gindex> ends(count_of(count));
                for (std::size_t n = 0; n < ends.size(); ++n)
                  ends[n] = block.first_node + (first + static_cast<op_gindex>(n) + 1) * block.map->dim;
                put(block.first_cell + first + 1, count, ends.data());
              });
            }
          }};
}

ViewArray ViewArrays::types(const std::string &name) {
  return {
      name, cells_, 1, OP_TYPE_BOOL, true, [this](const PutRows &put) {
        for (const ViewBlock &block : blocks_) {
          in_pieces(mesh_, block.map->source(), rows_in_piece(1), [&](op_gindex first, op_gindex count, std::int64_t) {
            const std::vector<unsigned char> types(count_of(count), static_cast<unsigned char>(block.shape->type));
            put(block.first_cell + first, count, types.data());
          });
        }
      }};
}

ViewArray ViewArrays::table(const std::string &name) {
  return {name, cells_, cell_nodes(), OP_TYPE_LL, false, [this](const PutRows &put) {
            for (const ViewBlock &block : blocks_)
              in_pieces(mesh_, *block.map,
                        [&](op_gindex first, op_gindex count, const std::vector<op_gindex> &numbers) {
                          put(block.first_cell + first, count, numbers.data());
                        });
          }};
}

namespace {

// Types that may have any number of nodes in XDMF say how many.
int codes_of(const ViewShape &shape) { return shape.any_number ? 2 : 1; }

} // namespace

ViewArray ViewArrays::mixed_topology(const std::string &name) {
  op_gindex all = 0;
  for (const ViewBlock &block : blocks_)
    all += block.map->source().global_size * (codes_of(*block.shape) + block.map->dim);
  return {name, all, 1, OP_TYPE_LL, true, [this](const PutRows &put) {
            op_gindex begin = 0;
            for (const ViewBlock &block : blocks_) {
              const std::size_t nodes = static_cast<std::size_t>(block.map->dim);
              const std::size_t codes = static_cast<std::size_t>(codes_of(*block.shape)), width = codes + nodes;
              const op_gindex stride = static_cast<op_gindex>(width);
              in_pieces(mesh_, *block.map,
                        [&](op_gindex first, op_gindex count, const std::vector<op_gindex> &numbers) {
                          std::vector<op_gindex> out(count_of(count) * width);
                          for (std::size_t n = 0; n < count_of(count); ++n) {
                            out[n * width] = block.shape->xdmf_code;
                            if (codes == 2) out[n * width + 1] = block.map->dim;
                            std::copy_n(&numbers[n * nodes], nodes, &out[n * width + codes]);
                          }
                          put(begin + first * stride, count * stride, out.data());
                        });
              begin += block.map->source().global_size * stride;
            }
          }};
}

ViewArray ViewArrays::counter(const std::string &name, op_gindex value) {
  return one_number(mesh_.communicator(), name, value);
}

ViewArray ViewArrays::time(const std::string &name, double value) {
  return {name, 1,
          1,    OP_TYPE_DOUBLE,
          true, [this, value](const PutRows &put) { put(0, mesh_.communicator().rank() == 0 ? 1 : 0, &value); }};
}

// Where each block has its values from: a dat of this name on its cells, or one that a map leads to.
std::vector<ViewPart> ViewArrays::parts_of(const ViewField &field) const {
  std::vector<ViewPart> parts(blocks_.size());
  for (const ViewField &other : view_.fields) {
    // Values of nodes are no part of it, even where nodes are cells too: they may have another type.
    if (other.name != field.name || other.dat->set == view_.coordinates->set) continue;
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      Map *const way = way_to_values(mesh_, view_, blocks_[b].map->from, other.dat->set);
      if (other.dat->set == blocks_[b].map->from)
        parts[b] = {&dat_of(other), nullptr};
      else if (way && !parts[b].dat)
        parts[b] = {&dat_of(other), way};
    }
  }
  return parts;
}

// All dats of this name on cells, block by block.
ViewArray ViewArrays::cell_field(const ViewField &field) {
  const Dat &sample = dat_of(field);
  const int dim = sample.dim;
  const op_type_id type = sample.element.id;
  const std::vector<ViewPart> parts = parts_of(field);
  return {"", cells_, dim, type, dim == 1, [this, parts, dim, type](const PutRows &put) {
            for (std::size_t b = 0; b < blocks_.size(); ++b) {
              const Set &set = blocks_[b].map->source();
              const op_gindex first = blocks_[b].first_cell + set.declared_first;
              if (parts[b].way) {
                const std::vector<op_gindex> numbers = declared_entries(mesh_, *parts[b].way);
                put(first, set.declared_size, rows_of_numbers(mesh_, *parts[b].dat, numbers).data());
                continue;
              }
              if (parts[b].dat) {
                in_pieces(mesh_, *parts[b].dat, [&](op_gindex row, op_gindex count, const char *rows) {
                  put(blocks_[b].first_cell + row, count, rows);
                });
                continue;
              }
              std::vector<char> rows;
              with_type(type, [&](auto *value) {
                fill_missing(rows, count_of(set.declared_size) * static_cast<std::size_t>(dim), value);
              });
              put(first, set.declared_size, rows.data());
            }
          }};
}

std::vector<ViewArrays::Field> ViewArrays::fields(
    const std::function<std::string(int, const std::string &, bool)> &place) {
  std::vector<Field> out;
  std::set<std::string> cell_fields;
  for (const ViewField &field : view_.fields) {
    const bool nodes = field.dat->set == view_.coordinates->set;
    if (!nodes && !cell_fields.insert(field.name).second) continue; // another part
    ViewArray array;
    if (nodes) {
      Dat *const dat = &dat_of(field);
      array = {"", this->nodes(), dat->dim, dat->element.id, dat->dim == 1, [this, dat](const PutRows &put) {
                 in_pieces(mesh_, *dat, put);
               }};
    } else {
      array = cell_field(field);
    }
    array.name = place(static_cast<int>(out.size()), field.name, nodes);
    out.push_back({field.name, nodes, std::move(array)});
  }
  return out;
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
