// messages_test.cpp: what executor cuda says where it cannot run, and whom it lets pass then: score is 0.
#include "runtime_host.hpp"

using namespace cuda_test;

namespace {

class Refusal : public Device {
 protected:
  int score() {
    search_fakes();
    return plugin().score(&host.table);
  }
  // Neither opens nor scores, and both give this reason.
  void expect_refused(op_status status, std::initializer_list<const char *> parts) {
    EXPECT_EQ(status, try_open());
    for (const char *part : parts) EXPECT_TRUE(contains(host.failure, part));
    host.failure.clear();
    EXPECT_EQ(0, score());
    for (const char *part : parts) EXPECT_TRUE(contains(host.failure, part));
  }
  // Compiles a kernel by exchanging a row.
  op_status compile() {
    const int32_t offset[] = {0, 1}, rows[] = {0};
    const op_exec_halo_lists lists{sizeof(op_exec_halo_lists), 1, 0, offset, rows};
    op_exec_halo *halo = nullptr;
    EXPECT_EQ(OP_OK, ops().halo_upload(exec, &lists, 1, &halo)) << host.failure;
    char *dat = alloc(8);
    char *buffer = alloc(8);
    put(dat, std::vector<char>(8, 'x'));
    const op_exec_halo_item item{dat, 8, 0, 0, 0, 0};
    op_event done = nullptr;
    const op_status status = ops().halo_pack(exec, halo, &item, 1, buffer, OP_SPACE_CUDA, &done);
    if (status == OP_OK) {
      finish(done);
      EXPECT_EQ(std::vector<char>(8, 'x'), get(buffer, 8));
    }
    ops().halo_free(exec, halo);
    free(dat);
    free(buffer);
    return status;
  }
};

TEST_F(Refusal, NoneWhereEverythingIsThere) {
  open();
  close();
  EXPECT_EQ(100, score()) << host.failure;
}

TEST_F(Refusal, NoDriver) {
  const Copy none("/dev/null", "libcuda.so.1"); // an empty file
  const std::string path = none.path();
  add_path(none.folder());
  expect_refused(OP_ERR_BACKEND, {"no NVIDIA driver", path.c_str(), "OP2_CUDA_PATH"});
}

TEST_F(Refusal, LibraryThatIsNoDriver) {
  const Copy other(OP2_FAKE_NVRTC, "libcuda.so.1");
  add_path(other.folder());
  expect_refused(OP_ERR_BACKEND, {"no NVIDIA driver", "no cuInit"});
}

TEST_F(Refusal, StubOfTheToolkit) {
  environment("FAKE_CUDA_INIT", "34");
  expect_refused(OP_ERR_BACKEND, {"no NVIDIA driver", "stub", "CUDA_ERROR_STUB_LIBRARY"});
}

TEST_F(Refusal, StubAsItIsInstalled) {
  if (!std::filesystem::exists(OP2_STUB_CUDA)) GTEST_SKIP() << "the toolkit's stub of libcuda is not installed";
  const Copy stub(OP2_STUB_CUDA, "libcuda.so.1");
  add_path(stub.folder());
  expect_refused(OP_ERR_BACKEND, {"no NVIDIA driver", "stub"});
}

TEST_F(Refusal, DriverThatDoesNotStart) {
  environment("FAKE_CUDA_INIT", "304");
  expect_refused(OP_ERR_BACKEND, {"does not start", "CUDA_ERROR_OPERATING_SYSTEM"});
}

TEST_F(Refusal, NoDevice) {
  environment("FAKE_CUDA_DEVICES", "0");
  expect_refused(OP_ERR_BACKEND, {"no NVIDIA GPU", "CUDA_VISIBLE_DEVICES"});
}

TEST_F(Refusal, NoCompiler) {
  const Copy none("/dev/null", "libnvrtc.so");
  add_path(none.folder());
  open();
  EXPECT_EQ(OP_ERR_BACKEND, compile());
  EXPECT_TRUE(contains(host.failure, "'" + none.path() + "' (OP2_CUDA_PATH) cannot be loaded"));
}

TEST_F(Refusal, LibraryThatIsNoCompiler) {
  const Copy other(OP2_FAKE_CUDA, "libnvrtc.so");
  add_path(other.folder());
  open();
  EXPECT_EQ(OP_ERR_BACKEND, compile());
  EXPECT_TRUE(contains(host.failure, "is no NVRTC"));
}

TEST_F(Refusal, DeviceOlderThanTheCompilerKnows) {
  environment("FAKE_CUDA_ARCH", "35");
  open();
  EXPECT_EQ(OP_ERR_BACKEND, compile());
  EXPECT_TRUE(contains(host.failure, "Fake device 0 has architecture sm_35"));
  EXPECT_TRUE(contains(host.failure, "sm_90"));
  EXPECT_TRUE(contains(host.failure, "OP2_CUDA_PATH"));
}

TEST_F(Refusal, OptionsWithAnOpenQuote) {
  host.settings["OP2_CUDA_OPTIONS"] = "-DNAME='two words";
  EXPECT_EQ(OP_ERR_ARGUMENT, try_open());
  EXPECT_TRUE(contains(host.failure, "a quote is not closed"));
}

TEST_F(Refusal, TextThatDoesNotCompileComesWithTheLog) {
  host.settings["OP2_CUDA_OPTIONS"] = "-DOP2_HALO_THREADS=banana -Dop2_halo_run=1+";
  open();
  EXPECT_EQ(OP_ERR_KERNEL, compile());
  EXPECT_TRUE(contains(host.failure, "does not compile 'op2_halo'"));
  EXPECT_TRUE(contains(host.failure, "error"));
}

TEST_F(Refusal, TooLittleMemoryForTheRing) {
  environment("FAKE_CUDA_MEMORY", "1000");
  open();
  void *p = nullptr;
  EXPECT_EQ(OP_ERR_MEMORY, ops().mem_alloc(exec, OP_SPACE_CUDA, 1001, &p));
  EXPECT_TRUE(contains(host.failure, "1001 bytes wanted"));
  EXPECT_TRUE(contains(host.failure, "1000 bytes are free"));
}

// What follows looks at NVRTC itself. The fake driver does not load its code, which says the last sentence of the way.
class RealCompiler : public Refusal {
 protected:
  void SetUp() override {
    searched_ = true; // NVRTC as it is installed
    const Copy driver(OP2_FAKE_CUDA);
    add_path(driver.folder());
    if (score() == 0) GTEST_SKIP() << host.failure;
    host.settings["OP2_CUDA_PATH"] = driver_folder();
  }
};

class Compiler : public RealCompiler, public testing::WithParamInterface<int> {};

TEST_P(Compiler, CompilesTheFixedKernels) {
  const std::string arch = std::to_string(GetParam());
  environment("FAKE_CUDA_ARCH", arch);
  open();
  const op_status status = compile();
  if (status == OP_ERR_BACKEND) GTEST_SKIP() << host.failure; // this version does not know the architecture any more
  EXPECT_TRUE(contains(host.log, "for --gpu-architecture=sm_" + arch)) << host.failure;
  EXPECT_EQ(1u, host.cache.size());
  EXPECT_EQ(OP_ERR_PLUGIN, status);
  EXPECT_TRUE(contains(host.failure, "load the code of 'op2_halo'"));
  EXPECT_TRUE(contains(host.failure, "onto Fake device 0 (sm_" + arch + ", driver for CUDA 13.0)"));
}
INSTANTIATE_TEST_SUITE_P(Architectures, Compiler, testing::Values(75, 80, 86, 90, 100, 120));

TEST_F(RealCompiler, RefusesUnknownOptionsByName) {
  host.settings["OP2_CUDA_OPTIONS"] = "--make-it-fast";
  open();
  EXPECT_EQ(OP_ERR_ARGUMENT, compile());
  EXPECT_TRUE(contains(host.failure, "--make-it-fast"));
  EXPECT_TRUE(contains(host.failure, "OP2_CUDA_OPTIONS"));
}

TEST_F(RealCompiler, HasTheUsualHeaders) {
  host.settings["OP2_CUDA_OPTIONS"] =
      "-include math.h -include cmath -include cstdint -include stdint.h -include stdio.h -include cstdio "
      "-include algorithm -include cstdlib -include stddef.h -include limits.h -include float.h -include cstring";
  open();
  EXPECT_EQ(OP_ERR_PLUGIN, compile());
  EXPECT_TRUE(contains(host.failure, "load the code of 'op2_halo'"));
}

// A device newer than the compiler: the driver translates the code of the highest architecture below.
TEST_F(Refusal, NoneOfANewerDevice) {
  environment("FAKE_CUDA_ARCH", "999");
  open();
  const op_status status = compile();
  EXPECT_TRUE(contains(host.log + host.failure, "compute_")) << host.failure;
  if (status != OP_OK) {
    EXPECT_TRUE(contains(host.failure, "sm_999"));
  }
}

TEST_F(Refusal, SourcesToRead) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("op2_dump_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  host.settings["OP2_JIT_DUMP"] = folder.string();
  host.settings["OP2_CUDA_OPTIONS"] = "-DUNUSED";
  open();
  EXPECT_EQ(OP_OK, compile()) << host.failure;
  int sources = 0;
  for (const auto &file : std::filesystem::directory_iterator(folder)) sources += file.path().extension() == ".cu";
  EXPECT_EQ(1, sources);
  std::filesystem::remove_all(folder);
}

} // namespace

// SPDX-License-Identifier: MIT
