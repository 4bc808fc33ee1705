// Sorts more records than memory holds: sorted runs in a file without a name, merged when they are read.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

// A file that goes away with this object. Throws std::runtime_error with what the system says.
class Scratch {
 public:
  explicit Scratch(const std::string &folder);
  void write(const void *data, std::size_t bytes);
  void read(std::int64_t at, void *data, std::size_t bytes);

 private:
  struct Close {
    void operator()(std::FILE *file) const { std::fclose(file); }
  };
  std::unique_ptr<std::FILE, Close> file_;
};

// Records of a key and `payload` bytes. Equal keys stay in the order in which they came.
class Sorter {
 public:
  // memory: bytes for records; folder: of the scratch file.
  Sorter(std::size_t payload, std::size_t memory, const std::string &folder);
  void add(std::uint64_t key, const void *payload);
  // All records by key, once, after the last add().
  void sorted(const std::function<void(std::uint64_t key, const char *payload)> &take);

 private:
  void flush();

  std::size_t payload_, most_; // records in a run
  std::string folder_;
  std::vector<std::uint64_t> keys_;
  std::vector<char> payloads_;
  std::unique_ptr<Scratch> runs_;
  std::vector<std::int64_t> begin_ = {0}; // record with which each run begins, and the end
};

// SPDX-License-Identifier: MIT
