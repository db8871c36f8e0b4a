"""F1 of depth steps as Depth Pro's `boundary_metrics.py` defines it, for pairs in which all four depths are known."""
import numpy

# Ratios of adjacent depths that make a step; F1 is weighted by them.
RATIOS = numpy.linspace(1.05, 1.25, 10)


def mean_f1(recalls, precisions):
    """Of recall and precision by ratio, each the mean of four directions."""
    f1 = 2 * recalls * precisions / numpy.maximum(recalls + precisions, 1e-300)
    return (RATIOS * f1).sum() / RATIOS.sum()


def beyond(counts):
    """How many of these exceed each ratio; `counts` are numbers of ratios that are exceeded."""
    return numpy.bincount(counts, minlength=11)[::-1].cumsum()[-2::-1]


def f1(predicted, truth):
    """Of two maps, where NaN is unknown."""
    recalls, precisions = numpy.zeros(10), numpy.zeros(10)
    with numpy.errstate(invalid="ignore"):
        for first, second in ((numpy.s_[:, :-1], numpy.s_[:, 1:]), (numpy.s_[:-1], numpy.s_[1:])):
            ratio, true_ratio = predicted[second] / predicted[first], truth[second] / truth[first]
            # Comparisons with NaN are false.
            steps = numpy.maximum(numpy.maximum(ratio, 1 / ratio), numpy.maximum(true_ratio, 1 / true_ratio)) > RATIOS[0]
            ratio, true_ratio = ratio[steps], true_ratio[steps]
            for sign in (1, -1):
                found, there = numpy.searchsorted(RATIOS, ratio**sign), numpy.searchsorted(RATIOS, true_ratio**sign)
                both = beyond(numpy.minimum(found, there))
                there, found = beyond(there), beyond(found)
                recalls += both / numpy.maximum(there, 1) / 4
                precisions += both / numpy.maximum(found, 1) / 4
    return mean_f1(recalls, precisions)
