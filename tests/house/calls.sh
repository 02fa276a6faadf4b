#!/bin/sh
# calls.sh TREE: prints a line wherever TREE's sources name a function that the
# house avoids, and says with its status whether there was none.
#
# They write past the end (strcpy), cannot tell a fault from a value (atoi),
# keep state behind one's back (strtok), or ask the locale what a letter is.
# The sources are read, not the objects: compilers turn one call into another.

set -eu
cd "$1"

avoided="
strcpy stpcpy strcat sprintf vsprintf gets strtok strtok_r atoi atol atoll atof
scanf sscanf fscanf vscanf vsscanf vfscanf
isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace
isupper isxdigit tolower toupper
"

find src include -name '*.[ch]' | sort | while read -r file; do
	awk -v file="$file" -v avoided="$avoided" '
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
