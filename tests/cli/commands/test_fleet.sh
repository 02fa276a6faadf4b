#!/bin/sh
# Two workers of a fleet, and what people want of them: a cluster of PostgreSQL of
# the test's own, and the demo's site.

. "${top_srcdir:-.}/tests/cli/program.sh"
. "$top_srcdir/tests/cli/fleet.sh"

cat >policy.yaml <<END
version: 1
name: shared
identity: {contact: me@pavane.dev}
politeness: {delay: 3s, backoff: {overload: 1s}}
seeds: ["$address"]
END

### What is refused

run status --fleet "$fleet" shared
exits 1 "a database without a fleet has no crawl to show"
says err ': no fleet has begun a crawl in this database yet' "which is said"
run pause --fleet "$fleet" shared
exits 1 "nor one that could be paused"
says err ': no fleet has begun a crawl in this database yet' "which is said"
run stop --fleet "$fleet"
exits 2 "stop needs a crawl's name"
says err '^pavane: stop --fleet needs the name of one crawl: pavane stop --fleet URL NAME$' \
	"which is said"
run crawl policy.yaml --set output.mirror={} --fleet "$fleet" -o m
exits 1 "who asks for a mirror cannot join"
says err 'output.mirror: the workers of a fleet do not share one directory' \
	"which is said"
for command in status merge crawl mirror nothing; do
	run $command postgresql://ann:secret@db.test/crawls shared
	exits 2 "$command is not for the URL of a database"
	! grep -q secret out err
	claim $? "and $command does not show its password"
done
says err 'stands behind --fleet' "where it belongs is said"
run status --fleet postgresql://ann:x@secret@db.test/crawls shared
exits 1 "an @ in a password has to be written otherwise"
! grep -q secret out err
claim $? "and it is not shown either"
run crawl policy.yaml --fleet crawls -o m
exits 1 "a name is no URL of a database"
[ ! -e m ]
claim $? "and no directory is left behind"
mkdir m
run crawl policy.yaml --fleet crawls -o m
[ -d m ]
claim $? "but one that was there before"
rm -r m
run crawl policy.yaml --set output.mirror.rewrite=true --fleet "$fleet" -o m
exits 1 "nor can who sets one of a mirror's keys"
says err 'output.mirror: the workers of a fleet do not share one directory' \
	"which is said"
run explain --fleet "$fleet" shared
exits 2 "explain needs a crawl and an address"
says err 'pavane explain --fleet URL NAME ADDRESS\.\.\.$' "which is said"
run explain --fleet "$fleet" shared -o one "$address"
exits 2 "and no directory beside the database"
run explain --fleet "host=$work/none" shared "$address"
exits 1 "where there is no server, nothing can be explained"
says err 'No such file or directory' "which is said"
run crawl policy.yaml --fleet "host=$work/none" --inbound there -o inbound
exits 1 "what shards have found is not for a fleet"
says err 'inbound is for shards' "which is said"
[ ! -e inbound ]
claim $? "before there is a directory"
run continue somewhere -o elsewhere
exits 2 "without a fleet the directory is that of the crawl"

### Two workers

"$pavane" crawl policy.yaml --fleet "$fleet" -o one >said1 2>&1 </dev/null &
one=$!
awaits one/journal.jsonl . "the first worker makes the crawl, and crawls"
[ ! -e one/site ]
claim $? "without a mirror, if nobody asks for one"
run status --fleet "$fleet" elsewhere
exits 1 "another name is no crawl's"
says err 'there is no crawl elsewhere' "which is said"
sed 's|3s|3100ms|' policy.yaml >other.yaml
run crawl other.yaml --fleet "$fleet" -o other
exits 1 "who comes with another policy is refused while a worker lives"
says err 'politeness.delay: the fleet has 3s, and this policy 3100ms' \
	"with the key and both values"
"$pavane" continue --fleet "$fleet" shared -o two >said2 2>&1 </dev/null &
two=$!
awaits two/clocks.jsonl '"event":"time"' \
	"a second worker joins by the policy of the database"
run status --fleet "$fleet" shared
exits 0 "the fleet is shown"
says out '^shared: running, 2 workers$' "with both workers"
says out ':one +alive ' "the first"
says out ':two +(alive|idle) ' "and the second"
looks=0
until [ $looks -eq 300 ]; do
	run status two
	grep -q 'idle: ' out && break
	looks=$((looks + 1))
	sleep 0.1
done
says out 'idle: what is left is at hosts of other workers, or rests$' \
	"the second one says that it is idle"
run status --json --fleet "$fleet" shared
says out '"living":2,.*"workers":\[\{"worker":[0-9]+,"place":"[^"]*:one","alive":true' \
	"--json says the same"
# It beats often while shares change hands.
looks=0
until [ $looks -eq 100 ]; do
	(cd / && $as "$bin/psql" -qX "$fleet" -c 'UPDATE pavane.workers SET
		seen = seen - interval $$20 s$$ WHERE place LIKE $$%:two$$') >log 2>&1
	run status --fleet "$fleet" shared
	grep -q silent out && break
	looks=$((looks + 1))
	sleep 0.2
done
says out '^shared: running, 1 worker and 1 silent$' \
	"a worker that has missed a beat is silent"
says out ':two +silent .* [23][0-9]s ago$' "since when is said"

### What would become of an address

looks=0
until [ $looks -eq 300 ]; do
	run explain --fleet "$fleet" shared "$address" "${address}nowhere"
	grep -q 'it was requested: answered 200' out && break
	looks=$((looks + 1))
	sleep 0.1
done
exits 0 "addresses are explained by what the database knows"
says out '^  state +it was requested: answered 200$' "one that was fetched"
says out '^  it would not be fetched: it was requested: answered 200$' \
	"is not fetched again"
says out "^  seen +the fleet's database does not know it$" \
	"another is unknown"
says out '^  its worker +worker [0-9]+ \([^ ]*:(one|two)\) owns the clock 127.0.0.1' \
	"the worker of its host is named"
says out '^  robots.txt +the crawl requested it .* and requests it again ' \
	"and robots.txt as the fleet has it"
says out '^  it would be fetched' "the end of it"
run explain --fleet "$fleet" shared https://elsewhere.example/
! grep -q 'its worker' out
claim $? "a host that is not known and not asked needs no worker"
says out '^  it would not be fetched: not on the host of a seed$' \
	"and the policy is that of the database"
run explain --fleet "$fleet" elsewhere "$address"
exits 1 "another name is no crawl's"
says err 'there is no crawl elsewhere' "which is said"
run explain --fleet "$fleet" shared ftp://elsewhere.example/
exits 2 "what is no web address cannot be explained"
says err '^pavane: ftp://elsewhere.example/ is not a web address' "which is said"
(cd / && $as "$bin/psql" -qX "$fleet" -c 'CREATE ROLE reader LOGIN' \
	-c 'GRANT USAGE ON SCHEMA pavane TO reader' \
	-c 'GRANT SELECT ON ALL TABLES IN SCHEMA pavane TO reader') >log 2>&1
run explain --fleet "host=$work/data user=reader dbname=postgres" shared "$address"
exits 0 "rights to read are enough"
says out '^  state +it was requested: answered 200$' "to know all of it"
run pause --fleet "host=$work/data user=reader dbname=postgres" shared
exits 1 "but not to order anything"
says err ': the role lacks a right .*orders INSERT, UPDATE, .*: ERROR:  permission denied for table crawls$' \
	"which is said, with what is needed"

### Orders

run pause --fleet "$fleet" shared --host elsewhere.example
exits 2 "a host that the fleet does not know cannot be paused"
says err 'elsewhere.example is not a host of this crawl' "which is said"
for order in pause resume 'set'; do
	run $order one $([ $order = set ] && echo rate.max_rate=9)
	exits 1 "one worker takes no order to $order"
	says err 'one: is a worker of a fleet: give the order to all of them, with --fleet URL NAME' \
		"which says who does"
done
run pause --fleet "$fleet" shared
exits 0 "a fleet is paused"
says out '^shared is paused: no worker makes new requests' "which is said"
awaits one/control '^pause [0-9]+ never$' "its first worker hears of it"
awaits two/control '^pause [0-9]+ never$' "and so does its second"
awaits said1 'one: paused since .*; `pavane resume --fleet URL NAME` ends it' \
	"which says how it ends"
run explain --fleet "$fleet" shared "${address}nowhere"
says out '^  it would be fetched, after `pavane resume --fleet`$' \
	"an explanation has the pause"
run set --fleet "$fleet" shared scope.depth=3
exits 2 "what may not be set is refused"
says err '^pavane set: scope.depth: cannot be set while a crawl runs' \
	"which is said"
run set --fleet "$fleet" shared rate.max_rate=7
exits 0 "a key is set"
run set --fleet "$fleet" shared rate.max_rate=7
says out '^shared: that is so already$' "which is so from then on"
awaits said1 'set from outside: rate.max_rate=7' \
	"the first worker goes on by it"
awaits said2 'set from outside: rate.max_rate=7' "and so does the second"
run status --fleet "$fleet" shared
says out '^  set +rate.max_rate=7$' "the status has what is set"
says out '^  note +paused since ' "and what is paused"
run resume --fleet "$fleet" shared
exits 0 "the pause is ended"
run resume --fleet "$fleet" shared
says out '^shared: the crawl was not paused$' "once"
awaits said1 'one: resumed' "and the first worker goes on"

### The end

run stop --fleet "$fleet" shared
exits 0 "all workers are stopped"
says out '^shared: all workers have ended, their state is saved$' "which is said"
status=0
wait $one || status=$?
[ "$status" -eq 130 ] || [ "$status" -eq 3 ]
claim $? "the first one ends as one that was stopped"
status=0
wait $two || status=$?
[ "$status" -eq 130 ] || [ "$status" -eq 3 ]
claim $? "and so does the second"
one=
two=
run stop --fleet "$fleet" shared
says out '^shared: no worker is running$' "a second order finds nobody"
run explain --fleet "$fleet" shared "${address}nowhere"
says out '^  its worker +no worker owns the clock 127.0.0.1, and none is running(;|$)' \
	"nobody owns the host then"
says out 'the worker that takes its host over waits for its whole delay first$' \
	"and the next one owes it a rest"
run merge -o part one two
exits 0 "the workers' directories can be merged then"
says err "part: the fleet's crawl is not finished as far as these directories tell: [0-9]+ address(es wait| waits) for a worker" \
	"which says that the crawl is not finished"
run continue one
exits 1 "a worker's directory is no crawl by itself"
says err "this directory is a fleet's worker" "which is said"

### Another policy

sed 's/^seeds:.*/&\npages: {item: {match: {path: "\/*"}, fields: {t: h1}}}/' \
	policy.yaml >other.yaml
run crawl other.yaml --fleet "$fleet" -o one
exits 1 "other kinds of pages are refused, also where nobody lives"
says err 'pages.*begin another crawl by another name' "which is said"
sed 's/3s/20ms/' policy.yaml >faster.yaml
run crawl faster.yaml --fleet "$fleet" -o three --set rate.max_rate=50
exits 0 "another pace takes its place, and the crawl is finished"
run status --fleet "$fleet" shared
says out '^shared: finished' "as the status says"
says out '^  clocks +0 owned$' "with no clock that waits"
says out '^  left +([5-9]|[0-9]{2}) workers, with [1-9][0-9]* pages$' \
	"and those that have left in one line"
! grep -q ':one' out
claim $? "and no more of them"
run continue --fleet "$fleet" shared -o one
exits 0 "who joins again finds it finished"
run continue --fleet "$fleet" shared -o two
exits 0 "and goes by the new policy, too"
run audit two
says out '^one worker of a fleet; what all of them did is told by ' \
	"the audit of one worker says whom it leaves out"
! grep -q 'robots-first' out
claim $? "and that another one may have asked for robots.txt"
run merge -o all one two three
exits 0 "the workers' directories are merged"
! grep -q 'not finished' err
claim $? "what others have done since is no worker's unfinished business"
run explain --fleet "$fleet" shared "${address}private/wardrobe.html"
says out '^  state +it was left out: .* \(robots, line [0-9]+\)$' \
	"what was refused has its reason"
says out 'no worker owns the clock 127.0.0.1: the crawl is finished$' \
	"and its host has no worker"
run explain --fleet "$fleet" shared https://example.org/
says out '^  state +it was left out: on other hosts \(host\)$' \
	"what was left out at a host that nobody owns is known, too"

### An update

run update somewhere -o elsewhere
exits 2 "without a fleet the directory is that of the crawl"
run update --fleet "$fleet" shared -o three
exits 0 "a finished crawl is updated"
says err 'three: update: round 2 of the fleet.s crawl begins' "which is said"
says out '^  update +0 new, [0-9]+ changed, [0-9]+ gone, [1-9][0-9]* same$' \
	"and what has become of its pages"
run update --fleet "$fleet" shared -o four
exits 0 "it is updated again, by another worker"
says err 'four: update: round 3 of the fleet.s crawl begins' "which is said"
run continue --fleet "$fleet" shared -o five
exits 0 "who comes then has nothing to do"
says out '^Finished: no address was pending' "since it is finished"
run status --fleet "$fleet" shared
says out '^  links +0 on the way' "and passes no seeds on"
run merge -o fifth five
! grep -q 'not finished' err
claim $? "its directory is no unfinished crawl"
run continue --fleet "$fleet" shared -o five
says err 'pavane update --fleet; to start again: give the crawl another name' \
	"who comes again is told what can be done"

### The tables are removed

sed 's/name: shared/name: removed/' policy.yaml >removed.yaml
"$pavane" crawl removed.yaml --fleet "$fleet" -o six >said6 2>&1 </dev/null &
one=$!
awaits six/journal.jsonl . "a worker crawls"
(cd / && $as "$bin/psql" -qX "$fleet" -c 'DROP SCHEMA pavane CASCADE') >log 2>&1
status=0
wait $one || status=$?
one=
[ "$status" -eq 1 ]
claim $? "it ends where somebody removes the tables"
grep -q "six: cannot continue: the fleet's tables are no longer in its database" said6
claim $? "which is said"
! grep -q 'refuses what it is told' said6
claim $? "and nothing else of it"
run crawl removed.yaml --fleet "$fleet" -o six
exits 1 "its directory is none of a fleet that is begun anew"
says err "that from before the fleet's tables were made anew" "which is said"

tap_done
