# Thin: everything is Meson's; this file knows the order of the steps.
BUILD = build
# more options for `meson setup`, for instance SETUP=-Dnative=true
SETUP =
# more arguments of the program that demo, bench, papers or adversary runs, or pytest, for instance ARGS='--sizes 100'
ARGS =
PREFIX = /usr/local
DESTDIR =
ASAN = build-asan
TSAN = build-tsan
GOLDEN = build-golden
PYTHON_BUILD = build-python
# the Python that the package is for: one that has numpy, the system's first
PYTHON = $$(for p in /usr/bin/python3 python3; do $$p -c 'import numpy' 2>/dev/null && command -v $$p && break; done)
# what tsan runs; TESTS= runs all
TESTS = core_threads
SOURCES = $$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp')
# what adversary tries: so many problems of a seed; one claim of LP is held against a linear program
COUNT = 1000000
SEED = 1
LP = 10
# how long fuzz tries each reader
SECONDS = 20
# ThreadSanitizer wants an address space that is not shuffled; setarch may be forbidden.
UNSHUFFLED = $$(setarch -R true 2>/dev/null && echo setarch -R)

.PHONY: all demo test clang reference minimal arm64 i386 mingw bench papers peers asan clang-asan tsan fuzz \
    adversary golden abi nightly python deb tarball release install clean format check-format packages help

all: $(BUILD)/build.ninja
	meson compile -C $(BUILD)

help:
	@echo 'make               configure and build into $(BUILD)/'
	@echo 'make demo          compare the solvers on problems/, with a report; a minute or so'
	@echo 'make test          build and run the tests; make clang: with clang, in build-clang/'
	@echo 'make reference     the tests with the BLAS and LAPACK of netlib, in build-reference/'
	@echo 'make minimal       the tests without HDF5 and ODE, in build-minimal/'
	@echo 'make arm64         cross-compile for arm64, the tests under qemu, in build-arm64/; 20 minutes'
	@echo 'make i386          build and test in a Debian of 32-bit x86, in build-i386/; root only'
	@echo 'make mingw         compile the sources of the library for Windows; syntax and types alone'
	@echo 'make python        build the Python package in $(PYTHON_BUILD)/, test it, and say how to import it;'
	@echo '                   PYTHON=/usr/bin/python3.12: for another Python, after a make clean'
	@echo 'make bench         compare with other libraries (benchmarks/README.md); some minutes'
	@echo 'make papers        the experiments of the papers, on $(BUILD)/papers/index.html; half an hour'
	@echo '                   at most; QUICK=1: a short one; ONLY=name: one of them'
	@echo 'make deb           Debian packages of the committed tree, in build-deb/'
	@echo 'make tarball       the release, perp-VERSION.tar.gz, of the committed tree'
	@echo 'make release       the tarball and the tag vVERSION, after a look whether all versions agree'
	@echo 'make install       to DESTDIR/PREFIX (PREFIX=$(PREFIX))'
	@echo 'make asan          the tests under ASan + UBSan; make clang-asan: with clang'
	@echo 'make tsan          concurrent solves under TSan; TESTS=: all tests'
	@echo 'make fuzz          the readers of problem files: replay the corpus, 20 s of fuzzing each;'
	@echo '                   SECONDS=1800 JOBS=1: half an hour each, one after the other'
	@echo 'make adversary     COUNT random problems of SEED against exact arithmetic (docs/trust.md); goes on'
	@echo '                   where it was stopped; BUILD=build-asan after make asan: sanitized'
	@echo 'make golden        iterations and statuses on problems/, held to tests/golden/record.csv;'
	@echo '                   RENEW=1 writes that'
	@echo 'make abi           the binary interface, held to tests/abi/perp.abi; RENEW=1 writes that'
	@echo 'make nightly       what takes too long for .ci/run; about two hours; STEPS="fuzz soak":'
	@echo '                   these (CONTRIBUTING.md); RESUME=1: without those that passed'
	@echo 'make format        clang-format the sources; check-format: only look'
	@echo 'make clean         remove the build directories'
	@echo 'demo, test, python, bench and papers first install the packages they lack (packages.txt).'
	@echo 'ARGS="..." goes to the program that demo, bench, papers or adversary runs; ARGS=--help tells.'
	@echo 'SETUP="-Dnative=true -Dgpl=true ..." passes options to a first meson setup.'

$(BUILD)/build.ninja:
	@command -v meson >/dev/null || tools/packages required
	meson setup $(BUILD) $$(tools/libdir) $(SETUP)

$(ASAN)/build.ninja:
	meson setup $(ASAN) --werror --buildtype=debugoptimized -Db_sanitize=address,undefined \
	    -Db_lundef=false -Dbenchmarks=false $(SETUP) \
	    -Dc_args='-fsanitize=float-cast-overflow -fno-sanitize-recover=all -fno-omit-frame-pointer'

$(TSAN)/build.ninja:
	meson setup $(TSAN) --werror --buildtype=debugoptimized -Db_sanitize=thread \
	    -Dbenchmarks=false $(SETUP)

# Without clones, so that iterations do not depend on the processor.
$(GOLDEN)/build.ninja:
	meson setup $(GOLDEN) -Dclones=false -Dtests=false -Dbenchmarks=false

$(PYTHON_BUILD)/build.ninja:
	meson setup $(PYTHON_BUILD) -Dpython=only -Dpython_program=$(PYTHON) -Dtests=false \
	    -Dbenchmarks=false -Dode=disabled $(SETUP)

packages:
	tools/packages required

demo: packages
	tools/packages demo
	$(MAKE) $(BUILD)/build.ninja
	ninja -C $(BUILD) --quiet command
	$(BUILD)/perp compare problems --timeout=5 --report=$(BUILD)/demo $(ARGS)

test: packages
	$(MAKE) all
	meson test -C $(BUILD) --print-errorlogs

clang:
	CC=clang CXX=clang++ $(MAKE) test BUILD=build-clang SETUP='--werror $(SETUP)'

# Whatever else is installed: netlib's libraries, without OpenBLAS; without HDF5 and ODE.
reference:
	tools/packages reference
	$(MAKE) test BUILD=build-reference SETUP='--werror -Dblas=reference -Dbenchmarks=false $(SETUP)'

minimal:
	$(MAKE) test BUILD=build-minimal SETUP='--werror -Dhdf5=disabled -Dode=disabled -Dbenchmarks=false $(SETUP)'

arm64:
	tools/packages required arm64
	tests/platforms/arm64 build-arm64

i386:
	tools/packages i386
	tests/platforms/i386 build-i386

mingw:
	tools/packages required mingw
	tests/tree/check_mingw.sh . build-mingw

# The build with every other library that is compared with.
peers: packages
	tools/packages optional
	$(MAKE) $(BUILD)/build.ninja
	meson configure --clearcache $(BUILD) >/dev/null # what was missing may be there now
	meson setup --reconfigure $(BUILD) >/dev/null
	meson compile -C $(BUILD)

bench: peers
	$(BUILD)/benchmarks/bench $(ARGS)

papers: packages
	tools/packages demo
	$(MAKE) $(if $(QUICK),all,peers)
	tools/papers/run --build $(BUILD) $(if $(QUICK),--quick) $(if $(ONLY),--only $(ONLY)) $(ARGS)

asan: packages
	$(MAKE) $(ASAN)/build.ninja
	meson compile -C $(ASAN)
	meson test -C $(ASAN) --print-errorlogs

clang-asan:
	CC=clang CXX=clang++ $(MAKE) asan ASAN=build-clang-asan

tsan: packages
	$(MAKE) $(TSAN)/build.ninja
	ninja -C $(TSAN) $(TESTS:%=tests/test_%)
	$(UNSHUFFLED) meson test -C $(TSAN) --print-errorlogs --no-rebuild $(TESTS)

fuzz:
	tests/fuzz/run replay
	tests/fuzz/run $(SECONDS)

adversary: packages
	$(MAKE) $(BUILD)/build.ninja
	ninja -C $(BUILD) --quiet tests/adversary/adversary
	mkdir -p $(BUILD)/adversary
	$(BUILD)/tests/adversary/adversary --seed $(SEED) --count $(COUNT) --lp $(LP) \
	    --state $(BUILD)/adversary/$(SEED).state --json $(BUILD)/adversary/$(SEED).json \
	    --files $(BUILD)/adversary $(ARGS)

golden: packages
	$(MAKE) $(GOLDEN)/build.ninja
	ninja -C $(GOLDEN) --quiet command
	tests/golden/record $(if $(RENEW),--renew) $(GOLDEN)/perp

abi: all
	tests/abi/check $(BUILD)/libperp.so $(if $(RENEW),--renew)

nightly:
	.ci/nightly $(STEPS)

deb:
	tools/packages required deb
	tools/make_deb

tarball:
	tools/make_tarball

release:
	tools/make_release

python: packages
	tools/packages python
	$(MAKE) $(PYTHON_BUILD)/build.ninja
	meson compile -C $(PYTHON_BUILD)
	@echo 'Built in $(PYTHON_BUILD)/python, which can be used from now on; its tests take a minute or so:'
	PYTHONPATH=$(PYTHON_BUILD)/python $(PYTHON) -m pytest -q -p no:cacheprovider $(ARGS) python/tests
	@echo
	@echo 'The package is in $(PYTHON_BUILD)/python:'
	@echo "    PYTHONPATH=$(CURDIR)/$(PYTHON_BUILD)/python $(PYTHON) -c 'import perp; help(perp)'"
	@echo 'pip install --no-build-isolation . installs it, without network; docs/python.md tells the rest.'

# Without the tests and the benchmarks, which most of the time of a build goes to.
install: $(BUILD)/build.ninja
	meson configure $(BUILD) -Dprefix=$(PREFIX)
	ninja -C $(BUILD) --quiet installed
	DESTDIR=$(DESTDIR) meson install -C $(BUILD) --no-rebuild --quiet
	@[ -n "$(DESTDIR)" ] || [ "$$(id -u)" != 0 ] || ! command -v ldconfig >/dev/null || ldconfig

clean:
	rm -rf $(BUILD) $(ASAN) $(TSAN) $(GOLDEN) build-clang build-clang-asan build-fuzz build-nightly \
	    build-native build-portable build-mutants build-reference build-minimal \
	    build-arm64 build-i386 build-mingw build-deb build-python build-least build-ci build-consumer

format:
	clang-format -i $(SOURCES)

check-format:
	clang-format --dry-run -Werror $(SOURCES)
