// ranks_world.cpp: see ranks_world.hpp.
#include "ranks_world.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"

namespace unit {

using op2::core::text;

std::string World::meet(int rank, const Post &post) {
  posts_[static_cast<std::size_t>(rank)] = post; // read by others behind the round only
  if (std::string why = round(rank, post.entry); !why.empty()) return why;
  for (const Post &other : posts_)
    if (std::strcmp(other.entry, post.entry) != 0) {
      give_up(text("one rank is in ", post.entry, ", another in ", other.entry));
      return reason_;
    }
  return "";
}

std::string World::round(int rank, const std::string &what) {
  std::unique_lock lock(mutex_);
  if (!reason_.empty()) return reason_; // what others have brought may be gone already
  const std::int64_t target = (arrived_++ / size() + 1) * size();
  if (arrived_ == target) changed_.notify_all();
  return block(lock, rank, what, [this, target] { return arrived_ >= target; });
}

std::string World::block(std::unique_lock<std::mutex> &lock, int rank, const std::string &what,
                         std::function<bool()> over) {
  Wait &mine = waits_[static_cast<std::size_t>(rank)];
  mine = {what, std::move(over)};
  look_for_standstill();
  changed_.wait(lock, [&] { return !reason_.empty() || mine.over(); });
  const bool reached = mine.over();
  mine = {};
  return reached ? "" : reason_;
}

// All ranks wait or are gone and no wait is over: nothing will ever change.
void World::look_for_standstill() {
  std::string summary;
  bool anyone = false;
  for (std::size_t r = 0; r < waits_.size(); ++r) {
    if (!left_[r] && (waits_[r].for_what.empty() || waits_[r].over())) return;
    anyone = anyone || !left_[r];
    summary += text(r > 0 ? ", " : "", "rank ", r, left_[r] ? " is gone" : " waits in " + waits_[r].for_what);
  }
  if (anyone) break_locked("nobody can go on: " + summary);
}

void World::break_locked(const std::string &why) {
  if (reason_.empty()) reason_ = why;
  changed_.notify_all();
}

void World::give_up(const std::string &why) {
  const std::lock_guard lock(mutex_);
  break_locked(why);
}

void World::give_up(std::exception_ptr thrown, const std::string &why) {
  const std::lock_guard lock(mutex_);
  if (reason_.empty() || !thrown_) thrown_ = thrown;
  break_locked(why);
}

void World::leave(int rank) {
  const std::lock_guard lock(mutex_);
  left_[static_cast<std::size_t>(rank)] = 1;
  look_for_standstill();
}

std::string World::offer(const Key &key, const Message &mine) {
  const std::lock_guard lock(mutex_);
  if (!reason_.empty()) return reason_; // the other buffer may be gone already
  const auto [place, first] = open_.try_emplace(key, mine);
  if (first) return "";
  const Message theirs = place->second;
  const auto [halo, exchange, sender, receiver] = key;
  if (!theirs.from == !mine.from)
    return text("the message from ", sender, " to ", receiver, " is named twice in a halo");
  if (theirs.bytes != mine.bytes)
    break_locked(text("the message from ", sender, " to ", receiver, " has ", mine.from ? mine.bytes : theirs.bytes,
                      " bytes, expected are ", mine.from ? theirs.bytes : mine.bytes));
  else if (mine.bytes > 0)
    std::memcpy(mine.into ? mine.into : theirs.into, mine.from ? mine.from : theirs.from, mine.bytes);
  open_.erase(place);
  changed_.notify_all();
  return reason_;
}

std::string World::receive(const Key &key, char *into, std::size_t bytes) {
  if (bytes > 0) std::memset(into, 0xff, bytes); // not a number, in every floating-point type
  return offer(key, {nullptr, into, bytes});
}

bool World::none_open(const std::vector<Key> &keys) const {
  return std::none_of(keys.begin(), keys.end(), [this](const Key &key) { return open_.count(key) > 0; });
}

std::string World::wait(int rank, const std::vector<Key> &keys) {
  std::unique_lock lock(mutex_);
  return block(lock, rank, "halo_wait", [this, &keys] { return none_open(keys); });
}

void World::withdraw(const std::vector<Key> &keys) {
  const std::lock_guard lock(mutex_);
  for (const Key &key : keys) open_.erase(key);
}

void World::drop(int rank, int from, std::string bytes) {
  const std::lock_guard lock(mutex_);
  mail_[rank].emplace_back(from, std::move(bytes));
}

std::string World::take(int rank, Mail &mail) {
  const std::lock_guard lock(mutex_);
  mail = std::exchange(mail_[rank], {});
  return reason_;
}

bool World::done(const std::vector<Key> &keys) {
  const std::lock_guard lock(mutex_);
  return none_open(keys);
}

} // namespace unit

// SPDX-License-Identifier: MIT
