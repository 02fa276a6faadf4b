#!/bin/sh
# calls.sh TREE: prints a line wherever TREE's sources name a function that the
# house avoids, and says with its status whether there was none.
#
# They write past the end (strcpy), cannot tell a fault from a value (atoi),
# keep state behind one's back (strtok), or ask the locale what a letter is.
# The sources are read, not the objects: compilers turn one call into another.
#
# Nor does anybody ask what time it is, or wait by a timer of their own, but for
# the clocks and those who are named below, each with its reason: a simulated
# crawl has one clock (src/loop/clock.h). A file that is named and asks nothing
# is told, too.

set -eu
cd "$1"

avoided="
strcpy stpcpy strcat sprintf vsprintf gets strtok strtok_r atoi atol atoll atof
scanf sscanf fscanf vscanf vsscanf vfscanf
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace
isupper isxdigit tolower toupper
"
clocks="
pv_time_now pv_boot_now_ms clock_gettime gettimeofday timespec_get
uv_now uv_update_time uv_hrtime uv_timer_init uv_timer_start
sleep usleep nanosleep clock_nanosleep uv_sleep
"

# The files that may: the clocks;
askers=" base/system.c base/system.h loop/clock.c "
# on the wire, on loops and threads of their own;
askers="$askers names/lookup.c names/channel.c fetch/fetch.c "
askers="$askers fetch/call.c fetch/exchange.c fetch/shard.c fetch/lane.c "
askers="$askers fetch/hooks.c fetch/bandwidth/bandwidth.c "
askers="$askers fetch/connection/fair_share.c "
askers="$askers fleet/line/line.c fleet/line/line_parts.h "
askers="$askers fleet/line/connecting.c fleet/line/traffic.c "
askers="$askers fleet/fleet.c fleet/leaving.c "
askers="$askers fleet/beats/beats.c fleet/beats/own_share.c "
askers="$askers fleet/beats/reaping.c fleet/visit/visitor.c "
askers="$askers fleet/worker/worker.c fleet/worker/worker.h "
askers="$askers fleet/joining/joining.c "
askers="$askers fleet/joining/silent_workers.c fleet/giving/giving.c "
askers="$askers fleet/net/net_addresses.c fleet/taking/taking.c "
# for as long as a caller of the library is ready to wait;
askers="$askers crawl/control/mailbox.c "
# in front of a person;
askers="$askers api/look/explain.c api/look/try.c api/crawl/order.c "
askers="$askers api/crawl/progress.c api/crawl/runtime.c "
askers="$askers api/fleet/order.c api/fleet/status.c "
askers="$askers cli/commands/stop.c cli/run/fleet_orders.c "
askers="$askers cli/run/row_stream.c cli/terminal/outlet.c "
askers="$askers cli/terminal/meter.c cli/demo/site.c "
# for who asks the service;
askers="$askers serve/entry.c serve/service.c serve/routes/event_stream.c serve/routes/events.c "
askers="$askers serve/jobs/job_news.c serve/jobs/job_watches.c "
askers="$askers serve/fetches/fetch_bell.c "
# a lock that another process holds.
askers="$askers limiter/clock_file.c "

has_clock() {
	case $askers in
	*" ${1#src/} "*) ;;
	*) return 1 ;;
	esac
}

# Those that are named and ask nothing.
idle_askers() {
	pattern=$(echo $clocks | tr ' ' '|')
	for asker in $askers; do
		find "src/${asker%%/*}" -name "${asker##*/}" \
			! -exec grep -Eqw -e "$pattern" {} \; -print |
			sed 's/$/: asks no clock, but is named in calls.sh/'
	done
}

find src include -name '*.[ch]' | sort | while read -r file; do
	words=$avoided
	has_clock "$file" || words="$words$clocks"
	awk -v file="$file" -v avoided="$words" '
		function without_text(line) {
			gsub(/\\./, "", line)
			gsub(/"[^"]*"/, "", line)
			gsub(/\047[^\047]*\047/, "", line)
			gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", line)
			sub(/\/\/.*/, "", line)
			return line
		}

		function check(line,    words, count, i) {
			count = split(line, words, /[^A-Za-z0-9_]+/)
			for (i = 1; i <= count; i++)
				if (words[i] in is_avoided)
					print file ":" NR ": " words[i]
		}

		BEGIN {
			for (i = split(avoided, words); i > 0; i--)
				is_avoided[words[i]] = 1
		}

		{ line = without_text($0) }

		is_comment {
			if (!sub(/^.*\*\//, "", line))
				next
			is_comment = 0
		}

		{
			is_comment = sub(/\/\*.*/, "", line)
			check(line)
		}' "$file"
done | {
	cat
	idle_askers
} | awk '{ print } END { exit NR > 0 }'
