-- What a whole run must have met, at least: a suite that shrinks by accident fails.
return {
  tests = 300,                                    -- C tests and specs together
  corpus = {                                      -- in the order of the line that reports them
    { "solid", 25 },
    { "fzx", 11 },
    { "phxbn", 34 },
    { "bad", 40 },
  },
}
