// async_test.cpp: dats written in the background, by one process: the same files, whatever happens to the dat
// meanwhile; what fails is told later, and nothing is lost at the end.
#include <sys/resource.h>

#include <cstring>

#include "op2/hdf5.h"
#include "op2/meshfile.h"
#include "op2/user_types.h"
#include "support.hpp"

namespace files {

namespace {

class Async : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    declare();
  }
  void TearDown() override {
    unsetenv("OP2_IO_ASYNC");
    unsetenv("OP2TEST_IO_GATE");
    unsetenv("OP2_PLUGIN_PATH");
    Session::TearDown();
  }
  void restart_with(const char *name, const char *value) {
    setenv(name, value, 1);
    restart();
    declare();
  }
  void declare() {
    cells = op_decl_set(size, "cells");
    q = op_decl_dat(cells, 4, "double", values(0).data(), "q");
  }
  static std::vector<double> values(double shift) {
    std::vector<double> out(4 * size);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<double>(i) + shift;
    return out;
  }
  static void expect_values(const std::string &file, const std::string &name, double shift) {
    const RawFile raw(file, RawFile::read);
    EXPECT_TRUE(values(shift) == raw.values<double>(name, H5T_NATIVE_DOUBLE, 4 * size)) << file << ", " << name;
  }

  static constexpr int size = 50000; // 1.6 MB
  op_set cells = nullptr;
  op_dat q = nullptr;
};

// No file may grow over a megabyte.
class LittleRoom {
 public:
  LittleRoom() {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit little{1 << 20, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &little);
  }
  ~LittleRoom() { setrlimit(RLIMIT_FSIZE, &before_); }
  LittleRoom(const LittleRoom &) = delete;
  LittleRoom &operator=(const LittleRoom &) = delete;

 private:
  rlimit before_{};
};

// A dat of which only a part is in memory is not copied as a whole.
TEST_F(Async, DataInAFileIsWrittenAtOnce) {
  setenv("OP2_LOG", "info", 1);
  setenv("OP2_OOC_DIR", testing::TempDir().c_str(), 1);
  restart_with("OP2_MEMORY_LIMIT", "256K");
  testing::internal::CaptureStderr();
  const std::string file = path("paged.h5");
  EXPECT_OK(op_fetch_data_hdf5_file_async(q, file.c_str()));
  const std::string said = testing::internal::GetCapturedStderr();
  for (const char *name : {"OP2_LOG", "OP2_OOC_DIR", "OP2_MEMORY_LIMIT"}) unsetenv(name);
  EXPECT_NE(std::string::npos,
            said.find("not written in the background: a copy of dat 'q' would need memory beside OP2_MEMORY_LIMIT"))
      << said;
  expect_values(file, "q", 0);
}

TEST_F(Async, TheSameFile) {
  std::vector<char> bools(size, 1);
  const op_dat small = op_decl_dat_char(cells, 1, "bool", 1, bools.data(), "small");
  std::vector<int> triples(3 * size, 7);
  const op_dat own = op_decl_dat_char(cells, 1, "triple", 12, reinterpret_cast<char *>(triples.data()), "own");
  const op_dat soa = op_decl_dat(cells, 3, "int:soa", triples.data(), "soa");
  const std::string now = path("now.h5"), later = path("later.h5");
  for (const op_dat dat : {q, small, own, soa}) {
    EXPECT_OK(op_fetch_data_hdf5_file(dat, now.c_str()));
    EXPECT_OK(op_fetch_data_hdf5_file_async(dat, later.c_str()));
  }
  EXPECT_OK(op_fetch_data_hdf5_file_path(q, now.c_str(), "step/1/q"));
  EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, later.c_str(), "step/1/q"));
  EXPECT_OK(op_io_wait(later.c_str()));
  EXPECT_TRUE(bytes_of(now) == bytes_of(later));
  EXPECT_EQ(2u, files_in(folder)) << "something is left over";
}

// The first write is held up by its driver until all calls have returned, and the others behind it.
TEST_F(Async, TheProgramGoesOn) {
  const std::string gate = path("gate"), file = path("out.h5");
  setenv("OP2TEST_IO_GATE", gate.c_str(), 1);
  restart_with("OP2_PLUGIN_PATH", TEST_PLUGINS "/good");
  const op_dat gone = op_decl_dat_temp(cells, 4, "double", "gone");
  EXPECT_OK(op_put_data(gone, values(3).data()));
  EXPECT_OK(op_fetch_data_hdf5_file_async(q, path("held_up.mem").c_str()));
  for (int step = 0; step < 10; ++step) {
    EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, file.c_str(), ("q" + std::to_string(step)).c_str()));
    EXPECT_OK(op_put_data(q, values(step + 1).data()));
  }
  EXPECT_OK(op_fetch_data_hdf5_file_async(gone, file.c_str()));
  EXPECT_OK(op_free_dat_temp(gone));
  EXPECT_FALSE(std::filesystem::exists(path("held_up.mem")));
  EXPECT_FALSE(std::filesystem::exists(file)) << "a call has waited for its file";
  write_bytes(gate, "open");
  EXPECT_OK(op_io_wait(nullptr));
  EXPECT_TRUE(std::filesystem::exists(path("held_up.mem")));
  for (int step = 0; step < 10; ++step) expect_values(file, "q" + std::to_string(step), step);
  expect_values(file, "gone", 3);
}

TEST_F(Async, TheLastOneWins) {
  const std::string file = path("out.h5");
  for (int step = 0; step < 20; ++step) {
    EXPECT_OK(op_put_data(q, values(step).data()));
    EXPECT_OK(op_fetch_data_hdf5_file_async(q, file.c_str()));
  }
  EXPECT_OK(op_put_data(q, values(20).data()));
  EXPECT_OK(op_fetch_data_hdf5_file(q, file.c_str())) << "comes after the others";
  expect_values(file, "q", 20);
}

TEST_F(Async, ReadersSeeWhatWasGiven) {
  const std::string file = path("out.h5");
  EXPECT_OK(op_fetch_data_hdf5_file_async(q, file.c_str()));
  const op_dat again = op_decl_dat_hdf5(cells, 4, "double", file.c_str(), "q");
  ASSERT_NE(nullptr, again) << op_last_error();
  std::vector<double> found(4 * size);
  EXPECT_OK(op_fetch_data(again, found.data()));
  EXPECT_TRUE(values(0) == found);
}

// A question about a mesh file begins with a look into it.
TEST_F(Async, MeshReadersWait) {
  const std::string file = path("out.h5");
  for (int n = 0; n < 10; ++n)
    EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, file.c_str(), ("q" + std::to_string(n)).c_str()));
  op_mesh mesh = nullptr;
  EXPECT_NE(OP_OK, op_mesh_read(file.c_str(), nullptr, &mesh)) << "it is no mesh";
  op_clear_error();
  expect_values(file, "q9", 0);
  EXPECT_OK(op_io_wait(nullptr));
}

TEST_F(Async, LessMemoryThanADat) {
  for (const char *memory : {"1", "2"}) {
    restart_with("OP2_IO_ASYNC", memory);
    const std::string file = path(std::string("out") + memory + ".h5");
    for (int step = 0; step < 5; ++step) {
      EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, file.c_str(), ("q" + std::to_string(step)).c_str()));
      EXPECT_OK(op_put_data(q, values(step + 1).data()));
    }
    EXPECT_OK(op_io_wait(file.c_str()));
    for (int step = 0; step < 5; ++step) expect_values(file, "q" + std::to_string(step), step);
  }
}

TEST_F(Async, AFailureIsToldByTheNextCall) {
  const std::string bad = path("bad.h5"), file = path("new.h5");
  EXPECT_OK(op_fetch_data_hdf5_file_path(op_decl_dat(cells, 1, "int", nullptr, "i"), bad.c_str(), "g/q"));
  const auto fail_later = [&] { EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, bad.c_str(), "g/q")); };
  const auto expect_told = [&] {
    expect_failure(OP_ERR_FILE, {"op_fetch_data_hdf5_file_path_async() of dat 'q' to 'g/q' in file '" + bad,
                                 "the dataset that is there has 50000 rows of 1 x int"});
  };
  fail_later();
  EXPECT_STATUS(OP_ERR_FILE, op_io_wait(bad.c_str()));
  expect_told();
  EXPECT_OK(op_io_wait(nullptr));
  fail_later();
  EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file(q, file.c_str())) << "tells it and does nothing else";
  expect_told();
  EXPECT_EQ(1u, files_in(folder));
  EXPECT_OK(op_fetch_data_hdf5_file(q, file.c_str()));
  fail_later();
  EXPECT_EQ(nullptr, op_decl_set_hdf5(file.c_str(), "cells"));
  expect_told();
  fail_later();
  EXPECT_STATUS(OP_ERR_FILE, op_write_const_hdf5("c", 4, "double", values(0).data(), file.c_str()));
  expect_told();
}

TEST_F(Async, NoRoom) {
  const LittleRoom little;
  EXPECT_OK(op_fetch_data_hdf5_file_async(q, path("bad.h5").c_str()));
  EXPECT_STATUS(OP_ERR_FILE, op_io_wait(path("bad.h5").c_str()));
  expect_failure(OP_ERR_FILE, {"op_fetch_data_hdf5_file_async() of dat 'q'", "bad.h5", "File too large"});
  EXPECT_EQ(0u, files_in(folder));
}

TEST_F(Async, NoPermission) {
  std::filesystem::permissions(folder, std::filesystem::perms(0555));
  const bool root = geteuid() == 0;
  if (root) {
    ASSERT_EQ(0, seteuid(65534));
  }
  const op_status given = op_fetch_data_hdf5_file_async(q, path("out.h5").c_str());
  const op_status done = op_io_wait(nullptr);
  const std::string message = op_last_error();
  if (root) {
    ASSERT_EQ(0, seteuid(0));
  }
  std::filesystem::permissions(folder, std::filesystem::perms(0755));
  EXPECT_EQ(OP_OK, given);
  EXPECT_EQ(OP_ERR_FILE, done);
  EXPECT_NE(std::string::npos, message.find("Permission denied")) << message;
  EXPECT_NE(std::string::npos, message.find("op_fetch_data_hdf5_file_async() of dat 'q'")) << message;
}

TEST_F(Async, NoFolder) {
  EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file_async(q, path("no/such.h5").c_str()));
  expect_failure(OP_ERR_FILE, {"no/such.h5", "No such file or directory"});
  EXPECT_OK(op_io_wait(nullptr));
}

TEST_F(Async, TheEndWaits) {
  const std::string file = path("out.h5");
  for (int step = 0; step < 5; ++step)
    EXPECT_OK(op_fetch_data_hdf5_file_path_async(q, file.c_str(), ("q" + std::to_string(step)).c_str()));
  EXPECT_OK(op_exit());
  for (int step = 0; step < 5; ++step) expect_values(file, "q" + std::to_string(step), 0);
}

TEST_F(Async, TheEndTellsWhatFailed) {
  {
    const LittleRoom little;
    EXPECT_OK(op_fetch_data_hdf5_file_async(q, path("bad.h5").c_str()));
    EXPECT_STATUS(OP_ERR_FILE, op_exit());
  }
  expect_failure(OP_ERR_FILE, {"op_exit", "op_fetch_data_hdf5_file_async() of dat 'q'", "bad.h5", "File too large"});
  EXPECT_EQ(0, op_is_initialised());
  EXPECT_EQ(0u, files_in(folder));
}

TEST_F(Async, BySetting) {
  restart_with("OP2_IO_ASYNC", "64");
  {
    const LittleRoom little;
    EXPECT_OK(op_fetch_data_hdf5_file(q, path("bad.h5").c_str())) << "it is not known yet";
    EXPECT_STATUS(OP_ERR_FILE, op_io_wait(nullptr));
    expect_failure(OP_ERR_FILE, {"op_fetch_data_hdf5_file() of dat 'q'", "File too large"});
  }
  EXPECT_OK(op_fetch_data_hdf5_file_path(q, path("good.h5").c_str(), "a/b"));
  EXPECT_OK(op_put_data(q, values(1).data()));
  EXPECT_OK(op_io_wait(nullptr));
  expect_values(path("good.h5"), "a/b", 0);
}

TEST_F(Async, InAnotherFolder) {
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder);
  const op_status given = op_fetch_data_hdf5_file_async(q, "here.h5");
  std::filesystem::current_path(before);
  EXPECT_EQ(OP_OK, given);
  EXPECT_OK(op_io_wait("here.h5"));
  expect_values(path("here.h5"), "q", 0);
}

TEST_F(Async, NoElements) {
  const op_dat none = op_decl_dat(op_decl_set(0, "nobody"), 2, "double", nullptr, "none");
  EXPECT_OK(op_fetch_data_hdf5_file_async(none, path("out.h5").c_str()));
  EXPECT_OK(op_io_wait(nullptr));
  EXPECT_EQ((std::vector<hsize_t>{0, 2}), RawFile(path("out.h5"), RawFile::read).extents("none"));
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
