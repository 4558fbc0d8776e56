.DEFAULT_GOAL := help
.PHONY: help setup build run test test-all trial lesson bench lint clean

help: ## lists these targets
	@awk -F ' *## *' '/^[a-z-]+:.*## / { sub(/:.*/, "", $$1); printf "make %-8s  %s\n", $$1, $$2 }' Makefile

setup: ## installs what building and testing need and this machine lacks
	@scripts/setup.sh

build: ## builds the npm package in dist/ and the page in site/
	@scripts/build.sh

run: build ## builds, serves the page on 127.0.0.1 (HOST=0.0.0.0: for this network) and prints its address
	@HOST=$(HOST) node scripts/serve.mjs

test: ## checks and tests in about five minutes (make test STEP=native: lint, native, package or page alone)
	@scripts/test.sh $(STEP)

test-all: ## all tests: every row and seed, Chromium, Firefox and WebKit, bundlers, the trial; about an hour
	@QUORATE_TESTS=all scripts/test.sh $(STEP)

trial: build ## thirty people at six tables, 200 at forty, with faults, and prints figures; some minutes
	@node scripts/trial.mjs

lesson: build ## how long lessons take with people who need 30 to 45 seconds a question, and how many tables agree
	@node scripts/lesson.mjs

bench: build ## measures and prints a table
	@node scripts/bench.mjs

lint: ## checks formatting, clippy (native and WebAssembly) and the types of the page's code
	@scripts/test.sh lint

clean: ## removes what was built (not what was installed)
	cargo clean
	rm -rf dist pkg site www/pkg webdriver.json
