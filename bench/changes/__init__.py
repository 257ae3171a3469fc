"""Fits the network that tells changes of a quilt (`vision/quilt/changes.onnx`).

Run by hand, with PyTorch and ONNX installed beside (`pip install torch onnx`; nothing but this tool needs them):

    python -m bench.changes scenes FOLDER --from 0 --evenings 160          pairs of views of simulated boards
    python -m bench.changes recorded FOLDER RECORDING TRUTH --count 400    pairs out of a table recording
    python -m bench.changes fit FOLDER vision/quilt/changes.onnx --epochs 5
    python -m bench.changes fit FOLDER OUT.onnx --without desk             what taught nothing can be tested on

A pair is what the reader compares: the expected look, pieced together from the empty board and each patch as it was
laid, in the lights of those moments, and the look of another moment.
"""
