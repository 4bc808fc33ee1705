// large_test.cpp: messages of more bytes than an int can count. With OP2TEST_LARGE=1 only, since they need time and
// memory.
#include "support.hpp"

namespace mpi {
namespace {

constexpr std::size_t bytes = (std::size_t{1} << 31) + (std::size_t{1} << 20) + 3;

bool wanted() { return std::getenv("OP2TEST_LARGE") != nullptr; }

// Zeros but for a letter in every 64 MB and at both ends.
void mark(char *data, char letter) {
  for (std::size_t at = 0; at < bytes; at += std::size_t{1} << 26) data[at] = letter;
  data[bytes - 1] = letter;
}
bool marked(const char *data, char letter) {
  bool good = true;
  for (std::size_t at = 0; at < bytes; at += std::size_t{1} << 26) good = good && data[at] == letter;
  return good && data[1] == 0 && data[bytes - 1] == letter;
}

TEST(Large, Bcast) {
  if (!wanted()) GTEST_SKIP() << "only with OP2TEST_LARGE=1";
  Job job;
  std::vector<char> data(bytes);
  if (job.rank() == 0) mark(data.data(), 'b');
  job->bcast(data.data(), bytes, 0);
  EXPECT_TRUE(marked(data.data(), 'b'));
}

TEST(Large, SparseExchange) {
  if (!wanted()) GTEST_SKIP() << "only with OP2TEST_LARGE=1";
  Job job;
  std::vector<char> data(job.rank() == 0 ? bytes : 0);
  const std::vector<std::size_t> offset{0, data.size()};
  const std::vector<int> to{job.size() - 1};
  if (job.rank() == 0) mark(data.data(), 's');
  const SparseMessages received = job->sparse_exchange(std::span(to).first(job.rank() == 0), offset, data.data());
  ASSERT_EQ(job.rank() == job.size() - 1 ? 1 : 0, received.count());
  if (received.count() == 0) return;
  ASSERT_EQ(bytes, received.values<char>(0).size());
  EXPECT_TRUE(marked(received.values<char>(0).data(), 's'));
}

TEST(Large, AllgathervOfMoreInTotal) {
  if (!wanted()) GTEST_SKIP() << "only with OP2TEST_LARGE=1";
  Job job;
  const std::size_t size = static_cast<std::size_t>(job.size()), rank = static_cast<std::size_t>(job.rank());
  std::vector<std::size_t> offset{0};
  for (std::size_t p = 0; p < size; ++p) offset.push_back(bytes * (p + 1) / size);
  std::vector<char> all(bytes);
  const std::string own(offset[rank + 1] - offset[rank], static_cast<char>('a' + rank));
  job->allgatherv(own.data(), own.size(), all.data(), offset.data());
  for (std::size_t p = 0; p < size; ++p) {
    EXPECT_EQ(static_cast<char>('a' + p), all[offset[p]]) << p;
    EXPECT_EQ(static_cast<char>('a' + p), all[offset[p + 1] - 1]) << p;
  }
}

TEST(Large, Halo) {
  if (!wanted()) GTEST_SKIP() << "only with OP2TEST_LARGE=1";
  Job job;
  const bool sends = job.rank() == 0, receives = job.rank() == job.size() - 1;
  std::vector<char> out(sends ? bytes : 0), in(receives ? bytes : 0);
  const std::int32_t first = 0, last = job.size() - 1;
  const std::size_t offset[2] = {0, bytes};
  const op_comm_halo_params params{sizeof params, OP_SPACE_HOST, sends,  receives,   &last,
                                   &first,        offset,        offset, out.data(), in.data()};
  op_comm_halo *halo = job->halo_create(params);
  for (const char letter : {'h', 'i'}) {
    if (sends) mark(out.data(), letter);
    job->halo_start(halo);
    job->halo_wait(halo);
    EXPECT_TRUE(!receives || marked(in.data(), letter));
  }
  job->halo_free(halo);
}

} // namespace
} // namespace mpi

// SPDX-License-Identifier: MIT
