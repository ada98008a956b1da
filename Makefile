# ringside: `make help` lists what there is to make.
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

O ?= build
prefix ?= /usr/local
bindir ?= $(prefix)/bin
mandir ?= $(prefix)/share/man
plugindir ?= $(prefix)/lib/ringside/plugins
bashdir ?= $(prefix)/share/bash-completion/completions
zshdir ?= $(prefix)/share/zsh/site-functions
fishdir ?= $(prefix)/share/fish/vendor_completions.d
VERSION := 0.1.0

# pkg-config module : Debian package. The first list is what a build needs (libiberty has no module), the second what
# tests need beside it.
libs := libtracefs:libtracefs-dev libtraceevent:libtraceevent-dev zlib:zlib1g-dev libzstd:libzstd-dev libbpf:libbpf-dev \
	libelf:libelf-dev libdw:libdw-dev capstone:libcapstone-dev smartcols:libsmartcols-dev
testlibs := check:check

# What a build can do without; WITHOUT names those that it is to do without although they are there.
more_libs := sqlite3:libsqlite3-dev ncursesw:libncurses-dev libcurl:libcurl4-openssl-dev libedit:libedit-dev
WITHOUT ?=
more := $(filter-out $(WITHOUT),$(foreach l,$(more_libs),$(if $(shell pkg-config --exists $(firstword $(subst :, ,$l)) 2>&1 || echo no),,$(firstword $(subst :, ,$l)))))

modules := $(foreach l,$(libs),$(firstword $(subst :, ,$l)))
need := $(strip $(foreach l,$(libs),$(if $(shell pkg-config --exists $(firstword $(subst :, ,$l)) 2>&1 || echo no),$l)) \
	$(if $(shell echo '#include <libiberty/demangle.h>' | cc -E - 2>&1 >/dev/null),libiberty:libiberty-dev))
buildless := help deps deps-demo clean demo check bench bench-record bench-probes bench-asking bench-models bench-fleet bench-pages
ifneq ($(filter-out $(buildless),$(or $(MAKECMDGOALS),all)),)
ifneq ($(need),)
$(error missing $(foreach l,$(need),$(firstword $(subst :, ,$l)) (Debian package $(lastword $(subst :, ,$l)))): run `make deps` as root, or apt-get install $(foreach l,$(need),$(lastword $(subst :, ,$l))))
endif
endif

CC := $(if $(filter default,$(origin CC)),gcc,$(CC))
CFLAGS ?= -O2 -g
warnings := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow -Wpointer-arith -Wno-missing-field-initializers
# It changes nothing of what is built, so it is not among the flags whose change builds all again.
werror := $(if $(WERROR)$(CI),-Werror)
cflags := -std=gnu11 $(warnings) -fvisibility=hidden -pthread -I. -D_FILE_OFFSET_BITS=64 \
	-DRINGSIDE_VERSION='"$(VERSION)"' -DRINGSIDE_PLUGIN_DIR='"$(plugindir)"' \
	$(patsubst -I%,-isystem %,$(shell pkg-config --cflags $(modules) 2>/dev/null))
cflags += $(if $(filter sqlite3,$(more)),-DRINGSIDE_SQLITE $(patsubst -I%,-isystem %,$(shell pkg-config --cflags sqlite3)))
cflags += $(if $(filter ncursesw,$(more)),-DRINGSIDE_NCURSES)
cflags += $(if $(filter libcurl,$(more)),-DRINGSIDE_CURL $(patsubst -I%,-isystem %,$(shell pkg-config --cflags libcurl)))
cflags += $(if $(filter libedit,$(more)),-DRINGSIDE_EDIT)
# Some are loaded when they are needed (lib/base/library.h).
ldlibs := $(shell pkg-config --libs $(filter-out capstone,$(modules)) $(filter-out libcurl libedit,$(more)) 2>/dev/null) -liberty -lm -ldl
ifneq ($(SAN),)
cflags += -fsanitize=$(SAN) -fno-omit-frame-pointer -fno-sanitize-recover=undefined
LDFLAGS += -fsanitize=$(SAN)
endif

ifeq ($(V),1)
quiet = @:
Q :=
else
quiet = @printf '  %-7s %s\n' $(1) $(patsubst $(O)/%,%,$@)
Q := @
endif

lib_src := $(wildcard lib/*/*.c)
cmd_src := $(wildcard cmd/*.c)
unit_src := $(wildcard tests/unit/*.c)
plugin_src := $(wildcard plugins/*.c)
fuzz_src := $(wildcard tests/fuzz/*.c)
tool_src := $(wildcard tests/tools/*.c)
bench_src := $(wildcard tests/bench/*.c)
print_tool_src := $(wildcard tests/tools/print/*.c)
machine_src := $(wildcard tests/tools/machine/*.c)
man_src := $(wildcard Documentation/*.scd)

obj = $(patsubst %.c,$(O)/%.o,$(1))
lib_a := $(O)/libringside.a
plugins := $(patsubst plugins/%.c,$(O)/plugins/%.so,$(plugin_src))
fuzzers := $(patsubst tests/fuzz/%.c,$(O)/fuzz/%,$(fuzz_src))
tools := $(patsubst tests/tools/%.c,$(O)/tools/%,$(tool_src))
mans := $(patsubst Documentation/%.scd,$(O)/man/%,$(man_src))
deps_d := $(patsubst %.c,$(O)/%.d,$(lib_src) $(cmd_src) $(unit_src) $(plugin_src) $(fuzz_src) $(tool_src) $(bench_src) $(print_tool_src) $(machine_src))

all: $(O)/ringside $(plugins)

$(O)/%.o: %.c $(O)/flags
	@mkdir -p $(@D)
	$(call quiet,CC)
	$(Q)$(CC) $(cflags) $(werror) $(if $(filter plugins/%,$<),-fPIC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -MT $@ -c -o $@ $<

# The pages that are built into the program, each one file.
web := $(patsubst lib/export/web/%,$(O)/web/%,$(wildcard lib/export/web/*.html))
$(O)/lib/export/document.o: CPPFLAGS += -Wa,-I$(O)/web
$(O)/lib/export/document.o: $(web)
$(O)/web/%.html: lib/export/web/%.html $(wildcard lib/export/web/*.js lib/export/web/*.css lib/export/web/*.htm lib/export/web/bundle)
	@mkdir -p $(@D)
	$(call quiet,PAGE)
	$(Q)lib/export/web/bundle $< > $@

# The tools that are built into the program, each behind a line "= NAME".
$(O)/cmd/tool-table.o: CPPFLAGS += -Wa,-I$(O)
$(O)/cmd/tool-table.o: $(O)/examples.tools
$(O)/examples.tools: $(wildcard Documentation/examples/*.tool)
	@mkdir -p $(@D)
	$(call quiet,TOOLS)
	$(Q)for tool in $(sort $^); do echo "= $$(basename $$tool .tool)"; cat $$tool || exit; done > $@

# The queries that are built in: a name and a text, each with a NUL behind it.
queries := $(sort $(wildcard Documentation/queries/*.sql))
$(O)/cmd/sql-examples.o: CPPFLAGS += -Wa,-I$(O)
$(O)/cmd/sql-examples.o: $(O)/queries
$(O)/queries: $(queries)
	@mkdir -p $(@D)
	$(Q)for q in $(queries); do printf '%s\0' "$$(basename "$$q" .sql)"; cat "$$q"; printf '\0'; done > $@

# Rebuild when the flags change.
$(O)/flags: FORCE
	@mkdir -p $(O)
	@echo '$(subst ','\'',$(CC) $(cflags) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS))' | cmp -s - $@ || \
	 echo '$(subst ','\'',$(CC) $(cflags) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS))' > $@

$(lib_a): $(call obj,$(lib_src))
	$(call quiet,AR)
	$(Q)rm -f $@ && ar crs $@ $^

link = $(CC) -pthread $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(filter %.a,$^)

$(O)/ringside: $(call obj,$(cmd_src)) $(lib_a)
	$(call quiet,LD)
	$(Q)$(link) $(ldlibs)

$(O)/tests/unit/unit: $(call obj,$(unit_src)) $(O)/cmd/opt.o $(O)/cmd/opt-help.o $(lib_a)
	$(call quiet,LD)
	$(Q)$(link) $(shell pkg-config --libs check) $(ldlibs)

$(O)/plugins/%.so: $(O)/plugins/%.o
	$(call quiet,LD)
	$(Q)$(CC) -shared $(CFLAGS) $(LDFLAGS) -o $@ $<

# A fuzz target has LLVMFuzzerTestOneInput(); driver.c makes it a plain program that replays files. One runs whole commands.
$(O)/fuzz/commands: $(filter-out $(O)/cmd/main.o,$(call obj,$(cmd_src)))

$(O)/fuzz/%: $(O)/tests/fuzz/%.o $(O)/tests/fuzz/replay/driver.o $(lib_a)
	@mkdir -p $(@D)
	$(call quiet,LD)
	$(Q)$(link) $(ldlibs)

# Tools for print programs share what is in tests/tools/print/.
print_tools := $(filter $(O)/tools/print-%,$(tools))
$(print_tools): $(call obj,$(print_tool_src))
$(O)/tools/machine: $(call obj,$(machine_src))

$(O)/tools/%: $(O)/tests/tools/%.o $(lib_a)
	@mkdir -p $(@D)
	$(call quiet,LD)
	$(Q)$(link) $(ldlibs)

# uftrace records what calls its hooks.
$(O)/tests/bench/nested.o: CFLAGS += -finstrument-functions
$(O)/bench/%: $(O)/tests/bench/%.o $(lib_a)
	@mkdir -p $(@D)
	$(call quiet,LD)
	$(Q)$(link) $(ldlibs)

$(O)/man/%: Documentation/%.scd Documentation/expand $(wildcard Documentation/parts/*.scd)
	@mkdir -p $(@D)
	$(call quiet,SCDOC)
	$(Q)Documentation/expand $< > $@.scd && scdoc < $@.scd > $@

man: $(mans)
fuzzers: $(fuzzers)
tools: $(tools)
-include $(deps_d)

# --- tests: each suite prints TAP; tests/run adds them up ---------------------------------------------------

# In this order, those with + at the same time: most of each is one busy CPU. The guests run beside all that do not need what they record.
together := vm:lint,unit+threads,cli+fuzz,browser+fleet,live,oracle recordings+hosts
comma := ,
suites := $(subst +, ,$(subst :, ,$(subst $(comma), ,$(together))))
check: ; @tests/run $(together)
$(filter-out fuzz lint,$(suites)) fuzz-replay: ; @tests/run $(patsubst fuzz-replay,fuzz,$@)
lint: ; @tests/run lint
demo: ; @tests/demo
bench: ; @tests/bench/run
bench-record: ; @tests/bench/record
bench-probes: ; @tests/bench/probes
bench-asking: ; @tests/bench/asking
bench-models: ; @tests/bench/models
bench-fleet: ; @tests/bench/fleet
bench-pages: ; @tests/bench/browser

deps deps-demo: ; @tests/deps $(if $(filter %-demo,$@),demo,all) $(foreach l,$(libs) $(more_libs) $(testlibs) libiberty:libiberty-dev,$(lastword $(subst :, ,$l)))

install: all man
	install -D -m 755 $(O)/ringside $(DESTDIR)$(bindir)/ringside
	$(foreach p,$(plugins),install -D -m 644 $p $(DESTDIR)$(plugindir)/$(notdir $p);)
	$(foreach m,$(mans),install -D -m 644 $m $(DESTDIR)$(mandir)/man$(patsubst .%,%,$(suffix $m))/$(notdir $m);)
	install -D -m 644 completions/ringside.bash $(DESTDIR)$(bashdir)/ringside
	install -D -m 644 completions/_ringside $(DESTDIR)$(zshdir)/_ringside
	install -D -m 644 completions/ringside.fish $(DESTDIR)$(fishdir)/ringside.fish

uninstall:
	rm -f $(DESTDIR)$(bindir)/ringside $(DESTDIR)$(bashdir)/ringside $(DESTDIR)$(zshdir)/_ringside \
		$(DESTDIR)$(fishdir)/ringside.fish
	rm -rf $(DESTDIR)$(plugindir)
	rm -f $(foreach m,$(mans),$(DESTDIR)$(mandir)/man$(patsubst .%,%,$(suffix $m))/$(notdir $m))
	-rmdir $(DESTDIR)$(dir $(plugindir)) 2>/dev/null

clean:
	rm -rf $(O)

help:
	@echo 'make              build ringside and its plug-ins in $(O)/'
	@echo 'make demo         install what is needed, record and report a function graph (in a guest kernel if need be)'
	@echo 'make check        install what is needed, run all tests'
	@echo 'make deps         install the libraries and tools that building and testing need (Debian, as root)'
	@echo 'make SUITE        one suite: $(suites:fuzz=fuzz-replay)'
	@echo 'make man          the manual pages;  make fuzzers: the fuzz targets;  make bench, bench-record: timings against trace-cmd;  bench-probes: of 300 probes;  bench-asking: of count, latency and syscalls;  bench-models: answers beside those of perf, strace and uftrace;  bench-fleet: of rows put into ClickHouse;  bench-pages: of pages in a browser'
	@echo 'make install      DESTDIR= prefix=$(prefix);  make uninstall takes it away'
	@echo 'make clean'
	@echo 'variables:        V=1 shows commands, O=DIR builds there, SAN=address,undefined adds sanitizers,'
	@echo '                  WERROR=1 makes warnings errors, WITHOUT="sqlite3 libcurl libedit" leaves these out, CC= CFLAGS= LDFLAGS='

FORCE:
.PHONY: all man fuzzers tools check $(suites) fuzz-replay demo bench bench-record bench-probes bench-asking bench-models bench-fleet bench-pages deps deps-demo install uninstall clean help FORCE
.SECONDARY:
