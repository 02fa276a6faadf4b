#include "torture/portrait.h"

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/json/json.h"
#include "server/log_check.h"
#include "store/statement.h"

#define FILE_MAX_BYTES (64u << 20)

/* Adds a line for each row: its columns, with blanks between. */
static void add_rows(
    struct pv_database *database, const char *sql, struct lines *lines)
{
	struct pv_statement *statement = pv_statement_create(database, sql);
	while (pv_statement_step(statement)) {
		struct pv_str row = pv_statement_text(statement, 0);
		lines_add(lines, "%.*s", PV_STR_ARG(row));
	}
	pv_statement_destroy(statement);
	lines_sort(lines);
}

static void look_at_state(struct portrait *portrait, struct trial *trial)
{
	struct lines faults = {.items = NULL};
	struct pv_database *database =
	    pv_database_look(home_file(&trial->home, "o/state.db"));
	add_rows(database,
	    "SELECT url || ' state ' || state || ' use ' || use || ' depth ' "
	    "|| depth || ' left ' || depth_left || ' hops ' || hops "
	    "|| ' redirects ' || redirects || ' reason ' || reason || ' line ' "
	    "|| line || ' outcome ' || outcome || ' status ' || http_status "
	    "|| ' bytes ' || bytes || ' further ' || may_lead_further "
	    "|| ' listing ' || listing FROM addresses",
	    &portrait->addresses);
	add_rows(database,
	    "SELECT state || ' ' || cause || ': ' || count FROM counts "
	    "WHERE count <> 0",
	    &portrait->counts);
	add_rows(database,
	    "SELECT file || ' ' || url FROM copies JOIN addresses "
	    "ON id = address WHERE file IS NOT NULL",
	    &portrait->copies);
	add_rows(database, "PRAGMA integrity_check", &faults);
	portrait->is_sound = faults.count == 1 &&
			     lines_count(&faults, "ok") == 1 &&
			     pv_database_status(database) == PV_STORE_OK;
	lines_finish(&faults);
	pv_database_close(database);
}

/* Files of lines */

typedef void (*line_fn)(struct portrait *portrait, const struct pv_json *line);

/* By the last line of the same address before; an item of `depths` belongs to
 * each of `finals`. */
static bool is_nearer(
    const struct portrait *portrait, const char *url, int64_t depth)
{
	for (size_t i = portrait->finals.count; i-- > 0;) {
		if (strcmp(portrait->finals.items[i], url) == 0)
			return depth < atoll(portrait->depths.items[i]);
	}
	return false;
}

static void add_final(struct portrait *portrait, const struct pv_json *line)
{
	struct pv_str url = pv_json_get_text(line, "url");
	struct pv_str outcome = pv_json_get_text(line, "outcome");
	if (!url.len || !outcome.len || !pv_json_get_text(line, "time").len)
		portrait->torn++;
	if (!pv_json_get_bool(line, "final"))
		return;
	int64_t depth = pv_json_get_integer(line, "depth", 0);
	struct pv_buf text;
	pv_buf_init(&text, FILE_MAX_BYTES);
	pv_buf_append(&text, url);
	if (is_nearer(portrait, pv_buf_text(&text), depth))
		lines_add(&portrait->nearer, "%s", pv_buf_text(&text));
	lines_add(&portrait->finals, "%s", pv_buf_text(&text));
	lines_add(&portrait->depths, "%lld", (long long)depth);
	pv_buf_finish(&text);
}

static void add_change(struct portrait *portrait, const struct pv_json *line)
{
	static const char *const names[] = {
	    "url", "change", "digest", "was", "by"};
	struct pv_buf text;
	pv_buf_init(&text, FILE_MAX_BYTES);
	pv_buf_append_format(
	    &text, "%d", (int)pv_json_get_integer(line, "round", 0));
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		pv_buf_append_format(&text, " %.*s",
		    PV_STR_ARG(pv_json_get_text(line, names[i])));
	pv_buf_append_format(
	    &text, " %d", (int)pv_json_get_integer(line, "status", 0));
	lines_add(&portrait->changes, "%s", pv_buf_text(&text));
	pv_buf_finish(&text);
}

static void read_lines(struct portrait *portrait, struct trial *trial,
    const char *name, line_fn tell)
{
	struct pv_buf text;
	pv_buf_init(&text, FILE_MAX_BYTES);
	home_read(&trial->home, name, &text);
	struct pv_str rest = pv_buf_str(&text);
	while (rest.len) {
		size_t len = pv_str_find(rest, '\n');
		bool is_whole = len != PV_NOT_FOUND;
		struct pv_str line =
		    pv_str_head(rest, is_whole ? len : rest.len);
		struct pv_json *value = is_whole ? pv_json_read(line) : NULL;
		if (pv_json_is_object(value))
			tell(portrait, value);
		else
			portrait->torn++;
		pv_json_destroy(value);
		rest = pv_str_from(rest, is_whole ? len + 1 : rest.len);
	}
	pv_buf_finish(&text);
}

/* Files of pages */

static bool is_directory(struct trial *trial, const char *name)
{
	struct stat facts;
	return lstat(home_file(&trial->home, name), &facts) == 0 &&
	       S_ISDIR(facts.st_mode);
}

static void add_files(
    struct trial *trial, const char *name, struct lines *files)
{
	const struct dirent *entry;
	DIR *directory = opendir(home_file(&trial->home, name));
	while (directory && (entry = readdir(directory))) {
		struct pv_buf path;
		if (strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0)
			continue;
		pv_buf_init(&path, FILE_MAX_BYTES);
		pv_buf_append_format(&path, "%s/%s", name, entry->d_name);
		if (is_directory(trial, pv_buf_text(&path)))
			add_files(trial, pv_buf_text(&path), files);
		else
			lines_add(files, "%s", pv_buf_text(&path) + 2);
		pv_buf_finish(&path);
	}
	if (directory)
		closedir(directory);
}

/* What the server saw */

void portrait_write_asked(
    const struct server_record *record, struct pv_buf *line)
{
	pv_buf_append_format(line, "%.*s %.*s", PV_STR_ARG(record->host),
	    PV_STR_ARG(record->target));
}

static void add_asked(struct portrait *portrait, struct trial *trial)
{
	struct pv_buf line;
	struct log_view view = log_view_of(trial->server);
	pv_buf_init(&line, FILE_MAX_BYTES);
	for (size_t i = 0; i < view.count; i++) {
		pv_buf_clear(&line);
		portrait_write_asked(&view.records[i], &line);
		lines_add(&portrait->asked, "%s", pv_buf_text(&line));
	}
	pv_buf_finish(&line);
	log_view_finish(&view);
}

void portrait_take(struct portrait *portrait, struct trial *trial)
{
	*portrait = (struct portrait){.torn = 0};
	look_at_state(portrait, trial);
	read_lines(portrait, trial, "o/journal.jsonl", add_final);
	read_lines(portrait, trial, "o/changes.jsonl", add_change);
	add_files(trial, "o/site", &portrait->files);
	add_files(trial, "o/gone", &portrait->files);
	add_asked(portrait, trial);
	lines_sort(&portrait->finals);
	lines_sort(&portrait->nearer);
	lines_sort(&portrait->changes);
	lines_sort(&portrait->files);
	lines_sort(&portrait->asked);
}

void portrait_finish(struct portrait *portrait)
{
	lines_finish(&portrait->addresses);
	lines_finish(&portrait->counts);
	lines_finish(&portrait->finals);
	lines_finish(&portrait->depths);
	lines_finish(&portrait->nearer);
	lines_finish(&portrait->changes);
	lines_finish(&portrait->files);
	lines_finish(&portrait->copies);
	lines_finish(&portrait->asked);
}
