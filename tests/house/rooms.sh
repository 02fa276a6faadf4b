#!/bin/sh
# rooms.sh TREE: prints a line for each way in which TREE/src departs from
# src/ROOMS, and says with its status whether there was none.
#
# An include is written "room/file.h" or <header.h>, and nothing else, so that
# reading it needs no compiler. Which <headers> belong to the C library cannot
# be asked of the machine, where libraries stand in the same directory: so
# those of C17 and POSIX are listed below, and every other one is foreign.

set -eu
cd "$1"

ours="
assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h
locale.h math.h setjmp.h signal.h stdalign.h stdarg.h stdatomic.h stdbool.h
stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h
time.h uchar.h wchar.h wctype.h

aio.h arpa/inet.h dirent.h dlfcn.h endian.h fcntl.h fnmatch.h fts.h ftw.h getopt.h glob.h
grp.h iconv.h langinfo.h libgen.h net/if.h netdb.h netinet/in.h netinet/tcp.h
nl_types.h poll.h pthread.h pwd.h regex.h sched.h semaphore.h spawn.h
strings.h sys/file.h sys/ioctl.h sys/mman.h sys/random.h sys/resource.h
sys/select.h sys/socket.h sys/stat.h sys/statvfs.h sys/time.h sys/times.h
sys/types.h sys/uio.h sys/un.h sys/utsname.h sys/vfs.h sys/wait.h sys/xattr.h
syslog.h termios.h unistd.h
"

# The rooms that do one work each; papers pass between them, knowledge of one
# another does not.
workers="robots scope frontier schedule names fetch parse sink"

# One line per include: file, line number, what is included.
includes() {
	find src include -name '*.[ch]' | sort | xargs awk '
		/^[ \t]*(#|%:)[ \t]*(include|import)/ {
			sub(/^[ \t]*(#|%:)[ \t]*/, "")
			sub(/[ \t]*(\/\/.*|\/\*.*)?$/, "")
			print FILENAME, FNR, $0
		}'
}

# What ought to be a room: each directory, and what lies beside the rooms.
directories() {
	{
		find src -mindepth 1 -type d ! -name '.*'
		find src include -mindepth 1 -maxdepth 1 ! -path src/ROOMS
	} | sort -u
}

{
	directories | sed 's/^/directory /'
	sed 's/#.*//; /^[ \t]*$/d; s/^/room /' src/ROOMS
	includes | sed 's/^/include /'
} | awk -v ours="$ours" -v workers="$workers" '

function set_of(text, set,    words, i) {
	split("", set)
	for (i = split(text, words); i > 0; i--)
		set[words[i]] = 1
}

function fault(text) {
	print text
	faults++
}

# src/crawl/host/dns.c stands in the room crawl/host, which is in the house crawl.
function room_of(file) {
	sub(/\/[^\/]*$/, "", file)
	return name_of(file)
}

function name_of(directory) {
	sub(/^(src|include)\//, "", directory)
	return directory
}

function house_of(room) {
	sub(/\/.*/, "", room)
	return room
}

# The room whose line holds for this one.
function line_of(room) {
	return room in stands ? room : house_of(room)
}

function directory_of(room) {
	return room == "pavane" ? "include/pavane" : "src/" room
}

# The lines of a house stand together, so that whoever may name it stands below
# all of them.
function enter_house(room,    house) {
	house = house_of(room)
	if (house != entered && house in has_been)
		fault("src/ROOMS: " room " stands apart from the other rooms of " \
			house)
	has_been[house] = 1
	entered = house
}

function check_name(room, named) {
	if (!(named in stands) &&
			(!(named in has_been) || named == house_of(room)))
		fault("src/ROOMS: " room " names " named \
			", which does not stand above it")
	else if (house_of(room) in worker && house_of(named) in worker &&
			house_of(room) != house_of(named))
		fault("src/ROOMS: " room " names " named \
			", and both are workers")
	may[room, named] = 1
}

function check_line(line,    halves, colon, room, words, count, i) {
	if (line !~ /^[a-z_]+(\/[a-z_]+)?:[a-z_\/ ]*\|[^|:]*$/) {
		fault("src/ROOMS: not \"room: rooms | headers\": " line)
		return
	}
	colon = index(line, ":")
	room = substr(line, 1, colon - 1)
	split(substr(line, colon + 1), halves, "|")
	if (room in stands)
		fault("src/ROOMS: " room " has two lines")
	if (!(directory_of(room) in directory))
		fault("src/ROOMS: " room " is no directory")
	count = split(halves[1], words)
	for (i = 1; i <= count; i++)
		check_name(room, words[i])
	count = split(halves[2], words)
	for (i = 1; i <= count; i++)
		owns[room, words[i]] = 1
	enter_house(room)
	stands[room] = 1
}

# Within a house a name means that one room; from outside, that of a house means
# all rooms in it.
function may_include(room, other) {
	if (line_of(room) == line_of(other))
		return 1
	if ((line_of(room), line_of(other)) in may)
		return 1
	return house_of(room) != house_of(other) &&
		((line_of(room), house_of(other)) in may)
}

function check_foreign(where, room, header) {
	if (!(header in our) && !((line_of(room), header) in owns))
		fault(where ": <" header "> is foreign, and not of " room)
}

function check_own(where, file, room, header,    parts) {
	if (header == "config.h") {
		if (file !~ /\.c$/)
			fault(where ": config.h belongs into a .c file")
	} else if (split(header, parts, "/") < 2 || header ~ /\.\./) {
		fault(where ": \"" header "\" is not \"room/file.h\"")
	} else if (!may_include(room, room_of(header))) {
		fault(where ": " room " may not include \"" header "\"")
	}
}

function check_include(file, number, what,    room, where, header) {
	room = room_of(file)
	where = file ":" number
	header = substr(what, 1 + match(what, /[<"]/))
	header = substr(header, 1, length(header) - 1)
	if (what ~ /^include[ \t]*<[^<>"]+>$/)
		check_foreign(where, room, header)
	else if (what ~ /^include[ \t]*"[^<>"]+"$/)
		check_own(where, file, room, header)
	else
		fault(where ": cannot be read: #" what)
}

BEGIN {
	set_of(ours, our)
	set_of(workers, worker)
}

$1 == "directory" {
	directory[$2] = 1
}

$1 == "room" {
	sub(/^room[ \t]+/, "")
	check_line($0)
}

$1 == "include" {
	file = $2
	number = $3
	sub(/^include [^ ]+ [^ ]+ /, "")
	check_include(file, number, $0)
}

END {
	if (!("base" in stands))
		fault("src/ROOMS: no room is called base")
	for (name in directory)
		if (!(line_of(name_of(name)) in stands) &&
				!(name_of(name) in has_been))
			fault("src/ROOMS: " name " has no line")
	exit faults > 0
}'
