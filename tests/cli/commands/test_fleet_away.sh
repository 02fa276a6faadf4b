#!/bin/sh
# A worker opens its crawl again, as one does that was reaped or has other settings,
# while the fleet's database is away.

. "${top_srcdir:-.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/fleet.sh"

cat >policy.yaml <<END
version: 1
name: shared
identity: {contact: me@pavane.dev}
politeness: {delay: 1s}
seeds: ["$address"]
END
waiting='this worker waits until it can join again, and requests nothing: .*postgresql://'

# begins: the worker crawls.
begins() {
	: >said1
	rm -f one/clocks.jsonl
	"$pavane" crawl policy.yaml --fleet "$fleet" -o one >>said1 2>&1 </dev/null &
	one=$!
	awaits one/clocks.jsonl '"event":"taken"' "the worker crawls"
}

# strands VALUE: it has to join again, since it has other settings, and cannot.
strands() {
	server_stop
	: >said1
	printf 'pavane-control 1\nset rate.max_rate %s\n' "$1" >settings
	mv settings one/control
	awaits said1 "$waiting" "it says what it waits for"
}

# grows FILE PATTERN COUNT CLAIM: the file comes to have more such lines.
grows() {
	looks=0
	while [ "$(grep -c "$2" "$1")" -le "$3" ] && [ $looks -lt 300 ]; do
		looks=$((looks + 1))
		sleep 0.1
	done
	[ $looks -lt 300 ]
	claim $? "$4"
}

# ask SQL
ask() {
	(cd / && $as "$bin/psql" -qX "$fleet" -c "$1") >>log 2>&1
}

# ends STATUS CLAIM: the worker ends so.
ends() {
	status=0
	wait $one || status=$?
	cp said1 err
	one=
	[ "$status" -eq "$1" ]
	claim $? "$2"
}

begins
strands 7
sleep 11
kill -0 $one
claim $? "it waits for longer than a start does"
[ "$(grep -Ec "$waiting" said1)" -eq 1 ]
claim $? "without saying so again and again"
asked=$(wc -l <one/journal.jsonl)
server_start
awaits said1 'set from outside: rate.max_rate=7$' "it joins when there is a database"
grows one/journal.jsonl . "$asked" "and goes on with its crawl"

# It cannot get another number while the crawl's row is locked, which it is until
# the server ends.
ask 'BEGIN; SELECT FROM pavane.crawls FOR UPDATE; SELECT pg_sleep(60)' &
sleep 0.5
: >said1
ask 'UPDATE pavane.workers SET is_alive = false;
	UPDATE pavane.clocks SET worker = NULL, has_work = true'
awaits said1 'it joins the fleet again$' "a worker that was reaped hears of it"
server_stop
awaits said1 "$waiting" "and waits, too, if it cannot join at that moment"
sleep 11
kill -0 $one
claim $? "for longer than a start does"
taken=$(grep -c '"event":"taken"' one/clocks.jsonl)
server_start
grows one/clocks.jsonl '"event":"taken"' "$taken" \
	"and takes its hosts over again when it can"

strands 8
run stop one
exits 0 "who waits can be ordered to stop"
ends 3 "and ends as one that was stopped"
grep -q "stopped while it waited for the fleet's database" said1
claim $? "which it says"

server_start
begins
strands 9
kill -INT $one
ends 3 "a signal ends it, too"

run crawl policy.yaml --fleet "$fleet" -o two
exits 1 "without a database a first start ends with an error"
says err 'postgresql://' "which names it"

tap_done
