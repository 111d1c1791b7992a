# lathe for browsers and node, compiled to WebAssembly: `make web`. Included by ../../Makefile, whose rules compile core and
# bindings here, too: only the compiler, its flags and the folder are others. See README.md.

WEB       = build/web
WEB_FROM  = $(WEB)/from
WEB_TOOLS = clang emscripten xz-utils
# With emcc's flags. emcc itself is a Python program, whose start takes longer than the compilation of most files.
WEB_CC    = clang

.PHONY: web web-module test-web bench-web
web: all viewer                              ## lathe as one HTML page and as a module for node, in build/web
	@sh spec/support/setup.sh $(WEB_TOOLS)
	@command -v emcc >/dev/null || { echo 'web: not built: there is no emcc (Debian has it in $(WEB_TOOLS))'; exit 1; }
	@sh bindings/web/fetch.sh $(WEB_FROM)
	@$(MAKE) --no-print-directory BUILD=$(WEB) IN_WEB=yes CC='$(WEB_CC)' \
	    CFLAGS="-Oz $$(emcc --cflags) -Wno-unused-command-line-argument" \
	    LUA_CFLAGS=-I$(WEB_FROM)/lua5.4/src QHULL_CFLAGS=-I$(WEB_FROM)/qhull/src \
	    ZLIB_CFLAGS=-I$(WEB_FROM)/zlib ZSTD_CFLAGS=-I$(WEB_FROM)/libzstd/lib web-module
	@sh bindings/web/licenses.sh $(WEB_FROM) build/viewer/npm/node_modules >$(WEB)/LICENSES.txt
	@mkdir -p $(WEB)/package
	@$(LUA) -e '$(PRELOAD) package.path = "scripts/?.lua;scripts/?/init.lua;bindings/web/?.lua;bindings/web/?/init.lua;" .. package.path' \
	    bindings/web/node/types.lua >$(WEB)/package/lathe.d.ts
	@node bindings/web/node/build.mjs build/viewer/npm/node_modules $(WEB) $(VERSION)
	@node bindings/web/pack.mjs build/viewer/npm/node_modules $(WEB) $(VERSION)

# LATHE_CORPUS: the folder of files. SHARE=12: only every twelfth.
SHARE = 1
test-web: web                                ## the same answers from the web's lathe and the native one, file by file
	@folder="$${LATHE_CORPUS:-../shared/corpus}"; if [ -d "$$folder" ]; then \
	    sh spec/support/web/run.sh '$(abspath $(BUILD))' '$(abspath $(WEB))' "$$(realpath "$$folder")" $(SHARE); \
	else echo "test-web: skipped: no corpus ($$folder)"; fi

bench-web: web                               ## what the page costs: size, start, time to a picture, speed against native
	@sh spec/bench/web/run.sh '$(abspath $(BUILD))' '$(abspath $(WEB))'

ifdef IN_WEB
# ---- what lathe stands on: Lua, lfs, zlib, qhull, zstd ----------------------------------------------------

from       = $(patsubst $(WEB_FROM)/%.c,$(WEB)/obj/from/%.o,$(filter-out $(2),$(wildcard $(WEB_FROM)/$(1))))
WEB_LUA    = $(call from,lua5.4/src/*.c,%/lua.c %/luac.c) $(call from,lua-filesystem/src/lfs.c)
WEB_ZLIB   = $(foreach f,adler32 compress crc32 deflate inffast inflate inftrees trees uncompr zutil,$(call from,zlib/$(f).c))
WEB_QHULL  = $(call from,qhull/src/libqhull_r/*.c,%/rboxlib_r.c %/userprintf_rbox_r.c)
WEB_ZSTD   = $(foreach f,common compress decompress,$(call from,libzstd/lib/$(f)/*.c))
WEB_SMALL  = -DZSTD_DISABLE_ASM
$(WEB_ZSTD): WEB_SMALL += -DZSTD_NO_INLINE=1 -DZSTD_LEGACY_SUPPORT=0
$(WEB_QHULL): WEB_SMALL += -Dqh_NOtrace
# Of qhull's functions that print, those in qhull_quiet.c; the others are reached only through them.
WEB_QUIET  = produce_output printafacet printbegin printend printfacet printneighborhood printridge printsummary printvertex
$(filter %/io_r.o %/libqhull_r.o,$(WEB_QHULL)): WEB_SMALL += $(foreach f,$(WEB_QUIET),-Dqh_$(f)=qh_loud_$(f))
# What runs most is compiled for speed a little more.
$(WEB_LUA): WEB_SMALL += -Os
WEB_FASTER = $(patsubst %,$(WEB)/obj/core/record/%.o,types layout view place)
$(WEB_FASTER): EXTRA += -Os
$(WEB_FASTER): bindings/web/web.mk
WEB_OTHERS = $(WEB_LUA) $(WEB_ZLIB) $(WEB_QHULL) $(WEB_ZSTD)

# Not our code: without our warnings. Without qhull's trace texts and zstd's forced inlining, which are most of their size.
$(WEB_OTHERS): $(WEB)/obj/from/%.o: $(WEB_FROM)/%.c $(WEB)/flags bindings/web/web.mk
	@mkdir -p $(@D)
	$(call say,CC  )
	$(Q)$(CC) $(CFLAGS) -ffp-contract=off -w $(WEB_SMALL) -I$(WEB_FROM)/lua5.4/src -I$(WEB_FROM)/qhull/src -c $< -o $@

# ---- the module -----------------------------------------------------------------------------------

WEB_FILES = scripts/lathe=scripts/lathe scripts/examples=scripts/examples bindings/web/boot.lua=web/boot.lua \
            bindings/web/service=web/service
WEB_LIBS  = $(foreach f,argparse dkjson,$(shell $(LUA) -e 'print((assert(package.searchpath("$(f)", package.path))))')=lib/$(f).lua)
WEB_OBJ   = $(CORE_OBJ) $(BINDING_OBJ) $(WEB_OTHERS) $(WEB)/obj/bindings/web/web.o $(WEB)/obj/bindings/web/qhull_quiet.o $(WEB)/obj/web_files.o

$(WEB)/obj/bindings/web/qhull_quiet.o: EXTRA = $(QHULL_CFLAGS) -w
$(WEB)/obj/bindings/web/web.o: EXTRA = $(LUA_CFLAGS) -Wno-dollar-in-identifier-extension

$(WEB)/web_files.bin: bindings/web/files.lua bindings/web/boot.lua $(shell find scripts bindings/web/service -name '*.lua')
	@mkdir -p $(@D)
	$(call say,GEN )
	$(Q)$(LUA) bindings/web/files.lua $@ $(WEB_FILES) $(WEB_LIBS)
$(WEB)/obj/web_files.o: bindings/web/web_files.s $(WEB)/web_files.bin
	$(Q)$(CC) $(CFLAGS) -I$(WEB) -c $< -o $@

# Natively, a stack of 1 MB is enough: the main thread has no more on Windows. 4 GB is all that 32 bits can address.
EMCC_LINK = -Oz -s MODULARIZE=1 -s EXPORT_ES6=1 -s USE_ES6_IMPORT_META=0 -s EXPORT_NAME=createModule -s ENVIRONMENT=web \
            -s ALLOW_MEMORY_GROWTH=1 -s MAXIMUM_MEMORY=4GB -s TOTAL_STACK=2MB -s FORCE_FILESYSTEM=1 -s INVOKE_RUN=0 \
            -Wl,--wrap=lua_resume -s EXIT_RUNTIME=0 -s DYNAMIC_EXECUTION=0 -s EXPORTED_FUNCTIONS=_malloc,_free -s EXPORTED_RUNTIME_METHODS=FS,UTF8ToString

$(WEB)/module.mjs: $(WEB_OBJ) bindings/web/web.mk
	$(call say,LINK)
	$(Q)NODE_PATH=/usr/share/nodejs emcc $(EMCC_LINK) $(filter %.o,$^) -o $@

# ---- what unpacks the module in the page: a module of its own ----------------------------------------------

LZMA       = $(WEB_FROM)/xz-utils/src
WEB_UNPACK = bindings/web/unpack.c $(addprefix $(LZMA)/liblzma/,lzma/lzma_decoder.c lz/lz_decoder.c common/common.c common/alone_decoder.c)
UNPACK_CC  = -O3 -mbulk-memory -w -nostdlib -Wl,--no-entry -Wl,-z,stack-size=16384 -DNDEBUG -DHAVE_STDBOOL_H -DHAVE_STDINT_H \
             -DHAVE_INTTYPES_H -DHAVE_STRING_H -DHAVE_LIMITS_H -DHAVE_DECODERS -DHAVE_DECODER_LZMA1 -DLZMA_API_STATIC \
             -DTUKLIB_FAST_UNALIGNED_ACCESS -fvisibility=hidden -I$(LZMA)/common -I$(LZMA)/liblzma/api \
             $(foreach f,common lz lzma rangecoder check,-I$(LZMA)/liblzma/$(f))

$(WEB)/unpack.wasm: $(WEB_UNPACK) bindings/web/web.mk
	$(call say,LINK)
	$(Q)$(CC) $(CFLAGS) $(UNPACK_CC) $(WEB_UNPACK) -o $@

web-module: $(WEB)/module.mjs $(WEB)/unpack.wasm
endif
