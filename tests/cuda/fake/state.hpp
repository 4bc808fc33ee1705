// state.hpp: all that the fake driver remembers. One lock guards it.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "capture.hpp"
#include "memory.hpp"
#include "neighbour.hpp"
#include "settings.hpp"
#include "stream.hpp"

namespace fake {

class Module;
struct Function;

struct Device {
  int ordinal = 0;
  std::size_t used = 0;
  int retained = 0;
  int error = 0; // of a kernel; every later call answers it
  std::shared_ptr<Stream> legacy;
};

struct State {
  std::recursive_mutex mutex;
  Settings settings = read_settings();
  Trace trace;
  bool initialised = false;
  int process = 0; // that has initialised it; one forked later cannot go on
  std::vector<Device> devices;
  Memory memory;
  Neighbours neighbours{memory.file()};
  std::map<void *, std::shared_ptr<Stream>> streams; // by handle
  std::vector<std::shared_ptr<Stream>> orphans;      // destroyed with work left
  std::map<void *, std::unique_ptr<Event>> events;
  std::map<void *, std::shared_ptr<Module>> modules;
  std::map<void *, std::unique_ptr<Graph>> graphs, executables;
  std::vector<std::uintptr_t> graveyard; // freed blocks that older work may still use
  std::uint64_t serial = 0;
  std::uint64_t running = 0; // serial of the work that runs now
  int last_id = 0;
  std::uint64_t copies = 0;      // to a device, for planted faults
  std::uint64_t value_waits = 0; // likewise
  std::uint64_t launches = 0;    // likewise
};

State &state(); // never destroyed: programs call drivers very late

// The device of the current context, or nothing.
Device *current_device();
void set_current(int device); // -1: none
int push_current(int device);
int pop_current(int *device);

// Frees what no unfinished work can use any more.
void bury();
// What nobody has freed; reported and forgotten.
int report_leaks(int device);

} // namespace fake

// SPDX-License-Identifier: MIT
