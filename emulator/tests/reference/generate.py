"""Writes cases of operators, whose results PyTorch computes, into the files beside this one.

    python generate.py                  the files of the repository
    python generate.py --large FOLDER   more shapes and data types, for ASCENDCL_REFERENCE
"""

import pathlib
import sys

import backward
import drawn
import elementwise
import fed
import form
import formulas
import further
import inference
import joint
import later
import layers
import network
import places
import reduce
import rows
import scarce
import slopes
import spreads

FAMILIES = [elementwise.arithmetic, elementwise.compare, elementwise.function, elementwise.activation, reduce.reduce,
            reduce.normalize, reduce.matmul, places.shape, places.create, places.index, places.select, network.image,
            network.attention, network.experts, network.quantize, network.train, network.pick, formulas.formulas, formulas.gradients, formulas.lists,
            formulas.losses, inference.elements, inference.reductions, inference.layouts, spreads.spreads,
             backward.backward, backward.masked, further.resized, further.ranks, further.packed,
            later.sampled, later.sequences, later.fused, rows.tokens, rows.channels, rows.rows,
            drawn.in_place, drawn.drawn, drawn.scattered, drawn.paired,
            slopes.slopes, slopes.entropies, slopes.versions,
            scarce.inverses, scarce.plain, scarce.hinges, scarce.steps, joint.joint, joint.added, joint.segments, joint.reduced,
            layers.shards, layers.caches, layers.stored, layers.merged, layers.attended, layers.bags, layers.smooth,
            fed.fed, fed.routed]


def main():
    folder = pathlib.Path(__file__).parent
    if "--large" in sys.argv:
        folder = pathlib.Path(sys.argv[sys.argv.index("--large") + 1])
        folder.mkdir(parents=True, exist_ok=True)
        elementwise.LARGE = True
    for family in FAMILIES:
        # Each family has its own numbers, so that a new case changes no other file.
        form.random.seed(sum(map(ord, family.__name__)))
        family(family.__name__)
    for family, lines in form.FILES.items():
        (folder / f"{family}.txt").write_text("\n".join(lines) + "\n")


main()
