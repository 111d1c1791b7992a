"""Decodes DDS files with Pillow and prints the pixels of each one as rows of r, g, b, a."""
import sys

from PIL import Image

for path in sys.argv[1:]:
    sys.stdout.buffer.write(Image.open(path).convert("RGBA").tobytes())
