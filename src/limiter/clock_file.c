#include "limiter/clock_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/why.h"

#define MAGIC "pvclocks"
#define VERSION 4       /* until 3 no holder told whether it had a rest */
#define FIRST_VERSION 1 /* five holders a slot; until 2 a name had one bucket */
#define BUCKETS 8192
#define HEADER_BYTES 4096
#define FILE_BYTES             \
	((off_t)HEADER_BYTES + \
	    (off_t)BUCKETS * (off_t)sizeof(struct pv_clock_bucket))

/* What is locked lies far beyond the end: one byte for who opens the file, and
 * one for each number. */
#define OPENING_AT ((off_t)1 << 40)
#define NUMBERS_AT ((off_t)1 << 41)

/* How long somebody else may need for opening it. */
#define OPENING_TRIES 200
#define OPENING_STEP_NS 5000000

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define BOOT_ID_MAX 64

struct pv_clock_header {
	char magic[8]; /* written last */
	uint32_t version;
	uint32_t bucket_count;
	uint32_t bucket_bytes;
	_Atomic uint32_t last_number;
	_Atomic uint32_t boot;
	uint32_t unused;
	struct pv_hash_key key;
	char boot_id[BOOT_ID_MAX];
};

_Static_assert(sizeof(struct pv_clock_slot) == 128, "the file's layout");
_Static_assert(sizeof(struct pv_clock_bucket) == 2048, "the file's layout");
_Static_assert(sizeof(struct pv_clock_header) <= HEADER_BYTES, "it fits");

/* Disks that other machines write to as well: locks and memory that are shared
 * over the network are not what they are here. */
static const uint32_t remote_kinds[] = {
    0x6969,     /* NFS */
    0x517b,     /* SMB */
    0xfe534d42, /* SMB 2 */
    0xff534d42, /* CIFS */
    0x00c36400, /* Ceph */
};

struct opening {
	const char *path;
	const char *boot_id;
	struct pv_why *why;
};

static bool fail(const struct opening *opening, const char *what)
{
	pv_why_add(opening->why, (struct pv_place){.file = opening->path},
	    PV_STR(""), "%s", what);
	return false;
}

static bool fail_by(const struct opening *opening, const char *what)
{
	pv_why_add(opening->why, (struct pv_place){.file = opening->path},
	    PV_STR(""), "%s: %s", what, strerror(errno));
	return false;
}

/* Locks */

static struct flock bytes_from(off_t start, off_t count, short type)
{
	return (struct flock){
	    .l_type = type,
	    .l_whence = SEEK_SET,
	    .l_start = start,
	    .l_len = count,
	};
}

#if defined(F_OFD_SETLK) && ATOMIC_LLONG_LOCK_FREE == 2
static bool set_lock(int fd, struct flock bytes)
{
	return fcntl(fd, F_OFD_SETLK, &bytes) == 0;
}

/* Whether somebody else has a lock on some of the bytes; yes, if that is
 * unknown. */
static bool is_locked(int fd, struct flock bytes)
{
	return fcntl(fd, F_OFD_GETLK, &bytes) != 0 || bytes.l_type != F_UNLCK;
}
#else
static bool set_lock(int fd, struct flock bytes)
{
	(void)fd;
	(void)bytes;
	errno = ENOTSUP;
	return false;
}

static bool is_locked(int fd, struct flock bytes)
{
	(void)fd;
	(void)bytes;
	return true;
}
#endif

static bool has_anybody(int fd)
{
	return is_locked(fd, bytes_from(NUMBERS_AT, 0, F_WRLCK));
}

bool pv_clock_file_has(const struct pv_clock_file *file, uint32_t number)
{
	return number == file->number ||
	       is_locked(file->fd,
		   bytes_from(NUMBERS_AT + (off_t)number, 1, F_WRLCK));
}

/* Only one crawl opens the file at a time. */
static bool begin(int fd, const struct opening *opening)
{
	struct timespec step = {.tv_nsec = OPENING_STEP_NS};
	for (int i = 0; i < OPENING_TRIES; i++) {
		if (set_lock(fd, bytes_from(OPENING_AT, 1, F_WRLCK)))
			return true;
		if (errno != EAGAIN && errno != EACCES)
			return fail_by(opening, "cannot be locked");
		nanosleep(&step, NULL);
	}
	return fail(opening, "is locked by another crawl");
}

static void finish(int fd)
{
	set_lock(fd, bytes_from(OPENING_AT, 1, F_UNLCK));
}

/* Making */

static bool is_here(int fd, const struct opening *opening)
{
	struct statfs facts;
	if (fstatfs(fd, &facts) != 0)
		return fail_by(opening, "cannot be read");
	for (size_t i = 0; i < sizeof(remote_kinds) / sizeof(*remote_kinds);
	     i++) {
		if ((uint32_t)facts.f_type == remote_kinds[i])
			return fail(opening, "is on a network disk");
	}
	return true;
}

static bool is_ours(int fd, struct stat *facts, const struct opening *opening)
{
	if (fstat(fd, facts) != 0)
		return fail_by(opening, "cannot be read");
	if (!S_ISREG(facts->st_mode) || facts->st_uid != geteuid())
		return fail(opening, "does not belong to you");
	return is_here(fd, opening);
}

static bool make(int fd, const struct opening *opening)
{
	struct pv_clock_header header = {
	    .version = VERSION,
	    .bucket_count = BUCKETS,
	    .bucket_bytes = sizeof(struct pv_clock_bucket),
	};
	if (getentropy(&header.key, sizeof(header.key)) != 0 ||
	    ftruncate(fd, 0) != 0)
		return fail_by(opening, "cannot be made");
	errno = posix_fallocate(fd, 0, FILE_BYTES);
	if (!errno &&
	    pwrite(fd, &header, sizeof(header), 0) == sizeof(header) &&
	    pwrite(fd, MAGIC, sizeof(header.magic), 0) == sizeof(header.magic))
		return true;
	fail_by(opening, "cannot be made");
	(void)!ftruncate(fd, 0);
	return false;
}

/* Whatever stands there is made anew only if it is ours, and nobody's at the
 * moment. */
static bool make_anew(int fd, const struct opening *opening)
{
	if (has_anybody(fd))
		return fail(opening, "is damaged and used by another crawl");
	pv_why_note(opening->why, (struct pv_place){.file = opening->path},
	    PV_STR(""), "was damaged and is created again");
	return make(fd, opening);
}

static bool look(int fd, off_t size, const struct opening *opening)
{
	struct pv_clock_header header = {.version = 0};
	static const char none[sizeof(header.magic)];
	ssize_t len = pread(fd, &header, sizeof(header), 0);
	if (len < 0)
		return fail_by(opening, "cannot be read");
	if (memcmp(header.magic, none, sizeof(none)) == 0 && !has_anybody(fd))
		return make(fd, opening); /* new, or nobody finished it */
	if (memcmp(header.magic, MAGIC, sizeof(header.magic)) != 0)
		return fail(opening, "is not a file of shared clocks");
	if (header.version > VERSION)
		return fail(
		    opening, "was written by a newer version of pavane");
	if (header.version < VERSION && has_anybody(fd))
		return fail(opening,
		    "was written by an older version of pavane and is used "
		    "by another crawl");
	if (size != FILE_BYTES || header.version < FIRST_VERSION ||
	    header.bucket_count != BUCKETS ||
	    header.bucket_bytes != sizeof(struct pv_clock_bucket))
		return make_anew(fd, opening);
	return true;
}

/* Joining */

/* In the first version a slot had five holders, and nobody had a turn. */
static void bring_up_slot(struct pv_clock_slot *slot)
{
	const char *bytes = (const char *)slot;
	struct pv_clock_holder last;
	memcpy(&last, bytes + sizeof(*slot) - sizeof(last), sizeof(last));
	unsigned place = 0;
	while (place + 1 < PV_CLOCK_HOLDERS && slot->holders[place].open)
		place++;
	if (last.open && !slot->holders[place].open) {
		slot->holders[place].number = last.number;
		slot->holders[place].open_max = last.open_max;
		slot->holders[place].connecting = last.connecting;
		slot->holders[place].open = last.open;
	}
	slot->turn_number = 0;
	slot->turn_since = 0;
	slot->turn_at = 0;
}

/* Nobody is there, so that whose requests were open does not matter any more,
 * but only that there were some. */
static void bring_up(const struct pv_clock_file *file)
{
	bool is_first = file->header->version == FIRST_VERSION;
	for (uint32_t i = 0; is_first && i <= file->bucket_mask; i++) {
		struct pv_clock_bucket *bucket = &file->buckets[i];
		for (unsigned j = 0; j < PV_CLOCK_SLOTS; j++)
			bring_up_slot(&bucket->slots[j]);
	}
	file->header->version = VERSION;
}

static bool map(struct pv_clock_file *file, const struct opening *opening)
{
	void *bytes = mmap(NULL, (size_t)FILE_BYTES, PROT_READ | PROT_WRITE,
	    MAP_SHARED, file->fd, 0);
	if (bytes == MAP_FAILED)
		return fail_by(opening, "cannot be mapped");
	/* Of what lies around a host's clock nobody wants to read. */
	(void)madvise(bytes, (size_t)FILE_BYTES, MADV_RANDOM);
	file->header = bytes;
	file->buckets = (void *)((char *)bytes + HEADER_BYTES);
	file->bucket_mask = BUCKETS - 1;
	file->key = file->header->key;
	if (file->header->version < VERSION)
		bring_up(file);
	return true;
}

/* The boot is counted before its name is written, so that whatever ends us in
 * between, nobody takes times of one boot for those of another. */
static bool find_boot(struct pv_clock_file *file, const struct opening *opening)
{
	struct pv_clock_header *header = file->header;
	char id[BOOT_ID_MAX] = "";
	struct pv_buf text;
	pv_buf_init(&text, BOOT_ID_MAX - 1);
	if (opening->boot_id)
		pv_buf_append_text(&text, opening->boot_id);
	else
		pv_file_read(BOOT_ID, &text);
	memcpy(id, pv_buf_text(&text), text.len);
	pv_buf_finish(&text);
	if (!id[0])
		return fail(opening,
		    "cannot be used: the start time of this machine is not "
		    "known");
	if (memcmp(id, header->boot_id, sizeof(id)) != 0) {
		if (has_anybody(file->fd))
			return fail(opening, "is used by another machine");
		header->boot++;
		memcpy(header->boot_id, id, sizeof(id));
	}
	file->boot = header->boot;
	return true;
}

static bool join(struct pv_clock_file *file, const struct opening *opening)
{
	do
		file->number = ++file->header->last_number;
	while (!file->number);
	if (set_lock(file->fd,
		bytes_from(NUMBERS_AT + (off_t)file->number, 1, F_WRLCK)))
		return true;
	return fail_by(opening, "cannot be locked");
}

static bool open_file(struct pv_clock_file *file, const struct opening *opening)
{
	struct stat facts;
	bool is_open = false;
	if (is_ours(file->fd, &facts, opening) && begin(file->fd, opening)) {
		is_open = is_ours(file->fd, &facts, opening) &&
			  look(file->fd, facts.st_size, opening) &&
			  map(file, opening) && find_boot(file, opening) &&
			  join(file, opening);
		finish(file->fd);
	}
	if (!is_open)
		pv_clock_file_close(file);
	return is_open;
}

bool pv_clock_file_open(struct pv_clock_file *file, const char *directory,
    const char *boot_id, struct pv_why *why)
{
	struct pv_buf path;
	struct pv_clock_file opened = {.fd = -1};
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/clocks", directory);
	struct opening opening = {pv_buf_text(&path), boot_id, why};
	bool is_open = false;
	if (pv_file_make_directory(directory, 0700))
		opened.fd = open(opening.path,
		    O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		    0600);
	if (opened.fd < 0)
		fail_by(&opening, "cannot be opened");
	else
		is_open = open_file(&opened, &opening);
	if (is_open)
		*file = opened;
	pv_buf_finish(&path);
	return is_open;
}

void pv_clock_file_close(struct pv_clock_file *file)
{
	if (file->header)
		munmap(file->header, (size_t)FILE_BYTES);
	close(file->fd);
}
