"""What WebAssembly lacks of a library of functions: the two that agents use. The last bit seldom differs from C's."""

import numpy as np

from cardtable.table.compiling.compiler import compiler_of

LN2 = 0.6931471805599453
LN2_HIGH = 0.693147180369123816490  # its first 32 bits, so that small multiples of it are exact
LN2_LOW = 1.90821492927058770002e-10
LARGEST, SMALLEST = 709.0, -708.0  # beyond these, the kernel and the agents need no more than infinity and 0
SPLITTER = 134217729.0  # 2 to the power of 27, plus 1
TERMS = 14  # of the series, for numbers below a third

compiled = compiler_of(__file__)


@compiled
def power_of_two(k):
    """2 to the power of a whole number."""
    power, base, left = 1.0, 2.0 if k > 0 else 0.5, abs(k)
    while left > 0:
        if left % 2 == 1:
            power *= base
        base *= base
        left //= 2
    return power


@compiled
def exponential(x):
    """Return e to the power of x: 2 to the power of a whole number, times the series for what remains."""
    if not SMALLEST <= x <= LARGEST:
        return 0.0 if x < SMALLEST else np.inf if x > LARGEST else np.nan
    k = np.floor(x / LN2 + 0.5)
    rest = x - k * LN2_HIGH
    error = k * LN2_LOW
    small = rest - error
    error = rest - small - error
    series = 0.0
    for n in range(TERMS, 1, -1):
        series = (series + 1.0) * small / n
    tail = series * small + error + error * small
    whole = 1.0 + small
    return (whole + (small - (whole - 1.0) + tail)) * power_of_two(np.int64(k))


@compiled
def rounding_error(x, y, product):
    """What a product is short of, because it was rounded; each factor is split into halves whose products are exact."""
    x_high, y_high = x * SPLITTER - (x * SPLITTER - x), y * SPLITTER - (y * SPLITTER - y)
    x_low, y_low = x - x_high, y - y_high
    return x_low * y_low - (product - x_high * y_high - x_low * y_high - x_high * y_low)


@compiled
def power(x, y):
    """Return x to the power of y, a whole number; agents have no other powers."""
    if y < 0 or y != np.floor(y):
        return np.nan
    result, error = 1.0, 0.0
    for _ in range(np.int64(y)):
        product = result * x
        error = error * x + rounding_error(result, x, product)
        result = product
    return result + error
