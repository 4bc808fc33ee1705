#include "distributed/halo/halo_exchange.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "distributed/all_or_none.hpp"
#include "distributed/halo/partial_halo.hpp"
#include "distributed/halo/transport.hpp"
#include "mesh/rows.hpp"

namespace op2::core {

namespace {

std::span<const int> part_of(const HaloList &list, std::size_t neighbour) {
  const std::size_t first = static_cast<std::size_t>(list.offset[neighbour]);
  return std::span(list.row).subspan(first, static_cast<std::size_t>(list.offset[neighbour + 1]) - first);
}

// What each item exchanges, in an order that both sides know: part 2 i of item i, and 2 i + 1 when it has two.
template <class WholePart, class PartialHalf>
void for_each_part(const std::vector<HaloItem> &items, const WholePart &whole, const PartialHalf &partial) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items[i].through) {
      partial(2 * i, *items[i].through->partial);
    } else if (const std::vector<HaloLayer> &layers = items[i].dat->on().layers; !layers.empty()) {
      const HaloLayer &layer = layers[static_cast<std::size_t>(items[i].layer) - 1];
      if (items[i].exec) whole(2 * i, layer.exec);
      if (items[i].nonexec) whole(2 * i + 1, layer.nonexec);
    }
  }
}

} // namespace

std::vector<HaloExchange::NeighbourRows> HaloExchange::rows_to_send() const {
  std::vector<NeighbourRows> out;
  const auto add = [&](std::size_t part, const HaloList &list) {
    for (std::size_t n = 0; n < list.ranks.size(); ++n) {
      const std::span<const int> rows = part_of(list, n);
      out.push_back({part / 2, part, list.ranks[n], rows, 0, static_cast<int>(rows.size())});
    }
  };
  for_each_part(
      items_, [&](std::size_t i, const HaloPart &part) { add(i, part.exported); },
      [&](std::size_t i, const PartialHalo &part) { add(i, part.exported); });
  return out;
}

std::vector<HaloExchange::NeighbourRows> HaloExchange::rows_to_receive() const {
  std::vector<NeighbourRows> out;
  for_each_part(
      items_,
      [&](std::size_t i, const HaloPart &part) {
        const HaloRange &range = part.imported;
        for (std::size_t n = 0; n < range.ranks.size(); ++n)
          out.push_back(
              {i / 2, i, range.ranks[n], {}, range.first + range.offset[n], range.offset[n + 1] - range.offset[n]});
      },
      [&](std::size_t i, const PartialHalo &part) {
        for (std::size_t n = 0; n < part.imported.ranks.size(); ++n) {
          const std::span<const int> rows = part_of(part.imported, n);
          out.push_back({i / 2, i, part.imported.ranks[n], rows, 0, static_cast<int>(rows.size())});
        }
      });
  return out;
}

// One message for each neighbour, rows sorted by it already.
void HaloExchange::lay_out(std::vector<NeighbourRows> &rows, std::vector<int> &ranks,
                           std::vector<std::size_t> &offset) const {
  offset = {0};
  for (NeighbourRows &part : rows) {
    if (ranks.empty() || ranks.back() != part.rank) {
      ranks.push_back(part.rank);
      offset.push_back(offset.back());
    }
    part.message = ranks.size() - 1;
    part.offset = offset.back() - offset[part.message];
    offset.back() += static_cast<std::size_t>(part.count) * static_cast<std::size_t>(items_[part.item].dat->size);
  }
}

HaloExchange::HaloExchange(Mesh &mesh, std::vector<HaloItem> items, const Transport &transport)
    : mesh_(mesh), items_(std::move(items)), revision_(revision()), set_up_seconds_(-now()) {
  make(transport);
  set_up_seconds_ += now();
}

void HaloExchange::make(const Transport &transport) {
  for (const HaloItem &item : items_)
    if (item.through) make_partial_halo(mesh_, *item.through);
  out_ = rows_to_send();
  in_ = rows_to_receive();
  const auto by_rank = [](const NeighbourRows &a, const NeighbourRows &b) { return a.rank < b.rank; };
  std::stable_sort(out_.begin(), out_.end(), by_rank);
  std::stable_sort(in_.begin(), in_.end(), by_rank);
  lay_out(out_, send_rank_, send_offset_);
  lay_out(in_, recv_rank_, recv_offset_);
  all_or_none(mesh_, "memory for messages", [&] { make_buffers(transport); });
  bytes_of_.assign(items_.size(), 0);
  for (const NeighbourRows &part : out_)
    bytes_of_[part.item] +=
        static_cast<std::size_t>(part.count) * static_cast<std::size_t>(items_[part.item].dat->size);
  for (const bool on_host : {false, true}) path_[on_host ? 1 : 0] = find_path(transport, on_host);
  if (by_channel()) return;
  op_comm_halo_params params{};
  params.size = sizeof params;
  params.space = device_ ? device_->space() : OP_SPACE_HOST;
  params.nsend = static_cast<std::int32_t>(send_rank_.size());
  params.nrecv = static_cast<std::int32_t>(recv_rank_.size());
  params.send_rank = send_rank_.data();
  params.recv_rank = recv_rank_.data();
  params.send_offset = send_offset_.data();
  params.recv_offset = recv_offset_.data();
  params.send_buffer = device_ ? device_->send_buffer() : send_.get();
  params.recv_buffer = device_ ? device_->recv_buffer() : in_rows_ ? in_rows_ : recv_.get();
  try {
    all_or_none(mesh_, "messages", [&] { halo_ = mesh_.communicator().halo_create(params); });
  } catch (...) {
    if (halo_) mesh_.communicator().halo_free(halo_); // another process has none
    throw;
  }
  wants_progress_ = mesh_.communicator().halo_wants_tests(halo_);
}

std::size_t HaloExchange::saved_bytes_of(std::size_t item) const {
  const Dat &dat = *items_[item].dat;
  const HaloLayer &all = dat.on().layers.front();
  const std::size_t rows = all.exec.exported.row.size() + all.nonexec.exported.row.size();
  return rows * static_cast<std::size_t>(dat.size) - bytes_of_[item];
}

HaloExchange::~HaloExchange() {
  if (halo_) mesh_.communicator().halo_free(halo_);
}

Revision HaloExchange::revision() const {
  Revision sum = 0;
  for (const HaloItem &item : items_)
    sum += item.dat->revision + item.dat->on().revision + item.dat->on().resized +
           (item.through ? item.through->revision : 0);
  return sum;
}

// The rows of one dat that all messages, one behind the other, would fill in this very order; NULL: there are none.
// Not of a dat that somebody writes meanwhile: executors copy or add up all rows of what a loop changes, those of other
// processes too. Nor of a temporary one: its storage comes and goes while exchanges stay. For all others whoever moves
// the storage gives the dat another revision, with which exchanges are forgotten.
char *HaloExchange::rows_in_place() const {
  if (items_.size() != 1 || in_.empty()) return nullptr;
  const HaloItem &item = items_.front();
  if (item.through || item.changed || item.dat->temporary) return nullptr;
  const auto bytes_to = [&](int row) { return static_cast<std::ptrdiff_t>(row) * item.dat->size; };
  const int first = in_.front().first;
  for (const NeighbourRows &part : in_)
    if (bytes_to(part.first - first) != static_cast<std::ptrdiff_t>(recv_offset_[part.message] + part.offset))
      return nullptr;
  return item.dat->host.data() + bytes_to(first);
}

// A device's are reached by both sides; the host writes its part there, too, or beside it if it cannot reach them.
void HaloExchange::make_buffers(const Transport &transport) {
  char *send = nullptr, *recv = nullptr;
  for (const auto *const offset : {&send_offset_, &recv_offset_})
    for (std::size_t m = 0; m + 1 < offset->size(); ++m) longest_ = std::max(longest_, (*offset)[m + 1] - (*offset)[m]);
  const auto side = [](const std::vector<NeighbourRows> &all, const std::vector<std::size_t> &offset) {
    DeviceHalo::Side out{{}, offset.size() - 1, offset.back()};
    for (const NeighbourRows &rows : all)
      out.rows.push_back({rows.part, rows.message, rows.listed, rows.first, rows.count});
    return out;
  };
  if (transport.device_channel) {
    const DeviceHalo::Ends to{send_rank_, send_offset_}, from{recv_rank_, recv_offset_};
    device_ = std::make_unique<DeviceHalo>(mesh_.executor(), *transport.device_channel, 2 * items_.size(),
                                           side(out_, send_offset_), to, side(in_, recv_offset_), from);
    return;
  }
  if (const op_space space = transport.space; space != OP_SPACE_NONE) {
    device_ = std::make_unique<DeviceHalo>(mesh_.executor(), space, 2 * items_.size(), side(out_, send_offset_),
                                           side(in_, recv_offset_));
    if (!device_->host_can_reach()) {
      sent_here_.resize(send_offset_.back());
      came_here_.resize(recv_offset_.back());
    }
    send = device_->host_can_reach() ? device_->send_buffer() : sent_here_.data();
    recv = device_->host_can_reach() ? device_->recv_buffer() : came_here_.data();
  } else {
    send_ = std::make_unique_for_overwrite<char[]>(send_offset_.back());
    in_rows_ = rows_in_place();
    if (!in_rows_) recv_ = std::make_unique_for_overwrite<char[]>(recv_offset_.back());
    send = send_.get();
    recv = in_rows_ ? in_rows_ : recv_.get();
  }
  for (std::size_t m = 0; m < send_rank_.size(); ++m) send_at_.push_back(send + send_offset_[m]);
  for (std::size_t m = 0; m < recv_rank_.size(); ++m) recv_at_.push_back(recv + recv_offset_[m]);
}

bool HaloExchange::through_host(bool on_host) const {
  return std::any_of(items_.begin(), items_.end(), [&](const HaloItem &item) {
    return item.dat->split || (mesh_.executor().caps().separate_memory && (on_host || !device_));
  });
}

std::vector<op_exec_halo_item> HaloExchange::on_device() const {
  std::vector<op_exec_halo_item> out;
  for (std::size_t part = 0; part < 2 * items_.size(); ++part) {
    const Dat &dat = *items_[part / 2].dat;
    out.push_back({dat.exec_data(false), static_cast<std::size_t>(dat.size), static_cast<std::int32_t>(part),
                   dat.layout.aos() ? 0 : dat.layout.value_bytes, dat.layout.stride(), dat.layout.step()});
  }
  return out;
}

void HaloExchange::start(bool on_host) {
  // A device channel takes rows from the device wherever the loop runs: other processes may run it elsewhere.
  device_packs_ = device_ && (device_->has_channel() || !through_host(on_host));
  unsent_ = true;
  if (device_packs_) {
    for (const HaloItem &item : items_) mesh_.copies().prepare_exec(*item.dat, OP_READ, false);
    device_->pack(on_device());
    if (device_->has_channel()) send();
    return;
  }
  for (const HaloItem &item : items_) mesh_.copies().prepare_host(*item.dat, OP_READ, false);
  pack_on_host();
  send();
}

// After a failure as well, with whatever the message holds: others wait for it before they learn of the failure.
void HaloExchange::send() {
  if (!std::exchange(unsent_, false)) return;
  if (by_channel()) return device_->send();
  under_way_ = true;
  try {
    if (device_) device_->wait();
  } catch (...) {
    mesh_.communicator().halo_start(halo_);
    throw;
  }
  mesh_.communicator().halo_start(halo_);
}

// Rows that are partly in a file are looked at once, as they lie, for all messages and layers.
void HaloExchange::pack_from_file(const Dat &dat) {
  const std::size_t row = static_cast<std::size_t>(dat.size);
  std::vector<std::pair<int, char *>> rows; // and where they go
  for (const NeighbourRows &part : out_) {
    if (items_[part.item].dat != &dat) continue;
    char *to = static_cast<char *>(send_at_[part.message]) + part.offset;
    for (const int each : part.listed) rows.emplace_back(each, to), to += row;
  }
  std::ranges::sort(rows);
  for (const auto &[from, to] : rows) std::memcpy(to, dat.host.data() + static_cast<std::size_t>(from) * row, row);
}

void HaloExchange::pack_on_host() {
  if (!device_) mesh_.communicator().halo_buffers(halo_, send_at_.data(), recv_at_.data());
  for (const NeighbourRows &part : out_) {
    const Dat &dat = *items_[part.item].dat;
    if (dat.host.paged().number() >= 0) continue;
    char *const to = static_cast<char *>(send_at_[part.message]) + part.offset;
    gather_rows(to, dat.host.data(), part.listed, static_cast<std::size_t>(dat.size));
  }
  const Dat *before = nullptr; // the items of a dat follow each other
  for (const HaloItem &item : items_)
    if (const Dat *const dat = item.dat; std::exchange(before, dat) != dat && dat->host.paged().number() >= 0)
      pack_from_file(*dat);
  if (sent_here_.empty()) return;
  mesh_.executor().copy(device_->send_buffer(), device_->space(), sent_here_.data(), OP_SPACE_HOST, sent_here_.size());
  device_->settle();
}

void HaloExchange::unpack_on_host() {
  if (!came_here_.empty())
    mesh_.executor().copy(came_here_.data(), OP_SPACE_HOST, device_->recv_buffer(), device_->space(),
                          came_here_.size());
  for (const NeighbourRows &part : in_) {
    const Dat &dat = *items_[part.item].dat;
    const char *const from = static_cast<const char *>(recv_at_[part.message]) + part.offset;
    const std::size_t row = static_cast<std::size_t>(dat.size), bytes = static_cast<std::size_t>(part.count) * row;
    char *const to = dat.host.data() + static_cast<std::size_t>(part.first) * row;
    if (items_[part.item].through)
      scatter_rows(dat.host.data(), from, part.listed, row);
    else if (from != to) // else the message has come there
      std::memcpy(to, from, bytes);
  }
}

void HaloExchange::finish() {
  send();
  under_way_ = false;
  if (halo_) mesh_.communicator().halo_wait(halo_);
  if (device_packs_)
    device_->unpack(on_device());
  else
    unpack_on_host();
  note(device_packs_);
}

void HaloExchange::give_up(bool begun) {
  if (!begun) unsent_ = true;
  if (by_channel()) return give_up_channel();
  try {
    send();
  } catch (...) { // the first failure is the one to report
  }
  if (in_rows_) mesh_.copies().note_spoilt(*items_.front().dat); // by whatever the messages hold
  if (std::exchange(under_way_, false)) mesh_.communicator().halo_wait(halo_);
}

// Others wait on their devices for messages, and for word that theirs have been taken out.
void HaloExchange::give_up_channel() noexcept try {
  send();
  device_->unpack(on_device());
} catch (...) { // the first failure is the one to report
}

std::string HaloExchange::find_path(const Transport &transport, bool on_host) const {
  if (!mesh_.executor().caps().separate_memory) return "";
  if (by_channel()) return "from device to device by " + transport.device_channel->kind();
  const std::string &by = mesh_.communicator().name();
  if (device_ && !device_->host_can_reach() && !on_host)
    return text("from device to device by ", by, ", which takes addresses of devices");
  const bool locked = device_ && device_->space() == OP_SPACE_CUDA_PINNED;
  const std::string why = on_host ? "the loop runs on the host" : !device_ ? "the host packs rows" : "";
  return text("through ", locked ? "page-locked " : "", "memory of the host, by ", by,
              why.empty() && transport.why.empty() ? "" : ": ", why, why.empty() || transport.why.empty() ? "" : "; ",
              transport.why);
}

std::string HaloExchange::summary(bool on_host) const {
  std::string dats;
  for (const HaloItem &item : items_) dats += text(dats.empty() ? "" : ", ", item.dat->label);
  const std::string in_host = text("from ", name_of(device_ ? device_->space() : OP_SPACE_HOST));
  return text("exchange of ", dats, ": ", send_rank_.size(), " messages of ", send_offset_.back(), " bytes, ",
              recv_rank_.size(), " of ", recv_offset_.back(), " come, the longest has ", longest_, ": ",
              path(on_host).empty() ? in_host : path(on_host), device_ ? "" : ", packed by the host",
              in_rows_ ? ", received into the rows" : "");
}

void HaloExchange::note(bool on_exec) {
  for (const HaloItem &item : items_)
    if (item.through)
      mesh_.copies().note_exchanged(*item.dat, *item.through, on_exec);
    else
      mesh_.copies().note_exchanged(*item.dat, item.exec && item.layer == 1, item.nonexec && item.layer == 1, on_exec);
}

// The way of bytes between devices is worth a line in the log, once.
HaloExchange &HaloExchanges::get(Mesh &mesh, const std::vector<HaloItem> &items, bool on_host, bool by_host) {
  Transport transport = transport_;
  if (by_host) {
    transport.device_channel = nullptr;
    transport.why = "chosen by measured conditions";
  }
  const bool by_channel = transport.device_channel != nullptr;
  for (const auto &exchange : all_)
    if (exchange->items() == items && exchange->by_channel() == by_channel) return *exchange;
  all_.push_back(std::make_unique<HaloExchange>(mesh, items, transport));
  const int level = all_.back()->path(on_host).empty() ? OP_LOG_DEBUG : OP_LOG_INFO;
  if (log_ && log_->wants(level)) log_->write(level, all_.back()->summary(on_host));
  return *all_.back();
}

void bring_copies(Mesh &mesh, Dat &dat, const Transport &transport) {
  mesh.copies().prepare_host(dat, OP_READ, true);
  HaloExchange exchange(mesh, {{&dat, true, true}}, transport);
  exchange.start(true);
  exchange.send();
  exchange.finish();
}

} // namespace op2::core

// SPDX-License-Identifier: MIT
