# awk -v kind=shorter|longer -f resize.awk HEADER: prints the header of another
# release: each struct that begins with its size lacks its last member, or has
# further ones at its end.
{ text = text $0 "\n" }

END {
	while (match(text, /\nstruct pavane_[a-z_]* {\n/)) {
		printf "%s", substr(text, 1, RSTART + RLENGTH - 1)
		text = substr(text, RSTART + RLENGTH)
		end = index(text, "\n};\n")
		members = substr(text, 1, end)
		if (members ~ /^\tsize_t size;/)
			members = resized(members)
		printf "%s", members
		text = substr(text, end + 1)
	}
	printf "%s", text
}

function resized(members, parts, count, i, made) {
	if (kind == "longer")
		return members "\tlong added[4];\n"
	members = without_comments(members)
	count = split(members, parts, ";")
	for (i = 1; i < count - 1; i++)
		made = made parts[i] ";"
	return made "\n"
}

function without_comments(members, made, start) {
	while ((start = index(members, "/*"))) {
		made = made substr(members, 1, start - 1)
		members = substr(members, start)
		members = substr(members, index(members, "*/") + 2)
	}
	return made members
}
