"""Fit the network that tells changes of a quilt (`vision/quilt/changes.onnx`).

Run by hand, with PyTorch and ONNX installed beside (`pip install torch onnx`; nothing but this tool needs them):

    python -m bench.changes scenes FOLDER --from 0 --evenings 360      pairs of views of simulated boards
    python -m bench.changes fit FOLDER vision/quilt/changes.onnx --epochs 8 --without scenes-00000
    python -m bench.changes fit FOLDER OUT.onnx --epochs 3 --begin vision/quilt/changes.onnx
    python -m bench.changes calibrate --evenings 60                    what evidence is worth, by visibility

A pair is what the reader compares: the expected look, pieced together from the empty board and each patch as it was
laid, in the lights of those moments, and the look of another moment; half of them as degraded cameras show them. A
network that is fitted further (`--begin`) keeps to its earlier answers where nothing is degraded and they are right.
Table recordings teach nothing: so what they are read like tells what tables are read like that the program has never
seen.
"""
