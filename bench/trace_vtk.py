"""trace_vtk.py FILE SEEDS STEP LONGEST: what vtkStreamTracer needs for the lines of bench_trace: nanoseconds of a step, then a line with the end of each line."""
import sys
import time

import vtk

file, seeds_file, step, longest = sys.argv[1], sys.argv[2], float(sys.argv[3]), float(sys.argv[4])
reader = vtk.vtkHDFReader()
reader.SetFileName(file)
reader.Update()
mesh = reader.GetOutput()
mesh.GetPointData().SetActiveVectors("velocity")

seeds = vtk.vtkPolyData()
points = vtk.vtkPoints()
points.SetDataTypeToDouble()
for line in open(seeds_file):
    points.InsertNextPoint([float(value) for value in line.split()])
seeds.SetPoints(points)


def trace():
    tracer = vtk.vtkStreamTracer()
    tracer.SetInputData(mesh)
    tracer.SetSourceData(seeds)
    tracer.SetIntegratorTypeToRungeKutta4()
    tracer.SetIntegrationDirectionToForward()
    tracer.SetIntegrationStepUnit(vtk.vtkStreamTracer.LENGTH_UNIT)
    tracer.SetInitialIntegrationStep(step)
    tracer.SetMaximumPropagation(longest)
    tracer.SetMaximumNumberOfSteps(100000)
    tracer.SetComputeVorticity(False)
    tracer.SetTerminalSpeed(0)
    begin = time.perf_counter()
    tracer.Update()
    return tracer.GetOutput(), time.perf_counter() - begin


trace()  # its locator is made once
lines, seconds = min((trace() for _ in range(3)), key=lambda run: run[1])
steps = lines.GetNumberOfPoints() - lines.GetNumberOfLines()
print(1e9 * seconds / steps)
ends = {}
ids = lines.GetCellData().GetArray("SeedIds")
for cell in range(lines.GetNumberOfCells()):
    nodes = lines.GetCell(cell).GetPointIds()
    ends[int(ids.GetValue(cell)) if ids else cell] = lines.GetPoint(nodes.GetId(nodes.GetNumberOfIds() - 1))
for seed in range(points.GetNumberOfPoints()):
    print(*(ends.get(seed, points.GetPoint(seed))))

# SPDX-License-Identifier: MIT
