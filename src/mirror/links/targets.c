#include "mirror/links/targets.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "store/schema.h"
#include "store/tables/note.h"
#include "store/tables/state_addresses.h"
#include "store/tables/state_files.h"

#define REDIRECTS_MAX 10
#define ADDRESS_MAX ((size_t)1 << 20)

/* Files that were looked for lately, and addresses that were looked up: most
 * links of a site lead to few. There is room for all of a small mirror, and for
 * a few megabytes of others. */
#define LOOKS_MAX ((size_t)1 << 16)
#define FINDS_MAX ((size_t)1 << 15)
#define LEAST ((size_t)1 << 8)

struct look {
	uint64_t hash; /* 0: none */
	bool is_there;
};

struct find {
	struct find *next; /* that is in use */
	uint64_t hash;     /* of the address without its fragment; 0: none */
	bool is_found;
	struct pv_target target; /* of an address without a fragment */
};

struct pv_targets {
	int root;
	const struct pv_crawl_identity *identity;
	struct pv_database *database;
	struct pv_hash_key key;
	struct pv_file_finder *files;
	struct pv_state_addresses addresses;
	struct pv_redirects redirects;
	struct pv_url url;
	struct pv_buf text;
	struct look *looks;
	size_t look_count;
	struct find *finds;
	size_t find_count;
	struct find *used; /* of them */
	const struct pv_kept_files *kept;
};

/* Opening */

static void open_tables(struct pv_targets *targets)
{
	struct pv_database *database = targets->database;
	targets->key = pv_note_get_key(database);
	targets->files = pv_file_finder_create(database);
	pv_state_addresses_init(&targets->addresses, database);
	pv_redirects_open(&targets->redirects, database);
}

/* A power of two. */
static size_t room_for(size_t count, size_t most)
{
	size_t room = LEAST;
	while (room < most && room < 2 * count)
		room *= 2;
	return room;
}

static void make_room(struct pv_targets *targets)
{
	size_t count = pv_kept_files_count(targets->kept);
	targets->look_count = room_for(count, LOOKS_MAX);
	targets->looks =
	    pv_alloc_array(targets->look_count, sizeof(*targets->looks));
	targets->find_count = room_for(count, FINDS_MAX);
	targets->finds =
	    pv_alloc_array(targets->find_count, sizeof(*targets->finds));
}

struct pv_targets *pv_targets_open(
    const struct pv_targets_plan *plan, struct pv_why *why)
{
	struct pv_targets *targets = pv_alloc(sizeof(*targets));
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append_format(&path, "%s/state.db", plan->directory);
	targets->root = plan->root;
	targets->identity = plan->identity;
	targets->kept = plan->kept;
	targets->database = pv_database_look(pv_buf_text(&path));
	make_room(targets);
	pv_url_init(&targets->url, ADDRESS_MAX);
	pv_buf_init(&targets->text, ADDRESS_MAX);
	open_tables(targets);
	if (pv_database_status(targets->database) != PV_STORE_OK) {
		pv_schema_tell(targets->database, pv_buf_text(&path), why);
		pv_targets_close(targets);
		targets = NULL;
	}
	pv_buf_finish(&path);
	return targets;
}

void pv_targets_close(struct pv_targets *targets)
{
	if (!targets)
		return;
	pv_file_finder_destroy(targets->files);
	pv_state_addresses_finish(&targets->addresses);
	pv_redirects_close(&targets->redirects);
	pv_database_close(targets->database);
	pv_url_finish(&targets->url);
	pv_buf_finish(&targets->text);
	for (struct find *find = targets->used; find; find = find->next)
		pv_target_finish(&find->target);
	free(targets->finds);
	free(targets->looks);
	free(targets);
}

const char *pv_targets_fault(const struct pv_targets *targets)
{
	return pv_database_fault(targets->database);
}

void pv_target_init(struct pv_target *target)
{
	pv_buf_init(&target->file, SIZE_MAX);
	pv_buf_init(&target->fragment, SIZE_MAX);
}

void pv_target_finish(struct pv_target *target)
{
	pv_buf_finish(&target->file);
	pv_buf_finish(&target->fragment);
}

/* Files */

/* What nobody can come to is not there. */
static bool is_missing(int error)
{
	return error == ENOENT || error == ENOTDIR || error == ELOOP ||
	       error == ENAMETOOLONG || error == EACCES;
}

static bool look(struct pv_targets *targets, struct pv_str file)
{
	struct pv_buf path;
	struct stat status;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append(&path, file);
	bool is_seen = fstatat(targets->root, pv_buf_text(&path), &status,
			   AT_SYMLINK_NOFOLLOW) == 0;
	if (!is_seen && !is_missing(errno))
		pv_database_fail(
		    targets->database, PV_STORE_FAILED, strerror(errno));
	pv_buf_finish(&path);
	return is_seen && S_ISREG(status.st_mode);
}

static bool is_there(struct pv_targets *targets, struct pv_str file)
{
	uint64_t hash = pv_hash(&targets->key, file) | 1;
	struct look *known = &targets->looks[hash / 2 % targets->look_count];
	if (known->hash != hash)
		*known = (struct look){hash, look(targets, file)};
	return known->is_there;
}

bool pv_targets_is_kept(const struct pv_targets *targets, struct pv_str file)
{
	return pv_kept_files_get(targets->kept, file) != 0;
}

bool pv_targets_is_going(const struct pv_targets *targets, struct pv_str file)
{
	return pv_kept_files_is_going(targets->kept, file);
}

bool pv_targets_has(struct pv_targets *targets, struct pv_str file)
{
	return pv_targets_is_kept(targets, file) && is_there(targets, file);
}

/* Addresses */

static bool get_file(struct pv_targets *targets,
    struct pv_fingerprint fingerprint, struct pv_buf *file)
{
	pv_buf_clear(file);
	return pv_file_finder_get(targets->files, fingerprint, file) &&
	       is_there(targets, pv_buf_str(file));
}

static void set_fragment(struct pv_target *target, const struct pv_url *url)
{
	if (!pv_url_has_fragment(url))
		return;
	pv_buf_clear(&target->fragment);
	pv_buf_append(&target->fragment,
	    pv_url_between(url, url->parts.fragment, url->text.len));
}

/* Turns to where the address was redirected to. */
static bool follow(
    struct pv_targets *targets, struct pv_fingerprint fingerprint)
{
	pv_buf_clear(&targets->text);
	return pv_redirects_get(
		   &targets->redirects, fingerprint, &targets->text) &&
	       pv_url_parse(&targets->url, pv_buf_str(&targets->text)) ==
		   PV_URL_OK;
}

/* Whether an index that was asked for by its name has the file of its directory
 * (twins.h), as long as both are the same. */
static bool is_shared(const struct pv_targets *targets,
    const struct pv_url *url, struct pv_str file)
{
	struct pv_str path = pv_url_path(url);
	struct pv_str name = pv_str_from(path, pv_str_find_last(path, '/'));
	return pv_str_starts(name, PV_STR("/index.")) &&
	       pv_str_ends(file, name) &&
	       pv_kept_files_is_shared(targets->kept, file);
}

/* What is at an address, or where that was redirected to. */
static bool look_up(
    struct pv_targets *targets, struct pv_str address, struct pv_target *target)
{
	pv_buf_clear(&target->fragment);
	if (pv_url_parse(&targets->url, address) != PV_URL_OK)
		return false;
	for (unsigned hops = 0; hops <= REDIRECTS_MAX; hops++) {
		set_fragment(target, &targets->url);
		pv_crawl_identity_apply(targets->identity, &targets->url);
		pv_url_drop_credentials(&targets->url);
		struct pv_fingerprint fingerprint = pv_fingerprint_of(
		    &targets->key, pv_url_page(&targets->url));
		target->is_moved = hops > 0;
		if (get_file(targets, fingerprint, &target->file)) {
			if (is_shared(targets, &targets->url,
				pv_buf_str(&target->file)))
				target->is_moved = true;
			return true;
		}
		if (!follow(targets, fingerprint))
			return false;
	}
	return false;
}

static void use(struct pv_targets *targets, struct find *find)
{
	pv_target_init(&find->target);
	find->next = targets->used;
	targets->used = find;
}

static const struct find *find(
    struct pv_targets *targets, struct pv_str address)
{
	uint64_t hash = pv_hash(&targets->key, address) | 1;
	struct find *known = &targets->finds[hash / 2 % targets->find_count];
	if (!known->hash)
		use(targets, known);
	if (known->hash != hash)
		known->is_found = look_up(targets, address, &known->target);
	known->hash = hash;
	return known;
}

static void copy(struct pv_buf *to, const struct pv_buf *from)
{
	pv_buf_clear(to);
	pv_buf_append(to, pv_buf_str(from));
}

/* The fragment of a redirect counts before that of the link (RFC 9110,
 * 10.2.2). */
bool pv_targets_find(struct pv_targets *targets, const struct pv_url *url,
    struct pv_target *target)
{
	const struct find *known = find(targets, pv_url_page(url));
	if (!known->is_found)
		return false;
	copy(&target->file, &known->target.file);
	copy(&target->fragment, &known->target.fragment);
	target->is_moved = known->target.is_moved;
	target->is_part = target->fragment.len;
	if (!target->is_part)
		set_fragment(target, url);
	return true;
}

/* Back from files */

bool pv_targets_address_of(
    struct pv_targets *targets, struct pv_str file, struct pv_buf *address)
{
	int64_t number = pv_kept_files_find(targets->kept, file);
	return number && pv_state_addresses_get_url(
			     &targets->addresses, (uint64_t)number, address);
}
