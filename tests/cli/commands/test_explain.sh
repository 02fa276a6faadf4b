#!/bin/sh
# `pavane explain`: P4, every no has a reason that a person can read, before a
# crawl.

. "${top_srcdir:=.}/tests/cli/program.sh"

cat >policy.yaml <<'END'
seeds: [http://docs.localhost/a/]
politeness: {delay: 3s}
domains: {"*.localhost": {delay: 5s}, docs.localhost: {strip_query: [sid]}}
scope:
  strip_query: [other]
  rules:
    - deny: {path: "/private*"}
    - allow: {host: "other.example"}
    - deny: {ext: [zip]}
END
cat >robots.txt <<'END'
User-agent: pavane
Disallow: /secret
Crawl-delay: 7
END

test_admitted() {
	run explain policy.yaml --offline http://docs.localhost/page
	exits 0 "an address is explained"
	says out '^http://docs.localhost/page$' "under its name"
	says out 'deny: \{path: "/private\*"\}: its path does not match .*policy.yaml:7\)' \
		"each rule is told, with its line"
	says out '^  its host +delay: 5s, for \*\.localhost \(policy.yaml:3\)$' \
		"and the manners towards its host, with theirs"
	says out '^  robots.txt +is requested first' "and robots.txt, if it is open"
	says out '^  it would be fetched$' "and the end of it"
	run explain policy.yaml --offline http://docs.localhost/a/
	says out '^  judged as +a seed$' "a seed is known"
	run explain policy.yaml --offline 'http://docs.localhost/p?sid=1&b=2'
	says out '^http://docs.localhost/p\?b=2$' "strip_query is done first"
	says out '^  stands for +http://docs.localhost/p\?sid=1&b=2$' \
		"and the address that was asked about is told"
	says out '^ +by scope.strip_query, for docs.localhost \(policy.yaml:3\)$' \
		"with the key that makes them the same, and its line"
	run explain policy.yaml --offline 'http://docs.localhost/p?b=2#top'
	! grep -q 'stands for' out
	claim $? "what stands for itself needs no word"
}

test_same() {
	{
		cat policy.yaml
		echo '  aliases: {"www.*": "*"}'
		echo '  default_documents: [index.html]'
		echo '  sort_query: true'
	} >same.yaml
	run explain same.yaml --offline \
		'http://www.docs.localhost/a/index.html?z&sid&b'
	says out '^http://docs.localhost/a/\?b&z$' "an address by all keys"
	says out '^  stands for +http://www.docs.localhost/a/index.html\?z&sid&b$' \
		"is told as it was given"
	says out '^ +by scope.aliases \(same.yaml:10\)$' "with the line of aliases"
	says out '^ +by scope.default_documents \(same.yaml:11\)$' \
		"of default documents"
	says out '^ +by scope.sort_query \(same.yaml:12\)$' "and of the order"
	run explain same.yaml --offline http://www.docs.localhost/a/index.html
	says out '^  judged as +a seed$' "a seed is known by what it stands for"
	says out '^  it would be fetched$' "and its host is the seed's"
}

test_refused() {
	run explain policy.yaml --offline http://docs.localhost/private/x
	exits 0 "a no is no error"
	says out '^  it would not be fetched: rule 1, deny' "a rule refuses"
	run explain policy.yaml --offline http://docs.localhost/x.ZIP
	says out '^  it would not be fetched: rule 3, deny' "an ending refuses"
	run explain policy.yaml --offline http://elsewhere.localhost/
	says out '^  it would not be fetched: .*host' "a host refuses"
	run explain policy.yaml --offline http://docs.localhost/a/a/a/a/a/
	says out '^  it would not be fetched: .*3' "a trap refuses"
	run explain policy.yaml --offline http://other.example/x
	says out '^  it would be fetched$' "an allow admits wherever it lies"
}

test_robots() {
	run explain policy.yaml --robots robots.txt http://docs.localhost/secret
	says out '^  robots.txt +forbids it by line 2: Disallow: /secret$' \
		"robots.txt refuses, and its line is named"
	says out '^  it would not be fetched: robots.txt forbids it$' \
		"and that is the end of it"
	run explain policy.yaml --robots robots.txt http://docs.localhost/open
	says out '^  robots.txt +asks for 7s between requests \(line 3\)$' \
		"its delay is told"
	{
		printf 'User-agent: *\nDisallow: /op\n'
		head -c 511959 /dev/zero | tr '\0' '#'
		printf '\nAllow: /open-only-in-part'
	} >large.txt
	run explain policy.yaml --robots large.txt http://docs.localhost/open
	says out '^  it would not be fetched: robots.txt forbids it$' \
		"P1: a rule that the limit cuts counts on the strict side"
	run explain policy.yaml --domain docs.localhost robots=ignore \
		--robots robots.txt http://docs.localhost/secret
	says out '^  robots.txt +is ignored for this host' "what is one's own may be asked"
}

test_shards() {
	for shard in 1 2 3 4; do
		run explain policy.yaml --shard $shard/4 --offline \
			http://docs.localhost/open
		grep '^  it would' out
	done >ends
	[ "$(grep -c '^  it would be fetched' ends)" -eq 1 ]
	claim $? "P1: an address is asked for by one shard"
	[ "$(grep -c '^  it would not be fetched: this is for shard [1-4] of 4$' ends)" -eq 3 ]
	claim $? "P4: the others say whose it is"
	grep -q '^  shard  *the clock docs.localhost belongs to shard [1-4] of 4' out
	claim $? "P4: and by which clock"
	run explain policy.yaml --shard 5/4 --offline http://docs.localhost/open
	exits 1 "there is no fifth of four"
	says err 'shard: 5/4 is no shard' "and that is told"
}

test_usage() {
	run explain policy.yaml --offline http://docs.localhost/1 http://docs.localhost/2
	[ "$(grep -c '^http' out)" -eq 2 ]
	claim $? "several addresses are explained"
	run explain policy.yaml
	exits 2 "a policy alone is wrong usage"
	run explain policy.yaml docs.localhost
	exits 2 "what is no address is wrong usage"
	run explain policy.yaml --robots not-there.txt http://docs.localhost/
	exits 1 "a robots.txt that is not there ends with 1"
	echo 'rate: 5' >wrong.yaml
	run explain wrong.yaml http://docs.localhost/
	exits 2 "a wrong policy ends with 2"
	says err '^wrong.yaml:1:7: rate: ' "and is told"
}

test_admitted
test_same
test_refused
test_robots
test_shards
test_usage
tap_done
