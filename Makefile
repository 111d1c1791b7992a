# lathe: the only build. `make` builds, `make test` tests, `make help` lists the rest.
#
# On a bare Debian only make and git are there, so nothing here may need a compiler, Lua or pkg-config
# while this file is read: such variables are recursive (=) and expand in recipes, after the set-up.
# Other compilers and flags go to directories of their own: make CC=clang BUILD=build/clang

BUILD   = build
# A whole path into this folder is the same build: what objects depend on is noted by their names.
override BUILD := $(patsubst $(CURDIR)/%,%,$(BUILD))
CFLAGS ?= -O2 -g
WERROR  = -Werror
ifeq ($(origin CC),default)
CC := gcc
endif

PREFIX     ?= /usr/local
BINDIR     ?= $(PREFIX)/bin
LIBDIR     ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
LUADIR     ?= $(PREFIX)/share/lua/5.4
LUALIBDIR  ?= $(PREFIX)/lib/lua/5.4
EXAMPLEDIR ?= $(PREFIX)/share/lathe/examples
MANDIR     ?= $(PREFIX)/share/man
SCHEMADIR  ?= $(PREFIX)/share/lathe
VIEWERDIR  ?= $(PREFIX)/share/lathe/viewer
BASHDIR    ?= $(PREFIX)/share/bash-completion/completions
ZSHDIR     ?= $(PREFIX)/share/zsh/site-functions
FISHDIR    ?= $(PREFIX)/share/fish/vendor_completions.d

# QHULL=no: built without qhull, so without convex hulls ("built without qhull" says who wants one).
QHULL      = yes
NO_QHULL   = $(filter no,$(QHULL))
# ZLIB=no: built without zlib, so without compressed geometry files (.csg; "built without zlib").
ZLIB       = yes
NO_ZLIB    = $(filter no,$(ZLIB))
# ZSTD=no: built without zstd: files that are compressed with it are refused.
ZSTD       = yes
NO_ZSTD    = $(filter no,$(ZSTD))

TIME = 60
LUA  = lua5.4

# make V=1 shows the commands.
Q   := $(if $(V),,@)
say  = $(if $(V),,@echo '$(1) $@')

# ---- what is there --------------------------------------------------------------------------------

VERSION := $(shell sed -n 's/^.define LATHE_VERSION "\(.*\)"/\1/p' core/lathe.h)
MAJOR   := $(firstword $(subst ., ,$(VERSION)))

# Set by `make windows`: the other twin of the files with calls to the system.
OS_TWIN  = posix
CORE_SRC := $(filter-out core/base/os_%,$(sort $(shell find core -name '*.c'))) \
            $(wildcard core/base/os_$(OS_TWIN)*.c)
# C that is made from text (core/schema/README.md): of each unit, the files of a folder schema/, "gen/UNIT.c" and the header
# "gen/UNIT_types.h".
SCHEMA     := $(sort $(shell find core -path '*/schema/*.schema'))
unit_of     = $(notdir $(patsubst %/schema/,%,$(dir $(1))))
generated   = $(sort $(foreach f,$(1),gen/$(call unit_of,$(f)).c))
GEN_SRC    := $(call generated,$(SCHEMA))
MADE_UP_SCHEMA := $(sort $(shell find spec/support -path '*/schema/*.schema' 2>/dev/null))
MADE_UP_GEN := $(call generated,$(MADE_UP_SCHEMA))
GEN_HEADER := $(sort $(foreach f,$(SCHEMA) $(MADE_UP_SCHEMA),$(BUILD)/gen/$(call unit_of,$(f))_types.h))
BINDING_SRC := $(sort $(wildcard bindings/*.c))
LUA_SRC     := $(patsubst scripts/lathe/%,%,$(sort $(shell find scripts/lathe -name '*.lua')))
EXAMPLES    := $(patsubst scripts/examples/%,%,$(sort $(wildcard scripts/examples/*)))
# What `make viewer` made, which is installed if it is there.
VIEWER_FILES = LICENSE.three page.html viewer.css viewer.js
VIEWER       = $(if $(wildcard build/viewer/viewer.js),$(VIEWER_FILES))
HOST_SRC    := $(sort $(wildcard spec/c/host_*.c)) spec/c/preview_host.c

# Formats that no game has, for the schema engine's own tests: the library and the module with
# core/formats.c replaced. What is named engine* or made_up* links (or loads) this variant.
MADE_UP_SRC  := $(sort $(wildcard spec/support/made_up*.c))
made_up       = $(foreach f,$(1),$(if $(filter made_up% engine% fuzz_made_up% fuzz_engine%,$(notdir $(f))),$(f)))

# Of `make plain`: only these sources use REC_FORGETS (core/record/doc.h), so all other objects are those of $(SAME).
SAME          =
FORGETFUL    := $(if $(SAME),$(shell grep -rlw REC_FORGETS core --include='*.c'))
folder_of     = $(if $(and $(SAME),$(filter-out $(FORGETFUL),$(1))),$(SAME),$(BUILD))
objects       = $(foreach f,$(1),$(call folder_of,$(f))/obj/$(f:.c=.o))
CORE_OBJ     := $(call objects,$(CORE_SRC) $(GEN_SRC))
BINDING_OBJ  := $(call objects,$(BINDING_SRC))
MADE_UP_OBJ  := $(filter-out $(call objects,core/formats.c),$(CORE_OBJ)) $(call objects,$(MADE_UP_SRC) $(MADE_UP_GEN))

programs      = $(patsubst %.c,$(BUILD)/%,$(sort $(wildcard $(1))))
C_TESTS      := $(call programs,spec/c/*_test.c)
C_BENCHES    := $(call programs,spec/bench/*.c)
C_TOOLS      := $(call programs,spec/c/schema_lint.c)
C_HOSTS      := $(call programs,spec/c/*_host.c)
FUZZERS      := $(call programs,spec/fuzz/fuzz_*.c)
C_PROGRAMS   := $(C_TESTS) $(C_BENCHES) $(C_TOOLS) $(C_HOSTS)
# Libraries that tests preload (the rest of spec/support/*.c).
PRELOADS     := $(patsubst spec/support/%.c,$(BUILD)/spec/%.so,\
                $(filter-out $(MADE_UP_SRC) spec/support/planted_faults.c,$(wildcard spec/support/*.c)))

LIBRARY  := $(BUILD)/liblathe.a $(BUILD)/liblathe.so
MODULE   := $(if $(BINDING_SRC),$(BUILD)/lathe/core.so $(BUILD)/bin/lathe)
STUBS    := $(if $(BINDING_SRC),$(BUILD)/types/lathe.lua)
MADE_UP  := $(if $(and $(MADE_UP_SRC),$(BINDING_SRC)),$(BUILD)/spec/lathe/core.so)

# ---- flags ----------------------------------------------------------------------------------------

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wstrict-prototypes -Wmissing-prototypes \
           -Wcast-qual -Wformat=2 -Wundef -Wvla
# What core decides, and the pixels of pictures, must not depend on whether a compiler fuses a product and a sum.
COMPILE  = $(CC) -std=c11 -ffp-contract=off $(WARNINGS) $(WERROR) -fPIC -fvisibility=hidden -Icore -I$(BUILD) \
           $(QHULL_DEFINE) $(ZLIB_DEFINE) $(ZSTD_DEFINE) $(CPPFLAGS) $(CFLAGS)
LINK     = $(CC) $(CFLAGS) $(LDFLAGS)
LUA_CFLAGS = $(if $(LUA_INCDIR),-I$(LUA_INCDIR),$(shell pkg-config --cflags lua5.4))
QHULL_DEFINE = $(if $(NO_QHULL),,-DLATHE_QHULL)
QHULL_CFLAGS = $(if $(QHULL_INCDIR),-I$(QHULL_INCDIR),$(shell pkg-config --cflags qhull_r))
QHULL_LIBS   = $(if $(NO_QHULL),,$(if $(QHULL_LIBDIR),-L$(QHULL_LIBDIR) -lqhull_r,$(shell pkg-config --libs qhull_r)))
ZLIB_DEFINE  = $(if $(NO_ZLIB),,-DLATHE_ZLIB)
ZLIB_CFLAGS  = $(if $(ZLIB_INCDIR),-I$(ZLIB_INCDIR),$(shell pkg-config --cflags zlib))
ZLIB_LIBS    = $(if $(NO_ZLIB),,$(if $(ZLIB_LIBDIR),-L$(ZLIB_LIBDIR) -lz,$(shell pkg-config --libs zlib)))
ZSTD_DEFINE  = $(if $(NO_ZSTD),,-DLATHE_ZSTD)
ZSTD_CFLAGS  = $(if $(ZSTD_INCDIR),-I$(ZSTD_INCDIR),$(shell pkg-config --cflags libzstd))
ZSTD_LIBS    = $(if $(NO_ZSTD),,$(if $(ZSTD_LIBDIR),-L$(ZSTD_LIBDIR) -lzstd,$(shell pkg-config --libs libzstd)))
OTHER_LIBS   = $(QHULL_LIBS) $(ZLIB_LIBS) $(ZSTD_LIBS)
SANITIZE = -fsanitize=address,undefined -fno-omit-frame-pointer

# ---- set-up ---------------------------------------------------------------------------------------

BUILD_PACKAGES = gcc binutils libc6-dev pkg-config lua5.4 liblua5.4-dev $(if $(NO_QHULL),,libqhull-dev) \
                 $(if $(NO_ZLIB),,zlib1g-dev) $(if $(NO_ZSTD),,libzstd-dev)
DEMO_PACKAGES  = $(BUILD_PACKAGES) lua-argparse lua-dkjson lua-filesystem lugaru-data
TEST_PACKAGES  = $(DEMO_PACKAGES) lua-busted lua-readline libcmocka-dev luarocks bsdutils git parallel procps \
                 man-db bash-completion zsh fish python3-jsonschema python3-pil
DEV_PACKAGES   = $(TEST_PACKAGES) clang libclang-rt-14-dev clang-format lua-check lua-ldoc \
                 gcc-mingw-w64-x86-64 valgrind chromium chromium-driver wine wine64

# The goals that install what they miss; everything that is built waits for it.
NEEDS := $(if $(filter demo,$(MAKECMDGOALS)),setup-demo) $(if $(filter test blender,$(MAKECMDGOALS)),setup) \
         $(if $(filter check checks lint format asan plain fuzz windows valgrind doc,$(MAKECMDGOALS)),setup-dev)

.PHONY: all help setup setup-demo setup-dev demo test check checks lint format asan plain valgrind fuzz \
        replay bench blender pictures windows doc viewer install install-lib install-lua install-pages uninstall clean programs \
        test-programs second-compiler fuzzers windows-programs run-asan run-plain check-schemas check-symbols check-tree \
        check-unused FORCE
.DELETE_ON_ERROR:

all: $(LIBRARY) $(MODULE) $(STUBS)           ## library, Lua module and tool (the default)

help:                                        ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## \(.*\)/\1	\2/p' Makefile bindings/web/web.mk | expand -t 16

setup:                                       ## install what build, demo and tests need
	@sh spec/support/setup.sh $(TEST_PACKAGES)
	@sh spec/support/setup_npm.sh
	@sh scripts/viewer/build.sh --optional build/viewer
setup-demo:
	@sh spec/support/setup.sh $(DEMO_PACKAGES)
setup-dev:                                   ## … and lint, sanitizers, fuzzers, cross-compiler
	@sh spec/support/setup.sh $(DEV_PACKAGES)
	@sh spec/support/setup_npm.sh
	@sh scripts/viewer/build.sh --optional build/viewer

# ---- building -------------------------------------------------------------------------------------

# Changes when the compiler or a flag does, and only then: everything compiled depends on it.
$(BUILD)/flags: FORCE | $(NEEDS)
	@mkdir -p $(@D)
	@echo '$(COMPILE) $(LDFLAGS)' | cmp -s - $@ || echo '$(COMPILE) $(LDFLAGS)' > $@

$(BUILD)/obj/core/%.o: EXTRA = $(if $(filter windows,$(OS_TWIN)),-DLATHE_SHARED)
$(BUILD)/obj/core/model/hull_qhull.o: EXTRA += $(if $(NO_QHULL),,$(QHULL_CFLAGS))
$(BUILD)/obj/core/base/deflate.o: EXTRA += $(if $(NO_ZLIB),,$(ZLIB_CFLAGS))
$(BUILD)/obj/core/base/zstd.o: EXTRA += $(if $(NO_ZSTD),,$(ZSTD_CFLAGS))
$(BUILD)/obj/bindings/%.o: EXTRA = $(LUA_CFLAGS)
$(BUILD)/obj/spec/%.o: EXTRA = -Ispec/support
$(BUILD)/obj/spec/bench/geometry.o: EXTRA += $(if $(NO_ZLIB),,$(ZLIB_CFLAGS))
$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(GEN_HEADER)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@
$(BUILD)/obj/gen/%.o: $(BUILD)/gen/%.c $(BUILD)/flags | $(GEN_HEADER)
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(COMPILE) $(EXTRA) -MMD -MP -c $< -o $@

# All from one run, which leaves alone what comes out as it was: then nothing is compiled anew.
GENERATE = $(LUA) core/schema/generate.lua $(BUILD)/gen $(SCHEMA) $(MADE_UP_SCHEMA)
stale    = $(filter-out $(addprefix $(BUILD)/,$(GEN_SRC) $(MADE_UP_GEN)),$(wildcard $(BUILD)/gen/*.c))
$(BUILD)/gen/stamp: $(SCHEMA) $(MADE_UP_SCHEMA) $(wildcard core/schema/generate.lua core/schema/generate/*.lua) $(BUILD)/sources
	@mkdir -p $(@D)
	$(call say,GEN )
	$(Q)rm -f $(stale) $(patsubst $(BUILD)/gen/%.c,$(BUILD)/obj/gen/%.o,$(stale))
	$(Q)$(GENERATE) && touch $@
$(addprefix $(BUILD)/,$(GEN_SRC) $(MADE_UP_GEN)) $(GEN_HEADER): $(BUILD)/gen/stamp
	$(Q)test -e $@ || $(GENERATE)

# Names that schemas leave to the Lua API.
RESERVED := $(BUILD)/gen/record_reserved.h
$(RESERVED): $(wildcard scripts/lathe/members/*.lua) core/record/reserved.lua | $(NEEDS)
	@mkdir -p $(@D)
	$(call say,GEN )
	$(Q)$(LUA) core/record/reserved.lua > $@
$(BUILD)/obj/core/record/lint.o: $(RESERVED)

# Every object is listed anew where a source was added or removed.
$(BUILD)/sources: FORCE | $(NEEDS)
	@mkdir -p $(@D)
	@echo '$(CORE_SRC) $(GEN_SRC) $(BINDING_SRC) $(MADE_UP_SRC) $(MADE_UP_GEN)' | cmp -s - $@ || \
	    echo '$(CORE_SRC) $(GEN_SRC) $(BINDING_SRC) $(MADE_UP_SRC) $(MADE_UP_GEN)' > $@

# One object in which only the functions of core/lathe.h are global, because a host may have a vec3_add of its
# own. Windows has no visibility of symbols, so names are chosen by their prefix there.
OBJCOPY  ?= objcopy
RELOCATABLE = -r -nostdlib $(if $(findstring -flto,$(CFLAGS)),$(CFLAGS) -flinker-output=nolto-rel)
KEEP_API  = $(if $(filter windows,$(OS_TWIN)),--wildcard --keep-global-symbol='lathe_*',--localize-hidden)
$(BUILD)/obj/liblathe.o: $(CORE_OBJ) $(BUILD)/sources
	$(call say,LINK)
	$(Q)$(CC) $(RELOCATABLE) $(filter %.o,$^) -o $@
	$(Q)$(OBJCOPY) $(KEEP_API) $@

$(BUILD)/liblathe.a: $(BUILD)/obj/liblathe.o
# With all names, for tests of internal functions.
$(BUILD)/spec/liblathe_inside.a: $(CORE_OBJ) $(BUILD)/sources
$(BUILD)/spec/libmade_up.a: $(MADE_UP_OBJ) $(BUILD)/sources
$(BUILD)/%.a:
	@mkdir -p $(@D) && rm -f $@
	$(call say,AR  )
	$(Q)$(AR) rcs $@ $(filter %.o,$^)

$(BUILD)/liblathe.so: $(CORE_OBJ) $(BUILD)/sources
	$(call say,LINK)
	$(Q)$(LINK) -shared -Wl,-soname,liblathe.so.$(MAJOR) $(if $(findstring sanitize,$(CFLAGS)),,-Wl,-z,defs) \
	    $(filter %.o,$^) $(OTHER_LIBS) -lm -o $@
	@ln -sf liblathe.so $@.$(MAJOR)

# The module shows one symbol, so that it never mixes with a liblathe that its host links.
$(BUILD)/lathe/core.so: $(CORE_OBJ) $(BINDING_OBJ) $(BUILD)/sources
$(BUILD)/spec/lathe/core.so: $(MADE_UP_OBJ) $(BINDING_OBJ) $(BUILD)/sources
$(BUILD)/lathe/core.so $(BUILD)/spec/lathe/core.so:
	@mkdir -p $(@D) && echo '{ global: luaopen_lathe_core; local: *; };' > $@.map
	$(call say,LINK)
	$(Q)$(LINK) $(or $(LIBFLAG),-shared) -Wl,--version-script=$@.map $(filter %.o,$^) $(OTHER_LIBS) -lm -o $@

# The tool of the tree on the module of this build.
PRELOAD = package.preload["lathe.core"] = package.loadlib("$(abspath $(BUILD))/lathe/core.so", "luaopen_lathe_core")
$(BUILD)/bin/lathe: Makefile | $(NEEDS)
	@mkdir -p $(@D)
	@printf '%s\n' '#!/bin/sh' 'exec $(LUA) -e '"'"'$(PRELOAD)'"' '$(CURDIR)/scripts/bin/lathe' "'"$$@"' > $@
	@chmod +x $@

# What an editor knows of every record, from the schemas. A sanitized module loads only into a program
# that preloads the sanitizers; nobody edits with its stubs.
$(BUILD)/types/lathe.lua: $(MODULE) scripts/lathe/tree/stubs.lua scripts/lathe/tree/verbs.lua \
    $(wildcard scripts/lathe/members/*.lua)
	@mkdir -p $(@D)
	$(call say,GEN )
	$(Q)$(if $(findstring sanitize,$(CFLAGS)),touch $@,$(LUA) -e '$(PRELOAD) package.path = "scripts/?.lua;scripts/?/init.lua;" .. package.path \
	    io.write(require("lathe.tree.stubs").text())' > $@)

$(filter-out $(call made_up,$(C_PROGRAMS) $(FUZZERS)),$(C_PROGRAMS) $(FUZZERS)): $(BUILD)/spec/liblathe_inside.a
$(call made_up,$(C_PROGRAMS) $(FUZZERS)): $(BUILD)/spec/libmade_up.a
$(FUZZERS): LIBS = -fsanitize=fuzzer
$(C_TESTS): LIBS = -lcmocka
$(C_PROGRAMS) $(FUZZERS): $(BUILD)/%: $(BUILD)/obj/%.o
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(LINK) $(filter %.o,$^) $(filter %.a,$^) $(LIBS) $(OTHER_LIBS) -lm -o $@

# The module with core/lugaru as core/ADDING-A-FORMAT.md has it: spec/unit/tutorial_spec.lua writes the files of that page to
# $(TUTORIAL)/core/lugaru. All else is linked as it was built.
TUTORIAL      = $(BUILD)/spec/tutorial
TUTORIAL_SRC  = $(wildcard $(TUTORIAL)/core/lugaru/*.c) $(TUTORIAL)/gen/lugaru.c
TUTORIAL_REST = $(filter-out $(BUILD)/obj/core/lugaru/% $(BUILD)/obj/gen/lugaru.o,$(CORE_OBJ)) $(BINDING_OBJ)
.PHONY: tutorial
tutorial:
	@mkdir -p $(TUTORIAL)/gen $(TUTORIAL)/lathe
	$(Q)$(LUA) core/schema/generate.lua $(TUTORIAL)/gen $(wildcard core/record/schema/*.schema $(TUTORIAL)/core/lugaru/schema/*.schema)
	$(Q)$(subst -Icore,-I$(TUTORIAL)/core -I$(TUTORIAL) -Icore,$(COMPILE)) -shared $(TUTORIAL_SRC) \
	    $(TUTORIAL_REST) $(OTHER_LIBS) -lm -o $(TUTORIAL)/lathe/core.so

$(PRELOADS): $(BUILD)/spec/%.so: spec/support/%.c $(BUILD)/flags
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(filter-out -fsanitize% -fno-sanitize%,$(COMPILE)) $(LUA_CFLAGS) -shared $< -ldl -o $@

# Unlike those, built with sanitizers.
$(BUILD)/spec/planted_faults.so: spec/support/planted_faults.c $(BUILD)/liblathe.a
	@mkdir -p $(@D)
	$(call say,LINK)
	$(Q)$(COMPILE) $(LUA_CFLAGS) -shared $^ $(OTHER_LIBS) -lm -ldl -o $@

# The page of `lathe view` without what a document adds to it. npm fetches three.js and a bundler for it; a lathe without it
# works, and `lathe view` says what is missing.
viewer:                                      ## the viewer of `lathe view`; needs npm and, the first time, a network
	@sh scripts/viewer/build.sh build/viewer

include bindings/web/web.mk

test-programs: all $(MADE_UP) $(C_TESTS) $(C_HOSTS) $(PRELOADS)
programs: test-programs $(C_PROGRAMS)

# What specs want of a second compiler: the module and one host. Of all other C, only its warnings.
READ_ONLY := $(filter-out spec/c/preview_host.c %/planted_faults.c,$(foreach f,c bench support,$(wildcard spec/$(f)/*.c))) \
             $(addprefix $(BUILD)/,$(MADE_UP_GEN))
READ_DIRS := $(sort $(dir $(READ_ONLY)))
.PHONY: $(READ_DIRS:%=read-%)
second-compiler: $(BUILD)/liblathe.so $(MODULE) $(BUILD)/spec/c/preview_host $(READ_DIRS:%=read-%)
$(READ_DIRS:%=read-%): read-%: $(addprefix $(BUILD)/,$(MADE_UP_GEN)) $(BUILD)/flags | $(GEN_HEADER)
	$(call say,READ)
	$(Q)$(COMPILE) -Ispec/support $(LUA_CFLAGS) $(ZLIB_CFLAGS) -fsyntax-only $(filter $*%,$(READ_ONLY))
fuzzers: $(FUZZERS)

-include $(shell find $(BUILD)/obj -name '*.d' 2>/dev/null)

# ---- demo, tests, checks --------------------------------------------------------------------------

TREE_ENV  = LATHE_BUILD='$(abspath $(BUILD))' PATH='$(abspath $(BUILD))/bin':"$$PATH" \
            LUA_PATH_5_4='$(CURDIR)/scripts/?.lua;$(CURDIR)/scripts/?/init.lua;;' \
            LUA_CPATH_5_4='$(abspath $(BUILD))/?.so;;'
RUN_TESTS = env -u MAKEFLAGS -u MAKELEVEL LATHE_BUILD='$(abspath $(BUILD))' $(LUA) spec/support/run_tests.lua

demo: setup-demo all                         ## open a real game model, change it, save it
	@$(TREE_ENV) sh scripts/examples/demo.sh

test: setup test-programs                    ## all tests; installs what is missing
	@$(RUN_TESTS) $(C_TESTS)

check: checks test-programs                  ## schemas, symbols, layers, fuzz corpus, then all tests
	@$(RUN_TESTS) $(C_TESTS)

# Each a target of its own: with -j they run beside each other.
checks: check-schemas check-symbols check-tree check-unused replay
check-schemas: setup-dev $(C_TOOLS)
	@for tool in $(C_TOOLS); do echo "$$tool" && $$tool || exit 1; done
check-symbols: setup-dev all
	@sh spec/support/check_symbols.sh $(BUILD)
check-tree check-unused: check-%: setup-dev all
	@$(TREE_ENV) $(LUA) spec/support/check_$*.lua

lint: setup-dev                              ## style of C, Lua, rockspecs and text
	@sh spec/support/lint.sh

format: setup-dev                            ## rewrite the C sources in the house style
	@sh spec/support/lint.sh --format

# gcc's sanitizers; leaks count. They also make up warnings (-w). Tests tagged #tools run compilers and
# LuaRocks: not under ASan. Lua allocates a lot, and ASan walks the stack for each block: two frames halve the time of
# the run. For whole stacks: make asan ASAN_OPTIONS=malloc_context_size=30. A quarantine of 32 MB touches fewer pages.
# Small objects of Lua itself, but no userdata and strings, come from a pool without red zones: spec/support/lua_pool.c.
# What UBSan finds is an illegal instruction, which ASan reports with file and line (handle_sigill): for messages, each check
# would need data with addresses, 10 MB of which every start of a process had to relocate. The fuzz targets have messages.
# Two checks of UBSan are left to the fuzz targets: ASan mostly finds the same, and they cost 5 to 10 % of the run.
asan: setup-dev                              ## all tests under AddressSanitizer and UBSan
	@$(MAKE) --no-print-directory BUILD=build/asan CC=gcc WERROR=-w \
	    CFLAGS='-O1 -g1 $(SANITIZE) -fno-sanitize=null,object-size -fsanitize-undefined-trap-on-error' \
	    test-programs build/asan/spec/planted_faults.so
	@$(MAKE) --no-print-directory BUILD=build/asan run-asan
run-asan:
	@LATHE_PRELOAD="$$(gcc -print-file-name=libasan.so)" \
	    ASAN_OPTIONS="handle_sigill=1:$${ASAN_OPTIONS:-malloc_context_size=2:quarantine_size_mb=32}" \
	    $(RUN_TESTS) --exclude-tags=tools $(C_TESTS)

# What the library keeps must show in nothing but time: random edits once more without any of it.
plain: setup-dev all $(MADE_UP)              ## tests of random edits with nothing kept from one change to the next
	@test "$$(grep -rlw REC_FORGETS core --include='*.h')" = core/record/doc.h || \
	    { echo 'REC_FORGETS is for .c files: those that use it are built anew'; exit 1; }
	@$(MAKE) --no-print-directory BUILD=build/plain SAME='$(BUILD)' CFLAGS='$(CFLAGS) -DLATHE_FORGETS' run-plain
run-plain: $(MODULE) $(MADE_UP) $(BUILD)/spec/c/engine_random_test
	@$(RUN_TESTS) --exclude-tags=tools,kept --only=random,follows_spec,index_spec,engine_edits $(BUILD)/spec/c/engine_random_test

valgrind: setup-dev programs                 ## the Lua tests under valgrind
	@LATHE_RUNNER='valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite' \
	    $(RUN_TESTS) --exclude-tags=tools,slow

FUZZ_O = -O1
FUZZ = $(MAKE) --no-print-directory BUILD=build/fuzz CC=clang \
       CFLAGS='$(FUZZ_O) -g1 -fsanitize=fuzzer-no-link $(SANITIZE) -fno-sanitize-recover=all' fuzzers
fuzz: setup-dev all                          ## each fuzz target for TIME seconds (60)
	+@$(FUZZ)
	@$(TREE_ENV) sh spec/support/fuzz.sh build/fuzz $(TIME)
replay: setup-dev all                        ## each fuzz target over its corpus, once
	+@$(FUZZ)
	@$(TREE_ENV) sh spec/support/fuzz.sh build/fuzz replay

bench: all $(MADE_UP) $(C_BENCHES) $(PRELOADS) ## speed, as ratios to memcpy, string.unpack, …
	@$(TREE_ENV) sh spec/support/bench.sh $(C_BENCHES)

blender: setup test-programs                 ## installs Blender; clips of the corpus go there and back
	@sh spec/support/setup.sh blender python3-numpy
	@$(RUN_TESTS) --only=blender_spec

# The same pixels come out everywhere, but not always the same bytes: another zlib may pack them otherwise.
pictures: all                                ## the pictures of README and the guides, with this lathe
	@$(LUA) spec/support/guide_pictures.lua '$(abspath $(BUILD))/bin/lathe' scripts/guides/pictures

# The warnings are the same but one: mingw's isfinite() narrows the double that it is given.
WINDOWS = x86_64-w64-mingw32
windows: setup-dev                           ## cross-compile core and the C hosts
	@$(MAKE) --no-print-directory BUILD=build/windows OS_TWIN=windows QHULL=no ZLIB=no ZSTD=no CC=$(WINDOWS)-gcc \
	    AR=$(WINDOWS)-ar OBJCOPY=$(WINDOWS)-objcopy CPPFLAGS='-D__USE_MINGW_ANSI_STDIO=1 -Wno-float-conversion' windows-programs
	@NM=$(WINDOWS)-nm sh spec/support/check_symbols.sh build/windows archive
windows-programs: $(BUILD)/liblathe.a $(BUILD)/lathe.dll $(HOST_SRC:spec/c/%.c=$(BUILD)/%.exe)
$(BUILD)/lathe.dll: $(CORE_OBJ)
	$(call say,LINK)
	$(Q)$(LINK) -shared $(filter %.o,$^) -Wl,--out-implib,$(BUILD)/liblathe.dll.a -o $@
$(BUILD)/%.exe: spec/c/%.c $(BUILD)/liblathe.a
	$(call say,CC  )
	$(Q)$(COMPILE) $< $(BUILD)/liblathe.a -o $@

# Formats have pages that follow from their schemas. The second run only looks at the comments of what
# is no part of the manual.
doc: setup-dev $(MODULE)                     ## the manual: the Lua API and all formats, in build/doc
	@rm -rf build/manual build/doc && mkdir -p build/manual
	@$(TREE_ENV) $(LUA) -e 'require("lathe.tree.manual").write("build/manual")'
	@ldoc --fatalwarnings .
	@cp -R scripts/guides/pictures build/doc/topics/
	@ldoc --fatalwarnings -q -c /dev/null -f backtick -d build/doc-inside scripts/lathe

# ---- installing -----------------------------------------------------------------------------------

# Not every prefix is on Lua's path: the installed tool is told where its modules are.
install: install-lib install-lua install-pages ## honours DESTDIR, PREFIX, BINDIR, LIBDIR, LUADIR, …
	install -d '$(DESTDIR)$(dir $(EXAMPLEDIR))'
	ln -sfnT "$$(realpath -m --relative-to='$(dir $(EXAMPLEDIR))' '$(LUADIR)/lathe/examples')" '$(DESTDIR)$(EXAMPLEDIR)'
	$(if $(VIEWER),install -d '$(DESTDIR)$(dir $(VIEWERDIR))')
	$(if $(VIEWER),ln -sfnT "$$(realpath -m --relative-to='$(dir $(VIEWERDIR))' '$(LUADIR)/lathe/viewer')" '$(DESTDIR)$(VIEWERDIR)')
	sed -i 's|^local LUADIR, LIBDIR = .*|local LUADIR, LIBDIR = "$(LUADIR)", "$(LUALIBDIR)"|' \
	    '$(DESTDIR)$(BINDIR)/lathe'

install-lib: $(LIBRARY)
	install -d '$(DESTDIR)$(INCLUDEDIR)' '$(DESTDIR)$(LIBDIR)/pkgconfig'
	install -m 644 core/lathe.h '$(DESTDIR)$(INCLUDEDIR)/lathe.h'
	install -m 644 $(BUILD)/liblathe.a '$(DESTDIR)$(LIBDIR)/liblathe.a'
	install -m 755 $(BUILD)/liblathe.so '$(DESTDIR)$(LIBDIR)/liblathe.so.$(VERSION)'
	ln -sf liblathe.so.$(VERSION) '$(DESTDIR)$(LIBDIR)/liblathe.so.$(MAJOR)'
	ln -sf liblathe.so.$(MAJOR) '$(DESTDIR)$(LIBDIR)/liblathe.so'
	for pc in lathe lathe-static; do \
	    sed -e 's|@VERSION@|$(VERSION)|' core/$$pc.pc.in \
	        -e 's|@REQUIRES@|$(if $(NO_QHULL),,qhull_r) $(if $(NO_ZLIB),,zlib) $(if $(NO_ZSTD),,libzstd)|' \
	        -e "s|@INCLUDEDIR@|$$(realpath -m --relative-to='$(LIBDIR)/pkgconfig' '$(INCLUDEDIR)')|" \
	        > '$(DESTDIR)$(LIBDIR)/pkgconfig'/$$pc.pc || exit 1; done

# Man pages, completions and the schema of JSON output, which the tool makes from its help; so it must be able to run.
install-pages: $(MODULE)
	@$(LUA) -e 'require "argparse" require "lfs" require "dkjson"' 2>/dev/null || { \
	    echo 'NOT INSTALLED: man pages and completions; they need lua-argparse, lua-filesystem and lua-dkjson'; exit 0; }; \
	pages=$$(mktemp -d) && trap 'rm -rf "$$pages"' EXIT && \
	$(TREE_ENV) $(LUA) -e 'require("lathe.cli.pages").write(arg[1])' - "$$pages" < /dev/null && \
	install -d '$(DESTDIR)$(MANDIR)/man1' '$(DESTDIR)$(BASHDIR)' '$(DESTDIR)$(ZSHDIR)' '$(DESTDIR)$(FISHDIR)' && \
	install -m 644 "$$pages"/man1/* '$(DESTDIR)$(MANDIR)/man1' && \
	install -m 644 "$$pages/bash/lathe" '$(DESTDIR)$(BASHDIR)/lathe' && \
	install -m 644 "$$pages/zsh/_lathe" '$(DESTDIR)$(ZSHDIR)/_lathe' && \
	install -m 644 "$$pages/fish/lathe.fish" '$(DESTDIR)$(FISHDIR)/lathe.fish'

# LuaRocks uses this one alone, with directories of its own.
install-lua: $(MODULE) $(STUBS)
	install -d '$(DESTDIR)$(LUALIBDIR)/lathe' '$(DESTDIR)$(BINDIR)'
	install -m 755 $(BUILD)/lathe/core.so '$(DESTDIR)$(LUALIBDIR)/lathe/core.so'
	cd scripts/lathe && for f in $(LUA_SRC); do \
	    install -D -m 644 "$$f" '$(DESTDIR)$(LUADIR)/lathe'/"$$f" || exit 1; done
	install -D -m 644 $(BUILD)/types/lathe.lua '$(DESTDIR)$(LUADIR)/lathe/types/lathe.lua'
	install -d '$(DESTDIR)$(LUADIR)/lathe/examples'
	install -m 644 $(EXAMPLES:%=scripts/examples/%) '$(DESTDIR)$(LUADIR)/lathe/examples'
	$(if $(VIEWER),install -d '$(DESTDIR)$(LUADIR)/lathe/viewer')
	$(if $(VIEWER),install -m 644 $(VIEWER:%=build/viewer/%) '$(DESTDIR)$(LUADIR)/lathe/viewer',@echo 'NOT INSTALLED: the viewer of `lathe view`; `make viewer` builds it')
	install -m 755 scripts/bin/lathe '$(DESTDIR)$(BINDIR)/lathe'

uninstall:                                   ## removes what install put there
	rm -f '$(DESTDIR)$(INCLUDEDIR)/lathe.h' $(foreach pc,lathe lathe-static,'$(DESTDIR)$(LIBDIR)/pkgconfig/$(pc).pc') \
	    '$(DESTDIR)$(BINDIR)/lathe' '$(DESTDIR)$(LUALIBDIR)/lathe/core.so' \
	    $(foreach f,liblathe.a liblathe.so liblathe.so.$(MAJOR) liblathe.so.$(VERSION),'$(DESTDIR)$(LIBDIR)/$(f)') \
	    $(foreach f,$(LUA_SRC) types/lathe.lua $(EXAMPLES:%=examples/%),'$(DESTDIR)$(LUADIR)/lathe/$(f)') \
	    '$(DESTDIR)$(EXAMPLEDIR)' '$(DESTDIR)$(VIEWERDIR)' $(foreach f,$(VIEWER_FILES),'$(DESTDIR)$(LUADIR)/lathe/viewer/$(f)') \
	    '$(DESTDIR)$(SCHEMADIR)/output.schema.json' '$(DESTDIR)$(BASHDIR)/lathe' '$(DESTDIR)$(ZSHDIR)/_lathe' '$(DESTDIR)$(FISHDIR)/lathe.fish'
	@for page in '$(DESTDIR)$(MANDIR)'/man1/lathe.1 '$(DESTDIR)$(MANDIR)'/man1/lathe-*.1; do \
	    if grep -qs 'Made by lathe from its help' "$$page"; then rm -f "$$page"; fi; done
	-rmdir '$(DESTDIR)$(dir $(EXAMPLEDIR))' 2>/dev/null
	-rmdir '$(DESTDIR)$(LUALIBDIR)/lathe' 2>/dev/null
	-find '$(DESTDIR)$(LUADIR)/lathe' -depth -type d -empty -delete 2>/dev/null

clean:                                       ## remove build/
	rm -rf build
