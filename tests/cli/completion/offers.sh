# shellcheck shell=sh disable=SC2154 # What program.sh sets.
# For tests of `pavane completion`: sourced by each, behind program.sh. What a
# shell has to offer, as --help and the manual page of policies have it, against
# what it does offer.
#
#   ask SHELL-SCRIPT <lines >told   the test's own: for each line "== LINE", and the
#                                   words that the shell offers at its end
#   compare_offers SHELL

build=$(dirname "$pavane")
manual=$build/doc/manual

# expect LINE: reads the words that are to be offered at its end.
expect() {
	printf '%s\n' "$1" >>lines
	echo "== $1" >>expected
	sort >>expected
}

# The commands, as the program lists them.
commands() {
	"$pavane" help | sed -n 's/^  pavane \([a-z]*\) .* [a-z].*/\1/p' | sort -u
}

# help_of COMMAND: asked for once.
help_of() {
	[ -f ".hidden/help.$1" ] || "$pavane" help "$1" >".hidden/help.$1"
	cat ".hidden/help.$1"
}

# list COMMAND TITLE: the first words of a list in its help.
list() {
	help_of "$1" | sed -n "/^$2:\$/,/^\$/s/^  \([a-z-]*\) .*/\1/p"
}

# options COMMAND: all names of its options.
options() {
	help_of "$1" | sed -n '/^Options:$/,/^$/p' |
		grep -oE '^  (-[a-zA-Z]|   ),? --[a-z-]+' | tr -s ', ' '\n' |
		grep -e -
}

# The keys of the reference, each with what is said of it on a line; read once.
entries() {
	[ -f .hidden/entries ] || write_entries >.hidden/entries
	cat .hidden/entries
}

write_entries() {
	"$manual" keys | awk '/^\.TP$/ { has_key = 0; print ""; next }
		/^\.B [a-z0-9_.*]+$/ { printf "%s ", $2; has_key = 1; next }
		has_key { printf "%s ", $0 }' | grep -E '^[a-z0-9_.*]+ '
}

keys() {
	case $1 in
	policy) entries | grep -v '; only in the domain table' ;;
	running) entries | grep '; can be set while the crawl runs' ;;
	host)
		entries | sed -n -e 's/^domains\.\*\.\([a-z0-9_.]*\) .*/\1/p' \
			-e 's/.*in the domain table as \\fB\([a-z0-9_.]*\)\\fR.*/\1/p'
		return
		;;
	esac | sed 's/ .*//'
}

# The keys of the service, as it writes all of them out; none where it was left out.
service_keys() {
	"$pavane" serve --effective --set directory=d 2>.hidden/said |
		awk '/^[a-z_]+:$/ { section = $1; sub(":", ".", section); next }
			/^[a-z_]+: / { section = "" }
			/^ *[a-z_]+: / { sub(":", "", $1); print section $1 }'
}

make_crawls() {
	mkdir -p docs 'my crawl' way/deep .hidden plain
	touch docs/state.db 'my crawl/state.db' way/deep/state.db page.html
}

expect_of_commands() {
	for command in $(commands); do
		options "$command" | grep '^--' | expect "pavane $command --"
		usage=$(help_of "$command" | sed -n '1s/.*OPTIONS\] //p')
		case $usage in
		DIR*) printf '%s\n' docs 'my crawl' | expect "pavane $command " ;;
		POLICY*) echo page.html | expect "pavane $command pa" ;;
		esac
		case $usage in
		*FILE* | *POLICY])
			echo page.html | expect "pavane $command docs pa" ;;
		esac
		# The service has keys of its own.
		options "$command" | grep -qx -e --domain || continue
		keys policy | sed 's/$/=/' | expect "pavane $command --set "
		keys host | sed 's/$/=/' | expect "pavane $command --domain a.example "
	done
}

expect_of_words() {
	{ commands && echo help; } | expect 'pavane '
	commands | expect 'pavane help '
	list init Kinds | expect 'pavane init '
	list inspect What | expect 'pavane inspect '
	list completion Shells | expect 'pavane completion '
	echo page.html | expect 'pavane inspect robots pa'
	echo page.html | expect 'pavane crawl -o docs --set scope.depth=2 pa'
	printf '%s\n' --delay --depth | expect 'pavane mirror --de'
	printf '%s\n' --help --version | expect 'pavane --'
}

expect_of_keys() {
	keys running | sed 's/$/=/' | expect 'pavane set docs '
	printf '%s\n' rate.bandwidth= rate.burst= |
		expect 'pavane set docs rate.max_rate=5 rate.b'
	printf '%s\n' true false | expect 'pavane crawl --set fetch.tls.verify='
	printf '%s\n' same site any | expect 'pavane crawl --set scope.hosts='
	printf '%s\n' same site | expect 'pavane crawl --set=scope.hosts=s'
	echo none | expect 'pavane crawl --set scope.depth='
	printf '%s\n' obey ignore |
		expect 'pavane crawl --domain a.example robots='
}

expect_of_service() {
	service_keys >.hidden/service
	[ -s .hidden/service ] || return 0
	sed 's/$/=/' .hidden/service | expect 'pavane serve --set '
	printf '%s\n' jobs.per_token= | expect 'pavane serve --set jobs.p'
	echo none | expect 'pavane serve --set jobs.per_token='
	echo none | expect 'pavane serve --set=tokens_file=n'
}

expect_of_files() {
	echo 'my crawl' | expect 'pavane status my'
	echo 'my crawl' | expect 'pavane status my\ c'
	printf '%s\n' docs 'my crawl' | expect 'pavane status docs '
	echo way | expect 'pavane status w'
	echo way/deep | expect 'pavane status way/'
	echo plain | expect 'pavane mirror -o p'
	echo plain | expect 'pavane mirror --output=p'
	echo docs | expect 'pavane explain -o d'
	echo page.html | expect 'pavane mirror --input-file pa'
}

# Ends of words that shells add, and the part of a word that some repeat.
plain_words() {
	tab=$(printf '\t')
	sed -e "s/$tab.*//" -e '/^==/!{' -e 's/\\//g' -e 's#/$##' \
		-e 's/^[^ ]*=\(.\)/\1/' -e 's#^way/##' -e '}'
}

# The words of a line, sorted, of a file of such.
words_at() {
	awk -v line="== $1" '/^== / { is_it = $0 == line; next }
		is_it && NF' "$2" | sort -u
}

compare_offers() {
	shell=$1
	make_crawls
	: >lines
	: >expected
	expect_of_words
	expect_of_keys
	expect_of_files
	expect_of_service
	expect_of_commands
	"$pavane" completion "$shell" >script
	ok $? "there is a script for $shell"
	ask "$work/script" <lines >told 2>told.err
	plain_words <told >words
	plain_words <expected >wanted
	while IFS= read -r line; do
		words_at "$line" words >offered
		words_at "$line" wanted >should
		[ -s should ] && cmp -s offered should
		ok $? "$shell offers what there is at \"$line\""
		cmp -s offered should || remark "$(diff should offered)"
	done <lines
	[ ! -s told.err ]
	ok $? "and says nothing else"
	remark "$(head -n 5 told.err)"
}
