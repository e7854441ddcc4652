"""What holds for all tests of the studies."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before BLAS is loaded: tests run side by side
