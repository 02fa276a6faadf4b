#include "mirror/links/saved_links.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "parse/link_twins.h"

#define SHELVES ((size_t)1 << 12)

/* A link, as small as can be. */
struct saved {
	uint32_t start;
	uint32_t len;
	uint32_t first;
	uint16_t page_len;
	uint8_t place; /* 0: in a sheet */
	unsigned char form : 2;
	bool is_page : 1;
	bool is_nofollow : 1;
	bool is_mention : 1;
	bool is_inlaid : 1;
	bool is_plain : 1;
};

/* A document. */
struct entry {
	struct entry *next;
	struct stat file;
	const struct pv_encoding *encoding;
	size_t count;
	struct saved links[];
};

struct pv_saved_links {
	pthread_mutex_t mutex;
	struct entry *shelves[SHELVES]; /* by the number of the file */
	size_t bytes;
	size_t bytes_max;
};

struct pv_saved_links *pv_saved_links_create(size_t bytes_max)
{
	struct pv_saved_links *saved = pv_alloc(sizeof(*saved));
	pthread_mutex_init(&saved->mutex, NULL);
	saved->bytes_max = bytes_max;
	return saved;
}

void pv_saved_links_destroy(struct pv_saved_links *saved)
{
	if (!saved)
		return;
	for (size_t i = 0; i < SHELVES; i++) {
		while (saved->shelves[i]) {
			struct entry *entry = saved->shelves[i];
			saved->shelves[i] = entry->next;
			free(entry);
		}
	}
	pthread_mutex_destroy(&saved->mutex);
	free(saved);
}

static size_t size_of(size_t count)
{
	return sizeof(struct entry) + count * sizeof(struct saved);
}

static struct entry **shelf_of(
    struct pv_saved_links *saved, const struct stat *file)
{
	return &saved->shelves[(size_t)file->st_ino % SHELVES];
}

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_dev == b->st_dev &&
	       a->st_size == b->st_size &&
	       is_same_time(&a->st_mtim, &b->st_mtim) &&
	       is_same_time(&a->st_ctim, &b->st_ctim);
}

/* Keeping */

/* From the links as they were to where they are now. */
struct shifting {
	const struct pv_links *links;
	const struct pv_edits *edits;
	struct pv_str text; /* as it is now */
	struct entry *entry;
	size_t edit;   /* the next one */
	int64_t grown; /* by those before it */
};

/* What a link says now, if it has been written anew. */
static const struct pv_edit *edit_at(
    const struct shifting *shifting, size_t start, size_t end)
{
	if (shifting->edit == shifting->edits->count)
		return NULL;
	const struct pv_edit *edit = &shifting->edits->items[shifting->edit];
	return edit->start == start && edit->end == end ? edit : NULL;
}

static void pass(struct shifting *shifting)
{
	const struct pv_edit *edit = &shifting->edits->items[shifting->edit++];
	shifting->grown +=
	    (int64_t)edit->len - (int64_t)(edit->end - edit->start);
}

/* False if an edit and what comes behind it overlap. */
static bool pass_those_before(struct shifting *shifting, size_t start)
{
	const struct pv_edits *edits = shifting->edits;
	size_t end = 0;
	while (shifting->edit < edits->count &&
	       edits->items[shifting->edit].start < start) {
		end = edits->items[shifting->edit].end;
		pass(shifting);
	}
	return end <= start;
}

static struct pv_str page_of(
    const struct shifting *shifting, const struct saved *link)
{
	struct pv_str text = pv_str_from(shifting->text, link->start);
	return pv_str_head(text, link->page_len);
}

/* A plain link stays plain if its page still is and its fragment has stayed; and
 * those that say the same have to go on with that: one that is too long with its
 * fragment has not been written anew. */
static bool set_page(
    const struct shifting *shifting, size_t number, struct saved *link)
{
	const struct pv_page_link *was = &shifting->links->items[number];
	const struct saved *first = &shifting->entry->links[was->first];
	struct pv_str fragment = pv_str_from(was->value, was->page_len);
	struct pv_str text =
	    pv_str_head(pv_str_from(shifting->text, link->start), link->len);
	if (!pv_str_ends(text, fragment) ||
	    text.len - fragment.len > UINT16_MAX)
		return false;
	link->page_len = (uint16_t)(text.len - fragment.len);
	struct pv_str page = page_of(shifting, link);
	if (was->first != number && first->is_plain &&
	    pv_str_equal(page, page_of(shifting, first)))
		return true;
	link->first = (uint32_t)number;
	return pv_link_is_plain(page);
}

static bool save(struct shifting *shifting, size_t number)
{
	const struct pv_page_link *was = &shifting->links->items[number];
	struct saved *link = &shifting->entry->links[number];
	size_t start = pv_page_link_start(shifting->links, was);
	if (!pass_those_before(shifting, start))
		return false;
	const struct pv_edit *edit =
	    edit_at(shifting, start, start + was->value.len);
	*link = (struct saved){
	    .start = (uint32_t)((int64_t)start + shifting->grown),
	    .len = (uint32_t)(edit ? edit->len : was->value.len),
	    .first = was->first,
	    .place = (uint8_t)pv_link_place_number(was->place),
	    .form = (unsigned char)was->form,
	    .is_page = was->is_page,
	    .is_nofollow = was->is_nofollow,
	    .is_mention = was->is_mention,
	    .is_inlaid = was->is_inlaid,
	};
	link->is_plain = was->is_plain && set_page(shifting, number, link);
	if (edit)
		pass(shifting);
	return true;
}

static bool save_all(struct shifting *shifting)
{
	size_t start = 0;
	for (size_t i = 0; i < shifting->links->count; i++) {
		size_t next = pv_page_link_start(
		    shifting->links, &shifting->links->items[i]);
		if (next < start || !save(shifting, i))
			return false;
		start = next;
	}
	return true;
}

/* As it has left it. */
static struct pv_str text_of(const struct pv_rewriter *rewriter)
{
	return rewriter->edits.count ? pv_buf_str(&rewriter->text)
				     : rewriter->links->text;
}

/* The exceptions: what was cut or converted, and what has a base, policies or
 * guards, which are pieces of the text as well; and a file that somebody has
 * changed by now. */
static bool can_be_kept(
    const struct pv_rewriter *rewriter, const struct stat *file)
{
	const struct pv_links *links = rewriter->links;
	return links->end == PV_LINKS_WHOLE && !links->is_converted &&
	       !links->base.ptr && !links->guard_count &&
	       !links->policy_count && file->st_size <= INT32_MAX &&
	       (size_t)file->st_size == text_of(rewriter).len;
}

static bool reserve(struct pv_saved_links *saved, size_t size)
{
	pthread_mutex_lock(&saved->mutex);
	bool has_room = size <= saved->bytes_max - saved->bytes;
	if (has_room)
		saved->bytes += size;
	pthread_mutex_unlock(&saved->mutex);
	return has_room;
}

static void give_back(struct pv_saved_links *saved, struct entry *entry)
{
	pthread_mutex_lock(&saved->mutex);
	saved->bytes -= size_of(entry->count);
	pthread_mutex_unlock(&saved->mutex);
	free(entry);
}

static void shelve(struct pv_saved_links *saved, struct entry *entry)
{
	struct entry **shelf = shelf_of(saved, &entry->file);
	pthread_mutex_lock(&saved->mutex);
	entry->next = *shelf;
	*shelf = entry;
	pthread_mutex_unlock(&saved->mutex);
}

void pv_saved_links_keep(struct pv_saved_links *saved,
    const struct pv_rewriter *rewriter, const struct stat *file)
{
	const struct pv_links *links = rewriter->links;
	if (!can_be_kept(rewriter, file) ||
	    !reserve(saved, size_of(links->count)))
		return;
	struct entry *entry = pv_alloc(size_of(links->count));
	struct shifting shifting = {
	    .links = links,
	    .edits = &rewriter->edits,
	    .text = text_of(rewriter),
	    .entry = entry,
	};
	entry->file = *file;
	entry->encoding = links->charset.encoding;
	entry->count = links->count;
	if (save_all(&shifting))
		shelve(saved, entry);
	else
		give_back(saved, entry);
}

/* Taking */

static struct entry *find(struct pv_saved_links *saved, const struct stat *file)
{
	pthread_mutex_lock(&saved->mutex);
	struct entry **at = shelf_of(saved, file);
	while (*at && !is_same_file(&(*at)->file, file))
		at = &(*at)->next;
	struct entry *entry = *at;
	if (entry)
		*at = entry->next;
	pthread_mutex_unlock(&saved->mutex);
	return entry;
}

static struct pv_page_link link_of(
    const struct saved *saved, struct pv_str text)
{
	return (struct pv_page_link){
	    .value = pv_str_head(pv_str_from(text, saved->start), saved->len),
	    .place = pv_link_place_at(saved->place),
	    .form = (enum pv_link_form)saved->form,
	    .is_page = saved->is_page,
	    .is_nofollow = saved->is_nofollow,
	    .is_mention = saved->is_mention,
	    .is_inlaid = saved->is_inlaid,
	    .is_plain = saved->is_plain,
	    .page_len = saved->page_len,
	    .first = saved->first,
	};
}

/* That its header named the encoding was told by a mark, if it had to be. */
bool pv_saved_links_take(struct pv_saved_links *saved, const struct stat *file,
    struct pv_str text, struct pv_links *links)
{
	if ((size_t)file->st_size != text.len)
		return false;
	struct entry *entry = find(saved, file);
	if (!entry)
		return false;
	const struct pv_charset charset = {entry->encoding, PV_CHARSET_META};
	pv_links_begin(links, text, charset);
	for (size_t i = 0; i < entry->count; i++)
		pv_links_put(links, link_of(&entry->links[i], text));
	give_back(saved, entry);
	return true;
}
