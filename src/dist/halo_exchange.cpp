#include "dist/halo_exchange.hpp"

#include <algorithm>
#include <cstring>

#include "mesh/rows.hpp"

namespace op2::core {

namespace {

const HaloLayer *layer_of(const Dat &dat) { return dat.on().layers.empty() ? nullptr : &dat.on().layers.front(); }

} // namespace

// Runs sorted by neighbour, and for each neighbour in the order of the items, executed copies before those only read:
// the same order on both sides.
void HaloExchange::collect(bool sending, std::vector<int> &ranks, std::vector<std::size_t> &offset,
                           std::vector<Run> &runs) const {
  const auto ranks_of = [&](const HaloPart &part) -> const std::vector<int> & {
    return sending ? part.exported.ranks : part.imported.ranks;
  };
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const HaloLayer *const layer = layer_of(*items_[i].dat);
    if (!layer) continue;
    const auto add = [&](const HaloPart &part) {
      for (std::size_t n = 0; n < ranks_of(part).size(); ++n) runs.push_back({i, &part, static_cast<int>(n)});
    };
    if (items_[i].exec) add(layer->exec);
    if (items_[i].nonexec) add(layer->nonexec);
  }
  const auto rank = [&](const Run &run) { return ranks_of(*run.part)[static_cast<std::size_t>(run.neighbour)]; };
  std::stable_sort(runs.begin(), runs.end(), [&](const Run &a, const Run &b) { return rank(a) < rank(b); });
  offset = {0};
  for (const Run &run : runs) {
    if (ranks.empty() || ranks.back() != rank(run)) {
      ranks.push_back(rank(run));
      offset.push_back(offset.back());
    }
    const std::vector<int> &bounds = sending ? run.part->exported.offset : run.part->imported.offset;
    const std::size_t n = static_cast<std::size_t>(run.neighbour);
    offset.back() +=
        static_cast<std::size_t>(bounds[n + 1] - bounds[n]) * static_cast<std::size_t>(items_[run.item].dat->size);
  }
}

HaloExchange::HaloExchange(Mesh &mesh, std::vector<HaloItem> items) : mesh_(mesh), items_(std::move(items)) {
  collect(true, send_rank_, send_offset_, out_);
  collect(false, recv_rank_, recv_offset_, in_);
  send_.resize(send_offset_.back());
  recv_.resize(recv_offset_.back());
  messages_ = static_cast<int>(send_rank_.size());
  op_comm_halo_params params{};
  params.size = sizeof params;
  params.space = OP_SPACE_HOST;
  params.nsend = messages_;
  params.nrecv = static_cast<std::int32_t>(recv_rank_.size());
  params.send_rank = send_rank_.data();
  params.recv_rank = recv_rank_.data();
  params.send_offset = send_offset_.data();
  params.recv_offset = recv_offset_.data();
  params.send_buffer = send_.data();
  params.recv_buffer = recv_.data();
  halo_ = mesh.communicator().halo_create(params);
}

HaloExchange::~HaloExchange() { mesh_.communicator().halo_free(halo_); }

bool HaloExchange::through_host() const {
  return std::any_of(items_.begin(), items_.end(),
                     [&](const HaloItem &item) { return item.dat->split || mesh_.executor().caps().separate_memory; });
}

void HaloExchange::start() {
  for (const HaloItem &item : items_) mesh_.prepare_host(*item.dat, OP_READ, false);
  char *to = send_.data();
  for (const Run &run : out_) {
    const Dat &dat = *items_[run.item].dat;
    const HaloList &list = run.part->exported;
    const std::size_t first = static_cast<std::size_t>(list.offset[static_cast<std::size_t>(run.neighbour)]);
    const std::size_t count =
        static_cast<std::size_t>(list.offset[static_cast<std::size_t>(run.neighbour) + 1]) - first;
    gather_rows(to, dat.host.data(), std::span(list.row).subspan(first, count), static_cast<std::size_t>(dat.size));
    to += count * static_cast<std::size_t>(dat.size);
  }
  mesh_.communicator().halo_start(halo_);
}

void HaloExchange::finish() {
  mesh_.communicator().halo_wait(halo_);
  const char *from = recv_.data();
  for (const Run &run : in_) {
    const Dat &dat = *items_[run.item].dat;
    const HaloRange &range = run.part->imported;
    const std::size_t row = static_cast<std::size_t>(dat.size);
    const int begin = range.offset[static_cast<std::size_t>(run.neighbour)];
    const int end = range.offset[static_cast<std::size_t>(run.neighbour) + 1];
    const std::size_t bytes = static_cast<std::size_t>(end - begin) * row;
    std::memcpy(dat.host.data() + static_cast<std::size_t>(range.first + begin) * row, from, bytes);
    from += bytes;
  }
  for (const HaloItem &item : items_) mesh_.note_exchanged(*item.dat, item.exec, item.nonexec);
}

HaloExchange &HaloExchanges::get(Mesh &mesh, const std::vector<HaloItem> &items) {
  for (const auto &exchange : all_)
    if (exchange->items() == items) return *exchange;
  all_.push_back(std::make_unique<HaloExchange>(mesh, items));
  return *all_.back();
}

} // namespace op2::core
