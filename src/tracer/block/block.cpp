#include "tracer/block/block.hpp"

#include <cmath>

#include "base/error.hpp"
#include "distributed/groups.hpp"
#include "tracer/block/divide.hpp"

namespace op2::core::tracer {

Block::Block(Communicator &communicator, const Source &source, const streamline::Options &options,
             const Division &division) {
  if (communicator.size() == 1) { // it has everything
    assemble(communicator, source, source.cells);
    fastest_ = fastest_here(source.dim);
    field_->set_fastest(fastest_);
    complete_.assign(number_.size(), 1);
    return;
  }
  const Known known = look_at(communicator, source);
  fastest_ = known.fastest;
  std::vector<CellRecord> cells = source.cells;
  divide(communicator, known, division, source.dim, cells);
  const std::int64_t all_cells = communicator.sum(static_cast<std::int64_t>(cells.size()));
  bins_ = std::make_unique<Bins>(known.whole, source.dim, bins_for(all_cells));
  const Region region = region_of(communicator, *bins_, known, division, options, cells);
  keepers_ = std::make_unique<Keepers>(communicator, bins_->count(), region);
  assemble(communicator, source, exchange(communicator, known, cells));
  for (int cell = 0; cell < cells_->size(); ++cell) {
    const double far = streamline::reach(fastest_, options, streamline::cell_size(*cells_, cell));
    bool complete = true;
    if (owner(cell) != communicator.rank())
      bins_->each(seen_from(box_of(*cells_, cell), far),
                  [&](std::size_t bin) { complete = complete && region.has(bin); });
    complete_.push_back(complete ? 1 : 0);
  }
}

// Each cell to its owner, and to everyone whose region it touches.
std::vector<CellRecord> Block::exchange(Communicator &communicator, const Known &known,
                                        const std::vector<CellRecord> &cells) const {
  std::vector<std::int64_t> bins;
  for (const Box &box : known.box)
    bins_->each(box, [&](std::size_t bin) { bins.push_back(static_cast<std::int64_t>(bin)); });
  const Keepers::Known regions = keepers_->ask(communicator, std::move(bins));
  std::vector<int> to, wanted;
  std::vector<CellRecord> copies;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    wanted.assign(1, cells[i].owner);
    bins_->each(known.box[i], [&](std::size_t bin) {
      const std::span<const int> ranks = regions.of(bin);
      wanted.insert(wanted.end(), ranks.begin(), ranks.end());
    });
    std::sort(wanted.begin(), wanted.end());
    wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
    to.insert(to.end(), wanted.begin(), wanted.end());
    copies.insert(copies.end(), wanted.size(), cells[i]);
  }
  const SparseMessages received = post(communicator, group_by_rank(to), std::span<const CellRecord>(copies));
  const std::span<const CellRecord> all = received.all<CellRecord>();
  return {all.begin(), all.end()};
}

void Block::assemble(Communicator &communicator, const Source &source, std::vector<CellRecord> records) {
  const auto before = [](const CellRecord &a, const CellRecord &b) { return a.number < b.number; };
  if (!std::is_sorted(records.begin(), records.end(), before)) std::sort(records.begin(), records.end(), before);
  node_ = nodes_of(records);
  x_ = source.coordinates(node_);
  for (const CellRecord &record : records) {
    number_.push_back(record.number);
    owner_.push_back(record.owner);
    block_.push_back(record.block);
  }
  cells_ = std::make_unique<Cells>(cells_of(source.dim, records, node_, x_));
  std::string defect;
  try {
    cells_->connect();
  } catch (const Error &error) {
    defect = error.what();
  }
  if (communicator.max(defect.empty() ? 0 : 1) != 0)
    fail(OP_ERR_ARGUMENT, defect.empty() ? "another process has found cells that do not fit together" : defect);
  locator_ = std::make_unique<streamline::Locator>(*cells_);
  set_velocity(source);
}

void Block::set_velocity(const Source &source) {
  const std::vector<std::int64_t> &numbers = source.on == Field::On::nodes ? node_ : number_;
  velocity_ = source.velocity(numbers);
  later_ = source.later ? source.later(numbers) : std::vector<double>();
  field_ =
      std::make_unique<Field>(*cells_, *locator_, velocity_, source.on, streamline::Change{later_, source.duration});
  field_->set_fastest(fastest_);
}

double Block::fastest_here(int dim) const {
  return std::max(streamline::fastest_of(velocity_, dim), streamline::fastest_of(later_, dim));
}

bool Block::renew(Communicator &communicator, const Source &source, const streamline::Options &options) {
  set_velocity(source);
  double fastest = fastest_here(source.dim);
  communicator.allreduce(&fastest, 1, OP_TYPE_DOUBLE, OP_COMM_MAX);
  const bool fits = streamline::reach(fastest, options, 1) <= streamline::reach(fastest_, options, 1);
  field_->set_fastest(fastest);
  return fits;
}

int Block::find(std::int64_t number) const {
  const auto found = std::lower_bound(number_.begin(), number_.end(), number);
  return found == number_.end() || *found != number ? -1 : static_cast<int>(found - number_.begin());
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
