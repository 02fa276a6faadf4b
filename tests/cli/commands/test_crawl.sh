#!/bin/sh
# `pavane crawl`, `mirror`, `continue` and `status`, with a library that only
# does as if it crawled: what is said, when, where, and how it ends.

. "${top_srcdir:=.}/tests/cli/program.sh"
pavane=$(dirname "$pavane")/tests/cli/fake_pavane

# says_not FILE PATTERN CLAIM
says_not() {
	! grep -Eq -e "$2" "$1"
	claim $? "$3"
}

# start ARGUMENT...: runs the program beside the test; its id is in $program.
# A shell has its children in the background ignore SIGINT, which the program
# must not take for the user's wish.
start() {
	: >out
	: >err
	"$pavane" "$@" >out 2>err </dev/null &
	program=$!
}

# wait_for FILE PATTERN: until the program has said so, or the test hangs.
wait_for() {
	tries=0
	until grep -Eq -e "$2" "$1" || [ $tries -gt 2400 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

wait_for_file() {
	tries=0
	until [ -s "$1" ] || [ $tries -gt 2400 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
}

ends() {
	status=0
	wait "$program" || status=$?
}

policy() {
	echo 'seeds: [http://localhost/]' >policy.yaml
}

test_crawl() {
	policy
	run crawl policy.yaml -o here
	exits 0 "a crawl that finishes ends with 0"
	[ "$(head -n 1 out)" = "directory: here" ]
	claim $? "its directory is said first"
	says out '^Finished after ' "the summary follows"
	says out '^ +60  on another host$' "P4: with what was refused and why"
	says out "^  open       file://$work/here/site/docs.example.org/index.html\$" \
		"and where to look"
	says out "^  journal    file://$work/here/journal.jsonl\$" \
		"and where the journal is"
	says_not out '^  continue ' "nothing is left to go on with"
	says err '^1 of 8 done, ' "progress is told in plain lines"
	! grep -q "$(printf '\033')" err out
	claim $? "without anything that only a terminal understands"
	run crawl policy.yaml -o here
	exits 0 "run again it has nothing to do"
	says out '^Finished: no address was pending\.$' "and says so"
	FAKE_ENTRY=1 run crawl policy.yaml -o entered
	says out "^  open       file://$work/entered/index.html\$" \
		"a mirror's entry page is named first"
	says out "^  start page file://$work/entered/site/.*/index.html\$" \
		"and then the page that it begins at"
	run crawl policy.yaml -q -o quiet
	silent out "-q says nothing"
	silent err "at all"
	FAKE_WARNING=slow run crawl policy.yaml -o warned
	says err '^warning: slow' "a warning is told"
	FAKE_WARNING=slow run crawl policy.yaml -q -o warned
	silent err "but not with -q"
	run crawl policy.yaml -v -o verbose
	says err '^level 3$' "-v tells more"
	run crawl policy.yaml -vv -o verbose-twice
	says err '^level 4$' "-vv tells even more"
	run crawl policy.yaml -v --verbose -o verbose-both
	says err '^level 4$' "and so does the option given twice"
	FAKE_OPEN=failed run crawl policy.yaml -q -o failed
	exits 1 "a crawl that cannot begin ends with 1"
	says err '^error: the disk is in the way' "and says why, even with -q"
	run crawl policy.yaml
	[ "$(head -n 1 out)" = "directory: ./docs.example.org" ]
	claim $? "without -o the policy says where"
}

test_ends() {
	for pair in failed:1 limited:4 not-begun:5; do
		FAKE_END=${pair%:*} run crawl policy.yaml -q -o "${pair%:*}"
		exits "${pair#*:}" "a crawl that ends ${pair%:*} ends with ${pair#*:}"
	done
}

test_crawl_usage() {
	run crawl
	exits 2 "crawl without a policy is wrong usage"
	run crawl https://localhost/
	exits 2 "an address is no policy"
	says err 'pavane mirror https://localhost/' "and mirror is named"
	run crawl policy.yaml -q -v
	exits 2 "-q and -v contradict each other"
	run crawl policy.yaml --delay 2s
	exits 2 "crawl has no options for keys"
	says err '--set politeness.delay=TIME does the same' "but --set"
	run crawl policy.yaml -y
	says err 'there is no option -y' "a letter of a long option is none"
	echo 'seeds: [http://localhost/]
rate: fast' >wrong.yaml
	run crawl wrong.yaml -o wrong
	exits 2 "a wrong policy ends with 2"
	[ ! -e wrong ]
	claim $? "and nothing is begun"
	run crawl policy.yaml localhost:1/x -o more --set limits.pages=5
	says out '^localhost:1/x is read as http://localhost:1/x$' \
		"further addresses may be given"
	grep -q 'http://localhost:1/x' more/policy.yaml
	claim $? "and come to the seeds"
}

test_mirror() {
	run mirror localhost:8080/docs -o mirrored
	exits 0 "a mirror needs no policy"
	says out '^localhost:8080/docs is read as http://localhost:8080/docs$' \
		"what the address was taken for is said"
	run mirror docs.example.org -o foreign
	exits 2 "P7: somebody else's host needs a contact"
	says err 'identity: \{contact: you@your.domain\}' "whose line is printed"
	says err 'use --contact you@your.domain; for all your crawls, write .* into .*/pavane/config.yaml$' \
		"and where it may stand"
	[ "$(wc -l <err)" -eq 1 ]
	claim $? "all in one line, which"
	says err '^docs.example.org is not your own host, and its owner must be able to reach you: ' \
		"begins with whom it is for"
	[ ! -e foreign ]
	claim $? "and nothing is begun"
	run mirror docs.example.org --contact me@host.test -o foreign
	exits 0 "a contact may be given"
	run mirror
	exits 2 "mirror without an address is wrong usage"
	run mirror ftp://localhost/
	exits 2 "an address of another scheme is wrong"
	says err 'not an http or https address' "and is told so"
	policy
	run mirror policy.yaml
	exits 2 "a policy is no address"
	says err 'pavane crawl policy.yaml' "and crawl is named"
}

# option VALUE LINE: the policy that the option makes has that line.
option() {
	line=$1
	shift
	run mirror localhost --print-policy "$@"
	says out "$line" "$* is a key of the policy"
}

test_dry_run() {
	run mirror 127.0.0.1:1/a/ --dry-run -o elsewhere
	exits 0 "what would be asked for can be told before"
	says out '^  first +http://127.0.0.1:1/robots.txt$' \
		"robots.txt comes first"
	says out '^ +http://127.0.0.1:1/a/$' "then where it begins"
	says out '^  each host +rests 1s' "at this pace"
	says out '^  directory +[^ ]+$' "and where it would be kept"
	[ ! -e elsewhere ]
	claim $? "where nothing is"
	silent err "and nobody was asked"
	run mirror https://docs.example.org/ --dry-run -o elsewhere
	exits 0 "a dry run needs no contact"
	says out '^  first        https://docs.example.org/robots.txt$' \
		"and says what would be requested"
	says err '^note: .* needs a contact: use --contact you@your.domain$' \
		"and that a crawl needs one, and how"
	printf 'version: 1\nseeds: ["http://127.0.0.1:1/"]\n' >dry.yaml
	run crawl dry.yaml --dry-run -o elsewhere
	exits 0 "and of a policy"
	says out '^  directory +elsewhere$' "that is kept elsewhere"
	[ ! -e elsewhere ]
	claim $? "and is not begun either"
}

test_mirror_options() {
	run mirror localhost --print-policy
	exits 0 "a mirror's policy is printed"
	says out '^  below: true  # mirror$' "it is only what lies below"
	says out '^  sitemap_guess: false  # mirror$' \
		"and nobody is asked for what he may not have"
	says out '^  give_up_silent: 2m  # mirror$' \
		"nor waited for for long if he has never answered"
	says out '^  delay: 1s  # default$' "with a second after each answer"
	says out '^  connections: 1  # default$' "one at a time"
	says out '^  mirror:' "and kept as a mirror"
	cp out printed.yaml
	run check printed.yaml
	exits 0 "what is printed is a policy"
	option '^  delay: 2s  # --delay$' --delay 2s
	option '^  max_rate: 5  # --rate$' --rate 5
	option '^  interval: 1s  # --rate$' --rate 5
	option '^  depth: 3  # --depth$' --depth 3
	option '^  below: false  # --no-below$' --no-below
	option '^  pages: 7  # --limit-pages$' --limit-pages 7
	option '^  hosts: site  # --site$' --site
	option '^  below: false  # mirror$' --site
	option '^  below: true  # --below$' --site --below
	option '^  requisites: false  # --no-requisites$' --no-requisites
	option '^  agent: examplebot/1.0  # --agent$' --agent examplebot/1.0
	option '^  contact: me@host.test  # --contact$' --contact me@host.test
	option '^  delay: 9s  # --set$' --delay 2s --set politeness.delay=9s
	for pair in --delay:politeness.delay --rate:rate.max_rate \
		--depth:scope.depth --limit-pages:limits.pages; do
		run mirror localhost "${pair%:*}" x
		exits 2 "${pair%:*} x is wrong"
		says err "^${pair%:*}: ${pair#*:}: expected .*, found x\$" \
			"and is told by its name"
	done
	mkdir -p home/.config/pavane
	echo 'output: {}
rate: {interval: 1m}' >home/.config/pavane/config.yaml
	option '^  mirror:' --rate 2
	option '^  interval: 1s  # --rate$' --rate 2
	rm -r home/.config
}

test_metrics() {
	FAKE_MS=1 run mirror localhost -q -o metered --metrics crawl.prom
	grep -q '^pavane_running 0$' crawl.prom
	claim $? "figures for a collector are in their file at the end"
	grep -q '^pavane_crawl{directory="metered"} 1$' crawl.prom
	claim $? "with the crawl's directory"
	FAKE_MS=1 run mirror localhost -o unmetered --metrics no/where
	exits 0 "a file that cannot be written ends no crawl"
	says err '^warning: --metrics no/where: cannot be written: No such file' \
		"but is told"
	[ "$(grep -c metrics err)" -eq 1 ]
	claim $? "once"
}

test_json() {
	FAKE_MS=1 run mirror localhost --json -o json
	exits 0 "a crawl may be told in JSON"
	[ "$(grep -vc '^{.*}$' out)" -eq 0 ]
	claim $? "nothing else is on the standard output"
	[ "$(tail -n 1 out)" = '{"phase":5,"done":8,"pending":0}' ]
	claim $? "and the last object is the end"
	says err '^directory: json$' "the directory is on the other one"
}

test_stop() {
	for signal in INT TERM; do
		FAKE_PAGES=100000 start mirror localhost -o "stopped.$signal"
		wait_for err 'done'
		kill -s $signal "$program"
		ends
		exits 3 "P6: SIG$signal stops it, with 3"
		says out '^Stopped after .*; the state is saved\.$' \
			"and says so"
		says out "^  continue   .*fake_pavane continue stopped.$signal\$" \
			"and how to go on"
	done
	FAKE_PAGES=100000 FAKE_DRAIN_MS=600000 start mirror localhost -o twice
	wait_for err 'done'
	kill -s INT "$program"
	wait_for err 'a second signal drops them'
	says err '^stopping: 3 requests in flight end, at most ' \
		"P6: it says what it waits for"
	kill -s TERM "$program"
	ends
	exits 3 "P6: a second signal does not let it wait"
	says err '^stopping: requests in flight are dropped' "and that is said"
}

test_third_stop() {
	FAKE_PAGES=100000 FAKE_DRAIN_MS=600000 FAKE_DROP_MS=600000 \
		start mirror localhost -o thrice
	wait_for err 'done'
	kill -s INT "$program"
	wait_for err 'drops them'
	kill -s INT "$program"
	wait_for err 'are dropped'
	kill -s TERM "$program"
	ends 2>/dev/null
	exits 143 "a third signal ends the program as if it were alone"
}

test_other_signals() {
	FAKE_PAGES=100000 start mirror localhost -o asked
	wait_for err 'done'
	kill -s USR1 "$program"
	wait_for err 'limited by'
	says err '^  limited by the policy: ' "SIGUSR1 makes it tell"
	says err '^  left out   100$' "all there is"
	kill -s PIPE "$program"
	kill -s INT "$program"
	ends
	exits 3 "and SIGPIPE does nothing"
	for how in --quiet --json; do
		FAKE_PAGES=100000 start mirror localhost "$how" -o "asked$how"
		# Without a word of it there is no telling when it can hear.
		wait_for_file "asked$how/policy.yaml"
		kill -s USR1 "$program"
		wait_for err 'limited by'
		kill -s INT "$program"
		ends
		says err '^  limited by the policy: ' "SIGUSR1 is heard with $how"
		says_not out 'limited by' "and answered on the standard error"
	done
	: >err
	(trap '' HUP; exec "$pavane" mirror localhost -o nohup >out 2>err) &
	program=$!
	wait_for err 'done'
	kill -s HUP "$program" 2>/dev/null
	ends
	exits 0 "a SIGHUP that is to be ignored is"
}

test_closed_files() {
	status=0
	"$pavane" mirror localhost -o closed >&- 2>&- <&- || status=$?
	exits 0 "all files closed, a crawl goes on"
	[ "$(cat closed/journal.jsonl)" = "" ] && [ "$(cat closed/state.db)" = 8 ]
	claim $? "and no file of its own gets what was for others"
	status=0
	"$pavane" mirror localhost -o full 2>err >/dev/full || status=$?
	exits 1 "a full disk behind the standard output is a fault"
	says err 'error: cannot write to the standard output: No space left' \
		"that is told"
	[ "$(cat full/state.db)" = 8 ]
	claim $? "and does not end the crawl"
	status=0
	"$pavane" mirror localhost -o full --json --fresh --yes 2>err >/dev/full ||
		status=$?
	exits 1 "it is one with --json as well"
	status=0
	"$pavane" mirror localhost -o full --fresh --yes >out 2>/dev/full || status=$?
	exits 0 "one behind the standard error is none"
	status=0
	{
		"$pavane" mirror localhost -o unread 2>&1
		echo $? >status
	} | true
	status=$(cat status)
	exits 0 "nor does a pipe without a reader"
}

# A pipe whose reader is slow, and lines that soon fill it.
test_slow_reader() {
	mkfifo pipe
	line=$(printf '%01000d' 0)
	sleep 600 <pipe &
	reader=$!
	status=0
	FAKE_LINE=$line FAKE_LINES=1000 FAKE_PAGES=1000 FAKE_MS=0 "$pavane" \
		mirror localhost -o slow >pipe 2>&1 || status=$?
	kill "$reader"
	exits 0 "a reader who does not read holds nobody up"
	(
		exec 3<pipe
		wait_for_file slower/half
		cat <&3 >late
	) &
	reader=$!
	status=0
	FAKE_LINE=$line FAKE_LINES=4000 FAKE_PAGES=4000 FAKE_MS=1 "$pavane" \
		mirror localhost -o slower >/dev/null 2>pipe || status=$?
	wait "$reader"
	exits 0 "nor does one who is late"
	says late '^\([0-9,]+ lines omitted\)$' "who is told what was missed"
	says late ' 3999$' "and the rest"
}

test_continue() {
	FAKE_PAGES=100000 FAKE_MS=100 start mirror localhost -o "two words"
	wait_for err 'done'
	kill -s INT "$program"
	ends
	says out "continue 'two words'\$" "the command that goes on is quoted"
	all=$(($(cat "two words/state.db") + 10))
	FAKE_PAGES=$all run continue "two words"
	exits 0 "a crawl goes on from its directory"
	says out "^  addresses  $all known: $all done, 100 left out\$" \
		"where it was"
	FAKE_PAGES=25 run continue "two words/" --set limits.pages=none
	exits 0 "a key of the policy may be changed"
	run continue
	exits 2 "continue without a directory is wrong usage"
	run continue nowhere
	exits 2 "a directory must be there"
	says err 'nowhere: No such file or directory' "which is said"
	mkdir -p other
	run continue other
	exits 2 "a directory must be a crawl's"
	says err 'other is not a crawl.s directory: cannot read its policy.yaml' "which is said"
	run continue policy.yaml
	exits 2 "a file is no directory"
	says err 'pavane crawl policy.yaml' "and crawl is named"
}

test_update() {
	run mirror localhost -o old
	run update old
	exits 0 "a crawl is updated from its directory"
	says out '^  update     3 new, 0 changed, 0 gone, 5 same$' \
		"and what has changed is told"
	run continue old
	exits 0 "which is no other command's business"
	! grep -q '^  update' out
	claim $? "who does not ask for it is not told"
	run update old --set recrawl.after=1d -q
	exits 0 "a key of the policy may be changed for it"
	run update
	exits 2 "update without a directory is wrong usage"
	says err 'pavane update DIR' "which is said"
	run update policy.yaml
	exits 2 "a file is no directory"
	says err 'and update needs a crawl.s directory' "nor for an update"
}

test_status() {
	run status here
	exits 0 "a crawl's status is told"
	says out '^here: finished, as of 2023-11-1' "how it ended"
	says out '^  addresses  8 known: 8 done, 100 left out$' "what is done"
	says out '^  first byte +12ms +340ms +1200ms +57$' "how long it took"
	says_not out 'event loop' "but not how long we were held up"
	run status -v here
	says out '^  event loop: blocked' "unless with -v"
	FAKE_RUNNING=1 FAKE_NAME=docs FAKE_PAGES=20 run status here
	says out '^here \(docs\): running, process 4711, ' "one that runs"
	says out '^  limited by the policy: ' "says what holds it"
	says_not out '^  continue ' "and needs no command"
	FAKE_PAGES=20 FAKE_CUT=1 run status here
	says out '^here: not running, the last run was interrupted, as of' \
		"one that was killed"
	says out '^  continue   .*fake_pavane continue here$' \
		"and has one"
	FAKE_END=limited FAKE_NOTE='limits.pages is reached' run status here
	says out '^here: stopped by a limit of the policy, as of' \
		"one that has gone as far as it may"
	says out '^  limit      limits.pages is reached$' "says which it was"
	FAKE_NAME=docs run status --json here
	says out '^\{"running":false,"process":0,"as_of_ms":1700000000000,"name":"docs","progress":\{"phase":5,"done":8,"pending":0\},"directory":"here"\}$' \
		"JSON is for programs"
	run status nowhere
	exits 1 "where there is no crawl it ends with 1"
	says err 'there is no crawl' "and says why"
	run status
	exits 2 "status without a directory is wrong usage"
}

test_fresh() {
	run mirror localhost -o here --fresh
	exits 2 "--fresh throws nothing away where nobody can be asked"
	says err 'here holds a crawl: 8 done, 0 pending' "it says what is there"
	says err 'add --yes' "and what to do"
	[ "$(cat here/state.db)" = 8 ]
	claim $? "and nothing is gone"
	FAKE_PAGES=3 run mirror localhost -o here --fresh --yes
	exits 0 "--yes agrees"
	says out '^  addresses  3 known: 3 done' "and all begins anew"
	run mirror localhost -o not-yet --fresh
	exits 0 "where nothing is, nobody need agree"
}

test_demo_usage() {
	run demo here
	exits 2 "demo takes no arguments"
	run demo -o here
	exits 2 "and no directory that is there"
	says err 'here exists already' "which is said"
	TMPDIR=$work/nowhere run demo
	exits 1 "without a temporary directory there is no demo"
	TMPDIR=$work run demo
	exits 1 "a demo that did not go as it should ends with 1"
	says out '^  NO +robots.txt was requested first$' "and says what"
	says out '^A small site is running on this machine' "and what it is"
	says out 'At least one check failed.*rm -r .*/pavane-demo\.' \
		"and where its files are"
	TMPDIR=$work run demo -q
	silent out "-q says nothing"
	says err 'a check of the demo failed' "but that"
}

test_crawl
test_ends
test_crawl_usage
test_mirror
test_dry_run
test_mirror_options
test_metrics
test_json
test_stop
test_third_stop
test_other_signals
test_closed_files
test_slow_reader
test_continue
test_update
test_status
test_fresh
test_demo_usage
tap_done
