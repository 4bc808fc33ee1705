// abi_test.cpp: the numbers of the fake libraries are those of the toolkit's headers. Built where there are such
// headers.
#include "fake/abi.hpp"

#include <cuda.h>
#include <gtest/gtest.h>
#include <nvrtc.h>

#include "fake/nvrtc_program.hpp"

namespace {

TEST(Abi, Codes) {
  EXPECT_EQ(fake::success, static_cast<int>(CUDA_SUCCESS));
  EXPECT_EQ(fake::invalid_value, static_cast<int>(CUDA_ERROR_INVALID_VALUE));
  EXPECT_EQ(fake::out_of_memory, static_cast<int>(CUDA_ERROR_OUT_OF_MEMORY));
  EXPECT_EQ(fake::not_initialized, static_cast<int>(CUDA_ERROR_NOT_INITIALIZED));
  EXPECT_EQ(fake::stub_library, static_cast<int>(CUDA_ERROR_STUB_LIBRARY));
  EXPECT_EQ(fake::no_device, static_cast<int>(CUDA_ERROR_NO_DEVICE));
  EXPECT_EQ(fake::invalid_device, static_cast<int>(CUDA_ERROR_INVALID_DEVICE));
  EXPECT_EQ(fake::invalid_image, static_cast<int>(CUDA_ERROR_INVALID_IMAGE));
  EXPECT_EQ(fake::invalid_context, static_cast<int>(CUDA_ERROR_INVALID_CONTEXT));
  EXPECT_EQ(fake::operating_system, static_cast<int>(CUDA_ERROR_OPERATING_SYSTEM));
  EXPECT_EQ(fake::invalid_handle, static_cast<int>(CUDA_ERROR_INVALID_HANDLE));
  EXPECT_EQ(fake::not_found, static_cast<int>(CUDA_ERROR_NOT_FOUND));
  EXPECT_EQ(fake::not_ready, static_cast<int>(CUDA_ERROR_NOT_READY));
  EXPECT_EQ(fake::illegal_address, static_cast<int>(CUDA_ERROR_ILLEGAL_ADDRESS));
  EXPECT_EQ(fake::host_already_registered, static_cast<int>(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED));
  EXPECT_EQ(fake::host_not_registered, static_cast<int>(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED));
  EXPECT_EQ(fake::launch_failed, static_cast<int>(CUDA_ERROR_LAUNCH_FAILED));
  EXPECT_EQ(fake::not_permitted, static_cast<int>(CUDA_ERROR_NOT_PERMITTED));
  EXPECT_EQ(fake::not_supported, static_cast<int>(CUDA_ERROR_NOT_SUPPORTED));
  EXPECT_EQ(fake::capture_unsupported, static_cast<int>(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED));
  EXPECT_EQ(fake::capture_invalidated, static_cast<int>(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED));
  EXPECT_EQ(fake::capture_unmatched, static_cast<int>(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED));
  EXPECT_EQ(fake::capture_unjoined, static_cast<int>(CUDA_ERROR_STREAM_CAPTURE_UNJOINED));
  EXPECT_EQ(fake::capture_isolation, static_cast<int>(CUDA_ERROR_STREAM_CAPTURE_ISOLATION));
  EXPECT_EQ(fake::timeout, static_cast<int>(CUDA_ERROR_TIMEOUT));
  EXPECT_EQ(fake::graph_update_failure, static_cast<int>(CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE));
  EXPECT_EQ(fake::unknown, static_cast<int>(CUDA_ERROR_UNKNOWN));
}

TEST(Abi, CodesOfTheCompiler) {
  EXPECT_EQ(static_cast<int>(fake::Verdict::invalid_input), static_cast<int>(NVRTC_ERROR_INVALID_INPUT));
  EXPECT_EQ(static_cast<int>(fake::Verdict::program_creation), static_cast<int>(NVRTC_ERROR_PROGRAM_CREATION_FAILURE));
  EXPECT_EQ(static_cast<int>(fake::Verdict::invalid_program), static_cast<int>(NVRTC_ERROR_INVALID_PROGRAM));
  EXPECT_EQ(static_cast<int>(fake::Verdict::invalid_option), static_cast<int>(NVRTC_ERROR_INVALID_OPTION));
  EXPECT_EQ(static_cast<int>(fake::Verdict::compilation), static_cast<int>(NVRTC_ERROR_COMPILATION));
  EXPECT_EQ(static_cast<int>(fake::Verdict::name_expression), static_cast<int>(NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID));
  EXPECT_EQ(static_cast<int>(fake::Verdict::internal), static_cast<int>(NVRTC_ERROR_INTERNAL_ERROR));
}

TEST(Abi, Shapes) {
  EXPECT_EQ(sizeof(fake::DevicePointer), sizeof(CUdeviceptr));
  EXPECT_EQ(sizeof(fake::Uuid), sizeof(CUuuid));
  EXPECT_EQ(sizeof(fake::IpcHandle), sizeof(CUipcMemHandle));
  EXPECT_EQ(sizeof(fake::GraphUpdateInfo), sizeof(CUgraphExecUpdateResultInfo));
  EXPECT_EQ(75, static_cast<int>(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR));
  EXPECT_EQ(8, static_cast<int>(CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES));
  EXPECT_EQ(2, static_cast<int>(CU_EVENT_DISABLE_TIMING));
  EXPECT_EQ(2, static_cast<int>(CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED));
}

} // namespace

// SPDX-License-Identifier: MIT
