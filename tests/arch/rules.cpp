// rules.cpp: see rules.hpp.
#include "rules.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string_view>

#include "source.hpp"

namespace arch {

namespace {

constexpr std::array layer_names = {"base",        "paging", "meshfile",  "host", "mesh",   "plan",   "jit",
                                    "distributed", "loop",   "particles", "io",   "meshio", "compat", "api"};
// The layers of libop2_trace, which links libop2: they see public headers, base, and helpers that libop2_trace compiles
// once more, because these keep no state of the process.
constexpr std::array trace_layers = {"streamline", "tracer"};
constexpr std::array trace_helpers = {"meshfile/mesh_file.hpp", // shapes of cells
                                      "meshfile/vtk/appended.hpp", "host/agreement.hpp",
                                      "host/communicator.hpp",     "distributed/directory.hpp",
                                      "distributed/groups.hpp",    "distributed/partition/geometric.hpp"};
// Parts of base that do.
constexpr std::array not_for_trace = {"base/settings.hpp", "base/trace.hpp"};
constexpr std::array loop_rooms = {"loop/signature", "loop/reduce", "loop/stats",  "loop/choice",  "loop/trial",
                                   "loop/form",      "loop",        "loop/tiles",  "loop/threads", "loop/chain",
                                   "loop/paged",     "loop/verify", "loop/layers", "loop/until",   "loop/engine"};
constexpr std::array foreign_headers = {"mpi.h",  "mpi-ext.h",  "cuda.h",   "cuda_runtime.h",    "nvrtc.h",
                                        "omp.h",  "ptscotch.h", "scotch.h", "parmetis.h",        "metis.h",
                                        "hdf5.h", "cgnslib.h",  "nccl.h",   "hip/hip_runtime.h", "nvtx3/nvToolsExt.h",
                                        "zlib.h"};
constexpr std::array written_folders = {"src", "include", "tests", "examples", "bench", "bindings"};
constexpr std::size_t most_lines = 500;
constexpr std::size_t most_files = 24;
constexpr std::size_t most_core_functions = 47;

// Places where a rule does not hold, each with its reason.
struct Exception {
  const char *rule, *path, *reason;
};
constexpr std::array exceptions = {
    Exception{"exit", "src/api/error.cpp", "the default error handler ends the process, as error.h promises"},
    Exception{"exit", "src/host/process.cpp", "it ends programs that it started itself and that take too long"},
    Exception{"dlopen", "src/host/plugins/loader.cpp", "it is the loader"},
    Exception{"dlopen", "src/host/code_library.cpp", "it opens the code that the library has compiled for its loops"},
    Exception{"nvtx3/nvToolsExt.h", "src/host/nvtx.cpp",
              "the core is what tells profilers what runs; the header needs no library and may be missing"},
    Exception{"zlib.h", "src/base/packed/unpack.cpp", "it is all that unpacks, and can do without"},
    Exception{"zlib.h", "src/tools/text/unit_text.cpp", "it is all that packs texts, and can do without"},
    Exception{"hdf5.h", "src/tools/op2_mesh_external.cpp",
              "it reads and writes parts of arrays, which the interface has no functions for"},
    Exception{"dlopen", "src/host/program/symbol_table.cpp", "it asks whose variable the dynamic linker takes"},
    Exception{"dlopen", "src/host/symbols.cpp", "it finds the program's procedures by their addresses"},
    Exception{"dlopen", "src/plugins/comm_mpi/device.cpp", "extensions of MPI and NVIDIA's driver may be missing"},
    Exception{"dlopen", "src/plugins/exec_cuda/library.cpp", "NVIDIA's driver and compiler are never linked"},
    Exception{"plugins/comm_shm/job.hpp", "src/tools/op2_launch.cpp",
              "the launcher begins the memory in which plugin shm finds the other processes"},
    Exception{"omp.h", "include/op2/compat/op_lib_cpp.h", "programs of OP2 with OpenMP get omp.h from it"},
    Exception{"mpi.h", "include/op2/compat/op_mpi_core.h", "OP2's programs with MPI calls get mpi.h from it"},
    Exception{"op_printf", "src/api/timing.cpp", "formats that are there cannot fail"},
    Exception{"op_rank", "src/api/init.cpp", "a place for the rank is there"},
    Exception{"op_setting", "src/tracer/api.cpp", "a name of a setting cannot fail"},
    Exception{"delete", "src/api/session.cpp",
              "the session is kept by a plain atomic pointer, so that nothing is destroyed at exit"},
};
bool excepted(std::string_view rule, const std::string &path) {
  return std::any_of(exceptions.begin(), exceptions.end(),
                     [&](const Exception &exception) { return rule == exception.rule && path == exception.path; });
}

bool below(const std::string &path, const std::string &folder) { return path.starts_with(folder + "/"); }

std::string first_part(const std::string &path) { return path.substr(0, path.find('/')); }

std::string at(const Source &source, std::size_t line, const std::string &what) {
  return source.path + ":" + std::to_string(line) + ": " + what;
}

// The violations of all code files below a folder.
Violations each_file(const Root &root, const std::string &folder,
                     const std::function<void(const Source &, Violations &)> &look) {
  Violations out;
  for (const Source &source : read_sources(root, folder))
    if (is_code(source)) look(source, out);
  return out;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Calls found(position, position behind) for each occurrence of a whole word.
void each_word(const std::string &line, std::string_view word,
               const std::function<void(std::size_t, std::size_t)> &found) {
  for (std::size_t begin = line.find(word); begin != std::string::npos; begin = line.find(word, begin + 1)) {
    const std::size_t end = begin + word.size();
    if ((begin == 0 || !is_word(line[begin - 1])) && (end == line.size() || !is_word(line[end]))) found(begin, end);
  }
}

char next_sign(const std::string &line, std::size_t position) {
  const std::size_t next = line.find_first_not_of(" \t", position);
  return next == std::string::npos ? '\0' : line[next];
}

// What stands before a position, without blanks behind it.
std::string before(const std::string &line, std::size_t position) {
  std::string out = line.substr(0, position);
  out.erase(out.find_last_not_of(" \t") + 1);
  return out;
}

// Is the word at `begin` called as a function of everyone's, not a member and not being declared?
bool is_free_call(const std::string &line, std::size_t begin, std::size_t end) {
  if (next_sign(line, end) != '(') return false;
  const std::string left = before(line, begin);
  if (left.ends_with("std::")) return true;
  if (left.ends_with("::")) return left.size() == 2 || !is_word(left[left.size() - 3]);
  if (left.empty()) return true;
  if (left.ends_with(".") || left.ends_with("->")) return false;
  if (left.ends_with("*") || left.ends_with("&"))
    return left.ends_with("&&"); // a declaration with a pointer, a condition
  if (!is_word(left.back())) return true;
  for (const char *keyword : {"return", "else", "do"}) // any other word is the type of a declaration
    if (left.ends_with(keyword) && (left.size() == std::string_view(keyword).size() ||
                                    !is_word(left[left.size() - std::string_view(keyword).size() - 1])))
      return true;
  return false;
}

template <class List>
bool is_one_of(const List &list, const std::string &name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

void layers_of_trace(const Source &source, const std::string &layer, Violations &out) {
  for (const Include &include : source.includes) {
    if (include.angled || below(include.name, "op2") || is_one_of(trace_helpers, include.name)) continue;
    const std::string target = first_part(include.name);
    if (target == "base" && !is_one_of(not_for_trace, include.name)) continue;
    if (target == layer || (layer == "tracer" && target == "streamline")) continue;
    out.push_back(at(source, static_cast<std::size_t>(include.line),
                     "'" + layer + "' includes " + include.name + ", which is no helper of libop2_trace"));
  }
}

} // namespace

Violations layers(const Root &root) {
  return each_file(root, "src", [](const Source &source, Violations &out) {
    const std::string layer = first_part(source.path.substr(4));
    if (layer == "plugins" || layer == "tools") return;
    if (is_one_of(trace_layers, layer)) return layers_of_trace(source, layer, out);
    const auto mine = std::find(layer_names.begin(), layer_names.end(), layer);
    if (mine == layer_names.end()) {
      out.push_back(at(source, 1, "the folder '" + layer + "' is no layer"));
      return;
    }
    for (const Include &include : source.includes) {
      if (include.angled || below(include.name, "op2")) continue;
      const std::string target = first_part(include.name);
      const auto theirs = std::find(layer_names.begin(), layer_names.end(), target);
      if (theirs == layer_names.end()) {
        if (layer == layer_names.back() && include.name == "plugins/builtin.hpp") continue;
        out.push_back(at(source, static_cast<std::size_t>(include.line),
                         "includes " + include.name + ", which is no part of a layer"));
      } else if (target == "meshfile" && layer != "meshfile" && layer != "meshio") {
        out.push_back(at(source, static_cast<std::size_t>(include.line),
                         "includes " + include.name + ": the readers of mesh files are the business of meshio alone"));
      } else if (theirs > mine) {
        out.push_back(at(source, static_cast<std::size_t>(include.line),
                         "'" + layer + "' includes " + include.name + " of a layer above"));
      }
    }
  });
}

Violations rooms_of_loops(const Root &root) {
  const auto room_of = [](const std::string &file) {
    return std::find(loop_rooms.begin(), loop_rooms.end(), file.substr(0, file.rfind('/')));
  };
  return each_file(root, "src/loop", [&](const Source &source, Violations &out) {
    const auto mine = room_of(source.path.substr(4));
    if (mine == loop_rooms.end()) {
      out.push_back(at(source, 1, "the folder is no room of src/loop; the list of rooms is in tests/arch/rules.cpp"));
      return;
    }
    for (const Include &include : source.includes)
      if (!include.angled && below(include.name, "loop") && room_of(include.name) > mine)
        out.push_back(at(source, static_cast<std::size_t>(include.line),
                         std::string("'") + *mine + "' includes " + include.name + " of a room above"));
  });
}

Violations plugins_stand_alone(const Root &root) {
  return each_file(root, "src/plugins", [&](const Source &source, Violations &out) {
    const std::size_t name = std::string_view("src/plugins/").size();
    const std::string plugin =
        source.path.substr(0, source.path.find('/', name)); // its rooms include from there, or from themselves
    for (const Include &include : source.includes) {
      if (include.angled || below(include.name, "op2") || include.name == "plugins/builtin.hpp") continue;
      // What communicators, executors, partitioners or drivers have in common is compiled into each of them, so they
      // still stand alone.
      if (source.path.starts_with("src/plugins/comm_") && below(include.name, "plugins/comm_common")) continue;
      if (source.path.starts_with("src/plugins/exec_") && below(include.name, "plugins/exec_common")) continue;
      if (source.path.starts_with("src/plugins/io_") && below(include.name, "plugins/io_common")) continue;
      if (source.path.starts_with("src/plugins/part_") && below(include.name, "plugins/part_common")) continue;
      const bool inside = include.name.find("..") == std::string::npos &&
                          (std::filesystem::exists(root / plugin / include.name) ||
                           std::filesystem::exists((root / source.path).parent_path() / include.name));
      if (!inside)
        out.push_back(at(source, static_cast<std::size_t>(include.line), "a plugin includes " + include.name));
    }
  });
}

namespace {

void only_op2(const Source &source, const char *who, Violations &out, const char *own = "op2") {
  for (const Include &include : source.includes)
    if (!include.angled && !below(include.name, "op2") && !below(include.name, own) &&
        !excepted(include.name, source.path))
      out.push_back(at(source, static_cast<std::size_t>(include.line), std::string(who) + " includes " + include.name));
}

} // namespace

Violations tools_use_the_interface(const Root &root) {
  return each_file(root, "src/tools",
                   [](const Source &source, Violations &out) { only_op2(source, "a tool", out, "tools"); });
}

Violations public_headers_stand_alone(const Root &root) {
  return each_file(root, "include",
                   [](const Source &source, Violations &out) { only_op2(source, "a public header", out); });
}

Violations no_foreign_headers(const Root &root) {
  Violations out;
  for (const char *folder : {"src", "include"})
    for (const std::string &violation : each_file(root, folder, [](const Source &source, Violations &found) {
           if (below(source.path, "src/plugins") && source.path != "src/plugins/builtin.hpp") return;
           for (const Include &include : source.includes)
             if (std::find(foreign_headers.begin(), foreign_headers.end(), include.name) != foreign_headers.end() &&
                 !excepted(include.name, source.path))
               found.push_back(at(source, static_cast<std::size_t>(include.line),
                                  "includes " + include.name + " outside of a plugin"));
         }))
      out.push_back(violation);
  return out;
}

Violations one_user_of_dlopen(const Root &root) {
  return each_file(root, "src", [](const Source &source, Violations &out) {
    if (excepted("dlopen", source.path)) return;
    for (std::size_t i = 0; i < source.code.size(); ++i)
      for (const char *name : {"dlopen", "dlmopen", "dlsym", "dlvsym", "dladdr", "dlclose"})
        each_word(source.code[i], name,
                  [&](std::size_t, std::size_t) { out.push_back(at(source, i + 1, std::string("uses ") + name)); });
  });
}

Violations nobody_ends_the_process(const Root &root) {
  return each_file(root, "src", [](const Source &source, Violations &out) {
    if (excepted("exit", source.path) || below(source.path, "src/tools")) return;
    for (std::size_t i = 0; i < source.code.size(); ++i)
      for (const char *name : {"exit", "_exit", "_Exit", "quick_exit", "abort", "terminate", "raise", "kill"})
        each_word(source.code[i], name, [&](std::size_t begin, std::size_t end) {
          if (is_free_call(source.code[i], begin, end)) out.push_back(at(source, i + 1, std::string("calls ") + name));
        });
  });
}

Violations no_bare_new_and_delete(const Root &root) {
  return each_file(root, "src", [](const Source &source, Violations &out) {
    if (below(source.path, "src/plugins") || below(source.path, "src/tools")) return; // C, and C tables of objects
    for (std::size_t i = 0; i < source.code.size(); ++i) {
      const std::string &line = source.code[i];
      if (next_sign(line, 0) == '#') continue; // #include <new>
      each_word(line, "new", [&](std::size_t, std::size_t) {
        if (!excepted("new", source.path)) out.push_back(at(source, i + 1, "uses new"));
      });
      each_word(line, "delete", [&](std::size_t begin, std::size_t) {
        if (!before(line, begin).ends_with("=") && !excepted("delete", source.path))
          out.push_back(at(source, i + 1, "uses delete"));
      });
      for (const char *name : {"malloc", "calloc", "realloc"})
        each_word(line, name, [&](std::size_t begin, std::size_t end) {
          if (is_free_call(line, begin, end)) out.push_back(at(source, i + 1, std::string("calls ") + name));
        });
    }
  });
}

Violations public_functions_call_no_others(const Root &root) {
  static const std::array<std::string_view, 10> harmless = {
      "op_arg_gbl_char", "op_arg_gbl_reduce",   "op_arg_idx",     "op_arg_payload_char", "op_build_info",
      "op_is_root",      "op_library_services", "op_opt_arg_dat", "op_status_name",      "op_timers_core"};
  const auto look = [](const Source &source, Violations &out) {
    for (std::size_t i = 0; i < source.code.size(); ++i) {
      const std::string &line = source.code[i];
      if (!line.starts_with(' ')) continue; // what is being defined
      for (std::size_t begin = line.find("op_"); begin != std::string::npos; begin = line.find("op_", begin + 1)) {
        std::size_t end = begin;
        while (end < line.size() && is_word(line[end])) ++end;
        const std::string_view name = std::string_view(line).substr(begin, end - begin);
        if ((begin > 0 && is_word(line[begin - 1])) || !is_free_call(line, begin, end) || excepted(name, source.path) ||
            std::find(harmless.begin(), harmless.end(), name) != harmless.end())
          continue;
        out.push_back(at(source, i + 1, "calls " + std::string(name) + ", which reports its failures itself"));
      }
    }
  };
  Violations out = each_file(root, "src/api", look);
  for (const std::string &violation : each_file(root, "src/tracer", look)) out.push_back(violation);
  return out;
}

Violations small_core(const Root &root) {
  std::map<std::string, Source> headers;
  for (const Source &source : read_sources(root, "include")) headers.emplace(source.path, source);
  std::vector<std::string> included = {"include/op2/op2.h"};
  std::size_t functions = 0;
  for (std::size_t i = 0; i < included.size(); ++i) {
    const auto found = headers.find(included[i]);
    if (found == headers.end()) return {included[i] + ": is not there"};
    for (const std::string &line : found->second.code) functions += line.starts_with("OP_API ") ? 1 : 0;
    for (const Include &include : found->second.includes) {
      const std::string path = "include/" + include.name;
      if (!include.angled && std::find(included.begin(), included.end(), path) == included.end())
        included.push_back(path);
    }
  }
  if (functions <= most_core_functions) return {};
  return {"include/op2/op2.h: declares " + std::to_string(functions) + " functions, more than " +
          std::to_string(most_core_functions)};
}

Violations short_files(const Root &root) {
  Violations out;
  for (const char *folder : written_folders)
    for (const Source &source : read_sources(root, folder))
      if (source.text.size() > most_lines && !source.path.ends_with(".msh")) // meshes are made, not written
        out.push_back(at(
            source, source.text.size(),
            "the file has " + std::to_string(source.text.size()) + " lines, more than " + std::to_string(most_lines)));
  return out;
}

Violations small_rooms(const Root &root) {
  std::map<std::string, std::size_t> files;
  for (const char *folder : {"src", "bench"})
    for (const Source &source : read_sources(root, folder))
      if (is_code(source)) ++files[source.path.substr(0, source.path.rfind('/'))];
  Violations out;
  for (const auto &[folder, number] : files)
    if (number > most_files)
      out.push_back(folder + ": " + std::to_string(number) + " files, more than " + std::to_string(most_files));
  return out;
}

Violations rooms_in_the_table(const Root &root) {
  static const std::string page = "docs/rooms.md";
  static const std::regex name("`([a-z0-9_]+(/[a-z0-9_.]+)*)`");
  std::set<std::string> rooms, described;
  for (const Source &source : read_sources(root, "src"))
    if (is_code(source)) rooms.insert(source.path.substr(0, source.path.rfind('/')));
  Violations out;
  for (const Source &source : read_sources(root, "docs"))
    for (std::size_t i = 0; source.path == page && i < source.text.size(); ++i) {
      if (!source.text[i].starts_with("| `")) continue;
      std::smatch found;
      std::regex_search(source.text[i], found, name);
      described.insert("src/" + found.str(1));
      // The last two columns: the file to begin with, and folders of tests.
      std::size_t column = source.text[i].rfind('|', source.text[i].rfind('|') - 1);
      column = source.text[i].rfind('|', column - 1);
      const std::string places = source.text[i].substr(column);
      for (std::sregex_iterator at_name(places.begin(), places.end(), name), end; at_name != end; ++at_name) {
        const std::string place = (*at_name)[1];
        if (!exists(root / "src" / place) && !exists(root / place)) out.push_back(at(source, i + 1, "no " + place));
      }
    }
  for (const std::string &room : rooms)
    if (!described.contains(room)) out.push_back(page + ": has no row for " + room);
  for (const std::string &room : described)
    if (!rooms.contains(room)) out.push_back(page + ": there is no code in " + room);
  return out;
}

Violations same_files_in_executors(const Root &root) {
  Violations out;
  std::vector<std::string> folders, files;
  for (const Source &source : read_sources(root, "src/plugins")) {
    files.push_back(source.path.substr(0, source.path.rfind('.')));
    const std::string folder = source.path.substr(0, source.path.find('/', std::string_view("src/plugins/").size()));
    if (folder.starts_with("src/plugins/exec_") && folder != "src/plugins/exec_common" &&
        std::find(folders.begin(), folders.end(), folder) == folders.end())
      folders.push_back(folder);
    for (const Include &include : source.includes) // it compiles the files of that room
      if (below(include.name, "plugins/exec_common/threads"))
        for (const char *file : {"/memory", "/kernel", "/loop"}) files.push_back(folder + file);
  }
  for (const std::string &folder : folders)
    for (const char *file : {"plugin", "memory", "kernel", "loop"})
      if (std::find(files.begin(), files.end(), folder + "/" + file) == files.end())
        out.push_back(folder + ": has no file " + file);
  return out;
}

Violations nothing_left_for_later(const Root &root) {
  // Put together here, so that this file does not break its own rule.
  static const std::array<std::string, 4> marks = {std::string("TO") + "DO", std::string("FIX") + "ME",
                                                   std::string("XX") + "X", std::string("HA") + "CK"};
  Violations out;
  for (const char *folder : written_folders)
    for (const Source &source : read_sources(root, folder))
      for (std::size_t i = 0; i < source.text.size(); ++i)
        for (const std::string &mark : marks)
          each_word(source.text[i], mark,
                    [&](std::size_t, std::size_t) { out.push_back(at(source, i + 1, "says " + mark)); });
  return out;
}

Violations license_in_the_last_line(const Root &root) {
  // Put together here: these words do not name the license of this file.
  static const std::string words = std::string("SPDX-License-") + "Identifier: MIT";
  static constexpr std::array endings = {".f90", ".F90", ".f90.in", ".py", ".sh", ".awk", ".cmake", "CMakeLists.txt"};
  const auto is_written = [](const Source &source) {
    if (is_code(source))
      return !source.path.ends_with(".h") ||
             !(below(source.path, "src/jit/prelude") || below(source.path, "src/plugins/exec_cuda/device"));
    return std::any_of(endings.begin(), endings.end(), [&](const char *end) { return source.path.ends_with(end); });
  };
  Violations out;
  std::vector<std::string> folders(written_folders.begin(), written_folders.end());
  folders.emplace_back("docs");
  for (const std::string &folder : folders)
    for (const Source &source : read_sources(root, folder))
      if (is_written(source) && (source.text.empty() || source.text.back().find(words) == std::string::npos))
        out.push_back(at(source, source.text.size(), "the last line does not say " + words));
  return out;
}

} // namespace arch

// SPDX-License-Identifier: MIT
