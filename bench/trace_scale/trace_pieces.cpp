// trace_pieces.cpp: see trace_pieces.hpp.
#include "trace_scale/trace_pieces.hpp"

#include <algorithm>
#include <limits>

#include "base/log.hpp"
#include "base/settings.hpp"
#include "distributed/partition/geometric.hpp"
#include "host/plugins/services.hpp"
#include "plugins/builtin.hpp"

namespace trace_scale {

namespace tracer = op2::core::tracer;
using tracer::Box;

struct Alone::Library {
  op2::core::Settings settings = op2::core::Settings::load(0, nullptr);
  op2::core::Log log{OP_LOG_ERROR};
  op2::core::Services services{log, settings};
  op2::core::Registry registry{settings, log, services};
  std::unique_ptr<op2::core::Communicator> communicator;
};

Alone::Alone() : library_(std::make_unique<Library>()) {
  library_->registry.add_builtin(op2::core::comm_self_plugin());
  library_->communicator = std::make_unique<op2::core::Communicator>(library_->registry, library_->services, "self");
}
Alone::~Alone() = default;
op2::core::Communicator &Alone::communicator() { return *library_->communicator; }

Pieces::Pieces(Alone &alone, const Flow &flow, const Options &options, const Division &division, int processes)
    : flow_(flow), processes_(processes) {
  const int cells = flow.cells->size();
  std::vector<double> centre;
  for (int cell = 0; cell < cells; ++cell) {
    box_.push_back(box_of(*flow.cells, cell));
    for (std::size_t k = 0; k < 3; ++k) centre.push_back(0.5 * (box_.back().low[k] + box_.back().high[k]));
  }
  const std::vector<int> owner = tracer::owners_of_blocks(division, processes);
  block_ = part_rcb(alone.communicator(), centre, 3, op2::core::PartShares(static_cast<int>(owner.size())));
  for (const int block : block_) owner_.push_back(owner[at(block)]);
  if (processes > 1) find_regions(options, division);
}

void Pieces::find_regions(const Options &options, const Division &division) {
  Box whole = box_.front();
  for (const Box &box : box_)
    for (std::size_t k = 0; k < 3; ++k) {
      whole.low[k] = std::min(whole.low[k], box.low[k]);
      whole.high[k] = std::max(whole.high[k], box.high[k]);
    }
  bins_ = std::make_unique<tracer::Bins>(whole, 3, tracer::bins_for(flow_.cells->size()));
  region_.assign(at(processes_), tracer::Region(bins_->count()));
  std::vector<long long> begin(bins_->count(), 0); // cells by the bin of their first corner
  for (int cell = 0; cell < flow_.cells->size(); ++cell) {
    const double reach = op2::core::streamline::reach(flow_.field->fastest(), options, cell_size(*flow_.cells, cell));
    seen_.push_back(tracer::seen_from(box_[at(cell)], reach));
    tracer::Region &its = region_[at(owner_[at(cell)])];
    bins_->each(seen_.back(), [&](std::size_t bin) { its.add(bin); });
    ++begin[bins_->of(box_[at(cell)].low)];
  }
  if (division.overlap == 0) return;
  for (tracer::Region &region : region_) region = tracer::grown_to(*bins_, begin, division.overlap, std::move(region));
}

bool Pieces::complete(int process, int cell) const {
  if (owner(cell) == process) return true;
  bool all = true;
  bins_->each(seen_[at(cell)], [&](std::size_t bin) { all = all && region_[at(process)].has(bin); });
  return all;
}

double Pieces::most_cells() const {
  if (processes_ == 1) return 1;
  std::vector<std::size_t> cells(bins_->count(), 0); // by the bin of their first corner: each once
  for (const Box &box : box_) ++cells[bins_->of(box.low)];
  std::size_t most = 0;
  for (const tracer::Region &region : region_) {
    std::size_t known = 0;
    for (std::size_t bin = 0; bin < cells.size(); ++bin)
      if (region.has(bin)) known += cells[bin];
    most = std::max(most, known);
  }
  return static_cast<double>(most) * processes_ / static_cast<double>(box_.size());
}

} // namespace trace_scale

// SPDX-License-Identifier: MIT
