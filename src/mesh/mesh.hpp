// The mesh of a context, in parts: objects, declarations, copies of data, numbering.
#pragma once

#include "mesh/declarations.hpp"
#include "mesh/numbering.hpp"
#include "mesh/paged/device_pager.hpp"
#include "mesh/paged/paged_data.hpp"

namespace op2::core {

class KeptFindings;

class Mesh {
 public:
  // map_base: first index in maps that are declared (0 or 1).
  Mesh(Executor &executor, Communicator &communicator, int map_base)
      : executor_(executor),
        communicator_(communicator),
        agreement_(communicator),
        copies_(executor),
        numbering_(executor, objects_, copies_),
        declarations_(objects_, copies_, communicator, agreement_, map_base) {}
  Mesh(const Mesh &) = delete;
  Mesh &operator=(const Mesh &) = delete;

  Executor &executor() const { return executor_; }
  Communicator &communicator() const { return communicator_; }
  Agreement &agreement() { return agreement_; }
  bool several() const { return communicator_.size() > 1; }

  Objects &objects() { return objects_; }
  const Objects &objects() const { return objects_; }
  Declarations &declare() { return declarations_; }
  const Declarations &declare() const { return declarations_; }
  Copies &copies() { return copies_; }
  const Copies &copies() const { return copies_; }
  Numbering &numbering() { return numbering_; }

  // What earlier runs have found out about meshes; NULL: nothing is kept (OP2_JIT_CACHE=off, OP2_JIT=off).
  KeptFindings *kept() const { return kept_; }
  void keep_in(KeptFindings *kept) { kept_ = kept; }

  // What keeps the data within a limit of memory; NULL: there is no limit.
  PagedData *paged() { return paged_.get(); }
  void page(const PagedDataOptions &options, const Log &log) {
    paged_ = std::make_unique<PagedData>(options, objects_, log);
    copies_.set_paged(paged_.get());
  }
  // The same for the executor's memory.
  DevicePager *device_pager() { return device_pager_.get(); }
  void page_device(double limit) {
    device_pager_ = std::make_unique<DevicePager>(executor_, limit);
    copies_.set_device_pager(device_pager_.get());
  }
  // Has a part of the data in a memory with a limit; NULL: all data is there.
  ChunkStore *chunks() {
    if (device_pager_) return device_pager_.get();
    return paged_ ? paged_->pager() : nullptr;
  }
  void end_paging() { // no dat and no map has data any more
    copies_.set_paged(nullptr);
    copies_.set_device_pager(nullptr);
    paged_.reset();
    device_pager_.reset();
  }

  // Shortcuts.
  const std::vector<std::unique_ptr<Set>> &sets() const { return objects_.sets(); }
  const std::vector<std::unique_ptr<Map>> &maps() const { return objects_.maps(); }
  const std::vector<std::unique_ptr<Dat>> &dats() const { return objects_.dats(); } // freed ones too
  const Dialect &dialect() const { return declarations_.dialect(); }

 private:
  Executor &executor_;
  Communicator &communicator_;
  Agreement agreement_;
  std::unique_ptr<PagedData> paged_; // these outlive the objects
  std::unique_ptr<DevicePager> device_pager_;
  Objects objects_;
  Copies copies_;
  Numbering numbering_;
  Declarations declarations_;
  KeptFindings *kept_ = nullptr;
};

} // namespace op2::core

// SPDX-License-Identifier: MIT
