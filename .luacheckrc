std = "lua54"
max_line_length = 110
self = false                                      -- an unused self of a method is no mistake
exclude_files = { "build" }
files["spec/**"] = { std = "+busted", max_line_length = 125 }
