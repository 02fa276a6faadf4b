#!/bin/sh
# A crawl that is stopped, paused and resumed from another terminal.

. "${top_srcdir:-.}/tests/cli/program.sh"

"$pavane" demo --serve 0 >served 2>&1 &
site=$!
crawl=
trap 'kill -9 $crawl $site 2>/dev/null; wait; rm -rf "$work"' EXIT
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
address=$(sed 's/ .*//' served)

# awaits FILE PATTERN CLAIM: the file comes to have such a line.
awaits() {
	looks=0
	until grep -Eq -e "$2" "$1" || [ $looks -eq 1500 ]; do
		looks=$((looks + 1))
		sleep 0.04
	done
	grep -Eq -e "$2" "$1"
	claim $? "$3"
}

# crawls ARGUMENT...: begins a crawl, in a process of its own; what it says is
# in said.
crawls() {
	: >said
	"$pavane" "$@" >said 2>&1 </dev/null &
	crawl=$!
}

# ends STATUS CLAIM: the crawl that runs ends so.
ends() {
	status=0
	wait $crawl || status=$?
	crawl=
	[ "$status" -eq "$1" ]
	claim $? "$2"
}

# lines: how many requests the crawl has made.
lines() {
	wc -l <m/journal.jsonl
}

### What is wrong

for command in stop pause resume; do
	run $command
	exits 2 "$command needs a directory"
	says err "^pavane: $command needs a crawl's directory: pavane" \
		"which is said"
	run $command nowhere
	exits 1 "$command: where there is no crawl there is nothing to do"
	says err "nowhere.* is not a crawl's directory" "which is said"
done

### A crawl that runs

crawls mirror "$address" -o m --contact me@example.org \
	--set politeness.delay=300ms --set politeness.ip_delay=0 \
	--set politeness.backoff.failure=100ms \
	--set politeness.backoff.overload=200ms
awaits said '^[0-9]+ of ' "a crawl runs"
run pause m --host other.example
exits 2 "a host that is none of the crawl's cannot be paused"
says err "other.example is not a host of this crawl" "which is said"
run pause m --until 25:00
exits 2 "nor can anything until a time that is none"
says err "25:00 is no time: write a duration such as 2h" "which is said"
run pause m --until 2020-01-01
says err "2020-01-01 is in the past" "nor until one that is past"
[ ! -e m/control ]
claim $? "and nothing is changed"
run resume m
says out '^m: the crawl was not paused$' "what is not paused is not resumed"
run pause m
exits 0 "the crawl is paused"
says out '^m is paused: .* until `pavane resume m`$' "which is said"
awaits said '^warning: m: paused since [0-9:]*; `pavane resume` ends it$' \
	"the crawl says so"
before=$(lines)
run status m
says out '^  note       paused since [0-9:]*$' "and so does its status"
run status m --json
says out '"pauses":"paused since [0-9:]*"' "also in JSON"
run explain m/policy.yaml "${address}unseen.html" -o m
says out "paused until .pavane resume." "explain says so for an address"
kill -HUP $crawl
awaits said 'SIGHUP: the policy was read again|SIGHUP: the policy has' \
	"a SIGHUP while it is paused is heeded"
run stop m
exits 0 "a crawl that is paused can be stopped"
says out '^m: the crawl has ended, its state is saved$' "which is waited for"
ends 3 "it has ended as by Ctrl+C"
[ $(($(lines) - before)) -le 1 ]
claim $? "and made no request while it was paused"
run stop m
exits 0 "no harm is done where none runs"
says out '^m: no crawl is running$' "but it is said"

### Other values

run set
exits 2 "set needs a directory"
run set nowhere rate.max_rate=3
exits 1 "where there is no crawl nothing is set"
run set m
says out '^m: nothing is set$' "which is said"
run set m scope.depth=3 rate.max_rate=3
exits 2 "what decides which addresses belong is not to be set"
says err 'scope.depth: cannot be set while a crawl runs: change the policy' \
	"which is said"
run set m rate.max_rat=3 politeness.delay=soon
exits 2 "nor what is wrong"
says err '^pavane set: rate.max_rat: unknown key: did you mean rate.max_rate\?' "a key"
says err 'politeness.delay: .*found soon' "or a value"
run set m rate.max_rate
exits 2 "nor a key alone"
run set m rate.burst=1
exits 2 "nor what contradicts the rest of the policy"
run set m
says out '^m: nothing is set$' "of several that are not right none is set"
run set m politeness.delay=900ms rate.concurrency=2
says out '^m: set; no crawl is running, the next run begins with it$' \
	"a crawl that nobody runs is told"
run set m politeness.delay=900ms
says out '^m: that is so already$' "once is enough"
run status m
says out '^  set        politeness.delay=900ms, rate.concurrency=2$' \
	"its status says what is set"
run status m --json
says out '"settings":"politeness.delay=900ms, rate.concurrency=2"' \
	"also in JSON"
run explain m/policy.yaml "${address}unseen.html" -o m
says out ' 900ms from an answer .*: delay \(pavane set\)' "explain goes by it"

### Restarts

before=$(lines)
crawls continue m
awaits said '^warning: m: paused since' "it is paused when it is continued"
kill -9 $crawl
ends 137 "killed while it is paused"
says said 'm: set from outside: politeness.delay=900ms, rate.concurrency=2$' \
	"it goes by what was set"
grep -q ' delay: 300ms' m/policy.yaml
claim $? "but its policy stays as it is"
run set m politeness.delay= rate.concurrency=
exits 0 "which is taken back"
silent err "without more words"
run set m domains.127.0.0.1.delay=3s
says err 'values of single hosts cannot be set while a crawl runs' \
	"a host's own values are the policy's"
run set m
says out '^m: nothing is set$' "as it is said"
run resume m
says out '^m is resumed$' "a crawl that nobody runs is resumed"
run pause m --host 127.0.0.1 --until 2h
says out '^m: the host 127.0.0.1 is paused: .* for 2h$' "or a host paused"
crawls continue m
awaits said '127.0.0.1 is paused since .* `pavane resume --host 127.0.0.1`' \
	"which holds from its next start"
[ "$(lines)" -eq "$before" ]
claim $? "not a request is made of it"
run resume m
says out '^m: the crawl was not paused$' "the crawl itself was not paused"
run resume m --host 127.0.0.1
says out '^m: the host 127.0.0.1 is resumed$' "the host is"
ends 0 "and the crawl goes on to its end"
says said 'm: resumed$' "when it was told"

### An update

crawls update m
awaits said '^directory: m$' "an update runs"
run pause m
awaits said '^warning: m: paused since' "which is paused"
writers=
for hours in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	"$pavane" pause m --until ${hours}h >/dev/null &
	writers="$writers $!"
done
for writer in $writers; do
	wait "$writer"
done
run resume m
says out '^m is resumed$' "after twenty orders at once it is resumed by one"
ends 0 "and goes on to its end"
run audit m
exits 0 "P1: and the journal shows that every delay was kept"
tap_done
