#include "crawl/run/directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "crawl/conductor.h"
#include "mirror/index/entry_file.h"
#include "mirror/index/page_list.h"
#include "policy/effective.h"
#include "policy/secrets/secret.h"
#include "policy/secrets/shown.h"
#include "policy/sources/seed_input.h"
#include "record/journal_name.h"
#include "store/lock.h"
#include "store/tables/note.h"

#define POLICY_MAX ((size_t)256 << 20)
#define POLICY_MODE 0600
/* What the state is called that is to be thrown away with all else: where there
 * is such a file, that has begun and not ended. */
#define GIVEN_UP "state.db.gone"

#define NOTE_SECRETS PV_STR("secrets-left-out")

static void path_in(
    const struct pv_crawl *crawl, const char *name, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(path, "%s/%s", crawl->directory, name);
}

static bool fail(const char *path, struct pv_why *why, const char *what)
{
	pv_why_add(why, (struct pv_place){.file = path}, PV_STR(""), "%s: %s",
	    what, strerror(errno));
	return false;
}

static bool is_directory(const char *path)
{
	struct stat facts;
	errno = ENOTDIR;
	return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

/* The directory with all above it. */
static bool make_all(const char *directory, struct pv_why *why)
{
	if (!pv_file_make_directory(directory, 0777))
		return fail(directory, why, "cannot be created");
	return is_directory(directory) ||
	       fail(directory, why, "cannot be used as a crawl's directory");
}

static int remove_one(
    const char *path, const struct stat *facts, int type, struct FTW *at)
{
	(void)facts;
	(void)type;
	(void)at;
	return remove(path);
}

static bool is_named(const struct pv_crawl *crawl, const char *name)
{
	struct pv_buf path;
	struct stat facts;
	path_in(crawl, name, &path);
	bool is_there = lstat(pv_buf_text(&path), &facts) == 0;
	pv_buf_finish(&path);
	return is_there;
}

/* With its name the state loses what is beside it, and with that all is about
 * to go, however soon this process ends. */
static bool give_up_state(const struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_buf state, given_up;
	path_in(crawl, "state.db", &state);
	path_in(crawl, GIVEN_UP, &given_up);
	bool is_given_up =
	    rename(pv_buf_text(&state), pv_buf_text(&given_up)) == 0 ||
	    errno == ENOENT ||
	    fail(pv_buf_text(&state), why, "cannot be removed");
	pv_buf_finish(&state);
	pv_buf_finish(&given_up);
	return is_given_up;
}

static bool remove_in(
    const struct pv_crawl *crawl, const char *name, struct pv_why *why)
{
	struct pv_buf path;
	path_in(crawl, name, &path);
	bool is_gone = nftw(pv_buf_text(&path), remove_one, 32,
			   FTW_DEPTH | FTW_PHYS) == 0 ||
		       errno == ENOENT ||
		       fail(pv_buf_text(&path), why, "cannot be removed");
	pv_buf_finish(&path);
	return is_gone;
}

/* However many files it has. */
static bool remove_journal(const struct pv_crawl *crawl, struct pv_why *why)
{
	DIR *files = opendir(crawl->directory);
	const struct dirent *entry;
	bool is_gone = true;
	uint64_t generation;
	while (files && is_gone && (entry = readdir(files))) {
		if (pv_journal_name_read(pv_str_of(entry->d_name), &generation))
			is_gone = remove_in(crawl, entry->d_name, why);
	}
	if (files)
		closedir(files);
	return is_gone;
}

static bool throw_away(const struct pv_crawl *crawl, struct pv_why *why)
{
	static const char *const names[] = {"site", "gone", "fields",
	    "fields.new", "outbound", "parts", "changes.jsonl", "policy.yaml",
	    PV_SEED_COPY, "secrets", "control", "state.db-wal", "state.db-shm",
	    GIVEN_UP};
	bool is_gone = give_up_state(crawl, why) && remove_journal(crawl, why);
	for (size_t i = 0; is_gone && i < sizeof(names) / sizeof(*names); i++)
		is_gone = remove_in(crawl, names[i], why);
	return is_gone;
}

/* Nobody else may be at work there. */
static bool make_fresh(const struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_lock lock;
	if (!pv_lock_take(&lock, crawl->directory, why))
		return false;
	bool is_gone = throw_away(crawl, why);
	pv_entry_file_remove(crawl->directory);
	pv_page_list_remove(crawl->directory);
	pv_lock_give(&lock);
	return is_gone;
}

bool pv_directory_make(struct pv_crawl *crawl, struct pv_why *why)
{
	struct stat facts;
	bool is_missing =
	    lstat(crawl->directory, &facts) != 0 && errno == ENOENT;
	crawl->run.has_made_directory = is_missing;
	if (!make_all(crawl->directory, why))
		return false;
	bool is_to_go = crawl->options.is_fresh || is_named(crawl, GIVEN_UP);
	return !is_to_go || make_fresh(crawl, why);
}

/* That there is nothing but the lock. */
static bool is_bare(const char *directory)
{
	DIR *files = opendir(directory);
	const struct dirent *entry;
	bool is_bare = files;
	while (files && is_bare && (entry = readdir(files)))
		is_bare = strcmp(entry->d_name, ".") == 0 ||
			  strcmp(entry->d_name, "..") == 0 ||
			  strcmp(entry->d_name, PV_LOCK_NAME) == 0;
	if (files)
		closedir(files);
	return is_bare;
}

void pv_directory_unmake(const struct pv_crawl *crawl)
{
	struct pv_buf path;
	if (!crawl->run.has_made_directory || !is_bare(crawl->directory))
		return;
	path_in(crawl, PV_LOCK_NAME, &path);
	unlink(pv_buf_text(&path));
	rmdir(crawl->directory);
	pv_buf_finish(&path);
}

/* A file in the directory is named as from there, so that the policy is right
 * wherever the directory is moved to. */
static void name_from(const char *directory, struct pv_seeds *seeds)
{
	char whole[PATH_MAX];
	struct pv_str start =
	    pv_str_of(realpath(directory, whole) ? whole : "");
	for (size_t i = 0; start.len && i < seeds->count; i++) {
		struct pv_seed *seed = &seeds->items[i];
		struct pv_str path = pv_str_of(seed->text);
		if (seed->kind == PV_SEED_FILE && pv_str_starts(path, start) &&
		    seed->text[start.len] == '/')
			seed->text += start.len + 1;
	}
}

struct pv_buf pv_directory_policy_text(
    const struct pv_crawl *crawl, const struct pv_policy *policy)
{
	struct pv_arena arena;
	struct pv_buf text;
	pv_arena_init(&arena);
	struct pv_policy shown = pv_policy_shown(policy, &arena);
	name_from(crawl->directory, &shown.seeds);
	pv_buf_init(&text, POLICY_MAX);
	pv_effective_write(&shown, &text);
	pv_arena_finish(&arena);
	return text;
}

/* Requests that lack what they were to say would be refused for good. */
bool pv_directory_has_secrets(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_database *database = crawl->store->database;
	bool has_secrets =
	    pv_headers_have_secret(&crawl->policy->fetch.headers) ||
	    pv_domains_have_secret(&crawl->policy->domains);
	if (!has_secrets && pv_note_get(database, NOTE_SECRETS, 0)) {
		pv_why_add(why, (struct pv_place){.file = crawl->directory},
		    PV_STR("fetch.headers"),
		    "this crawl was started with headers or passwords of "
		    "domains that policy.yaml does not store: run it with the "
		    "policy that has them "
		    "(pavane crawl POLICY -o DIR)");
		return false;
	}
	if (has_secrets)
		pv_note_set(database, NOTE_SECRETS, 1);
	return pv_secrets_are_there(crawl, why);
}

/* Neither is read or written through a link, wherever that leads; what the
 * directory itself is called by is its owner's choice. */
static bool is_no_link(
    const struct pv_crawl *crawl, const char *name, struct pv_why *why)
{
	struct pv_buf path;
	struct stat facts;
	path_in(crawl, name, &path);
	bool is_link =
	    lstat(pv_buf_text(&path), &facts) == 0 && S_ISLNK(facts.st_mode);
	pv_buf_finish(&path);
	if (is_link)
		pv_why_add(why, (struct pv_place){.file = crawl->directory},
		    PV_STR(""),
		    "%s is a symbolic link, which is not followed: put the "
		    "file itself there, or remove it",
		    name);
	return !is_link;
}

bool pv_directory_describe(struct pv_crawl *crawl, struct pv_why *why)
{
	if (!is_no_link(crawl, "policy.yaml", why) ||
	    !is_no_link(crawl, "secrets", why))
		return false;
	struct pv_buf text =
	    pv_directory_policy_text(crawl, crawl->control.settings.given);
	struct pv_buf path;
	path_in(crawl, "policy.yaml", &path);
	bool is_written =
	    pv_file_replace(
		pv_buf_text(&path), pv_buf_str(&text), POLICY_MODE) ||
	    fail(crawl->directory, why, "cannot write policy.yaml");
	if (is_written && !pv_secrets_write(crawl))
		is_written =
		    fail(crawl->directory, why, "cannot write secrets");
	pv_buf_finish(&path);
	pv_buf_finish(&text);
	return is_written;
}
