#!/bin/sh
# calls.sh TREE: prints a line wherever TREE's sources name a function that the
# house avoids, and says with its status whether there was none.
#
# They write past the end (strcpy), cannot tell a fault from a value (atoi),
# keep state behind one's back (strtok), or ask the locale what a letter is.
# The sources are read, not the objects: compilers turn one call into another.
#
# Nor does anybody ask what time it is, or wait by a timer of their own, but for
# the clocks and those who are beside a conductor, on threads, on the wire or in
# front of a person: a simulated crawl has one clock (src/loop/clock.h).

set -eu
cd "$1"

avoided="
strcpy stpcpy strcat sprintf vsprintf gets strtok strtok_r atoi atol atoll atof
scanf sscanf fscanf vscanf vsscanf vfscanf
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace
isupper isxdigit tolower toupper
"
clocks="
pv_time_now clock_gettime gettimeofday timespec_get
uv_now uv_update_time uv_hrtime uv_timer_init uv_timer_start
"

# Whether a file may ask the system's clocks.
has_clock() {
	case $1 in
	src/base/clock.[ch] | src/loop/clock.c) ;;
	src/api/* | src/cli/* | src/fetch/* | src/names/* | src/store/wal.c) ;;
	*) return 1 ;;
	esac
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
done | awk '{ print } END { exit NR > 0 }'
