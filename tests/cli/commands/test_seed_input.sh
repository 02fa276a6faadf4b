#!/bin/sh
# Addresses from the standard input: a crawl by them, and what later runs know
# of them.

. "${top_srcdir:=.}/tests/cli/program.sh"

# The site of the demonstration.
"$pavane" demo --serve 0 >served 2>&1 &
site=$!
crawl=
trap 'kill -9 $crawl $site 2>/dev/null; wait; rm -rf "$work"' EXIT
while kill -0 $site && [ ! -s served ]; do
	sleep 0.02
done
address=$(sed 's/ .*//' served)

# gives ADDRESS...: the program runs with these lines on its standard input.
gives() {
	lines=$1
	shift
	status=0
	printf '%b' "$lines" | "$pavane" "$@" >out 2>err || status=$?
}

# asked PATH: whether the crawl in m has asked for it.
asked() {
	grep -q "\"url\":\"[^\"]*$1\"" m/journal.jsonl
}

cat >policy.yaml <<END
seeds: [{file: "-", depth: 0}]
scope: {requisites: false}
politeness: {delay: 0, ip_delay: 0, backoff: {overload: 100ms}}
END

gives "${address}\n" crawl policy.yaml -o m
exits 0 "a crawl takes its seeds from the standard input"
asked /
claim $? "which it asked for"
[ "$(cat m/stdin-seeds.txt)" = "${address}" ]
claim $? "and copied into its directory"
[ "$(ls -l m/stdin-seeds.txt | cut -c1-10)" = "-rw-------" ]
claim $? "where its owner alone can read them"
says m/policy.yaml '^  - \{file: stdin-seeds.txt, depth: 0\}' \
	"the policy there names the copy, as from there"

run crawl policy.yaml -o m
exits 0 "an empty input is no other"
says err 'nothing to do' "and continues the crawl with what was copied"
[ -s m/stdin-seeds.txt ]
claim $? "which is still there"

gives "${address}about.html\n" crawl policy.yaml -o m
exits 0 "other addresses come to those that are known"
asked /about.html
claim $? "and are asked for"
[ "$(cat m/stdin-seeds.txt)" = "${address}about.html" ]
claim $? "later runs begin with these"
! grep -q 'seeds: ' err
claim $? "the policy is still the same"

mv m elsewhere
run update elsewhere
exits 0 "a directory that was moved is updated"
says out '^  update +0 new' "by its own copy, with no input"
mv elsewhere m
run explain policy.yaml "${address}about.html" -o m
exits 0 "explain finds the copy of a crawl, too"
says out 'on the host of a seed' "and knows its hosts"

gives "${address}\nnowhere\n" crawl policy.yaml -o other
exits 2 "a line that is no address"
says err '^standard input:2:1: seeds: nowhere: expected a whole address' \
	"is told by its number"
[ ! -e other ]
claim $? "and begins nothing"

gives "${address}\n" crawl policy.yaml -o m --fresh --yes
exits 0 "--fresh begins with the input alone"
[ "$(cat m/stdin-seeds.txt)" = "${address}" ]
claim $? "which takes the place of the copy"
run crawl policy.yaml -o m --fresh --yes
[ ! -s m/stdin-seeds.txt ]
claim $? "and without any there is none"

### The policy is read again

sed -i 's/delay: 0,/delay: 300ms,/; s/, depth: 0//' policy.yaml
printf '%s\n' "${address}" |
	"$pavane" crawl policy.yaml -o again >said 2>&1 &
crawl=$!
looks=0
until [ -s again/journal.jsonl ] || [ $looks -eq 1500 ]; do
	looks=$((looks + 1))
	sleep 0.04
done
sed -i 's/300ms/5ms/' policy.yaml
pids=$(cat again/state.lock)
kill -s HUP "$pids"
status=0
wait $crawl || status=$?
crawl=
cp said err
exits 0 "a crawl that reads its policy again ends well"
says err 'politeness.delay: now 5ms' "by what stands there now"
! grep -q 'seeds: ' err
claim $? "its seeds are those that it had"

tap_done
