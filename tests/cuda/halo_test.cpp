// halo_test.cpp: rows packed for neighbours and unpacked, against plain copies.
#include <numeric>
#include <span>

#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

// Lists of rows of one exchange, as plain data.
struct Lists {
  struct List {
    std::vector<int32_t> offset, rows;
  };
  std::vector<List> lists;
  std::vector<op_exec_halo_lists> table() const {
    std::vector<op_exec_halo_lists> out;
    for (const List &list : lists)
      out.push_back({sizeof(op_exec_halo_lists), static_cast<int32_t>(list.offset.size()) - 1, 0, list.offset.data(),
                     list.rows.data()});
    return out;
  }
};

// `count` rows for each of the neighbours, in no order.
Lists::List some_rows(std::vector<int32_t> counts, int32_t rows, unsigned seed) {
  Lists::List list{{0}, {}};
  for (const int32_t count : counts) {
    for (int32_t i = 0; i < count; ++i) {
      seed = seed * 1664525u + 1013904223u;
      list.rows.push_back(static_cast<int32_t>((seed >> 8) % static_cast<unsigned>(rows)));
    }
    list.offset.push_back(static_cast<int32_t>(list.rows.size()));
  }
  return list;
}

// A list that names each row once at most, so that the order of unpacking does not matter.
Lists::List other_rows(std::vector<int32_t> counts, int32_t rows) {
  Lists::List list{{0}, {}};
  for (const int32_t count : counts) {
    for (int32_t i = 0; i < count; ++i)
      list.rows.push_back((7 * static_cast<int32_t>(list.rows.size()) + 3) %
                          rows); // 7 and rows have no divisor in common
    list.offset.push_back(static_cast<int32_t>(list.rows.size()));
  }
  return list;
}

constexpr int32_t rows = 5003;

class Halo : public Device {
 protected:
  struct Dat {
    size_t row_bytes;
    int32_t list;
    char *block = nullptr, *base = nullptr;
    std::vector<char> values = {};
  };
  // A dat whose row 0 lies `shift` bytes into a block.
  Dat make(size_t row_bytes, int32_t list, size_t shift, unsigned seed) {
    Dat dat{row_bytes, list};
    dat.values = pattern(row_bytes * static_cast<size_t>(rows), seed);
    dat.block = alloc(dat.values.size() + shift);
    dat.base = dat.block + shift;
    put(dat.base, dat.values);
    return dat;
  }
  void upload() {
    const std::vector<op_exec_halo_lists> table = lists.table();
    ASSERT_EQ(OP_OK, ops().halo_upload(exec, table.data(), static_cast<int32_t>(table.size()), &halo)) << host.failure;
  }
  std::vector<op_exec_halo_item> items(const std::vector<Dat> &dats) const {
    std::vector<op_exec_halo_item> out;
    for (const Dat &dat : dats) out.push_back({dat.base, dat.row_bytes, dat.list, 0, 0, 0});
    return out;
  }
  // The rows in the order of the messages: visit(dat, row).
  template <class Visit>
  void each_row(std::vector<Dat> &dats, const Visit &visit) const {
    size_t most = 0;
    for (const Lists::List &list : lists.lists) most = std::max(most, list.offset.size() - 1);
    for (size_t neighbour = 0; neighbour < most; ++neighbour)
      for (Dat &dat : dats) {
        const Lists::List &list = lists.lists[static_cast<size_t>(dat.list)];
        if (neighbour + 1 >= list.offset.size()) continue;
        for (int32_t i = list.offset[neighbour]; i < list.offset[neighbour + 1]; ++i)
          visit(dat, static_cast<size_t>(list.rows[static_cast<size_t>(i)]));
      }
  }
  std::vector<char> packed(std::vector<Dat> &dats) const {
    std::vector<char> out;
    each_row(dats, [&](const Dat &dat, size_t row) {
      const char *begin = dat.values.data() + row * dat.row_bytes;
      out.insert(out.end(), begin, begin + dat.row_bytes);
    });
    return out;
  }
  void unpack(std::vector<Dat> &dats, const std::vector<char> &message) const {
    size_t place = 0;
    each_row(dats, [&](Dat &dat, size_t row) {
      std::memcpy(dat.values.data() + row * dat.row_bytes, message.data() + place, dat.row_bytes);
      place += dat.row_bytes;
    });
  }
  // What stands in `done` before the executor has answered: nothing that could be waited for.
  static op_event no_answer() {
    static char nobody;
    return reinterpret_cast<op_event>(&nobody);
  }
  op_event pack(const std::vector<Dat> &dats, void *buffer, op_space space) {
    const std::vector<op_exec_halo_item> list = items(dats);
    op_event done = no_answer();
    EXPECT_EQ(OP_OK, ops().halo_pack(exec, halo, list.data(), static_cast<int32_t>(list.size()), buffer, space, &done))
        << host.failure;
    return done;
  }
  op_event unpack_on_device(const std::vector<Dat> &dats, const void *buffer, op_space space) {
    const std::vector<op_exec_halo_item> list = items(dats);
    op_event done = no_answer();
    EXPECT_EQ(OP_OK,
              ops().halo_unpack(exec, halo, list.data(), static_cast<int32_t>(list.size()), buffer, space, &done))
        << host.failure;
    return done;
  }
  void free_all(std::vector<Dat> &dats) {
    for (Dat &dat : dats) free(dat.block);
    ops().halo_free(exec, halo);
    halo = nullptr;
  }

  Lists lists;
  op_exec_halo *halo = nullptr;
};

TEST_F(Halo, SeveralItemsForSeveralNeighbours) {
  open();
  lists.lists = {some_rows({700, 1, 0, 1300}, rows, 1), some_rows({3, 0, 40}, rows, 2)};
  upload();
  std::vector<Dat> dats = {make(32, 0, 0, 1), make(8, 1, 0, 2),   make(12, 0, 4, 3), make(1, 0, 1, 4),
                           make(40, 1, 8, 5), make(24, 0, 16, 6), make(6, 1, 2, 7),  make(48, 0, 0, 8)};
  const std::vector<char> expected = packed(dats);
  for (const op_space space : {OP_SPACE_CUDA, OP_SPACE_CUDA_PINNED, OP_SPACE_HOST})
    for (const size_t shift : {0u, 8u, 3u}) {
      char *buffer = alloc(expected.size() + shift, space);
      ASSERT_EQ(OP_OK, ops().mem_zero(exec, space, buffer, expected.size() + shift));
      finish(pack(dats, buffer + shift, space));
      EXPECT_EQ(expected, get(buffer + shift, expected.size(), space)) << "space " << space << ", shifted by " << shift;
      free(buffer, space);
    }
  free_all(dats);
}

TEST_F(Halo, UnpackedRowsAreWhereLoopsLookForThem) {
  open();
  lists.lists = {other_rows({900, 0, 77}, rows), other_rows({5, 5, 5}, rows)};
  upload();
  std::vector<Dat> dats = {make(16, 0, 0, 1), make(8, 1, 8, 2), make(3, 0, 1, 3)};
  unsigned seed = 100;
  for (const op_space space : {OP_SPACE_CUDA, OP_SPACE_CUDA_PINNED, OP_SPACE_HOST}) {
    const std::vector<char> message = pattern(packed(dats).size(), ++seed);
    char *buffer = alloc(message.size(), space);
    finish(copy(buffer, space, message.data(), OP_SPACE_HOST, message.size()));
    op_event done = unpack_on_device(dats, buffer, space);
    if (space == OP_SPACE_HOST) std::memset(buffer, '!', message.size()); // it was read at the call
    unpack(dats, message);
    // A copy is work of the compute stream, like a loop: it comes after the rows without being told.
    for (const Dat &dat : dats) EXPECT_EQ(dat.values, get(dat.base, dat.values.size())) << "space " << space;
    finish(done);
    free(buffer, space);
  }
  free_all(dats);
}

// What was launched before still sees the rows as they were.
TEST_F(Halo, UnpackWaitsForWhoReadsTheRows) {
  open();
  lists.lists = {other_rows({900, 0, 77}, rows)};
  upload();
  std::vector<Dat> dats = {make(16, 0, 0, 1)};
  const std::vector<char> before = dats[0].values;
  char *reader = alloc(before.size());
  char *buffer = alloc(packed(dats).size());
  ASSERT_EQ(OP_OK, ops().mem_zero(exec, OP_SPACE_CUDA, buffer, packed(dats).size()));
  finish(copy(reader, OP_SPACE_CUDA, dats[0].base, OP_SPACE_CUDA, before.size())); // queued, not over
  finish(unpack_on_device(dats, buffer, OP_SPACE_CUDA));
  EXPECT_EQ(before, get(reader, before.size()));
  EXPECT_NE(before, get(dats[0].base, before.size()));
  free(reader);
  free(buffer);
  free_all(dats);
}

TEST_F(Halo, MessageIsThereWhenItsEventIsPast) {
  open();
  lists.lists = {some_rows({200}, rows, 3)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  const std::vector<char> expected = packed(dats);
  for (const op_space space : {OP_SPACE_CUDA_PINNED, OP_SPACE_HOST}) {
    char *buffer = alloc(expected.size(), space);
    std::memset(buffer, 0, expected.size());
    op_event done = pack(dats, buffer, space);
    ASSERT_NE(nullptr, done);
    EXPECT_EQ(0, ops().event_query(exec, done));
    EXPECT_NE(expected, std::vector<char>(buffer, buffer + expected.size())) << "who drops the wait sends old bytes";
    while (!ops().event_query(exec, done)) continue;
    EXPECT_EQ(expected, std::vector<char>(buffer, buffer + expected.size()));
    ops().event_free(exec, done);
    // Nobody wants to know: the call waits by itself.
    std::memset(buffer, 0, expected.size());
    const std::vector<op_exec_halo_item> list = items(dats);
    ASSERT_EQ(OP_OK, ops().halo_pack(exec, halo, list.data(), 1, buffer, space, nullptr));
    EXPECT_EQ(expected, std::vector<char>(buffer, buffer + expected.size()));
    // An event that is freed before it is past leaves nothing behind.
    ops().event_free(exec, pack(dats, buffer, space));
    free(buffer, space);
  }
  free_all(dats);
}

// Packing runs beside the compute stream: before it lies what was written so far, after it what is written later.
TEST_F(Halo, PackTakesTheValuesOfItsMoment) {
  open();
  lists.lists = {some_rows({100, 100}, rows, 4)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  char *buffer = alloc(1600, OP_SPACE_CUDA_PINNED);
  for (unsigned seed = 10; seed < 14; ++seed) {
    dats[0].values = pattern(dats[0].values.size(), seed);
    put(dats[0].base, dats[0].values); // not waited for
    op_event done = pack(dats, buffer, OP_SPACE_CUDA_PINNED);
    ASSERT_EQ(OP_OK, ops().mem_zero(exec, OP_SPACE_CUDA, dats[0].base, dats[0].values.size()));
    EXPECT_EQ(std::vector<char>(8, '\0'), get(dats[0].base, 8)) << "the zeros are there";
    finish(done);
    EXPECT_EQ(packed(dats), std::vector<char>(buffer, buffer + 1600));
  }
  free(buffer, OP_SPACE_CUDA_PINNED);
  free_all(dats);
}

// The test of the tests: a driver that forgets what streams wait for gives wrong messages.
TEST_F(Halo, ForgottenOrderIsSeen) {
  environment("FAKE_CUDA_FAULT", "drop_event_wait");
  open();
  lists.lists = {some_rows({100, 100}, rows, 4)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  char *buffer = alloc(1600, OP_SPACE_CUDA_PINNED);
  finish(pack(dats, buffer, OP_SPACE_CUDA_PINNED));
  EXPECT_NE(packed(dats), std::vector<char>(buffer, buffer + 1600)) << "packed before the values were there";
  free(buffer, OP_SPACE_CUDA_PINNED);
  free_all(dats);
}

TEST_F(Halo, KernelsAreCompiledOnceAndKept) {
  open();
  lists.lists = {some_rows({10}, rows, 5)};
  char *buffer = alloc(80);
  for (int run = 0; run < 3; ++run) {
    upload();
    std::vector<Dat> dats = {make(8, 0, 0, 1)};
    finish(pack(dats, buffer, OP_SPACE_CUDA));
    free_all(dats);
  }
  EXPECT_EQ(1u, host.cache.size());
  EXPECT_EQ(0, host.cache_hits);
  free(buffer);
  close();
  open(); // the next run of the program
  buffer = alloc(80);
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  finish(pack(dats, buffer, OP_SPACE_CUDA));
  EXPECT_EQ(1, host.cache_hits);
  EXPECT_TRUE(contains(host.cache.begin()->first, "sm_90"));
  EXPECT_TRUE(contains(host.cache.begin()->first, "nvrtc "));
  EXPECT_EQ(packed(dats), get(buffer, 80));
  free_all(dats);
  free(buffer);
}

TEST_F(Halo, NothingToSendIsFine) {
  open();
  lists.lists = {some_rows({0, 0}, rows, 6), Lists::List{{0}, {}}};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1), make(8, 1, 0, 1)};
  for (const op_space space : {OP_SPACE_CUDA, OP_SPACE_CUDA_PINNED, OP_SPACE_HOST}) {
    const std::vector<char> untouched = pattern(8, 77);
    char *buffer = alloc(8, space);
    finish(copy(buffer, space, untouched.data(), OP_SPACE_HOST, 8));
    for (const std::vector<Dat> &sent : {dats, std::vector<Dat>()}) {
      EXPECT_EQ(nullptr, pack(sent, buffer, space)) << "there is nothing to wait for";
      EXPECT_EQ(untouched, get(buffer, 8, space)) << "space " << space << ": nothing was to be packed";
      EXPECT_EQ(nullptr, unpack_on_device(sent, buffer, space));
    }
    for (const Dat &dat : dats) EXPECT_EQ(dat.values, get(dat.base, dat.values.size())) << "nothing came";
    free(buffer, space);
  }
  free_all(dats);
}

TEST_F(Halo, RunsInTheOrderOfTheRequests) {
  open();
  lists.lists = {some_rows({30, 30}, rows, 6)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  char *values = alloc(dats[0].values.size(), OP_SPACE_CUDA_PINNED);
  dats[0].values = pattern(dats[0].values.size(), 9);
  std::memcpy(values, dats[0].values.data(), dats[0].values.size());
  op_event written = copy(dats[0].base, OP_SPACE_CUDA, values, OP_SPACE_CUDA_PINNED, dats[0].values.size());
  const std::vector<op_exec_halo_item> list = items(dats);
  char *buffer = alloc(480);
  op_event packed_now = nullptr, copied = nullptr;
  ASSERT_EQ(OP_OK, ops().halo_pack(exec, halo, list.data(), 1, buffer, OP_SPACE_CUDA, &packed_now));
  std::vector<char> message(480);
  ASSERT_EQ(OP_OK, ops().mem_copy(exec, message.data(), OP_SPACE_HOST, buffer, OP_SPACE_CUDA, 480, &copied));
  EXPECT_EQ(nullptr, copied) << "the bytes are there";
  EXPECT_EQ(packed(dats), message);
  finish(written);
  finish(packed_now);
  free(values, OP_SPACE_CUDA_PINNED);
  free(buffer);
  free_all(dats);
}

TEST_F(Halo, KernelThatFailsIsToldByWhoWaits) {
  open();
  lists.lists = {some_rows({4}, rows, 6)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  get(dats[0].base, 8);
  free(dats[0].block);
  char *buffer = alloc(32, OP_SPACE_CUDA_PINNED);
  testing::internal::CaptureStderr();
  op_event done = pack(dats, buffer, OP_SPACE_CUDA_PINNED);
  EXPECT_EQ(OP_ERR_KERNEL, ops().event_wait(exec, done));
  EXPECT_TRUE(contains(host.failure, "wait for the device"));
  EXPECT_TRUE(contains(host.failure, "OP2_BACKEND=check"));
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "op2_halo_pack"));
  EXPECT_EQ(1, ops().event_query(exec, done)) << "who asks shall go on to wait, and is told again";
  ops().event_free(exec, done);
  // A broken device refuses everything, but what is on it can be given back, and a new executor starts afresh.
  EXPECT_EQ(OP_ERR_KERNEL, ops().mem_zero(exec, OP_SPACE_CUDA, dats[0].base, 8));
  ops().halo_free(exec, halo);
  free(buffer, OP_SPACE_CUDA_PINNED);
  close();
  open();
  char *device = alloc(8);
  EXPECT_EQ(OP_OK, ops().mem_zero(exec, OP_SPACE_CUDA, device, 8)) << host.failure;
  free(device);
}

TEST_F(Halo, ListThatIsNotThereIsRefused) {
  open();
  lists.lists = {some_rows({4}, rows, 6)};
  upload();
  std::vector<Dat> dats = {make(8, 0, 0, 1)};
  op_exec_halo_item item{dats[0].base, 8, 1, 0, 0, 0};
  char *buffer = alloc(64);
  op_event done = nullptr;
  EXPECT_EQ(OP_ERR_ARGUMENT, ops().halo_pack(exec, halo, &item, 1, buffer, OP_SPACE_CUDA, &done));
  EXPECT_TRUE(contains(host.failure, "list 1"));
  item.list = 0;
  EXPECT_EQ(OP_ERR_UNSUPPORTED, ops().halo_pack(exec, halo, &item, 1, buffer, OP_SPACE_CUDA_MANAGED, &done));
  free(buffer);
  free_all(dats);
}

} // namespace

// SPDX-License-Identifier: MIT
