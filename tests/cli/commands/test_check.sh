#!/bin/sh
# `pavane check`, as a person and as a script run it.

. "${top_srcdir:=.}/tests/cli/program.sh"

right() {
	cat >right.yaml <<-END
	version: 1
	seeds: [http://localhost:8080/]
	END
}

test_policies() {
	for policy in "$policies"/*.yaml; do
		name=${policy##*/}
		run check "$policy"
		exits 0 "policies/$name is right"
		says out "is valid" "and $name is told so"
		run check --effective "$policy"
		cp out first.yaml
		run check --effective first.yaml
		cmp -s out first.yaml
		claim $? "the effective policy of $name is its own"
	done
}

test_statuses() {
	right
	run check right.yaml
	exits 0 "a right policy ends with 0"
	silent err "and nothing is said of it as a problem"
	echo 'rate: {max_rat: 5}' >wrong.yaml
	run check wrong.yaml
	exits 2 "a wrong policy ends with 2"
	says err '^wrong.yaml:1:8: rate.max_rat: unknown key: did you mean rate.max_rate\?$' \
		"and says where, what and what was meant"
	says err '^    1 \| rate: \{max_rat: 5\}$' "and shows the line"
	says err '^      \|        \^$' "and below it the place"
	silent out "and says nothing else"
	run check not-there.yaml
	exits 2 "a policy that is not there ends with 2"
	says err 'not-there.yaml: cannot be read: No such file' "and says so"
	run check .
	exits 2 "a directory is no policy"
	run check
	exits 2 "check without a policy is wrong usage"
	run check right.yaml right.yaml
	exits 2 "two policies are wrong usage"
	run
	exits 2 "no command is wrong usage"
	says err '^Crawl:$' "and the commands are listed in groups"
	says err '^  pavane mirror URL' "each with a line"
	run help check
	cp out helped
	exits 0 "help describes a command"
	run check --help
	cmp -s out helped
	claim $? "as --help does"
	run help
	exits 0 "help alone lists the commands"
	says out '^Options:$' "and the options of all"
	for command in '' mirror crawl continue update status audit where \
		links relink init check explain demo inspect; do
		# shellcheck disable=SC2086 # nothing is nothing
		run help $command
		[ "$(wc -L <out)" -le 80 ]
		claim $? "help $command fits in 80 columns"
	done
	run help chek
	exits 2 "help for an unknown command is wrong usage"
	says err 'did you mean check\?' "and the nearest is named"
	run chek right.yaml
	exits 2 "an unknown command is wrong usage"
	says err 'did you mean check\?' "and the nearest is named"
	run check --efective right.yaml
	exits 2 "an unknown option is wrong usage"
	says err 'did you mean --effective\?' "and the nearest is named"
	run init --limits
	exits 2 "an option of another command is wrong usage"
	says err 'init does not take --limits' "and that is said"
	run check --limits=5 right.yaml
	exits 2 "a value for an option without one is wrong usage"
	run check right.yaml --set
	exits 2 "an option without its value is wrong usage"
	status=0
	for how in --help --version 'check --help' 'check --schema' \
		'check --effective right.yaml' 'check right.yaml' init; do
		status=0
		# shellcheck disable=SC2086
		"$pavane" $how >/dev/full 2>err || status=$?
		exits 1 "output of $how that cannot be written ends with 1"
		says err 'pavane: cannot write to the standard output' \
			"and that is said"
	done
}

# A policy may come from a command, by a pipe with or without a name.
test_pipes() {
	right
	mkfifo pipe
	run check pipe
	exits 2 "a pipe into which nobody writes is not waited for"
	says err '^pipe: cannot be read: no process writes to this pipe$' \
		"and that is said"
	cat right.yaml >pipe &
	run check pipe
	exits 0 "one into which somebody writes is read"
	wait
	status=0
	cat right.yaml | "$pavane" check /dev/stdin >out 2>err || status=$?
	exits 0 "and so is the standard input by its name"
	mkdir -p home/.config/pavane
	mkfifo home/.config/pavane/config.yaml
	run check right.yaml
	exits 2 "the user's configuration is not waited for either"
	rm home/.config/pavane/config.yaml
	mkfifo home/.config/pavane/never.txt
	run check right.yaml
	exits 2 "nor is never.txt"
	says err 'never.txt: cannot be read: no process writes to this pipe' \
		"which is said as well"
	rm -r home/.config
	run inspect robots pipe pavane
	exits 1 "nor is a file to inspect"
	rm pipe
}

test_many_problems() {
	for i in $(seq 30); do
		echo "wrong_$i: 1"
	done >many.yaml
	run check many.yaml
	[ "$(grep -c '^many.yaml:' err)" -eq 20 ]
	claim $? "twenty problems are told"
	says err '^and 10 more problems$' "and the others counted"
}

test_places_of_options() {
	right
	run check --set rate.max_rate=5 right.yaml --effective
	says out '^  max_rate: 5  # --set$' "options stand before and after"
	run --effective check right.yaml
	exits 0 "and before the command"
	run check --effective -- right.yaml
	exits 0 "and -- ends them"
	run check -- --effective
	says err '^--effective: cannot be read' "what follows is no option"
}

test_settings() {
	right
	run check right.yaml --set rate.max_rate=5 --set rate.max_rate=6 --effective
	says out '^  max_rate: 6  # --set$' "the last setting wins"
	says out '^  burst: 6  # default$' "what follows from it follows"
	run check right.yaml --effective
	cp out effective.yaml
	run check effective.yaml --set rate.max_rate=50 --effective
	says out '^  burst: 50  # default$' "out of an effective policy as well"
	sed 's/burst: 20 /burst: 30 /' effective.yaml >edited.yaml
	run check edited.yaml --set rate.max_rate=30 --effective
	says out '^  burst: 30 ' "but not where it was edited"
	run check right.yaml --set 'scope.rules=[{deny: {ext: zip}}]' --effective
	says out 'deny: \{ext: \[zip\]\}\}  # --set' "a value is YAML"
	run check right.yaml --set rate.max_rat=5
	exits 2 "an unknown key is refused"
	says err '^--set: rate.max_rat: unknown key: did you mean rate.max_rate\?$' \
		"as it would be in a file"
	run check right.yaml --set rate.max_rate=fast
	says err '^--set: rate.max_rate: expected a whole number' \
		"and so is a wrong value"
	run check right.yaml --set rate.max_rate
	says err 'expected KEY=VALUE, found rate.max_rate' "and a key alone"
	run check right.yaml --set domains.a.b.delay=1s
	says err '--domain HOST KEY=VALUE' "hosts have an option of their own"
	run check right.yaml --domain '*.example.org' delay=5s --effective
	says out '^  "\*\.example\.org":$' "a host is set"
	says out '^    delay: 5s  # --domain$' "with its key"
	run check right.yaml --domain example.org dely=5s
	says err '^--domain: dely: unknown key: did you mean delay\?$' \
		"an unknown key of a host is refused"
	run check right.yaml --domain example.org:80 delay=5s
	exits 2 "what is no host is refused"
	run check right.yaml --domain example.org
	exits 2 "a host without a key is wrong usage"
}

test_own_configuration() {
	right
	mkdir -p home/.config/pavane
	cat >home/.config/pavane/config.yaml <<-END
	identity: {contact: me@example.net}
	politeness: {delay: 3s}
	END
	run check --effective right.yaml
	says out 'contact: me@example.net  # .*/config.yaml:1$' \
		"the user's configuration is read, and named"
	echo 'politeness: {delay: 4s}' >>right.yaml
	run check --effective right.yaml
	says out '^  delay: 4s  # right.yaml:3$' "a policy stands over it"
	echo 'seeds: []' >>home/.config/pavane/config.yaml
	run check right.yaml
	says err 'config.yaml:3:1: seeds: this key is allowed in a policy' \
		"seeds do not belong there"
	mkdir -p other/pavane
	echo 'politeness: {jitter: 0.5}' >other/pavane/config.yaml
	XDG_CONFIG_HOME=$work/other run check --effective right.yaml
	says out '^  jitter: 0.5  # .*/other/pavane/config.yaml:1$' \
		"XDG_CONFIG_HOME says where it is"
	rm -r home/.config other
}

test_never() {
	right
	mkdir -p home/.config/pavane
	cat >home/.config/pavane/never.txt <<-END
	# they asked
	example.net
	*.example.com    # all of them
	192.168.7.0/24
	END
	cat >seeds.yaml <<-END
	identity: {contact: me@example.net}
	seeds: [https://www.example.net/, https://a.example.com/, http://192.168.7.9/, https://example.com/]
	END
	run check seeds.yaml
	exits 2 "P7: no policy overrides never.txt"
	says err 'www.example.net does not want to be crawled .*never.txt:2' \
		"a name stands for all below it"
	says err 'a.example.com does not want to be crawled .*never.txt:3' \
		"a star for all below it"
	says err '192.168.7.9 does not want to be crawled .*never.txt:4' \
		"a range for all in it"
	[ "$(grep -c 'does not want to be crawled' err)" -eq 3 ]
	claim $? "and nobody else is meant"
	echo 'https://example.net/' >home/.config/pavane/never.txt
	run check right.yaml
	exits 2 "a line of never.txt that is none is an error"
	says err 'never.txt:1:1: write the host without https' "and told"
	rm -r home/.config
}

test_contact() {
	for seed in https://docs.example.org/ http://8.8.8.8/ 'http://[2600::1]/' \
		'http://127.0.0.1.example.org/' 'https://{localhost,example.net}/' \
		'https://h{1..2000000}.example.org/'; do
		printf 'seeds: ["%s"]\n' "$seed" >foreign.yaml
		run check foreign.yaml
		exits 2 "P7: $seed needs a contact"
		says err 'identity: \{contact: you@your.domain\}' \
			"and the line to write is printed"
	done
	for seed in http://localhost/ http://docs.localhost:81/ http://127.0.0.1/ \
		'http://[::1]/' http://10.1.2.3/ 'http://127.0.0.{1..200}:8080/' \
		'http://localhost/{1..999999999}' http://2130706433/; do
		printf 'seeds: ["%s"]\n' "$seed" >own.yaml
		run check own.yaml
		exits 0 "$seed needs none"
	done
	printf 'seeds: ["http://a.test/"]\nfetch: {resolve: {"*.test": "127.0.0.1:8080"}}\n' \
		>resolved.yaml
	run check resolved.yaml
	exits 0 "a name that is resolved here needs none"
	printf 'seeds: ["http://a.test/"]\nfetch: {resolve: {"*.test": "8.8.8.8"}}\n' \
		>resolved.yaml
	run check resolved.yaml
	exits 2 "one that is resolved to somebody else does"
}

test_scope_and_contact() {
	printf 'seeds: [http://localhost/]\nscope: {hosts: [localhost, "*.example.net"]}\n' \
		>named.yaml
	run check named.yaml
	exits 2 "P7: a host that the scope names needs a contact as well"
	printf 'seeds: [http://localhost/]\nscope: {hosts: any}\n' >any.yaml
	run check any.yaml
	exits 0 "where links lead is not known before"
	says err '^note: .*no contact is set' "but it is noted"
	printf 'identity: {contact: none}\nseeds: [https://docs.example.org/]\n' \
		>none.yaml
	run check none.yaml
	exits 2 "a contact that is none is none"
}

test_output() {
	mkdir -p home/.config/pavane
	echo 'output: {mirror: {rewrite: false}}' >home/.config/pavane/config.yaml
	right
	run check right.yaml
	says out 'stores +a mirror$' "what is kept may be configured"
	echo 'output: {}' >>right.yaml
	run check right.yaml
	says out 'stores +the journal$' "and a policy says all of it anew"
	rm -r home/.config
}

test_large_effective() {
	awk 'BEGIN {
		print "seeds:"
		for (i = 0; i < 45000; i++)
			print "- http://localhost/" i
	}' >large.yaml
	run check -q --effective large.yaml
	cp out effective.yaml
	run check -q --effective effective.yaml
	cmp -s out effective.yaml
	claim $? "an effective policy is read again, however large"
	(cat effective.yaml; cat large.yaml) | sed 1d >unmarked.yaml
	run check unmarked.yaml
	says err 'larger than 1 MiB' "which no other policy may be"
}

test_seed_files() {
	printf 'seeds: [{file: addresses.txt}]\n' >seeds.yaml
	printf '\357\273\277http://localhost/a\r\n\n# a comment\nhttp://localhost/{b}\n' \
		>addresses.txt
	run check seeds.yaml
	exits 0 "a file of seeds is read line by line"
	printf 'http://localhost/\nlocalhost/\nmailto:a@b.org\n' >addresses.txt
	run check seeds.yaml
	says err '^.*/addresses.txt:2:1: seeds: localhost/: expected a whole address' \
		"a line that is no address is told with its number"
	says err '^.*/addresses.txt:3:1: seeds: mailto:a@b.org: this is not an http' \
		"and so is one of another scheme"
	mkdir -p below
	cp seeds.yaml below
	printf 'http://localhost/\n' >below/addresses.txt
	run check below/seeds.yaml
	exits 0 "a file is looked for beside its policy"
}

test_json() {
	printf 'rate: {max_rat: "\\e[2J"}\n' >wrong.yaml
	run check --json wrong.yaml
	exits 2 "a wrong policy ends with 2 in JSON too"
	says out '^\{"right":false,"problem_count":1,"problems":\[\{"file":"wrong.yaml","line":1,"column":8,"key":"rate.max_rat",' \
		"and has its problems on one line"
	right
	run check --json right.yaml
	says out '^\{"right":true,"problem_count":0,"problems":\[\],"notes":\[\]\}$' \
		"a right one has none"
}

test_terminal_safety() {
	printf '"a\\e[2Jb\\u202E": 1\nname: "\\e]0;title\\a"\n' >hostile.yaml
	run check hostile.yaml
	! grep -q "$(printf '\033')" err && ! grep -q "$(printf '\342\200\256')" err
	claim $? "P4: what a file holds reaches no terminal raw"
}

test_standard_input() {
	status=0
	echo 'seeds: [http://localhost/]' | "$pavane" check - >out 2>err ||
		status=$?
	exits 0 "- is the standard input"
	status=0
	echo 'rate: 5' | "$pavane" check - >out 2>err || status=$?
	says err '^standard input:1:7: rate: ' "and is called so"
}

test_environment() {
	right
	http_proxy=http://proxy.example:3128/ run check right.yaml
	says err 'the environment variable http_proxy is not used' \
		"a proxy of the environment is named and not used"
	run check --limits
	says out '^fetch.max_size +100MiB ' "the ceilings are told"
	says out '^policy nesting +32 ' "those that are built in as well"
	run check --effective
	exits 0 "the defaults can be seen without a policy"
}

test_help() {
	for command in '' mirror crawl continue update status check explain init \
		demo inspect; do
		run $command --help
		exits 0 "pavane $command --help ends with 0"
		says out '^Example:$' "and has an example"
	done
	run --version
	says out '^pavane [0-9]+\.[0-9]+\.[0-9]+$' "the version is told"
}

test_policies
test_statuses
test_pipes
test_many_problems
test_places_of_options
test_settings
test_own_configuration
test_never
test_contact
test_scope_and_contact
test_output
test_large_effective
test_seed_files
test_json
test_terminal_safety
test_standard_input
test_environment
test_help
tap_done
