# awk -v page=NAME -v version=VERSION -v day=DAY -f library.awk HEADER... EXAMPLE...
#
# Prints the manual page (section 3) of the header include/pavane/NAME.h, of what
# that says: its first comment is the description, each declaration stands with
# the comment above it, and each member of a struct or an enum with its own.
# What has no comment is shown where a page has such a thing, in its synopsis.
# All functions are among its names, by which man finds it.
# "pavane" is the overview: it lists the pages of the other headers, and the
# examples, each with the first sentence of its first comment.

FNR == 1 {
	file = FILENAME
	sub(/.*\//, "", file)
	is_example = file ~ /\.c$/
	sub(/\.h$/, "", file)
	is_wanted = file == page
	is_told = is_cxx = 0
	if (!is_example)
		names[++name_count] = file
	else
		examples[++example_count] = file
}

# C++ is left out, but for what stands there in C.
/^#ifdef __cplusplus/ { is_cxx = in_condition = 1; next }
in_condition && /^#else/ { is_cxx = 0; next }
in_condition && /^#endif/ { is_cxx = in_condition = 0; next }
is_cxx { next }

# Declarations, of which the lines are collected.
is_open { add_line($0); next }

# A comment at the margin is of what follows; before an empty line, of nothing.
in_comment || /^\/\*/ {
	if (!in_comment) {
		end_group()
		comment = ""
	}
	in_comment = !/\*\//
	line = $0
	sub(/^\/\* ?/, "", line)
	sub(/ *\*\/.*/, "", line)
	sub(/^ \* ?/, "", line)
	comment = comment line "\n"
	has_comment = 1
	next
}
!NF {
	if (has_comment && !group_count)
		stand_alone()
	end_group()
	next
}
!is_wanted { next }
/^#define/ { add_macro(); next }
/^#|\\$|^[ \t}]/ { next }
{ is_open = 1; declaration = ""; add_line($0) }

END {
	if (!(page in sentence)) {
		print "library.awk: no comment in " page ".h" >"/dev/stderr"
		exit 1
	}
	print_page()
}

### What is read

function add_line(line) {
	declaration = declaration line "\n"
	if (declaration !~ /{/ ? line ~ /;/ : line ~ /^}/) {
		is_open = 0
		add_declaration()
	}
}

function add_macro(  parts) {
	sub(/^#define /, "")
	if (!has_comment && $0 !~ /^[A-Z_]+ [0-9]+$/)
		return
	match($0, /^[A-Za-z_]+(\([a-z, ]*\))?/)
	add_to_group(bold(substr($0, 1, RLENGTH)))
}

function add_declaration(  text, name, members) {
	text = declaration
	sub(/^PAVANE_API /, "", text)
	sub(/__attribute__\(\([a-z]*\)\) /, "", text)
	if (text ~ /^(struct|enum)[^(]*{/) {
		match(text, /^(struct|enum) [a-z_]+/)
		name = substr(text, 1, RLENGTH)
		add_to_group(bold(name))
		members_of = members_of describe_members(text)
	} else if (text ~ /^(struct|enum) [a-z_]+;/) {
		sub(/;.*/, "", text)
		if (has_comment)
			add_to_group(bold(text))
	} else {
		gsub(/[ \t\n]+/, " ", text)
		gsub(/\( /, "(", text)
		sub(/ $/, "", text)
		prototypes = prototypes in_lines(text)
		match(text, /pavane_[a-z_]+\)?\(/)
		name = substr(text, RSTART, RLENGTH)
		sub(/\)?\($/, "", name)
		add_to_group(text ~ /^typedef/ ? bold(name) : bold(name) "()")
		if (text !~ /^typedef/)
			functions = functions ",\n" name
	}
}

function add_to_group(head) {
	heads = heads (group_count++ ? ".TQ\n" : ".TP\n") head "\n"
}

# A comment of its own: the description of the file, the heading of a part of
# it, or a paragraph.
function stand_alone() {
	if (!is_told) {
		tell_file()
	} else if (is_wanted && comment ~ /^[^.\n]*\n$/) {
		sub(/\n/, "", comment)
		body = body ".SS " escaped(comment) "\n"
	} else if (is_wanted) {
		body = body ".PP\n" paragraphs(comment, ".PP\n")
	}
	comment = ""
	has_comment = 0
}

function tell_file(  first) {
	is_told = 1
	first = comment
	gsub(/\n/, " ", first)
	match(first, /\.( |$)/)
	sentence[file] = substr(first, 1, RSTART - 1)
	if (is_wanted)
		description = paragraphs(comment, ".PP\n")
}

function end_group() {
	if (group_count && is_wanted) {
		if (prototypes != "")
			synopsis = synopsis ".PP\n" prototypes
		if (has_comment || members_of)
			body = body heads paragraphs(comment, ".IP\n") members_of
	}
	heads = members_of = prototypes = comment = ""
	group_count = has_comment = 0
}

### Members

# What stands between the braces of a struct or an enum: each member is described
# on its line, or above it. A comment above several of them, or with an empty line
# behind it, is a paragraph.
function describe_members(text,  is_enum) {
	is_enum = text ~ /^enum/
	rest = substr(text, index(text, "{") + 1)
	sub(/}[^}]*$/, "", rest)
	member_count = 0
	is_new_line = is_new_block = 1
	before[1] = above[1] = ""
	while (rest != "") {
		if (match(rest, /^[ \t\n]+/))
			skip_space()
		else if (match(rest, /^\/\*/))
			add_remark()
		else if (match(rest, is_enum ? "^[^,\n/]+,?" : "^[^;]*;?"))
			add_member()
	}
	return member_count ? ".RS\n" list_members() ".RE\n" : ""
}

function take(  taken) {
	taken = substr(rest, 1, RLENGTH)
	rest = substr(rest, RLENGTH + 1)
	return taken
}

function skip_space(  lines) {
	lines = take()
	lines = gsub(/\n/, "", lines)
	is_new_line = is_new_line || lines
	is_new_block = is_new_block || lines > 1
}

function add_remark(  said) {
	RLENGTH = index(rest, "*/") + 1
	said = take()
	gsub(/^\/\* *| *\*\/$/, "", said)
	gsub(/\n[ \t]*\*[ ]?/, "\n", said)
	gsub(/\n[ \t]+/, "\n", said)
	if (is_new_line) {
		if (above[member_count + 1] != "")
			before[member_count + 1] = above[member_count + 1]
		above[member_count + 1] = said "\n"
		is_new_block = 1
	} else {
		beside[member_count] = said "\n"
	}
}

function add_member(  code) {
	code = take()
	gsub(/[ \t\n]+/, " ", code)
	gsub(/\( /, "(", code)
	sub(/ ?[,;]?$/, "", code)
	member[++member_count] = code
	beside[member_count] = ""
	before[member_count + 1] = above[member_count + 1] = ""
	begins_block[member_count] = is_new_block
	begins_block[member_count + 1] = 1
	is_new_line = is_new_block = 0
}

function list_members(  i, result, is_alone) {
	for (i = 1; i <= member_count; i++) {
		is_alone = begins_block[i + 1] || member[i] ~ /\(\*/
		if (before[i] != "")
			result = result ".PP\n" paragraphs(before[i], ".PP\n")
		if (above[i] != "" && !is_alone)
			result = result ".PP\n" paragraphs(above[i], ".PP\n")
		result = result ".TP\n" bold(member[i]) "\n"
		if (above[i] != "" && is_alone)
			result = result paragraphs(above[i], ".IP\n")
		result = result paragraphs(beside[i], ".IP\n")
	}
	return result
}

### roff

# Backslashes, and what roff would take for other signs.
function escaped(text,  parts, count, i, result) {
	count = split(text, parts, /\\/)
	for (i = 1; i <= count; i++)
		result = result (i > 1 ? "\\e" : "") parts[i]
	gsub(/`/, "\\(ga", result)
	gsub(/\^/, "\\(ha", result)
	gsub(/~/, "\\(ti", result)
	gsub(/-/, "\\-", result)
	return result
}

function bold(text) {
	return "\\fB" escaped(text) "\\fR"
}

function capitals(text) {
	return escaped(toupper(text))
}

# A comment: names of ours are bold, an empty line begins a paragraph with the
# macro, and what is indented is kept as it is.
function paragraphs(text, macro,  lines, count, i, result, is_code) {
	count = split(text, lines, /\n/)
	while (count && lines[count] == "")
		count--
	for (i = 1; i <= count; i++) {
		if (lines[i] == "") {
			if (!is_code || lines[i + 1] !~ /^(\t|  )/)
				result = result (is_code ? ".fi\n" : "") macro
			is_code = is_code && lines[i + 1] ~ /^(\t|  )/
			continue
		}
		if (!is_code && lines[i] ~ /^(\t|  )/)
			result = result ".nf\n"
		if (is_code && lines[i] !~ /^(\t|  )/)
			result = result ".fi\n"
		is_code = lines[i] ~ /^(\t|  )/
		result = result text_line(lines[i])
	}
	return result (is_code ? ".fi\n" : "")
}

function text_line(line) {
	gsub(/\t/, "    ", line)
	line = escaped(line)
	gsub(/(pavane|PAVANE)_[A-Za-z_]+(\(\))?/, "\\fB&\\fR", line)
	return (line ~ /^[.']/ ? "\\&" : "") line "\n"
}

# A prototype, in lines of at most 70 characters where its words allow.
function in_lines(text,  result, at) {
	while (length(text) > 70) {
		for (at = 70; at > 20 && substr(text, at, 2) != ", "; at--)
			;
		if (at == 20)
			at = index(text, "(")
		if (at == 0 || text ~ /^ / && at < 21)
			break
		result = result bold(substr(text, 1, at)) "\n"
		text = substr(text, at + 1)
		sub(/^ */, "    ", text)
	}
	return result bold(text) "\n"
}

function print_page() {
	printf ".TH %s 3 \"%s\" \"Pavane %s\" \"Library functions\"\n",
		capitals(name_of(page)), day, version
	printf ".SH NAME\n%s%s \\- %s\n", escaped(name_of(page)), functions,
		escaped(small(sentence[page]))
	printf ".SH SYNOPSIS\n.nf\n%s\n", bold("#include <pavane/" page ".h>")
	printf "%s", synopsis
	printf ".fi\n.PP\n%s\n", bold("cc FILE.c $(pkg-config --cflags --libs libpavane)")
	printf ".SH DESCRIPTION\n%s%s", description, body
	if (page == "pavane")
		print_overview()
	print_see_also()
}

function name_of(header) {
	return header == "pavane" ? header : "pavane-" header
}

# As the part of a sentence.
function small(text) {
	return text ~ /^Pavane/ ? text : tolower(substr(text, 1, 1)) substr(text, 2)
}

function print_overview(  i, name) {
	print ".PP\nEach header has a page:"
	for (i = 1; i <= name_count; i++)
		if (names[i] != page)
			printf ".TP\n.BR %s (3)\n%s.\n", escaped(name_of(names[i])),
				escaped(sentence[names[i]])
	if (example_count)
		print ".SH EXAMPLES\nThe directory\n.I examples\n" \
			"of the documentation has whole programs:"
	for (i = 1; i <= example_count; i++) {
		name = examples[i]
		printf ".TP\n.I %s\n%s.\n", escaped(name), escaped(sentence[name])
	}
}

function print_see_also(  i) {
	print ".SH SEE ALSO"
	for (i = 1; i <= name_count; i++)
		if (names[i] != page)
			printf ".BR %s (3),\n", escaped(name_of(names[i]))
	print ".BR pavane (1),\n.BR pavane\\-policy (5)"
}
