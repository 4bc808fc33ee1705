// late_stores.cpp: what has been stored and has not arrived.
#include "late_stores.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace fake {

void LateStores::arrive(const Store &store) {
  std::uint32_t word = 0;
  std::memcpy(&word, store.value.data(), sizeof word);
  if (store.bytes == sizeof word) // perhaps a flag that another process looks at
    __atomic_store_n(static_cast<std::uint32_t *>(store.to), word, __ATOMIC_RELEASE);
  else
    std::memcpy(store.to, store.value.data(), store.bytes);
}

void LateStores::put(Thread thread, void *to, const void *value, unsigned bytes) {
  Store store{to, bytes, {}};
  std::memcpy(store.value.data(), value, bytes);
  waiting_[thread].push_back(store);
}

void LateStores::fence(Thread thread) {
  const auto mine = waiting_.find(thread);
  if (mine == waiting_.end()) return;
  for (const Store &store : mine->second) arrive(store);
  waiting_.erase(mine);
}

// More often one of the last stores than one of the first: that is the order that programs do not expect.
void LateStores::one(std::uint64_t random) {
  if (waiting_.empty()) return;
  const bool last = random % 4 != 0;
  const auto at = last ? std::prev(waiting_.end())
                       : std::next(waiting_.begin(), static_cast<std::ptrdiff_t>(random / 4 % waiting_.size()));
  std::vector<Store> &stores = at->second;
  const std::size_t chosen = last ? stores.size() - 1 : random / 1024 % stores.size();
  const auto first =
      std::find_if(stores.begin(), stores.end(), [&](const Store &store) { return store.to == stores[chosen].to; });
  arrive(*first);
  stores.erase(first);
  if (stores.empty()) waiting_.erase(at);
}

void LateStores::all() {
  for (const auto &[thread, stores] : waiting_)
    for (const Store &store : stores) arrive(store);
  waiting_.clear();
}

} // namespace fake

// SPDX-License-Identifier: MIT
