rockspec_format = "3.0"
package = "lathe"
version = "dev-1"
source = {
  url = "git+file://.",
}
description = {
  summary = "Open, look into, change and save the binary files of games",
  detailed = [[
lathe opens game-asset files, shows every field by name, changes what you want changed and leaves every
other byte as it was. A C core with a Lua module, a command-line tool and a REPL.]],
  license = "MIT",
  labels = { "binary", "gamedev", "modding", "commandline" },
}
dependencies = {
  "lua ~> 5.4",
  "luafilesystem >= 1.8",
  "argparse >= 0.7",
  "dkjson >= 2.5",
}
-- Debian: libqhull-dev, zlib1g-dev, libzstd-dev.
external_dependencies = {
  QHULL = { header = "libqhull_r/libqhull_r.h", library = "qhull_r" },
  ZLIB = { header = "zlib.h", library = "z" },
  ZSTD = { header = "zstd.h", library = "zstd" },
}
-- One pass: "make install-lua" builds what it installs, in a folder of its own.
build = {
  type = "make",
  build_pass = false,
  install_target = "install-lua",
  install_variables = {
    BUILD = "build/rock",
    WERROR = "",
    CC = "$(CC)",
    CFLAGS = "$(CFLAGS)",
    LIBFLAG = "$(LIBFLAG)",
    LUA_INCDIR = "$(LUA_INCDIR)",
    QHULL_INCDIR = "$(QHULL_INCDIR)",
    QHULL_LIBDIR = "$(QHULL_LIBDIR)",
    ZLIB_INCDIR = "$(ZLIB_INCDIR)",
    ZLIB_LIBDIR = "$(ZLIB_LIBDIR)",
    ZSTD_INCDIR = "$(ZSTD_INCDIR)",
    ZSTD_LIBDIR = "$(ZSTD_LIBDIR)",
    LUADIR = "$(LUADIR)",
    LUALIBDIR = "$(LIBDIR)",
    BINDIR = "$(BINDIR)",
  },
}
test = {
  type = "command",
  command = "make check",
}
