"""What holds for all tests."""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before torch is imported: tests run side by side, networks are small
