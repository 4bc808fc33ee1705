// What processes send each other while lines are drawn: particles, gathered until a message is worth sending, and a few
// bytes about who has finished.
#pragma once

#include <cstring>
#include <map>

#include "tracer/draw/job.hpp"

namespace op2::core::tracer {

class ParticleMessages {
 public:
  ParticleMessages(Communicator &communicator, const Packing &packing, const Running &running, Counts &counts)
      : communicator_(communicator), packing_(packing), running_(running), counts_(counts) {}

  void send(int rank, const MovingParticle &moving);
  void tell(int rank, int kind, std::int64_t value);
  // To all others: this process has failed.
  void tell_failure();
  // Sends what has waited long enough, or everything.
  void flush(double now, bool everything);
  // Calls arrived(moving) and told(rank, kind, value) for what has come; false: nothing has. Throws OP_ERR_STATE
  // when another process has failed.
  template <class Arrived, class Told>
  bool receive(const Arrived &arrived, const Told &told);

 private:
  struct Note { // before the particles of a message, or alone
    std::int32_t what, kind;
    std::int64_t value;
  };
  static constexpr std::int32_t particles = 0, about_end = 1, failure = 2;
  struct Parcel {
    std::vector<char> bytes; // a note, then particles; empty: none
    std::int64_t count = 0;
    double since = 0;
  };
  void post(int rank, Parcel &parcel);
  [[noreturn]] void refuse(int rank) const;

  Communicator &communicator_;
  Packing packing_;
  const Running &running_;
  Counts &counts_;
  std::map<int, Parcel> parcels_; // by destination
};

template <class Arrived, class Told>
bool ParticleMessages::receive(const Arrived &arrived, const Told &told) {
  if (communicator_.size() == 1) return false;
  const SparseMessages messages = communicator_.poll();
  for (int m = 0; m < messages.count(); ++m) {
    const std::span<const char> bytes = messages.values<char>(m);
    Note note{};
    std::memcpy(&note, bytes.data(), sizeof note);
    if (note.what == failure) refuse(messages.sender(m));
    if (note.what == about_end) told(messages.sender(m), note.kind, note.value);
    for (std::int64_t i = 0; note.what == particles && i < note.value; ++i)
      arrived(packing_.unpack(bytes.data() + sizeof note + static_cast<std::size_t>(i) * packing_.bytes()));
  }
  return messages.count() > 0;
}

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
