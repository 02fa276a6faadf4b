# Documentation that nobody here wrote, behind a server that nobody here wrote:
# a crawl finds what wget2 finds, each address is asked for once, keeps what
# the server has, and tells of it truly (P3, P4). What was asked for is taken
# from the server's own log. To be read by a test of one manual:
#
#   . "${top_srcdir:=.}/tests/crawl/real_site.sh"
#   site 'the Python manual' /usr/share/doc/python3.11/html / 500 50
#   tap_done

. "${top_srcdir:=.}/tests/cli/program.sh"

nginx=$(command -v nginx || command -v /usr/sbin/nginx) ||
	skip_all 'nginx is not installed'
command -v wget2 >/dev/null || skip_all 'wget2 is not installed'

### The server

server=

# Ends the server. What was answered stands in its log by then. A signal that
# comes just before it waits for its next event is not looked at until there is
# one: so it comes again.
stop_server() {
	if [ -n "$server" ]; then
		(while kill -QUIT "$server" 2>/dev/null; do sleep 0.1; done) &
		wait "$server"
		server=
	fi
}
trap 'stop_server; rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# One process that stays in the foreground, so that it is ours to end.
write_configuration() {
	cat >nginx.conf <<-END
		daemon off;
		master_process off;
		pid $work/nginx.pid;
		events { worker_connections 256; }
		http {
			include mime.types;
			log_format asked '\$status \$request_uri';
			access_log $work/access.log asked;
			client_body_temp_path $work/body;
			proxy_temp_path $work/proxy;
			fastcgi_temp_path $work/fastcgi;
			uwsgi_temp_path $work/uwsgi;
			scgi_temp_path $work/scgi;
			server {
				listen 127.0.0.1:$port;
				root $root;
			}
		}
	END
	cat >mime.types <<-END
		types {
			text/html html;
			text/css css;
			text/javascript js;
			text/plain txt;
			image/svg+xml svg;
			image/png png;
			image/gif gif;
			image/x-icon ico;
		}
	END
}

# Whether the server, once started, listens: it writes its pid when it does.
listens() {
	tries=0
	while [ ! -s nginx.pid ]; do
		tries=$((tries + 1))
		if [ $tries -gt 200 ] || ! kill -0 "$server" 2>/dev/null; then
			return 1
		fi
		sleep 0.05
	done
}

# Starts the server with an empty log.
start_server() {
	rm -f nginx.pid access.log
	write_configuration
	"$nginx" -e "$work/error.log" -c "$work/nginx.conf" 2>nginx.err &
	server=$!
	if ! listens; then
		kill "$server" 2>/dev/null
		wait "$server"
		server=
		return 1
	fi
}

# A port that nobody listens on, below those that the system gives away.
find_port() {
	port=$((20000 + $$ % 10000))
	for _ in 1 2 3 4 5; do
		if start_server; then
			stop_server
			return
		fi
		port=$((port + 1))
	done
	return 1
}

### Crawling

# Our own server, so nothing has to rest. What wget2 does not do by itself,
# such as reading sitemaps, is left out.
write_policy() {
	cat >policy.yaml <<-END
		version: 1
		seeds: [http://127.0.0.1:$port$start]
		rate: {max_rate: 1000, interval: 10ms, concurrency: 32}
		politeness: {delay: 0, delay_factor: 0, ip_delay: 0, connections: 32}
		scope: {sitemaps: false}
		output: {mirror: {rewrite: false}}
	END
}

# Lets a command ask the server; what it asked for is in the log of that name.
asking() {
	log=$1
	shift
	start_server || return
	"$@"
	asked=$?
	stop_server
	mv access.log "$log"
	return $asked
}

wget2_quietly() {
	wget2 --no-config --quiet --recursive --level=inf --delete-after \
		--directory-prefix=theirs "http://127.0.0.1:$port$start"
}

### What is claimed

# The addresses of a log that were answered well; robots.txt is for ourselves.
answered() {
	sed -n 's/^200 //p' "$1" | grep -v '^/robots.txt$' | LC_ALL=C sort
}

# The requests that the journal tells of, written as the server's log.
journal_requests() {
	sed -nE 's|^\{.*"url":"http://[^/"]*([^"]*)".*"status":([0-9]+).*|\2 \1|p' \
		crawl/journal.jsonl
}

# same FILE FILE CLAIM: both have the same lines, in any order.
same() {
	LC_ALL=C sort "$1" >left
	LC_ALL=C sort "$2" >right
	cmp -s left right
	same=$?
	ok $same "$3"
	if [ $same -ne 0 ]; then
		remark "$(diff left right | head -n 20)"
	fi
}

# For each address with a file, the file of the server and ours.
kept_files() {
	sed -nE 's|.*"url":"http://[^/"]*([^"?]*)[^"]*".*"file":"([^"]*)".*|\1 \2|p' \
		crawl/journal.jsonl | awk -v root="$root" '{
			sub("/$", "/index.html", $1)
			print root $1, "crawl/" $2
		}'
}

# The digests of the files of a column, in order.
digests() {
	cut -d ' ' -f "$1" kept | tr '\n' '\0' | xargs -0 sha256sum |
		cut -d ' ' -f 1
}

finals() {
	grep '"final":true' crawl/journal.jsonl |
		sed -E 's|^\{.*"url":"([^"]*)".*|\1|' | LC_ALL=C sort
}

claim_one_final_each() {
	finals >finals
	LC_ALL=C sort -u finals | cmp -s - finals
	ok $? "$name: no address has two final lines"
	known=$("$pavane" status --json crawl |
		sed -E 's/.*"known":([0-9]+).*/\1/')
	[ "$(wc -l <finals)" -eq "$known" ]
	ok $? "$name: and each of the $known that are known has one"
	sed -nE 's|.*"url":"([^"]*)".*|\1|p' crawl/journal.jsonl |
		grep -v '/robots\.txt$' | LC_ALL=C sort -u | cmp -s - finals
	ok $? "$name: and none without one is told of"
}

claim_json() {
	if ! python3 -c '' 2>/dev/null; then
		skip "$name: the journal is JSON" 'python3 is not installed'
		return
	fi
	python3 -m json.tool --json-lines crawl/journal.jsonl >/dev/null 2>err
	ok $? "$name: the journal is an object a line, as Python reads JSON"
	remark "$(cat err)"
}

claim_kept() {
	kept_files >kept
	answered ours >ours-answered
	[ "$(wc -l <kept)" -eq "$(wc -l <ours-answered)" ]
	ok $? "$name: each of them has a file"
	cut -d ' ' -f 2 kept | LC_ALL=C sort >files
	find crawl/site -type f | LC_ALL=C sort | cmp -s - files
	ok $? "$name: of its own, and there is no other"
	digests 1 >digests-there
	digests 2 >digests-here
	cmp -s digests-there digests-here
	ok $? "$name: with the bytes that the server has"
}

claim_nothing_more() {
	cp crawl/journal.jsonl journal-before
	asking again run crawl policy.yaml -o crawl
	exits 0 "$name: a second run finishes as well"
	[ ! -s again ]
	ok $? "$name: and asks for nothing"
	remark "$(head -n 5 again)"
	cmp -s journal-before crawl/journal.jsonl
	ok $? "$name: and has nothing to tell"
}

# Whether each manual is asked for, and all of it looked at.
is_thorough() {
	[ "${PAVANE_MANUALS:-one}" = all ]
}

# The files whose links are followed: all, or each fourth, since that takes Python
# longer than the crawl.
looked_through() {
	if is_thorough; then
		cat kept
	else
		awk 'NR % 4 == 0' kept
	fi
}

# A mirror whose links are rewritten: what differs from what the server has are
# links, and of those none leads nowhere; linking it once more changes nothing.
claim_linked() {
	if ! python3 -c '' 2>/dev/null; then
		skip "$name: a mirror is linked" 'python3 is not installed'
		return
	fi
	rm -rf crawl
	sed 's/rewrite: false/rewrite: true/' policy.yaml >linked.yaml
	asking linked run crawl linked.yaml -o crawl
	exits 0 "$name: a mirror is made"
	same ours linked "$name: and nothing else is asked for"
	[ "$(find crawl/site -name 'index^^.*' | wc -l)" -eq 0 ]
	ok $? "$name: a directory and its index are one file"
	kept_files | sed 's|/index^^\.|/index.|' >kept
	looked_through >pages
	python3 "$top_srcdir/tests/crawl/mirror_check.py" crawl/site pages >looked
	remark "$(tail -n 1 looked)"
	grep -Eq '^documents [0-9]{3,} local [0-9]{4,} dead 0 different 0$' looked
	ok $? "$name: no link leads nowhere, and only links have changed"
	remark "$(head -n 5 looked)"
	find crawl/site -type f -exec stat -c '%n %i %Y' {} + | sort >before
	run relink crawl
	exits 0 "$name: linking it once more"
	find crawl/site -type f -exec stat -c '%n %i %Y' {} + | sort >after
	cmp -s before after
	ok $? "$name: writes nothing"
}

# The pages to be opened, spread evenly, and with every fifth where it is from;
# names that an address would write in another way are left out.
browsed_pages() {
	awk -v wanted="$1" -v here="$PWD/" -v root="$root" \
		-v there="http://127.0.0.1:$port" '
		$2 ~ /\.html$/ && $2 ~ /^[A-Za-z0-9\/._^-]*$/ && $1 !~ /index/ {
			lines[++count] = here $2 " " there substr($1, length(root) + 1)
		}
		END {
			for (i = 1; i <= wanted && i <= count; i++) {
				line = lines[int(i * count / wanted)]
				if (i % 5)
					sub(/ .*/, " -", line)
				print line
			}
		}' kept
}

# The mirror as a person sees it who has no network.
claim_browsed() {
	browser=$(command -v chromium || command -v chromium-browser)
	if [ -z "$browser" ] || ! command -v node >/dev/null; then
		skip "$name: a mirror is browsed" 'chromium or node is not installed'
		return
	fi
	browsed_pages "$1" >pages
	browsed=0
	asking looks node "$top_srcdir/tests/crawl/browse.mjs" "$browser" \
		"$work/profile" "$work/pages" >browsed 2>err || browsed=$?
	if [ $browsed -eq 77 ]; then
		skip "$name: a mirror is browsed" "$(cat err)"
		return
	fi
	[ "$(cat browsed)" = "looked at $1" ]
	ok $? "$name: $1 pages open from the disk, and look as they did"
	remark "$(head -n 5 browsed)"
}

# wants_all: skips all unless each manual is asked for, since one tells most.
wants_all() {
	is_thorough ||
		skip_all 'PAVANE_MANUALS=all asks for this one, too'
}

# site NAME ROOT START FEWEST PAGES: crawls the files below ROOT from START, of
# which wget2 is to find so many at least, and opens so many pages.
site() {
	name=$1
	root=$2
	start=$3
	[ -e "$root${start}index.html" ] || skip_all "$name is not installed"
	find_port || skip_all "nginx does not run here: $(head -n 1 nginx.err)"
	write_policy
	asking ours run crawl policy.yaml -o crawl
	exits 0 "$name: a crawl finishes"
	asking wget2 wget2_quietly
	answered ours >ours-answered
	answered wget2 >wget2-answered
	count=$(wc -l <wget2-answered)
	[ "$count" -ge "$4" ]
	ok $? "$name: wget2 finds $count addresses"
	same wget2-answered ours-answered "$name: and we find the same"
	LC_ALL=C sort ours | uniq -d >twice
	[ ! -s twice ]
	ok $? "$name: no address is asked for twice"
	remark "$(head -n 5 twice)"
	journal_requests >told
	same ours told "$name: the journal tells of each request, as it was answered"
	claim_one_final_each
	claim_json
	claim_kept
	claim_nothing_more
	claim_linked
	claim_browsed "$5"
}
