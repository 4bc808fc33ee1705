// rules.hpp: the rules of the house. Each looks at a source tree and returns its violations, "path:line: what is
// wrong".
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace arch {

using Violations = std::vector<std::string>;
using Root = std::filesystem::path;

// Layers of src, lowest first: each may include itself and those before it. The topmost may name the built-in plugins.
// The layers of libop2_trace (streamline, tracer) are apart from these: they may include public headers, base and some
// helpers, and no other layer may include them.
Violations layers(const Root &root);

// Rooms of src/loop, lowest first: each may include itself and those before it.
Violations rooms_of_loops(const Root &root);

// Plugins include op2/ and their own folder (and plugins/builtin.hpp), tools op2/ and their own files, public
// headers only op2/.
Violations plugins_stand_alone(const Root &root);
Violations tools_use_the_interface(const Root &root);
Violations public_headers_stand_alone(const Root &root);

// mpi.h, cuda.h, omp.h ... appear in plugin folders only.
Violations no_foreign_headers(const Root &root);

// dlopen and its family only in src/host/plugins/loader.cpp.
Violations one_user_of_dlopen(const Root &root);

// Nothing ends the process but the default error handler.
Violations nobody_ends_the_process(const Root &root);

// Memory has owners: no new, delete and malloc in the core.
Violations no_bare_new_and_delete(const Root &root);

// Public functions call no others that may fail: a failure is told once, as that of the call that the program made.
Violations public_functions_call_no_others(const Root &root);

// A program that includes op2.h alone sees at most 47 functions: the core, which nearly every program needs.
Violations small_core(const Root &root);

// Files of at most 500 lines.
Violations short_files(const Root &root);

// Rooms that a newcomer can look over: at most 24 files of code in a folder of src and bench.
Violations small_rooms(const Root &root);

// The table in docs/rooms.md has a row for each folder of src with code, and the files and folders in it exist.
Violations rooms_in_the_table(const Root &root);

// Knowing one executor is knowing all: plugin, memory, kernel and loop in each folder exec_*.
Violations same_files_in_executors(const Root &root);

// Nothing is left for later in the sources.
Violations nothing_left_for_later(const Root &root);

// The last line of each source and script names the license, but in headers that become text of generated code.
Violations license_in_the_last_line(const Root &root);

} // namespace arch

// SPDX-License-Identifier: MIT
