// scale_problem.cpp: see scale_problem.hpp.
#include "scale/scale_problem.hpp"

#include <algorithm>

#include "airfoil/airfoil_c.h"

namespace scale {

bool MeshLoop::executes_copies() const {
  return std::any_of(args.begin(), args.end(),
                     [](const LoopArg &arg) { return arg.map >= 0 && arg.access != Access::read; });
}

Problem airfoil(const naca::Mesh &m) {
  enum Map { edge_nodes, edge_cells, bedge_nodes, bedge_cell, cell_nodes };
  enum Dat { x, q, qold, res, adt, bound };
  constexpr int direct = -1, number = 8, state = 4 * number;
  Problem out;
  out.sets = {{"nodes", m.nnode}, {"edges", m.nedge}, {"bedges", m.nbedge}, {"cells", m.ncell}};
  out.maps = {{airfoil_edges, airfoil_nodes, 2, m.edge_nodes},
              {airfoil_edges, airfoil_cells, 2, m.edge_cells},
              {airfoil_bedges, airfoil_nodes, 2, m.bedge_nodes},
              {airfoil_bedges, airfoil_cells, 1, m.bedge_cell},
              {airfoil_cells, airfoil_nodes, 4, m.cell_nodes}};
  out.dats = {{"x", airfoil_nodes, 2 * number}, {"q", airfoil_cells, state},    {"qold", airfoil_cells, state},
              {"res", airfoil_cells, state},    {"adt", airfoil_cells, number}, {"bound", airfoil_bedges, 4}};
  out.loops.resize(AIRFOIL_KERNELS);
  out.loops[AIRFOIL_SAVE_SOLN] = {
      "save_soln", airfoil_cells, false, {{q, direct, Access::read}, {qold, direct, Access::write}}};
  out.loops[AIRFOIL_ADT_CALC] = {
      "adt_calc",
      airfoil_cells,
      false,
      {{x, cell_nodes, Access::read}, {q, direct, Access::read}, {adt, direct, Access::write}}};
  out.loops[AIRFOIL_RES_CALC] = {"res_calc",
                                 airfoil_edges,
                                 false,
                                 {{x, edge_nodes, Access::read},
                                  {q, edge_cells, Access::read},
                                  {adt, edge_cells, Access::read},
                                  {res, edge_cells, Access::inc}}};
  out.loops[AIRFOIL_BRES_CALC] = {"bres_calc",
                                  airfoil_bedges,
                                  false,
                                  {{x, bedge_nodes, Access::read},
                                   {q, bedge_cell, Access::read},
                                   {adt, bedge_cell, Access::read},
                                   {res, bedge_cell, Access::inc},
                                   {bound, direct, Access::read}}};
  out.loops[AIRFOIL_UPDATE] = {"update",
                               airfoil_cells,
                               true,
                               {{qold, direct, Access::read},
                                {q, direct, Access::write},
                                {res, direct, Access::rw},
                                {adt, direct, Access::read}}};
  out.iteration = {AIRFOIL_SAVE_SOLN};
  for (int stage = 0; stage < 2; ++stage)
    for (int loop = AIRFOIL_ADT_CALC; loop <= AIRFOIL_UPDATE; ++loop) out.iteration.push_back(loop);
  return out;
}

std::vector<double> cell_middles(const naca::Mesh &mesh) {
  std::vector<double> out;
  out.reserve(2 * static_cast<std::size_t>(mesh.ncell));
  for (std::size_t cell = 0; cell < static_cast<std::size_t>(mesh.ncell); ++cell)
    for (std::size_t d = 0; d < 2; ++d) {
      double sum = 0;
      for (std::size_t corner = 0; corner < 4; ++corner)
        sum += mesh.x[2 * static_cast<std::size_t>(mesh.cell_nodes[4 * cell + corner]) + d];
      out.push_back(sum / 4);
    }
  return out;
}

Schedule schedule(const Problem &problem) {
  struct State {
    bool exec = true, nonexec = true; // stale: nothing has been sent yet
  };
  std::vector<State> stale(problem.dats.size());
  const auto iterate = [&] {
    std::vector<Exchange> out;
    for (std::size_t place = 0; place < problem.iteration.size(); ++place) {
      const MeshLoop &loop = problem.loops[static_cast<std::size_t>(problem.iteration[place])];
      std::vector<State> needs(problem.dats.size(), {false, false});
      for (const LoopArg &arg : loop.args) {
        if (arg.access != Access::read && arg.access != Access::rw) continue;
        State &need = needs[static_cast<std::size_t>(arg.dat)];
        need.exec = need.exec || arg.map >= 0 || loop.executes_copies();
        need.nonexec = need.nonexec || arg.map >= 0;
      }
      Exchange exchange{place, {}};
      for (std::size_t dat = 0; dat < stale.size(); ++dat) {
        const bool exec = needs[dat].exec && stale[dat].exec, nonexec = needs[dat].nonexec && stale[dat].nonexec;
        if (exec || nonexec) exchange.dats.push_back({static_cast<int>(dat), exec, nonexec});
        stale[dat].exec = stale[dat].exec && !exec;
        stale[dat].nonexec = stale[dat].nonexec && !nonexec;
      }
      if (!exchange.dats.empty()) out.push_back(exchange);
      for (const LoopArg &arg : loop.args)
        if (arg.access != Access::read) stale[static_cast<std::size_t>(arg.dat)] = {true, true};
    }
    return out;
  };
  Schedule out;
  out.first = iterate();
  out.later = iterate();
  return out;
}

} // namespace scale

// SPDX-License-Identifier: MIT
