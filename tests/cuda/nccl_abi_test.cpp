// nccl_abi_test.cpp: what the plugin says of NCCL by hand, against NCCL's own header.
#include <gtest/gtest.h>
#include <nccl.h>

#include <type_traits>

#include "halo/nccl.hpp"

namespace {

using op2::exec_cuda::Nccl;

template <class Theirs, class Mine>
constexpr bool same_size = sizeof(Theirs) == sizeof(Mine);

static_assert(same_size<ncclUniqueId, Nccl::UniqueId> && same_size<ncclResult_t, Nccl::Result>);
static_assert(same_size<ncclDataType_t, int> && same_size<ncclComm_t, Nccl::Comm>);
static_assert(ncclSuccess == Nccl::success && ncclInProgress == Nccl::in_progress);
static_assert(ncclInt8 == Nccl::type_bytes);

// Shapes: the plugin's have int for enumerations and void * for streams.
template <class Function>
using Pointer = std::add_pointer_t<Function>;
static_assert(std::is_same_v<decltype(&ncclGetVersion), Pointer<ncclResult_t(int *)>>);
static_assert(std::is_same_v<decltype(&ncclGetUniqueId), Pointer<ncclResult_t(ncclUniqueId *)>>);
static_assert(std::is_same_v<decltype(&ncclCommInitRank), Pointer<ncclResult_t(ncclComm_t *, int, ncclUniqueId, int)>>);
static_assert(std::is_same_v<decltype(&ncclCommDestroy), Pointer<ncclResult_t(ncclComm_t)>>);
static_assert(std::is_same_v<decltype(&ncclCommAbort), Pointer<ncclResult_t(ncclComm_t)>>);
static_assert(std::is_same_v<decltype(&ncclCommGetAsyncError), Pointer<ncclResult_t(ncclComm_t, ncclResult_t *)>>);
static_assert(std::is_same_v<decltype(&ncclGetErrorString), Pointer<const char *(ncclResult_t)>>);
static_assert(
    std::is_same_v<decltype(&ncclSend),
                   Pointer<ncclResult_t(const void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t)>>);
static_assert(std::is_same_v<decltype(&ncclRecv),
                             Pointer<ncclResult_t(void *, size_t, ncclDataType_t, int, ncclComm_t, cudaStream_t)>>);
static_assert(std::is_same_v<decltype(&ncclGroupStart), Pointer<ncclResult_t()>>);
static_assert(std::is_same_v<decltype(&ncclGroupEnd), Pointer<ncclResult_t()>>);

TEST(NcclAbi, NumbersAreThoseOfTheHeader) { SUCCEED() << "all of it was checked when this was compiled"; }

} // namespace

// SPDX-License-Identifier: MIT
