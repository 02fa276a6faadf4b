#include "crawl/shard/inbound_files.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "sink/outbound.h"
#include "sink/outbound_line.h"

/* Faults beyond so many are only counted. */
#define TOLD_MAX 20

void pv_inbound_files_init(struct pv_inbound_files *files)
{
	*files = (struct pv_inbound_files){.count = 0};
	pv_buf_init(&files->text, PV_OUTBOUND_LINE_MAX);
}

void pv_inbound_files_finish(struct pv_inbound_files *files)
{
	if (files->file)
		fclose(files->file);
	for (size_t i = 0; i < files->count; i++)
		free(files->paths[i]);
	free(files->paths);
	pv_buf_finish(&files->text);
}

/* Adding */

static bool fail(const char *path, struct pv_why *why, const char *fault)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR("--inbound"),
	    "cannot be read: %s", fault);
	return false;
}

static bool is_directory(const char *path)
{
	struct stat facts;
	return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* Whether it is there, and can be read; a crawl has none as long as it has found
 * nothing for this shard. */
static bool look(
    const char *path, bool may_lack, bool *is_there, struct pv_why *why)
{
	struct stat facts;
	*is_there = stat(path, &facts) == 0;
	if (!*is_there && may_lack && errno == ENOENT)
		return true;
	if (!*is_there || access(path, R_OK) != 0)
		return fail(path, why, strerror(errno));
	return S_ISREG(facts.st_mode) ||
	       fail(path, why, "it is not a regular file");
}

bool pv_inbound_files_add(struct pv_inbound_files *files, const char *named,
    uint32_t shard, struct pv_why *why)
{
	bool is_of_crawl = is_directory(named), is_there;
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_text(&path, named);
	if (is_of_crawl)
		pv_buf_append_format(&path,
		    "/" PV_OUTBOUND_DIRECTORY "/%u.jsonl", (unsigned)shard);
	bool is_right = look(pv_buf_text(&path), is_of_crawl, &is_there, why);
	if (is_right && is_there)
		*PV_ARRAY_PUSH(files->paths, files->count, files->size) =
		    pv_buf_take(&path);
	else
		pv_buf_finish(&path);
	return is_right;
}

/* Reading */

static void tell(struct pv_inbound_files *files, enum pv_log_level level,
    const char *what, const char *why)
{
	if (files->log)
		pv_log(files->log, level, "%s:%llu: %s: %s",
		    files->paths[files->number],
		    (unsigned long long)files->line, what, why);
}

void pv_inbound_files_refuse(struct pv_inbound_files *files, const char *fault)
{
	if (files->told++ < TOLD_MAX)
		tell(files, PV_LOG_WARNING, "this line is left out", fault);
}

static void close_file(struct pv_inbound_files *files)
{
	if (ferror(files->file))
		tell(files, PV_LOG_WARNING, "cannot be read further",
		    strerror(EIO));
	if (files->told > TOLD_MAX && files->log)
		pv_log(files->log, PV_LOG_WARNING,
		    "%s: %llu more lines are left out",
		    files->paths[files->number],
		    (unsigned long long)(files->told - TOLD_MAX));
	fclose(files->file);
	files->file = NULL;
	files->number++;
}

static void open_file(struct pv_inbound_files *files)
{
	files->line = files->told = 0;
	files->file = fopen(files->paths[files->number], "re");
	if (files->file)
		return;
	tell(files, PV_LOG_WARNING, "its addresses are left out",
	    strerror(errno));
	files->number++;
}

/* Takes a line into the buffer; what is beyond its ceiling is passed over. False
 * if it has no end. */
static bool take_line(struct pv_inbound_files *files)
{
	int byte;
	pv_buf_clear(&files->text);
	files->line++;
	while ((byte = getc_unlocked(files->file)) != EOF && byte != '\n')
		pv_buf_append_char(&files->text, (char)byte);
	return byte == '\n';
}

enum pv_inbound_step pv_inbound_files_next(struct pv_inbound_files *files)
{
	if (files->number == files->count)
		return PV_INBOUND_END;
	if (!files->file)
		open_file(files);
	if (!files->file)
		return PV_INBOUND_NOTHING;
	if (!take_line(files)) {
		if (files->text.len)
			tell(files, PV_LOG_INFO, "the last line is left out",
			    "it has no end, since it was being written");
		close_file(files);
		return PV_INBOUND_NOTHING;
	}
	if (files->text.is_full)
		pv_inbound_files_refuse(
		    files, "it is longer than any that a crawl writes");
	return files->text.len && !files->text.is_full ? PV_INBOUND_LINE
						       : PV_INBOUND_NOTHING;
}

void pv_inbound_files_rewind(struct pv_inbound_files *files)
{
	if (files->file)
		fclose(files->file);
	files->file = NULL;
	files->number = 0;
}
