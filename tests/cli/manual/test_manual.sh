#!/bin/sh
# The manual pages: each command has one, which says what --help says, and mandoc
# has nothing against them.

. "${top_srcdir:=.}/tests/cli/program.sh"

build=$(dirname "$pavane")/doc

# The commands, as the program lists them.
commands() {
	"$pavane" help | sed -n 's/^  pavane \([a-z]*\) .* [a-z].*/\1/p' | sort -u
}

# Text that --help or a page has, without what roff or lines make of it.
plain() {
	sed -e 's/\\f[BIR]//g' -e 's/\\(aq/'"'"'/g' -e 's/\\(ga/`/g' \
		-e 's/\\(ha/^/g' -e 's/\\(ti/~/g' -e 's/\\e/\\/g' -e 's/\\&//' \
		-e 's/\\-/-/g' -e 's/\\ / /g'
}

# A line for each option of a command's help: "-o, --output DIR|The crawl's ...".
helped_options() {
	"$pavane" help "$1" | sed -n '/^Options:$/,/^$/p' | awk '
		function flush() {
			if (name)
				print name "|" toupper(substr(text, 1, 1)) substr(text, 2)
		}
		# What is behind the names of options is in a column of its own.
		/^                    / {
			gsub(/^ +/, "")
			text = text " " $0
			next
		}
		/^  / {
			flush()
			name = substr($0, 1, 31)
			gsub(/^ +| +$/, "", name)
			text = substr($0, 33)
		}
		END { flush() }'
}

# The same of its page, with all that it says of each.
paged_options() {
	plain <"$1" | awk '
		function flush() {
			if (name)
				print name "|" text
			name = ""
		}
		/^\.S[HS]/ { flush(); is_it = $0 == ".SH OPTIONS"; next }
		/^\.TP$/ { flush(); is_name = 1; next }
		is_it && is_name { name = $0; text = ""; is_name = 0; next }
		is_it && name { text = text (text ? " " : "") $0 }
		END { flush() }'
}

check_options() {
	command=$1
	page=$build/pavane-$command.1
	helped_options "$command" >helped
	paged_options "$page" >paged
	cut -d '|' -f 1 helped | sort >helped.names
	cut -d '|' -f 1 paged | sort >paged.names
	[ -s helped.names ] && cmp -s helped.names paged.names
	ok $? "pavane-$command(1) has each option of --help once, and no other"
	cmp -s helped.names paged.names ||
		remark "$(diff helped.names paged.names)"
	missing=$(while IFS= read -r line; do
		grep -qF -e "$line" paged || echo "$line"
	done <helped)
	[ -z "$missing" ]
	ok $? "and says the same of each"
	remark "$missing"
}

# What stands between two headings of a page.
section() {
	sed -n "/^\.SH $2\$/,/^\.SH /{/^\.SH /!p;}" "$1"
}

check_page() {
	command=$1
	page=$build/pavane-$command.1
	run help "$command"
	usage=$(sed -n 's/^usage: //p' out)
	said=$(section "$page" SYNOPSIS | plain)
	[ "${usage% }" = "$said" ]
	ok $? "and has its usage"
	sed '1,/^Example:$/d; s/^ *//' out >examples
	section "$page" EXAMPLES | sed '/^\.[nf][fi]$/d' | plain >said
	cmp -s examples said
	ok $? "and its examples"
	section "$page" DESCRIPTION | plain >said
	missing=$(sed -n '/^\(Kinds\|What\|Shells\):$/,/^$/s/^  \([^ ]*\) .*/\1/p' out |
		while read -r word; do
			grep -Eq "^$word( |\$)" said || echo "$word"
		done)
	[ -z "$missing" ]
	ok $? "and the words that may follow"
	grep -qF ".BR pavane\\-$command (1)" "$build/pavane.1"
	ok $? "and pavane(1) names it"
}

commands >all
[ "$(wc -l <all)" -gt 20 ]
ok $? "there are commands"
while read -r command; do
	[ -s "$build/pavane-$command.1" ]
	ok $? "$command has a page"
	check_options "$command"
	check_page "$command"
done <all

ls "$build"/pavane-*.1 | sed 's/.*pavane-\(.*\)\.1/\1/' | sort >paged
cmp -s all paged
ok $? "what is no command has none"

# The pages that others name are there.
sed -n 's/^\.BR pavane\\-\([a-z]*\) (\([15]\)).*/pavane-\1.\2/p' \
	"$build"/pavane*.[15] | sort -u >named
missing=$(while read -r page; do
	[ -s "$build/$page" ] || echo "$page"
done <named)
[ -s named ] && [ -z "$missing" ]
ok $? "each page that another names is there"
remark "$missing"

cat >prose.in <<'END'
Mirrors.
@--nothing
There is none.
END
"$build/manual" command mirror prose.in >out 2>err
status=$?
exits 1 "prose about an option that a command does not take is an error"
says err 'prose.in: @--nothing: mirror has no such option' "and is named"

if command -v mandoc >/dev/null; then
	mandoc -T lint -W warning "$build"/pavane*.[15] >linted 2>&1
	ok $? "mandoc has nothing against any page"
	remark "$(head -n 10 linted)"
else
	skip "mandoc has nothing against any page" "there is no mandoc"
fi
tap_done
