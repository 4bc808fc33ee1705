// Keeps the data of a mesh within a limit of memory (OP2_MEMORY_LIMIT): once dats and maps together need more, their
// arrays are paged (paging/pager.hpp).
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "base/log.hpp"
#include "mesh/objects.hpp"
#include "paging/paged_array.hpp"

namespace op2::core {

struct PagedDataOptions {
  double limit = 0;   // bytes; 0: none
  PagerOptions pager; // without its limit; chunk 0: by the limit
  bool maps = true;   // false: the program may replace the tables of maps
};

class PagedData {
 public:
  // Both arguments must outlive the object, which must outlive what `objects` owns.
  PagedData(const PagedDataOptions &options, const Objects &objects, const Log &log)
      : options_(options), objects_(objects), log_(log) {}

  // NULL: all data is in memory.
  Pager *pager() const { return pager_.get(); }
  // Pages the arrays of dats and maps that are not known yet, if all need more memory than there may be. Throws
  // OP_ERR_FILE if the file cannot be made, or has no room for them.
  void take();
  // Likewise for a dat whose rows have just been allocated and have no values yet.
  void take_empty(Dat &dat);
  // Likewise for the table of a map that is about to be filled; the caller keeps what is returned with the table.
  PagedArray take_empty(void *table, std::size_t bytes, const std::string &map);
  // take(), if something was declared since the last time.
  void take_new() {
    if (objects_.dats().size() + objects_.maps().size() != known_) [[unlikely]]
      take();
  }

 private:
  void open(double needed);
  void add(PagedArray &to, void *data, std::size_t bytes, const std::string &name);
  double needed() const;
  double unpaged_bytes() const;

  const PagedDataOptions options_;
  const Objects &objects_;
  const Log &log_;
  std::unique_ptr<Pager> pager_;
  std::size_t known_ = 0; // dats and maps, at the last look
};

} // namespace op2::core
// SPDX-License-Identifier: MIT
