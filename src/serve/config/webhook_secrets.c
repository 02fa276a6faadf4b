#include "serve/config/webhook_secrets.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/reader.h"
#include "serve/config/webhook_table.h"

#define SECRET_MIN 24
#define FILE_MAX ((size_t)4096)
#define READABLE_BY_OTHERS (S_IRWXG | S_IRWXO)
#define PREFIX PV_STR("whsec_")

static const char fault[] =
    "a secret is whsec_ and 24 to 64 bytes in base 64, as "
    "`echo whsec_$(openssl rand -base64 32)` has";

const char *pv_webhook_secret_read(struct pv_str text, struct pv_buf *bytes)
{
	size_t before = bytes->len;
	if (!pv_str_starts(text, PREFIX) ||
	    !pv_buf_append_from_base64(bytes, pv_str_from(text, PREFIX.len)))
		return fault;
	size_t len = bytes->len - before;
	return len >= SECRET_MIN && len <= PV_WEBHOOK_SECRET_MAX ? NULL : fault;
}

static bool refuse(const char *path, struct pv_why *why, const char *reason)
{
	pv_why_add(why, (struct pv_place){.file = path}, (struct pv_str){0},
	    "the file of secrets cannot be read: %s", reason);
	return false;
}

static bool is_private(int file, const char *path, struct pv_why *why)
{
	struct stat status;
	if (fstat(file, &status) != 0)
		return refuse(path, why, pv_file_fault(errno));
	if (!(status.st_mode & READABLE_BY_OTHERS))
		return true;
	pv_why_add(why, (struct pv_place){.file = path}, (struct pv_str){0},
	    "others may read or change the file of secrets: run chmod 600 %s",
	    path);
	return false;
}

static bool is_secret(
    struct pv_str text, struct pv_place place, struct pv_why *why)
{
	struct pv_buf bytes;
	pv_buf_init(&bytes, FILE_MAX);
	const char *wrong = pv_webhook_secret_read(text, &bytes);
	pv_buf_finish(&bytes);
	if (wrong)
		pv_why_add(why, place, (struct pv_str){0}, "%s", wrong);
	return !wrong;
}

static bool read_lines(struct pv_str text, struct pv_place place,
    struct pv_arena *arena, struct pv_texts *secrets, struct pv_why *why)
{
	struct pv_reader reader = pv_reader_of(text);
	secrets->items = pv_arena_give_array(
	    arena, PV_WEBHOOK_SECRETS_MAX, sizeof(*secrets->items));
	secrets->count = 0;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_str_trim(pv_reader_take_line(&reader));
		place.line++;
		if (!line.len || line.ptr[0] == '#')
			continue;
		if (!is_secret(line, place, why))
			return false;
		if (secrets->count == PV_WEBHOOK_SECRETS_MAX) {
			pv_why_add(why, place, (struct pv_str){0},
			    "there are more than two secrets");
			return false;
		}
		secrets->items[secrets->count++] = pv_arena_text(arena, line);
	}
	place.line = 0;
	if (!secrets->count)
		pv_why_add(
		    why, place, (struct pv_str){0}, "there is no secret in it");
	return secrets->count;
}

bool pv_webhook_secrets_load(const char *path, struct pv_arena *arena,
    struct pv_texts *secrets, struct pv_why *why)
{
	struct pv_buf text;
	int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (file < 0)
		return refuse(path, why, pv_file_fault(errno));
	bool is_read = is_private(file, path, why);
	pv_buf_init(&text, FILE_MAX);
	if (is_read && pv_file_read_open(file, &text) != PV_FILE_READ)
		is_read = refuse(path, why, "it is no short file of lines");
	if (is_read)
		is_read = read_lines(pv_buf_str(&text),
		    (struct pv_place){.file = path}, arena, secrets, why);
	pv_buf_finish(&text);
	close(file);
	return is_read;
}
