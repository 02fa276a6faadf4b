#!/bin/sh
# The programs of doc/examples: each is built as a stranger builds it, of what is
# installed and with pkg-config alone, and does what it says with a site of the
# test's own.

. "${top_srcdir:=.}/tests/house/planting.sh"

[ -f "$top_builddir/.libs/libpavane.so" ] ||
	skip_all "there is no shared library"

serve=$top_builddir/tests/examples/serve
installed=$temporary/installed
export HOME="$temporary/home"
unset XDG_CONFIG_HOME XDG_STATE_HOME MAKEFLAGS MFLAGS MAKELEVEL http_proxy \
	https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
mkdir "$HOME" "$temporary/built"

### Building

make_install() {
	${MAKE:-make} -s -C "$top_builddir" DESTDIR="$installed" \
		install-libLTLIBRARIES install-pkgincludeHEADERS \
		install-pkgconfigDATA install-dist_examplesDATA
}

make_install >"$temporary/said" 2>&1
ok $? "library, headers, pkg-config file and examples are installed"

# What pkg-config has is to be found where it is installed for this test.
PKG_CONFIG_LIBDIR=$(dirname "$(find "$installed" -name libpavane.pc)")
PKG_CONFIG_SYSROOT_DIR=$installed
PKG_CONFIG_ALLOW_SYSTEM_CFLAGS=1
PKG_CONFIG_ALLOW_SYSTEM_LIBS=1
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_LIBDIR")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR PKG_CONFIG_ALLOW_SYSTEM_CFLAGS \
	PKG_CONFIG_ALLOW_SYSTEM_LIBS LD_LIBRARY_PATH
examples=$(dirname "$(find "$installed" -name titles.c)")

# The flags of a library that was built with sanitizers.
sanitizers=$(printf '%s\n' "${house_flags:-}" | tr -s ' ' '\n' |
	grep '^-f\(no-\)\?sanitize' | tr '\n' ' ')

# build COMPILER FLAG... NAME: as $temporary/built/NAME.
build() (
	flags=
	while [ $# -gt 1 ]; do
		flags="$flags $1"
		shift
	done
	# These are lists of words.
	# shellcheck disable=SC2046,SC2086
	$flags $sanitizers -Wall -Wextra -Werror -pedantic \
		-o "$temporary/built/$1" "$examples/$1.c" \
		$(pkg-config --cflags --libs libpavane)
) >"$temporary/said" 2>&1

long=$(wc -l "$examples"/*.c | awk '$2 != "total" && $1 >= 60 { print $2 }')
[ -z "$long" ]
ok $? "each is less than 60 lines long"
remark "$long"
for file in "$examples"/*.c; do
	name=$(basename "$file" .c)
	build "${CC:-cc}" -std=c17 "$name"
	ok $? "$name is built with pkg-config alone"
	remark "$(head -n 20 "$temporary/said")"
done
cxx=$(for word in ${CXX:+"$CXX"} c++ g++ clang++; do
	command -v "$word" >/dev/null && echo "$word" && break
done)
if [ -n "$cxx" ]; then
	# The flags are words.
	# shellcheck disable=SC2046
	$cxx -x c++ -std=c++17 -Wall -Wextra -Werror -pedantic -c \
		-o "$temporary/cxx.o" "$examples/titles.c" \
		$(pkg-config --cflags libpavane) >"$temporary/said" 2>&1
	ok $? "and titles is C++17, too"
	remark "$(head -n 20 "$temporary/said")"
else
	skip "and titles is C++17, too" "no C++ compiler is here"
fi

### The site

# Serves it at $port, until stop_site, which leaves what the site saw in log.
begin_site() {
	rm -rf "$temporary/work"
	mkdir "$temporary/work"
	cd "$temporary/work" || exit 1
	mkfifo hold
	"$serve" <hold >log &
	server=$!
	exec 3>hold
	while kill -0 $server && [ ! -s log ]; do
		sleep 0.02
	done
	port=$(head -n 1 log)
}

stop_site() {
	exec 3>&-
	wait $server
	cd "$temporary" || exit 1
	mv work/log log
}

# policy NAME PATH DELAY: as NAME.yaml.
policy() {
	cat >"$1.yaml" <<-END
	version: 1
	name: $1
	seeds: ["http://127.0.0.1:$port$2"]
	identity: {contact: tests@pavane.example}
	politeness: {delay: $3, delay_factor: 0, ip_delay: 0}
	scope: {below: true}
	END
}

# run NAME ARGUMENT...: what it prints is in out and err, its status in $status.
run() {
	name=$1
	shift
	status=0
	"$temporary/built/$name" "$@" >out 2>err </dev/null || status=$?
}

# exits STATUS CLAIM: the last run ended so.
exits() {
	[ "$status" -eq "$1" ]
	claim $? "$2"
}

# claim STATUS TEXT: a claim about the last run, which is shown where it fails.
claim() {
	ok "$1" "$2"
	if [ "$1" -ne 0 ]; then
		remark "status: $status"
		remark "out: $(head -n 20 out)"
		remark "err: $(head -n 20 err)"
	fi
}

# prints CLAIM LINE...: these lines, in any order, with PORT for the port.
prints() {
	text=$1
	shift
	[ "$(sed "s/127.0.0.1:$port/HOST/" out | sort)" = \
		"$(printf '%s\n' "$@" | sort)" ]
	claim $? "$text"
}

### titles

begin_site
policy docs /docs/ 1ms
run titles docs.yaml
exits 0 "titles ends with 0"
tab=$(printf '\t')
prints "and prints the title of each page that has one" \
	"The Docs${tab}http://HOST/docs/" "One${tab}http://HOST/docs/one.html" \
	"One${tab}http://HOST/docs/one.html?print=1"
stop_site
echo 'version: none' >"$temporary/wrong.yaml"
cd "$temporary" || exit 1
run titles wrong.yaml
exits 1 "where the policy is wrong it ends with 1"
grep -q 'wrong.yaml:1:10: version: ' err
claim $? "and says what is wrong"
run titles missing.yaml
exits 1 "and so where there is none"

### own_loop

begin_site
policy docs /docs/ 1ms
: >out
mkfifo input
exec 4<>input
status=0
"$temporary/built/own_loop" docs.yaml >out 2>err <input || status=$?
exits 0 "own_loop ends with 0"
[ ! -s out ]
claim $? "and says nothing if it was not stopped"
policy pages /pages/ 60s
echo stop >&4
status=0
"$temporary/built/own_loop" pages.yaml >out 2>err <input || status=$?
exits 0 "a line on its standard input stops it"
prints "and it says so" "stopped"
exec 4>&-
stop_site
[ "$(grep -c '^/docs/' log)" -eq 4 ]
ok $? "each page was asked for once"

### own_decision

begin_site
policy docs /docs/ 1ms
run own_decision docs.yaml
exits 0 "own_decision ends with 0"
prints "and prints what is refused, by it or by the policy" \
	"print-view: http://HOST/docs/one.html?print=1" \
	"below: http://HOST/news.html"
stop_site
[ "$(grep -c print=1 log)" -eq 0 ] && [ "$(grep -c licence log)" -eq 1 ]
ok $? "what it refuses was not asked for, and what it admits was"

### adding

begin_site
policy docs /docs/ 1ms
status=0
printf '%s\n' "http://127.0.0.1:$port/pages/1.html" \
	"http://127.0.0.1:$port/docs/two.html" 'no address' |
	"$temporary/built/adding" docs.yaml >out 2>err || status=$?
exits 0 "adding ends with 0"
grep -q '^added: .*/pages/1.html$' out
claim $? "and adds the address that it is given"
[ "$(grep -c '^not added: no address: .' out)" -eq 1 ]
claim $? "but not what is none, and says why"
stop_site
[ "$(grep -c '^/pages/1.html$' log)" -eq 1 ]
ok $? "which is requested once"
[ "$(grep -c '^/docs/two.html$' log)" -eq 1 ]
ok $? "and so is one that the crawl finds as well"

### own_sink

# Kills it in the midst of a crawl, before it has all nine pages.
kill_own_sink() {
	"$temporary/built/own_sink" pages.yaml >out 2>err </dev/null &
	killed=$!
	tries=0
	while [ "$(cat pages.tsv 2>/dev/null | wc -l)" -lt "$1" ] &&
		kill -0 $killed 2>/dev/null && [ $tries -lt 3000 ]; do
		tries=$((tries + 1))
		sleep 0.01
	done
	kill -9 $killed
	wait $killed 2>/dev/null
}

begin_site
policy pages /pages/ 50ms
for lines in 2 4 6; do
	kill_own_sink $lines
done
run own_sink pages.yaml
exits 0 "own_sink ends with 0 after three kills"
[ "$(grep -c "^200	http://127.0.0.1:$port/pages/" pages.tsv)" -eq 9 ]
claim $? "and its file has each page, with status and address"
[ -z "$(sort pages.tsv | uniq -d)" ]
claim $? "none of them twice"
stop_site

### two_crawls

begin_site
policy docs /docs/ 40ms
policy pages /pages/ 40ms
run two_crawls docs.yaml pages.yaml
exits 0 "two_crawls ends with 0"
[ -s docs/journal.jsonl ] && [ -s pages/journal.jsonl ]
claim $? "each crawl has a directory"
run two_crawls docs.yaml
exits 2 "it wants two policies"
echo 'version: none' >wrong.yaml
run two_crawls wrong.yaml docs.yaml
exits 1 "it ends with 1 if one of both is wrong"
stop_site
[ "$(grep -c '^/pages/' log)" -eq 9 ] && grep -qx 'at once: 1' log
ok $? "the host got one request at a time"
rest=$(sed -n 's/^rest: //p' log)
[ "$rest" -ge 40 ]
ok $? "and had the rest that both owe it"
remark "$rest ms"

tap_done
