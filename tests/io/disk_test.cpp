// disk_test.cpp: disks that are full or read-only, really, and files that somebody deletes meanwhile.
#include <poll.h>
#include <sys/inotify.h>
#include <sys/mount.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "op2/compat.h"
#include "op2/hdf5.h"
#include "op2/view.h"
#include "support.hpp"

namespace files {

namespace {

// A small disk in memory, which is gone when the object is.
class SmallDisk {
 public:
  SmallDisk(const std::filesystem::path &folder, const char *options) : folder_(folder) {
    std::filesystem::create_directories(folder_);
    mounted_ = mount("tmpfs", folder_.c_str(), "tmpfs", 0, options) == 0;
    if (!mounted_) reason_ = std::strerror(errno);
  }
  ~SmallDisk() {
    if (mounted_ && umount2(folder_.c_str(), MNT_DETACH) != 0) ADD_FAILURE() << std::strerror(errno);
  }
  SmallDisk(const SmallDisk &) = delete;
  SmallDisk &operator=(const SmallDisk &) = delete;

  bool mounted() const { return mounted_; }
  const std::string &reason() const { return reason_; } // why it is not
  bool make_read_only() const { return mount("tmpfs", folder_.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "") == 0; }

 private:
  std::filesystem::path folder_;
  bool mounted_ = false;
  std::string reason_;
};

class Disk : public Session {
 protected:
  void SetUp() override {
    Session::SetUp();
    nodes = op_decl_set(1000, "nodes");
    const std::vector<double> values(2000, 0.25);
    x = op_decl_dat(nodes, 2, "double", values.data(), "p_x");
  }
  void declare_large() { large = op_decl_dat(nodes, 500, "double", nullptr, "large"); } // 4 MB
  using Write = std::function<op_status(const std::string &file)>;
  // All that writes a file.
  std::vector<std::pair<const char *, Write>> writers() {
    const op_view view = op_decl_view(x, "points");
    std::vector<int> self(1000);
    for (std::size_t n = 0; n < self.size(); ++n) self[n] = static_cast<int>(n);
    op_view_cells(view, op_decl_map(nodes, nodes, 1, self.data(), "self"), OP_CELL_VERTEX);
    op_view_field(view, large, nullptr);
    return {{"dat", [this](const std::string &f) { return op_fetch_data_hdf5_file(large, f.c_str()); }},
            {"path", [this](const std::string &f) { return op_fetch_data_hdf5_file_path(large, f.c_str(), "a/b"); }},
            {"text", [this](const std::string &f) { return op_print_dat_to_txtfile(large, (f + ".txt").c_str()); }},
            {"bytes", [this](const std::string &f) { return op_print_dat_to_binfile(large, (f + ".bin").c_str()); }},
            {"view", [view](const std::string &f) { return op_write_view(view, (f + ".vtkhdf").c_str()); }},
            {"xdmf", [view](const std::string &f) { return op_write_view(view, (f + ".xdmf").c_str()); }},
            {"step", [view](const std::string &f) { return op_write_view_step(view, (f + ".vtkhdf").c_str(), 1); }}};
  }

  op_set nodes = nullptr;
  op_dat x = nullptr, large = nullptr;
};

TEST_F(Disk, Full) {
  const std::filesystem::path place = folder / "full";
  const SmallDisk disk(place, "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "no small disk can be made here: " << disk.reason();
  const std::string file = (place / "mesh.h5").string();
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const std::string good = bytes_of(file);
  declare_large();
  const auto expect_refused = [&](const char *what, op_status status) {
    SCOPED_TRACE(what);
    EXPECT_STREQ("OP_ERR_FILE", op_status_name(status));
    expect_failure(OP_ERR_FILE, {place.string(), "No space left on device"});
    EXPECT_TRUE(good == bytes_of(file));
  };
  for (const auto &[what, write] : writers()) {
    expect_refused(what, write(file));
    EXPECT_EQ(1u, files_in(place)) << what << " leaves something";
  }
  { // to the last byte
    std::ofstream filler(place / "filler", std::ios::binary);
    for (int n = 0; n < 4096 && filler; ++n) filler << std::string(1024, 'f') << std::flush;
  }
  expect_refused("dump", op_dump_to_hdf5(file.c_str()));
  const double one = 1;
  expect_refused("constant", op_write_const_hdf5("one", 1, "double", &one, file.c_str()));
  std::filesystem::remove(place / "filler");
  EXPECT_OK(op_write_const_hdf5("one", 1, "double", &one, file.c_str()));
}

// Root may write everything but this.
TEST_F(Disk, ReadOnly) {
  const std::filesystem::path place = folder / "read_only";
  const SmallDisk disk(place, "size=1m");
  if (!disk.mounted()) GTEST_SKIP() << "no small disk can be made here: " << disk.reason();
  const std::string file = (place / "mesh.h5").string();
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const std::string good = bytes_of(file);
  ASSERT_TRUE(disk.make_read_only()) << std::strerror(errno);
  declare_large();
  std::vector<std::pair<const char *, Write>> all = writers();
  all.emplace_back("dump", [](const std::string &f) { return op_dump_to_hdf5(f.c_str()); });
  for (const auto &[what, write] : all) {
    SCOPED_TRACE(what);
    EXPECT_STREQ("OP_ERR_FILE", op_status_name(write(file)));
    expect_failure(OP_ERR_FILE, {place.string(), "Read-only file system"});
  }
  EXPECT_TRUE(good == bytes_of(file));
  EXPECT_EQ(1u, files_in(place));
  EXPECT_NE(nullptr, op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x")) << op_last_error();
}

TEST_F(Disk, DeletedBetweenTwoCalls) {
  const std::string file = path("sub/mesh.h5");
  std::filesystem::create_directories(folder / "sub");
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  std::filesystem::remove(file);
  EXPECT_EQ(nullptr, op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x"));
  expect_failure(OP_ERR_FILE, {file, "there is no such file"});
  EXPECT_OK(op_fetch_data_hdf5_file(x, file.c_str())) << "as a new file";
  EXPECT_NE(nullptr, op_decl_dat_hdf5(nodes, 2, "double", file.c_str(), "p_x")) << op_last_error();
  std::filesystem::remove_all(folder / "sub");
  EXPECT_STATUS(OP_ERR_FILE, op_fetch_data_hdf5_file(x, file.c_str()));
  expect_failure(OP_ERR_FILE, {file, "No such file or directory"});
}

// Deletes files of a folder whose names end so, when somebody opens or makes them, while an object of this lives.
class Deleter {
 public:
  Deleter(std::filesystem::path folder, std::string end)
      : events_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)), folder_(std::move(folder)), end_(std::move(end)) {
    EXPECT_GE(inotify_add_watch(events_, folder_.c_str(), IN_OPEN | IN_CREATE), 0) << std::strerror(errno);
    thread_ = std::thread([this] { run(); });
  }
  ~Deleter() {
    stop_ = true;
    thread_.join();
    close(events_);
  }
  Deleter(const Deleter &) = delete;
  Deleter &operator=(const Deleter &) = delete;

 private:
  void run() const {
    std::error_code ignored;
    while (!stop_) {
      pollfd one{events_, POLLIN, 0};
      if (poll(&one, 1, 5) <= 0) continue;
      alignas(inotify_event) char buffer[4096];
      const ssize_t bytes = read(events_, buffer, sizeof buffer);
      for (ssize_t at = 0; at < bytes;) {
        inotify_event event;
        std::memcpy(&event, buffer + at, sizeof event);
        const std::string name = event.len > 0 ? buffer + at + sizeof event : "";
        if (name.size() >= end_.size() && name.compare(name.size() - end_.size(), end_.size(), end_) == 0)
          std::filesystem::remove(folder_ / name, ignored);
        at += static_cast<ssize_t>(sizeof event + event.len);
      }
    }
  }

  int events_;
  std::filesystem::path folder_;
  std::string end_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

// A busy machine may delete it too late, and then all is well.
constexpr int most_rounds = 20;

TEST_F(Disk, UnfinishedFileIsDeleted) {
  const std::string file = path("mesh.h5");
  ASSERT_EQ(OP_OK, op_dump_to_hdf5(file.c_str())) << op_last_error();
  const std::string good = bytes_of(file);
  int refused = 0;
  for (int round = 0; round < most_rounds && refused == 0; ++round) {
    const Deleter deleter(folder, ".unfinished");
    if (op_dump_to_hdf5(file.c_str()) == OP_OK) continue;
    ++refused;
    expect_failure(OP_ERR_FILE, {file});
  }
  if (refused == 0) GTEST_SKIP() << "the file was never deleted in time";
  EXPECT_TRUE(good == bytes_of(file));
  EXPECT_EQ(1u, files_in(folder));
  EXPECT_OK(op_dump_to_hdf5(file.c_str()));
}

TEST_F(Disk, FileIsDeletedWhileItIsExtended) {
  const std::string file = path("mesh.h5");
  declare_large();
  int refused = 0;
  for (int round = 0; round < most_rounds && refused == 0; ++round) {
    ASSERT_EQ(OP_OK, op_fetch_data_hdf5_file(x, file.c_str())) << op_last_error();
    const Deleter deleter(folder, "mesh.h5");
    if (op_fetch_data_hdf5_file(large, file.c_str()) == OP_OK) continue;
    ++refused;
    expect_failure(OP_ERR_FILE, {file});
  }
  if (refused == 0) GTEST_SKIP() << "the file was never deleted in time";
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_OK(op_fetch_data_hdf5_file(large, file.c_str()));
}

} // namespace

} // namespace files

// SPDX-License-Identifier: MIT
