// ranks_world.hpp: what the threads of run_ranks() share: where they meet, and messages on their way.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace unit {

// What a rank brings into a collective; it stays valid until all have read it.
struct Post {
  const char *entry = "";
  const void *data = nullptr;
  const std::size_t *offsets = nullptr;
  const std::int32_t *ranks = nullptr;
  std::size_t bytes = 0;
  std::int32_t number = 0; // root, operation or count of messages
};

// One message of a halo: the buffer of whoever came first waits for the other one. The copy is made when both are
// there.
struct Message {
  const char *from = nullptr;
  char *into = nullptr;
  std::size_t bytes = 0;
};

// What the threads share.
class World {
 public:
  explicit World(int size) : posts_(static_cast<std::size_t>(size)), waits_(posts_.size()), left_(posts_.size(), 0) {}

  int size() const { return static_cast<int>(posts_.size()); }
  const Post &post(int rank) const { return posts_[static_cast<std::size_t>(rank)]; }

  // Both return what went wrong, "" = nothing. After meet() all posts can be read until this rank calls part().
  std::string meet(int rank, const Post &post);
  std::string part(int rank) { return round(rank, "a collective"); }

  using Key = std::tuple<std::int64_t, std::int64_t, int, int>; // halo, which of its exchanges, sender, receiver
  std::string send(const Key &key, const char *from, std::size_t bytes) { return offer(key, {from, nullptr, bytes}); }
  std::string receive(const Key &key, char *into, std::size_t bytes);
  std::string wait(int rank, const std::vector<Key> &keys);
  bool done(const std::vector<Key> &keys);
  void withdraw(const std::vector<Key> &keys); // their buffers are going away

  // Messages at any time: (sender, bytes).
  using Mail = std::vector<std::pair<int, std::string>>;
  void drop(int rank, int from, std::string bytes);
  std::string take(int rank, Mail &mail); // what went wrong, "" = nothing

  void leave(int rank);
  void give_up(const std::string &why); // the first reason counts
  void give_up(std::exception_ptr thrown, const std::string &why);
  std::exception_ptr thrown() const { return thrown_; }
  const std::string &reason() const { return reason_; }
  int claim() { return claimed_.exchange(true) ? 0 : 1; }

 private:
  struct Wait {
    std::string for_what; // "" = this rank runs
    std::function<bool()> over;
  };
  std::string round(int rank, const std::string &what);
  std::string block(std::unique_lock<std::mutex> &lock, int rank, const std::string &what, std::function<bool()> over);
  std::string offer(const Key &key, const Message &mine);
  bool none_open(const std::vector<Key> &keys) const;
  void look_for_standstill();
  void break_locked(const std::string &why);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Post> posts_;
  std::vector<Wait> waits_;
  std::vector<char> left_;
  std::map<Key, Message> open_;
  std::map<int, Mail> mail_; // by receiver
  std::int64_t arrived_ = 0; // in all rounds; a round is over when all have arrived once more
  std::string reason_;       // why the ranks cannot go on
  std::exception_ptr thrown_;
  std::atomic<bool> claimed_{false};
};

} // namespace unit

// SPDX-License-Identifier: MIT
