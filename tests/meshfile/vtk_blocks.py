"""vtk_blocks.py: the grids in what VTK's readers of several grids give."""
import vtk


def leaves(block, path=()):
    """(names on the way, grid) of all grids in what a reader of VTK gives."""
    if block is None:
        return
    if not block.IsA("vtkMultiBlockDataSet"):
        yield path, block
        return
    for k in range(block.GetNumberOfBlocks()):
        name = block.GetMetaData(k).Get(vtk.vtkCompositeDataSet.NAME()) if block.HasMetaData(k) else "?"
        yield from leaves(block.GetBlock(k), path + (name,))

# SPDX-License-Identifier: MIT
