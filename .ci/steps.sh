# The steps of .ci/run that take more than one line.

# Called under set -e as a plain command: the first command that fails ends the run.

ensure_tools() {
  if ! java_is_new_enough || ! command -v javac >/dev/null || ! command -v mvn >/dev/null; then
    install_java
  fi
  java_is_new_enough || { echo "Java 11 or newer is needed for the real cluster, and is not here"; return 1; }
  go version
  java -version 2>&1 | head -1
  javac -version 2>&1
  mvn -v | head -1
}

# The first line of java -version reads: openjdk version "17.0.15" 2025-04-15 (before Java 9: "1.8.0_402").
java_is_new_enough() {
  command -v java >/dev/null || return 1
  local version
  version=$(java -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p' | head -1)
  [ "${version:-0}" -ge 11 ]
}

install_java() {
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "the real cluster needs a JDK (11 or newer) and Maven; install them (no root or no apt-get here)"
    return 1
  fi
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  local jdk=openjdk-17-jdk-headless
  apt-cache show "$jdk" >/dev/null 2>&1 || jdk=default-jdk-headless
  apt-get install -q -y --no-install-recommends "$jdk" maven
}

check_gofmt() {
  local bad
  bad=$(gofmt -l .)
  [ -z "$bad" ] || { echo "not formatted (gofmt -w):"; echo "$bad"; return 1; }
}

# The nested module once with the workspace's build list and once with its own.
check_vet() {
  go vet work
  (cd conformance && GOWORK=off go vet ./...)
}

# The program that starts the official image is outside of the workspace. Its tests need no Docker.
check_container() (
  cd conformance/container
  GOWORK=off go vet ./...
  GOWORK=off go test ./...
)

# Generated code is what go generate makes of its source.
check_generated() {
  cp internal/wire/flusspb/gofluss.pb.go "$work/before"
  go generate ./internal/wire/flusspb
  diff -u "$work/before" internal/wire/flusspb/gofluss.pb.go | head -50
}

check_staticcheck() {
  local staticcheck=honnef.co/go/tools/cmd/staticcheck@v0.8.2
  go run "$staticcheck" ./... ./conformance/...
}

# In a workspace both modules share one build list: the root must also stand without it.
check_alone() {
  GOWORK=off go build ./...
  GOWORK=off go test ./...
}

# fuzz_all gives every fuzz target of both modules a run of FUZZTIME (5s), which may be a number of executions of the
# engine (10000x), and prints how many each had: with FUZZBATCH=N, each of them tries N inputs. FUZZ, a regular expression,
# picks targets. go test -list prints the names, then "ok PACKAGE".
fuzz_all() {
  local package target n=0
  go test -list "${FUZZ:-^Fuzz}" ./... ./conformance/... |
    awk '/^Fuzz/ { t[++n] = $1 } /^ok/ { for (i = 1; i <= n; i++) print $2, t[i]; n = 0 }' >"$work/fuzz"
  build_fuzzers
  while read -r package target; do
    echo "$target ($package)"
    fuzz_one "$package" "$target" >"$work/fuzz.out" 2>&1 </dev/null || fuzz_ended_early || { cat "$work/fuzz.out"; return 1; }
    printf '%-24s %12s executions\n' "$target" "$(executions)" | tee -a "$work/fuzz.sum"
    n=$((n + 1))
  done <"$work/fuzz"
  echo "--- $n fuzz targets of ${FUZZTIME:-5s} each, ${FUZZBATCH:-1} inputs for each execution of the engine:"
  cat "$work/fuzz.sum"
  [ "$n" -gt 0 ]
}

# build_fuzzers builds the test binaries of the packages in $work/fuzz with counters of coverage in our own code, without
# the generated messages. go test -fuzz, whose flags cannot be changed, also has them in the standard library and in all
# dependencies, and the engine looks at every counter after every execution: that made two to five times as few.
build_fuzzers() {
  local own=github.com/gofluss/fluss packages
  mapfile -t packages < <(cut -d' ' -f1 "$work/fuzz" | sort -u)
  mkdir -p "$work/fuzzers"
  go test -c -o "$work/fuzzers/" -gcflags="$own/...=-d=libfuzzer" -gcflags="$own/internal/wire/flusspb=" "${packages[@]}"
}

# executions reads the last count of a run, as in: fuzz: elapsed: 3s, execs: 4242 (1414/sec), new interesting: 7.
executions() {
  local n
  n=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$work/fuzz.out" | tail -1)
  echo $((${n:-0} * ${FUZZBATCH:-1}))
}

# fuzz_ended_early: go test now and then fails a target whose time ran out while it was minimizing, with these words and
# no failing input. That is no finding.
fuzz_ended_early() {
  grep -q '^    context deadline exceeded' "$work/fuzz.out" && ! grep -q 'Failing input' "$work/fuzz.out"
}

# The limit of address space (KiB) turns an allocation without bounds into a failure of the target, not of the machine.
# A target that hangs fails by itself; the timeout is for the tool. A number of executions takes as long as it takes.
# A worker does one thing at a time, and with one processor its goroutines change places at less cost.
fuzz_one() (
  ulimit -v 12582912
  local limit=180
  [[ "${FUZZTIME:-5s}" != *x ]] || limit=0
  cd "$(go list -f '{{.Dir}}' "$1")"
  GOMAXPROCS=1 timeout "$limit" "$work/fuzzers/${1##*/}.test" -test.run '^$' -test.fuzz "^$2\$" \
    -test.fuzztime "${FUZZTIME:-5s}" -test.fuzzminimizetime 1000x -test.parallel "${FUZZPARALLEL:-$(nproc)}" \
    -test.timeout 0 -test.fuzzcachedir "$(go env GOCACHE)/fuzz/$1"
)

# check_ring NUMBER FLAG... runs a fault ring; it fails unless its verdict is clean.
check_ring() {
  go build -o "$work/ring" ./conformance/ring/cmd/ring
  "$work/ring" -ring "$1" "${@:2}" -out "$work/ring$1.json"
}

# The quickstart against a real cluster, twice: the second run finds the tables and the rows of the first. The
# coordinator of 0.9.1 now and then overlooks a new table, which then never gets a leader: that, and nothing else, is
# worth another cluster.
check_quickstart() {
  go build -o "$work/fluss-local" ./conformance/cluster/cmd/fluss-local
  go build -o "$work/quickstart" ./examples/quickstart
  local tries
  for tries in 1 2 3; do
    start_cluster
    if quickstart_twice >"$work/quickstart.out" 2>&1; then
      cat "$work/quickstart.out"
      stop_child
      return 0
    fi
    cat "$work/quickstart.out"
    stop_child
    grep -q 'waiting for a leader' "$work/quickstart.out" || return 1
    echo "the cluster overlooked a table (try $tries)"
  done
  return 1
}

# start_cluster starts a cluster as $child and sets dsn.
start_cluster() {
  "$work/fluss-local" >"$work/cluster" &
  child=$!
  dsn=
  local tries=0
  while [ -z "$dsn" ]; do
    kill -0 "$child" 2>/dev/null || { echo "the cluster did not start"; return 1; }
    [ $((tries += 1)) -le 600 ] || { echo "the cluster is not ready after 2 minutes"; return 1; }
    sleep 0.2
    dsn=$(sed -n "s/^export FLUSS_DSN='\(.*\)'\$/\1/p" "$work/cluster")
  done
}

quickstart_twice() {
  FLUSS_DSN=$dsn timeout 120 "$work/quickstart" && FLUSS_DSN=$dsn timeout 120 "$work/quickstart"
}
