// nccl.cpp: a fake NCCL: sends and receives as work of the fake driver's streams, through device memory that processes
// share. FAKE_NCCL says which mistake to make: init_fails, wrong_bytes.
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "abi.hpp"

using fake::DevicePointer;
using fake::IpcHandle;

namespace {

enum Result : int { nccl_success = 0, nccl_system = 2, nccl_invalid = 4 };

constexpr int most = 16;                 // processes
constexpr std::size_t piece = 64 * 1024; // of a message: so much fits into a mailbox at a time
constexpr std::size_t flag_bytes = 4096; // before the mailboxes

struct UniqueId {
  char bytes[128];
};

// Where processes meet, in memory of the host that all share.
struct Board {
  std::uint32_t there[most], open[most];
  IpcHandle handle[most];
};

bool mistake(const char *name) {
  const char *wish = std::getenv("FAKE_NCCL");
  return wish && std::string(wish) == name;
}

// The driver that the process uses, from a folder of OP2_CUDA_PATH.
void *loaded_driver() {
  const char *const path = std::getenv("OP2_CUDA_PATH");
  std::string folders = path ? path : "";
  void *library = nullptr;
  while (!library && !folders.empty()) {
    const std::size_t colon = folders.find(':');
    library = dlopen((folders.substr(0, colon) + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_NOLOAD);
    folders.erase(0, colon == std::string::npos ? colon : colon + 1);
  }
  return library;
}

// An entry point of it.
template <class... Arguments>
int driver(const char *name, Arguments... arguments) {
  static void *const library = loaded_driver();
  using Find = int (*)(const char *, void **, int, std::uint64_t, int *);
  static const auto find = reinterpret_cast<Find>(dlsym(library, "cuGetProcAddress_v2"));
  void *function = nullptr;
  find(name, &function, 13000, 0, nullptr);
  return reinterpret_cast<int (*)(Arguments...)>(function)(arguments...);
}

bool wait_until_set(const std::uint32_t *word) {
  for (int tries = 0; tries < 100000; tries++) {
    if (__atomic_load_n(word, __ATOMIC_ACQUIRE) != 0) return true;
    const timespec pause = {0, 100000};
    nanosleep(&pause, nullptr);
  }
  return false;
}

} // namespace

struct FakeComm {
  int rank = 0, size = 0;
  DevicePointer memory[most] = {}; // of all processes; in each two words and two mailboxes for every process
  std::uint32_t sent[most] = {}, received[most] = {};

  DevicePointer arrived(int at, int from) const { return memory[at] + 8 * static_cast<DevicePointer>(from); }
  DevicePointer left(int at, int from) const { return arrived(at, from) + 4; }
  DevicePointer mailbox(int at, int from, std::uint32_t number) const {
    return memory[at] + flag_bytes + (2 * static_cast<DevicePointer>(from) + number % 2) * piece;
  }
};

namespace {

struct Message {
  DevicePointer place;
  std::size_t bytes;
  int peer;
  FakeComm *comm;
  void *stream;
};
thread_local std::vector<Message> sends, receives;
thread_local int depth = 0;

void send_piece(const Message &message, std::size_t begin) {
  FakeComm &comm = *message.comm;
  const std::uint32_t number = ++comm.sent[message.peer];
  const std::size_t bytes = std::min(piece, message.bytes - begin);
  const DevicePointer to = comm.mailbox(message.peer, comm.rank, number);
  if (number > 2) driver("cuStreamWaitValue32", message.stream, comm.left(comm.rank, message.peer), number - 2, 0u);
  driver("cuMemcpyDtoDAsync", to, message.place + begin, bytes, message.stream);
  if (mistake("wrong_bytes"))
    driver("cuMemsetD8Async", to + bytes / 2, static_cast<unsigned char>(1), std::size_t{1}, message.stream);
  driver("cuStreamWriteValue32", message.stream, comm.arrived(message.peer, comm.rank), number, 0u);
}

void receive_piece(const Message &message, std::size_t begin) {
  FakeComm &comm = *message.comm;
  const std::uint32_t number = ++comm.received[message.peer];
  driver("cuStreamWaitValue32", message.stream, comm.arrived(comm.rank, message.peer), number, 0u);
  driver("cuMemcpyDtoDAsync", message.place + begin, comm.mailbox(comm.rank, message.peer, number),
         std::min(piece, message.bytes - begin), message.stream);
  driver("cuStreamWriteValue32", message.stream, comm.left(message.peer, comm.rank), number, 0u);
}

// Piece by piece, since nobody takes out a second one before he has got as far himself.
void run_group() {
  std::size_t longest = 0;
  for (const auto *list : {&sends, &receives})
    for (const Message &message : *list) longest = std::max(longest, message.bytes);
  for (std::size_t begin = 0; begin < longest; begin += piece) {
    for (const Message &message : sends)
      if (begin < message.bytes) send_piece(message, begin);
    for (const Message &message : receives)
      if (begin < message.bytes) receive_piece(message, begin);
  }
  sends.clear();
  receives.clear();
}

bool map_all(FakeComm &comm, Board &board) {
  for (int peer = 0; peer < comm.size; peer++) {
    if (!wait_until_set(&board.there[peer])) return false;
    if (peer != comm.rank && driver("cuIpcOpenMemHandle", &comm.memory[peer], board.handle[peer], 1u) != 0)
      return false;
  }
  __atomic_store_n(&board.open[comm.rank], 1u, __ATOMIC_RELEASE);
  for (int peer = 0; peer < comm.size; peer++)
    if (!wait_until_set(&board.open[peer])) return false;
  return true;
}

bool join(FakeComm &comm, Board &board) {
  const std::size_t bytes = flag_bytes + 2 * piece * static_cast<std::size_t>(comm.size);
  DevicePointer &own = comm.memory[comm.rank];
  if (driver("cuMemAlloc", &own, bytes) != 0) return false;
  driver("cuMemsetD8", own, static_cast<unsigned char>(0), flag_bytes);
  driver("cuCtxSynchronize");
  if (driver("cuIpcGetMemHandle", &board.handle[comm.rank], own) != 0) return false;
  __atomic_store_n(&board.there[comm.rank], 1u, __ATOMIC_RELEASE);
  return map_all(comm, board);
}

int end(FakeComm *comm) {
  const std::unique_ptr<FakeComm> owner(comm);
  for (int peer = 0; peer < comm->size; peer++)
    if (peer == comm->rank)
      driver("cuMemFree", comm->memory[peer]);
    else if (comm->memory[peer])
      driver("cuIpcCloseMemHandle", comm->memory[peer]);
  return nccl_success;
}

Board *board_of(const UniqueId &id, int flags) {
  const int file = open(id.bytes, flags | O_RDWR | O_CLOEXEC, 0600);
  if (file < 0 || ftruncate(file, sizeof(Board)) != 0) return nullptr;
  void *at = mmap(nullptr, sizeof(Board), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return at == MAP_FAILED ? nullptr : static_cast<Board *>(at);
}

} // namespace

FAKE_ENTRY ncclGetVersion(int *version) {
  *version = 22809;
  return nccl_success;
}

FAKE_ENTRY ncclGetUniqueId(UniqueId *id) {
  static int count = 0;
  *id = UniqueId{};
  const std::string name = "/dev/shm/fake_nccl_" + std::to_string(getpid()) + "_" + std::to_string(count++);
  std::memcpy(id->bytes, name.data(), name.size());
  Board *board = board_of(*id, O_CREAT | O_EXCL);
  if (board) munmap(board, sizeof *board);
  return board ? nccl_success : nccl_system;
}

FAKE_ENTRY ncclCommInitRank(FakeComm **out, int size, UniqueId id, int rank) {
  if (mistake("init_fails")) {
    unlink(id.bytes);
    return nccl_system;
  }
  if (size > most || rank < 0 || rank >= size) return nccl_invalid;
  Board *board = board_of(id, 0);
  if (!board) return nccl_system;
  auto comm = std::make_unique<FakeComm>();
  comm->rank = rank;
  comm->size = size;
  const bool joined = join(*comm, *board);
  munmap(board, sizeof *board);
  if (rank == 0) unlink(id.bytes);
  *out = comm.release();
  return joined ? nccl_success : nccl_system;
}

FAKE_ENTRY ncclCommDestroy(FakeComm *comm) {
  driver("cuCtxSynchronize");
  return end(comm);
}

// What is under way ends: words that count far are ahead of what anybody waits for.
FAKE_ENTRY ncclCommAbort(FakeComm *comm) {
  driver("cuMemsetD8Async", comm->memory[comm->rank], static_cast<unsigned char>(0x3f),
         8 * static_cast<std::size_t>(comm->size), static_cast<void *>(nullptr));
  driver("cuCtxSynchronize");
  return end(comm);
}

FAKE_ENTRY ncclCommGetAsyncError(FakeComm *, int *error) {
  *error = nccl_success;
  return nccl_success;
}

extern "C" __attribute__((visibility("default"))) const char *ncclGetErrorString(int result) {
  return result == nccl_success ? "no error" : result == nccl_system ? "unhandled system error" : "invalid argument";
}

FAKE_ENTRY ncclGroupStart() {
  depth++;
  return nccl_success;
}

FAKE_ENTRY ncclGroupEnd() {
  if (depth <= 0) return nccl_invalid;
  if (--depth == 0) run_group();
  return nccl_success;
}

FAKE_ENTRY ncclSend(const void *from, std::size_t count, int type, int peer, FakeComm *comm, void *stream) {
  if (type != 0 || peer < 0 || peer >= comm->size || peer == comm->rank) return nccl_invalid;
  ncclGroupStart();
  sends.push_back({reinterpret_cast<DevicePointer>(from), count, peer, comm, stream});
  return ncclGroupEnd();
}

FAKE_ENTRY ncclRecv(void *to, std::size_t count, int type, int peer, FakeComm *comm, void *stream) {
  if (type != 0 || peer < 0 || peer >= comm->size || peer == comm->rank) return nccl_invalid;
  ncclGroupStart();
  receives.push_back({reinterpret_cast<DevicePointer>(to), count, peer, comm, stream});
  return ncclGroupEnd();
}

// SPDX-License-Identifier: MIT
