#include "tracer/draw/particle_messages.hpp"

#include <utility>

#include "base/clock.hpp"
#include "base/error.hpp"

namespace op2::core::tracer {

void ParticleMessages::send(int rank, const MovingParticle &moving) {
  Parcel &parcel = parcels_[rank];
  if (parcel.count++ == 0) {
    parcel.since = now();
    parcel.bytes.resize(sizeof(Note));
  }
  packing_.pack(moving, parcel.bytes);
  ++counts_.sent;
  if (running_.is_full(parcel.bytes.size())) post(rank, parcel);
}

void ParticleMessages::post(int rank, Parcel &parcel) {
  const Note note{particles, 0, std::exchange(parcel.count, 0)};
  std::memcpy(parcel.bytes.data(), &note, sizeof note);
  communicator_.post(rank, parcel.bytes.data(), parcel.bytes.size());
  ++counts_.particle_messages;
  counts_.particle_bytes += static_cast<std::int64_t>(parcel.bytes.size());
  parcel.bytes.clear();
}

void ParticleMessages::flush(double now, bool everything) {
  for (auto &[rank, parcel] : parcels_)
    if (parcel.count > 0 && (everything || running_.has_waited(now - parcel.since))) post(rank, parcel);
}

void ParticleMessages::tell(int rank, int kind, std::int64_t value) {
  const Note note{about_end, kind, value};
  communicator_.post(rank, &note, sizeof note);
  ++counts_.other_messages;
  counts_.other_bytes += static_cast<std::int64_t>(sizeof note);
}

void ParticleMessages::tell_failure() {
  const Note note{failure, 0, 0};
  for (int rank = 0; rank < communicator_.size(); ++rank)
    if (rank != communicator_.rank()) communicator_.post(rank, &note, sizeof note);
}

void ParticleMessages::refuse(int rank) const { fail(OP_ERR_STATE, "tracing: process ", rank, " has failed"); }

} // namespace op2::core::tracer

// SPDX-License-Identifier: MIT
