-- What a whole run must have met, at least: a suite that shrinks by accident fails.
return {
  tests = 2950,                                   -- C tests and specs together
  corpus = {                                      -- in the order of the line that reports them
    { "solid", 25 },
    { "fzx", 11 },
    { "anm", 30 },
    { "phxbn", 34 },
    { "save", 9 },
    { "bad", 71 },
    { "hkx", 16 },
    { "hkx samples", 9475 },
    { "nif", 115 },
    { "nif collision", 40 },
    { "precombined", 23 },
    { "precombined objects", 50 },
    { "instances", 126 },
    { "triangles", 138956 },
    { "geometry", 4 },
    { "tagfile", 4 },
    { "tagfile objects", 149 },
    { "tagfile types", 948 },
    { "tagfile bones", 189 },
    { "tagfile samples", 13608 },
    { "tagfile bodies", 22 },
    { "tagfile scaled", 1770 },
  },
}
