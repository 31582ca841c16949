# controllerbook. `make help` lists the targets.

GO      ?= go
CHECKER := bin/checker
LAB      = $(patsubst lab-%,%,$@)

.PHONY: help all test race vet lint prose citations tidy bench fuzz clean list play next doctor verify real test-upstream test-real bench-upstream bench-cacher
.DEFAULT_GOAL := help

help: ## this list
	@echo "make lab-1        grade lab 1 (any lab: lab-1 … lab-23); AGAIN=1 runs unchanged code, too"
	@echo "make watch-1      grade lab 1 again each time you save"
	@echo "make hint-1       one more nudge for lab 1"
	@echo "make report-1     grade lab 1 and write a page of it, with a picture of each failure"
	@echo "make trace-1      the timeline of lab 1 at work, of what passes too, as a page"
	@echo "make reset-1      put the stub of lab 1 back, and keep your code aside"
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/make \1|\2/' | awk -F'|' '{printf "%-17s %s\n", $$1, $$2}'

# The go command knows best whether the checker is up to date.
.PHONY: $(CHECKER)
$(CHECKER):
	@$(GO) build -buildvcs=false -o $@ ./checker

lab-%: $(CHECKER)
	@$(CHECKER) run $(LAB) $(if $(AGAIN),--again)

watch-%: $(CHECKER)
	@$(CHECKER) watch $*

hint-%: $(CHECKER)
	@$(CHECKER) hint $*

report-%: $(CHECKER)
	@$(CHECKER) report $*

trace-%: $(CHECKER)
	@$(CHECKER) trace $*

reset-%: $(CHECKER)
	@$(CHECKER) reset $*

list: $(CHECKER) ## all labs, their points, and how far you are
	@$(CHECKER) list

play: $(CHECKER) ## your own control plane, live in the terminal
	@$(CHECKER) play

real: $(CHECKER) ## your labs against a real Kubernetes API server
	@$(CHECKER) real

next: $(CHECKER) ## what to do next
	@$(CHECKER) next

doctor: $(CHECKER) ## can this machine grade, and how to fix it if not
	@$(CHECKER) doctor

verify: $(CHECKER) ## for authors: are the hidden tests right?
	@$(CHECKER) verify

# Some of the longest packages wait most of the time, for deadlocks to be proved and terminals to
# be drawn. So twice as many run at once as there are processors.
test: ## every test of the repository
	$(GO) test -p $$((2 * $$(getconf _NPROCESSORS_ONLN))) -timeout 45m ./...

race: ## the solutions through every case, and the checker's own packages, under the race detector
	$(GO) test -race ./checker/internal/bridges/... ./checker/internal/conform/... ./checker/internal/libgcc ./checker/internal/watch/... ./checker/internal/progress/...

# A module of its own, with Kubernetes' libraries: flags and workspaces of the root do not reach it.
UPSTREAM = cd checker/upstream && GOFLAGS= GOWORK=off

test-upstream: ## the suites against the real client-go and controller-runtime
	$(UPSTREAM) $(GO) vet ./...
	$(UPSTREAM) $(GO) test -timeout 30m ./...

# The first time it builds kube-apiserver and etcd: minutes. Both stay in the cache directory of
# the user. The module is not vetted: vet would read all of Kubernetes for these few files.
test-real: ## the solutions, and faults, against a real API server
	$(GO) test -count=1 -timeout 30m -run=TestReal -v ./checker/internal/real -server

# Go caches a test's result until a file of its own module changes; lessons are in another.
citations: ## every file, identifier and thread of upstream that the book cites
	$(UPSTREAM) $(GO) test -count=1 ./citations

# Each pass runs every row once, ours and theirs one after the other: what else the
# machine does falls on both. The table shows medians.
COUNT ?= 6
ROWS  ?= .

# Arguments: the module, and the package in it.
define beside
@mkdir -p bin && rm -f bin/$@.txt
cd $(1) && GOFLAGS= GOWORK=off $(GO) test -c -o $(CURDIR)/bin/$@.test $(2)
@for pass in $$(seq $(COUNT)); do \
  echo "pass $$pass of $(COUNT)"; \
  bin/$@.test -test.run=NONE -test.bench='$(ROWS)' -test.benchtime=300ms >>bin/$@.txt || exit 1; \
done
@$(UPSTREAM) $(GO) tool benchstat -col '/impl@(upstream solution)' ../../bin/$@.txt
endef

bench-upstream: ## the solutions beside upstream, in one process; COUNT=6 passes, ROWS=Workqueue for some
	$(call beside,checker/upstream,./bench)

# A module of its own: it needs k8s.io/apiserver, which nothing else here does but the real API
# server, and that one has to be built with the versions that Kubernetes pins.
bench-cacher: ## the watch cache of lab 08 beside the API server's
	$(call beside,checker/apiserver/bench,.)

vet: ## gofmt and go vet
	@test -z "$$(gofmt -l .)" || { echo "not gofmt-ed:"; gofmt -l .; exit 1; }
	$(GO) vet ./...

# The witness is linted as the checker is. The program server is not: the linters would read all of
# Kubernetes for its one file. -trimpath as in test-real, so that the packages are compiled once.
lint: ## golangci-lint, pinned in checker/tools
	@mkdir -p bin && cd checker/tools && $(GO) build -o ../../bin/golangci-lint github.com/golangci/golangci-lint/v2/cmd/golangci-lint
	bin/golangci-lint run ./...
	cd checker/apiserver && GOFLAGS=-trimpath GOWORK=off ../../bin/golangci-lint run --config ../../.golangci.yml ./witness

# Lessons with their stubs, documentation, the comments of the checker, of its suites, of the
# solutions, alternatives and faults, and what the suites say to a learner, as bin/prose.
PROSE  = README.md docs labs solutions checker/alternatives checker/faults checker/upstream checker/internal \
         bin/prose checker/tools/styles/fine.md
TICS   = checker/tools/styles/tics.md

prose: SHELL = bash
prose: ## vale, pinned in checker/tools, with the rules of checker/tools/styles
	@mkdir -p bin && cd checker/tools && $(GO) build -o ../../bin/vale github.com/vale-cli/vale/v3/cmd/vale
	@rm -rf bin/prose && $(GO) run ./checker/internal/prose bin/prose
	@bin/vale --output=line --no-exit $(TICS) | cut -d: -f2 | diff - <(grep -n . $(TICS) | cut -d: -f1) || \
	  { echo "a rule does not see its example in $(TICS)"; exit 1; }
	bin/vale --output=line $(PROSE)

tidy: ## go.mod and go.sum say what the code needs
	$(GO) mod tidy -diff
	$(UPSTREAM) $(GO) mod tidy -diff
	cd checker/apiserver && GOFLAGS= GOWORK=off $(GO) mod tidy -diff
	cd checker/apiserver/bench && GOFLAGS= GOWORK=off $(GO) mod tidy -diff

# The small ones need many rounds, an edit a few, a whole class or cluster one.
bench: ## the solutions, an edit to its verdict, a cluster as it grows, a class beside the naive loop
	$(GO) test -run=NONE -bench=. -skip='EditToVerdict|ControlPlane|Class' -benchtime=200ms -benchmem ./checker/internal/bench
	$(GO) test -run=NONE -bench=EditToVerdict -benchtime=5x ./checker/internal/bench
	$(GO) test -run=NONE -bench='ControlPlane|Class' -benchtime=1x -timeout=1h ./checker/internal/bench

# One after the other: each uses all processors. What is found is written to the package's
# testdata/fuzz, where every later go test runs it: fix it and commit the file.
FUZZTIME ?= 1m
FUZZ     ?= .
FUZZARGS ?=

fuzz: ## everything that reads what it does not trust; FUZZTIME=1m for each, FUZZ=Archive for one
	@grep -rnoE --include='*_test.go' '^func Fuzz[A-Za-z]+' checker/internal | sed -E 's|/[^/]*:[0-9]+:func | |' | grep -E '$(FUZZ)' | \
	while read -r pkg name; do \
	  echo "== $$pkg $$name"; \
	  $(GO) test -run=NONE -fuzz="^$$name\$$" -fuzztime=$(FUZZTIME) $(FUZZARGS) ./$$pkg || exit 1; \
	done

clean: ## remove what was built
	rm -rf bin
