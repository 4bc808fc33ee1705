#include "tools/op2_mesh_sorter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <numeric>
#include <queue>
#include <stdexcept>

namespace {

[[noreturn]] void refuse(const std::string &folder) {
  throw std::runtime_error("scratch files in folder '" + folder + "': " + std::strerror(errno));
}

// Reads one run of records, a block at a time.
class Run {
 public:
  Run(Scratch &file, std::int64_t first, std::int64_t last, std::size_t record, std::size_t memory)
      : file_(file), next_(first), last_(last), record_(record), block_(std::max<std::size_t>(1, memory / record)) {}

  // NULL after the last record; valid until the next call.
  const char *record() {
    if (at_ == buffer_.size()) {
      const std::size_t count = std::min(block_, static_cast<std::size_t>(last_ - next_));
      if (count == 0) return nullptr;
      buffer_.resize(count * record_);
      file_.read(next_ * static_cast<std::int64_t>(record_), buffer_.data(), buffer_.size());
      next_ += static_cast<std::int64_t>(count);
      at_ = 0;
    }
    at_ += record_;
    return buffer_.data() + (at_ - record_);
  }

 private:
  Scratch &file_;
  std::int64_t next_, last_;
  std::size_t record_, block_, at_ = 0;
  std::vector<char> buffer_;
};

std::uint64_t key_of(const char *record) {
  std::uint64_t key = 0;
  std::memcpy(&key, record, sizeof key);
  return key;
}

} // namespace

Scratch::Scratch(const std::string &folder) {
  std::string name = (folder.empty() ? "." : folder) + "/op2_mesh_XXXXXX";
  const int file = mkstemp(name.data());
  if (file < 0) refuse(folder);
  unlink(name.c_str());
  file_.reset(fdopen(file, "w+b"));
  if (!file_) refuse(folder);
}

void Scratch::write(const void *data, std::size_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) refuse("");
}

void Scratch::read(std::int64_t at, void *data, std::size_t bytes) {
  if (bytes == 0) return;
  if (fseeko(file_.get(), at, SEEK_SET) != 0 || std::fread(data, 1, bytes, file_.get()) != bytes) refuse("");
}

Sorter::Sorter(std::size_t payload, std::size_t memory, const std::string &folder)
    : payload_(payload),
      // A record is in memory with its key and its place in the order.
      most_(std::clamp<std::size_t>(memory / (payload + 2 * sizeof(std::uint64_t)), 2, std::size_t{1} << 31)),
      folder_(folder) {}

void Sorter::add(std::uint64_t key, const void *payload) {
  if (keys_.size() == most_) flush();
  if (keys_.capacity() == 0) {
    keys_.reserve(most_);
    payloads_.reserve(most_ * payload_);
  }
  keys_.push_back(key);
  const char *const bytes = static_cast<const char *>(payload);
  payloads_.insert(payloads_.end(), bytes, bytes + payload_);
}

void Sorter::flush() {
  if (keys_.empty()) return;
  if (!runs_) runs_ = std::make_unique<Scratch>(folder_);
  std::vector<std::uint32_t> order(keys_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys_[a] < keys_[b]; });
  for (const std::uint32_t n : order) {
    runs_->write(&keys_[n], sizeof(std::uint64_t));
    runs_->write(payloads_.data() + n * payload_, payload_);
  }
  begin_.push_back(begin_.back() + static_cast<std::int64_t>(keys_.size()));
  keys_.clear();
  payloads_.clear();
}

void Sorter::sorted(const std::function<void(std::uint64_t key, const char *payload)> &take) {
  flush();
  const std::size_t record = payload_ + sizeof(std::uint64_t), runs = begin_.size() - 1;
  const std::size_t memory = most_ * record / std::max<std::size_t>(1, runs);
  keys_ = {};
  payloads_ = {};
  std::vector<Run> all;
  all.reserve(runs);
  struct Head {
    std::uint64_t key;
    std::size_t run;
    const char *record;
    bool operator>(const Head &other) const { return key != other.key ? key > other.key : run > other.run; }
  };
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads;
  const auto step = [&](std::size_t run) {
    if (const char *const next = all[run].record()) heads.push({key_of(next), run, next});
  };
  for (std::size_t run = 0; run < runs; ++run) {
    all.emplace_back(*runs_, begin_[run], begin_[run + 1], record, memory);
    step(run);
  }
  while (!heads.empty()) {
    const Head head = heads.top();
    heads.pop();
    take(head.key, head.record + sizeof(std::uint64_t));
    step(head.run);
  }
}

// SPDX-License-Identifier: MIT
