#include "mirror/index/entry_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parse/title.h"
#include "store/tables/note.h"
#include "store/tables/state_files.h"

/* No address that is longer is a link on the page. */
#define ADDRESS_MAX ((size_t)1000)

/* Within so much of a page its title is looked for. */
#define HEAD_MAX 16384

/* What reading documents may take of the time in which they came. */
#define SHARE 50
#define TIME_MIN_US ((uint64_t)50000)
#define TIME_MAX_US ((uint64_t)5000000)

static bool fail(struct pv_buf *fault, const char *what, const char *why)
{
	pv_buf_append_format(fault, "%s: %s", what, why);
	return false;
}

static void open_state(struct pv_entry_reader *reader, const char *directory)
{
	struct pv_database *database = reader->database;
	reader->state = (struct pv_kept_state){
	    .directory = directory,
	    .database = database,
	    .policy = reader->policy,
	    .key = pv_note_get_key(database),
	};
	pv_sameness_init(&reader->state.sameness, reader->policy);
	pv_fates_init(&reader->fates, &reader->state);
}

static void close_state(struct pv_entry_reader *reader)
{
	pv_fates_finish(&reader->fates);
	pv_sameness_finish(&reader->state.sameness);
}

bool pv_entry_reader_open(
    struct pv_entry_reader *reader, const char *directory, struct pv_buf *fault)
{
	struct pv_buf path;
	reader->database = NULL;
	reader->directory = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (reader->directory < 0)
		return fail(fault, directory, strerror(errno));
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", directory);
	reader->database = pv_database_look(pv_buf_text(&path));
	pv_buf_finish(&path);
	pv_database_begin_reading(reader->database);
	open_state(reader, directory);
	reader->is_open = true;
	return pv_database_status(reader->database) == PV_STORE_OK ||
	       fail(fault, "state.db", pv_database_fault(reader->database));
}

void pv_entry_reader_close(struct pv_entry_reader *reader)
{
	if (reader->is_open)
		close_state(reader);
	if (reader->database)
		pv_database_close(reader->database);
	if (reader->directory >= 0)
		close(reader->directory);
}

static bool is_there(const struct pv_entry_reader *reader, const char *file)
{
	struct stat facts;
	return fstatat(reader->directory, file, &facts, AT_SYMLINK_NOFOLLOW) ==
		   0 &&
	       S_ISREG(facts.st_mode);
}

struct pv_str pv_entry_reader_file(
    struct pv_entry_reader *reader, uint64_t address)
{
	struct pv_state_address row;
	if (!pv_state_addresses_get(&reader->fates.addresses, address, &row))
		return PV_STR("");
	struct pv_str file = pv_arena_copy(&reader->facts->arena, row.file);
	return file.len && is_there(reader, file.ptr) ? file : PV_STR("");
}

/* Credentials are nobody's business: where those of an address begin and
 * end. */
static size_t find_login(struct pv_str url, size_t *end)
{
	size_t scheme = pv_str_find(url, '/');
	if (scheme == PV_NOT_FOUND || url.len < scheme + 2)
		return PV_NOT_FOUND;
	size_t start = scheme + 2;
	struct pv_str rest = pv_str_from(url, start);
	size_t path = pv_str_find(rest, '/');
	struct pv_str authority =
	    pv_str_head(rest, path == PV_NOT_FOUND ? rest.len : path);
	size_t at = pv_str_find_last(authority, '@');
	*end = start + at + 1;
	return at == PV_NOT_FOUND ? PV_NOT_FOUND : start;
}

bool pv_entry_append_address(struct pv_buf *text, struct pv_str url)
{
	size_t end;
	size_t max = text->len + ADDRESS_MAX;
	size_t login = find_login(url, &end);
	if (login != PV_NOT_FOUND) {
		pv_buf_append(text, pv_str_head(url, login));
		url = pv_str_from(url, end);
	}
	pv_buf_append(text, url);
	bool is_whole = text->len <= max && !text->is_full;
	pv_buf_cut(text, max);
	return is_whole;
}

struct pv_entry_address pv_entry_reader_address(
    struct pv_entry_reader *reader, struct pv_str url)
{
	struct pv_buf text;
	struct pv_entry_address address = {.file = PV_STR("")};
	pv_buf_init(&text, url.len);
	address.is_cut = !pv_entry_append_address(&text, url);
	address.url = pv_arena_copy(&reader->facts->arena, pv_buf_str(&text));
	pv_buf_finish(&text);
	return address;
}

struct pv_entry_address pv_entry_reader_kept(
    struct pv_entry_reader *reader, struct pv_str url, uint64_t id)
{
	struct pv_entry_address address = pv_entry_reader_address(reader, url);
	if (id)
		address.file = pv_entry_reader_file(reader, id);
	return address;
}

/* Documents */

bool pv_entry_is_page(struct pv_str file)
{
	return pv_str_ends(file, PV_STR(".html")) ||
	       pv_str_ends(file, PV_STR(".htm")) ||
	       pv_str_ends(file, PV_STR(".xhtml"));
}

bool pv_entry_append_title(
    struct pv_buf *title, int directory, const char *file)
{
	char head[HEAD_MAX];
	int page = openat(
	    directory, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (page < 0)
		return false;
	ssize_t len = read(page, head, sizeof(head));
	close(page);
	return len > 0 &&
	       pv_title_read((struct pv_str){head, (size_t)len}, title);
}

uint64_t pv_entry_time_us(struct pv_database *database)
{
	uint64_t span_ms = (uint64_t)pv_state_files_span_ms(database);
	uint64_t time_us = span_ms * 1000 / SHARE;
	if (time_us < TIME_MIN_US)
		return TIME_MIN_US;
	return time_us < TIME_MAX_US ? time_us : TIME_MAX_US;
}
