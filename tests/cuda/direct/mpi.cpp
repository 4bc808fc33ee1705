// mpi.cpp: an MPI that takes addresses of the fake driver's devices: a library to be put before the real one with
// LD_PRELOAD. It is as strict as the standard allows: what is sent is read when the send starts, memory of a device
// that is to receive holds nothing from then on, and gets the message when somebody has waited for it.
//
// FAKE_MPI says how it behaves:
//   honest   it works (the default)
//   zeros    it says that it does, and zeros arrive
//   nothing  it says that it does, and nothing arrives
//   failing  it says that it does, and calls fail
//   no       it says that it does not
#include <dlfcn.h>
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace {

constexpr std::uintptr_t tag = std::uintptr_t{1} << 62; // as in ../fake/abi.hpp
constexpr int poison = 0xFF;

bool on_device(const void *pointer) { return (reinterpret_cast<std::uintptr_t>(pointer) & tag) != 0; }
char *plain(const void *pointer) {
  return reinterpret_cast<char *>(reinterpret_cast<std::uintptr_t>(pointer) & ~tag); // NOLINT: where the bytes are
}

struct Message { // of a persistent request
  char *device;
  std::vector<char> bytes;
  bool receives;
};

struct Fake {
  std::string mode = "honest";
  std::map<MPI_Request, std::unique_ptr<Message>> messages;
  std::vector<std::unique_ptr<Message>> abandoned; // their requests may still be under way
  int sent = 0, received = 0;
};

Fake &fake() {
  static Fake &only = *std::make_unique<Fake>().release(); // used until the process ends
  return only;
}

// Programs that this one starts, such as compilers, do not want this library.
__attribute__((constructor)) void at_start() {
  if (const char *mode = std::getenv("FAKE_MPI")) fake().mode = mode;
  unsetenv("LD_PRELOAD");
}

__attribute__((destructor)) void at_end() {
  std::fprintf(stderr, "fake MPI: %d messages left devices, %d reached devices\n", fake().sent, fake().received);
}

[[noreturn]] void refuse(const char *why) {
  std::fprintf(stderr, "fake MPI: %s\n", why);
  std::abort();
}

template <class Function>
Function driver(const char *name) {
  const char *const path = std::getenv("OP2_CUDA_PATH");
  std::string folders = path ? path : "";
  void *library = nullptr;
  while (!library && !folders.empty()) {
    const std::size_t colon = folders.find(':');
    library = dlopen((folders.substr(0, colon) + "/libcuda.so.1").c_str(), RTLD_NOW | RTLD_NOLOAD);
    folders.erase(0, colon == std::string::npos ? colon : colon + 1);
  }
  const auto found = library ? reinterpret_cast<Function>(dlsym(library, name)) : nullptr;
  if (!found) refuse("an address of a device, but no driver");
  return found;
}

// As CUDA-aware libraries: the memory must be there, and copies run in the context of the caller.
void check(const void *first, std::size_t bytes) {
  void *context = nullptr;
  if (driver<int (*)(void **)>("cuCtxGetCurrent")(&context) != 0 || !context) refuse("no current context");
  const auto attribute = driver<int (*)(void *, int, unsigned long long)>("cuPointerGetAttribute");
  for (const std::size_t at : {std::size_t{0}, bytes > 0 ? bytes - 1 : 0}) {
    unsigned kind = 0;
    if (attribute(&kind, 2, reinterpret_cast<std::uintptr_t>(first) + at) != 0 || kind != 2)
      refuse("an address of a device where it has no memory");
  }
}

std::size_t bytes_of(int count, MPI_Datatype type) {
  int size = 0;
  PMPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

template <class Init>
int make(const void *buffer, int count, MPI_Datatype type, bool receives, MPI_Request *request, const Init &init) {
  if (!on_device(buffer)) return init(const_cast<void *>(buffer));
  if (fake().mode == "failing") return MPI_ERR_BUFFER;
  const std::size_t bytes = bytes_of(count, type);
  check(buffer, bytes);
  auto message = std::make_unique<Message>(Message{plain(buffer), std::vector<char>(bytes), receives});
  const int code = init(message->bytes.data());
  if (code == MPI_SUCCESS) fake().messages[*request] = std::move(message);
  return code;
}

Message *message_of(MPI_Request request) {
  const auto found = fake().messages.find(request);
  return found == fake().messages.end() ? nullptr : found->second.get();
}

void start(Message &message) {
  check(reinterpret_cast<void *>(reinterpret_cast<std::uintptr_t>(message.device) | tag), message.bytes.size());
  if (message.receives)
    std::memset(message.device, poison, message.bytes.size());
  else
    std::memcpy(message.bytes.data(), message.device, message.bytes.size());
}

void arrive(Message &message) {
  if (!message.receives) {
    ++fake().sent;
    return;
  }
  std::memcpy(message.device, message.bytes.data(), message.bytes.size());
  ++fake().received;
}

void finish(int count, const MPI_Request *requests) {
  for (int i = 0; i < count; ++i)
    if (Message *message = message_of(requests[i])) arrive(*message);
}

} // namespace

#define REPLACED extern "C" __attribute__((visibility("default"))) int

REPLACED MPIX_Query_cuda_support() { return fake().mode == "no" ? 0 : 1; }

REPLACED MPI_Sendrecv(const void *from, int nfrom, MPI_Datatype from_type, int to_rank, int send_tag, void *to, int nto,
                      MPI_Datatype to_type, int from_rank, int receive_tag, MPI_Comm comm, MPI_Status *status) {
  if (!on_device(from) && !on_device(to))
    return PMPI_Sendrecv(from, nfrom, from_type, to_rank, send_tag, to, nto, to_type, from_rank, receive_tag, comm,
                         status);
  check(from, bytes_of(nfrom, from_type));
  check(to, bytes_of(nto, to_type));
  if (fake().mode == "failing") return MPI_ERR_BUFFER;
  std::vector<char> between(bytes_of(nto, to_type));
  const int code = PMPI_Sendrecv(plain(from), nfrom, from_type, to_rank, send_tag, between.data(), nto, to_type,
                                 from_rank, receive_tag, comm, status);
  if (fake().mode == "zeros") std::memset(between.data(), 0, between.size());
  if (fake().mode != "nothing") std::memcpy(plain(to), between.data(), between.size());
  return code;
}

REPLACED MPI_Send_init(const void *buffer, int count, MPI_Datatype type, int to, int message_tag, MPI_Comm comm,
                       MPI_Request *request) {
  return make(buffer, count, type, false, request,
              [&](void *real) { return PMPI_Send_init(real, count, type, to, message_tag, comm, request); });
}

REPLACED MPI_Recv_init(void *buffer, int count, MPI_Datatype type, int from, int message_tag, MPI_Comm comm,
                       MPI_Request *request) {
  return make(buffer, count, type, true, request,
              [&](void *real) { return PMPI_Recv_init(real, count, type, from, message_tag, comm, request); });
}

REPLACED MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i)
    if (Message *message = message_of(requests[i])) start(*message);
  return PMPI_Startall(count, requests);
}

REPLACED MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  const int code = PMPI_Waitall(count, requests, statuses);
  if (code == MPI_SUCCESS) finish(count, requests);
  return code;
}

REPLACED MPI_Testall(int count, MPI_Request requests[], int *done, MPI_Status statuses[]) {
  const int code = PMPI_Testall(count, requests, done, statuses);
  if (code == MPI_SUCCESS && *done) finish(count, requests);
  return code;
}

REPLACED MPI_Request_free(MPI_Request *request) {
  if (const auto found = fake().messages.find(*request); found != fake().messages.end()) {
    fake().abandoned.push_back(std::move(found->second));
    fake().messages.erase(found);
  }
  return PMPI_Request_free(request);
}

// SPDX-License-Identifier: MIT
