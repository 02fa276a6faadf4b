#include "trial/stored_page.h"

#include <errno.h>

#include "base/ascii.h"
#include "base/file.h"
#include "mirror/kept/kept_state.h"
#include "mirror/links/rewriter.h"
#include "policy/policy.h"
#include "policy/seeds.h"
#include "store/state_look.h"
#include "store/tables/state_addresses.h"
#include "url/percent.h"

#define TEXT_MAX ((size_t)64 << 20)
#define CARRY_MAX ((size_t)65536)

/* In the place of the host of a file; no name ends so (RFC 6761). */
#define FILE_HOST "mirror.invalid"
#define FILE_BASE "http://" FILE_HOST "/"

struct lookup {
	struct pv_stored_page *page;
	const struct pv_kept_state *state;
	struct pv_state_addresses addresses;
	struct pv_buf file; /* below the directory */
	struct pv_buf path;
	struct pv_why *why;
};

static bool tell(
    const struct lookup *lookup, const struct pv_url *url, const char *what)
{
	pv_why_add(lookup->why, (struct pv_place){0}, PV_STR(""), "%.*s: %s",
	    PV_STR_ARG(pv_url_page(url)), what);
	return false;
}

/* Links, which lead to files */

static void append_escaped(struct pv_buf *buf, struct pv_str file)
{
	for (size_t i = 0; i < file.len; i++) {
		char byte = file.ptr[i];
		bool is_plain = pv_is_alnum(byte) || byte == '/' ||
				byte == '-' || byte == '.' || byte == '_';
		if (is_plain)
			pv_buf_append_char(buf, byte);
		else
			pv_percent_append_byte(buf, byte);
	}
}

/* What leads to a file of the mirror becomes its address, with the link's own
 * fragment. */
static enum pv_rewriting to_address(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	struct lookup *lookup = ctx;
	struct pv_buf *path = &lookup->path;
	(void)text;
	if (!pv_str_equal(pv_url_host(url), PV_STR(FILE_HOST)))
		return PV_REWRITING_NONE;
	pv_buf_clear(path);
	pv_percent_decode(path, pv_str_from(pv_url_path(url), 1));
	uint64_t id =
	    pv_state_addresses_find_file(&lookup->addresses, pv_buf_str(path));
	if (!id || !pv_state_addresses_get_url(&lookup->addresses, id, address))
		return PV_REWRITING_NONE;
	if (pv_url_has_fragment(url)) {
		pv_buf_append_char(address, '#');
		pv_buf_append(address, pv_url_fragment(url));
	}
	return PV_REWRITING_TO_ADDRESS;
}

static void undo_links(struct lookup *lookup)
{
	struct pv_rewriter rewriter;
	struct pv_buf *text = &lookup->page->text;
	struct pv_url place;
	struct pv_buf base;
	pv_buf_init(&base, PV_SEED_ADDRESS_MAX);
	pv_url_init(&place, PV_SEED_ADDRESS_MAX);
	pv_rewriter_init(&rewriter, PV_SEED_ADDRESS_MAX);
	pv_buf_append_text(&base, FILE_BASE);
	append_escaped(&base, pv_buf_str(&lookup->file));
	const struct pv_document document = {
	    .text = pv_buf_str(text),
	    .kind = pv_document_kind_of(pv_buf_str(&lookup->file)),
	    .charset = PV_STR(""),
	    .url = &place,
	};
	if (document.kind != PV_DOCUMENT_NONE &&
	    pv_url_parse(&place, pv_buf_str(&base)) == PV_URL_OK &&
	    pv_rewriter_run(&rewriter, &document, to_address, lookup)) {
		pv_buf_clear(text);
		pv_buf_append(text, pv_buf_str(&rewriter.text));
	}
	pv_rewriter_finish(&rewriter);
	pv_url_finish(&place);
	pv_buf_finish(&base);
}

/* The page */

static bool read_file(struct lookup *lookup)
{
	struct pv_buf *path = &lookup->path;
	pv_buf_clear(path);
	pv_buf_append_format(path, "%s/", lookup->state->directory);
	pv_buf_append(path, pv_buf_str(&lookup->file));
	if (pv_file_read(pv_buf_text(path), &lookup->page->text) !=
	    PV_FILE_FAILED)
		return true;
	pv_why_add(lookup->why, (struct pv_place){.file = pv_buf_text(path)},
	    PV_STR(""), "cannot be read: %s", pv_file_fault(errno));
	return false;
}

static void note_kind(struct lookup *lookup, unsigned kind)
{
	const struct pv_pages *pages = &lookup->state->policy->pages;
	if (kind && kind <= pages->count)
		pv_buf_append_text(
		    &lookup->page->kind, pages->items[kind - 1].name);
}

/* False, with the reason, if no file of it is stored. */
static bool look_up(struct lookup *lookup, const struct pv_url *given)
{
	struct pv_state_address address;
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	pv_url_parse(&url, pv_url_page(given));
	uint64_t id = pv_state_addresses_find(
	    &lookup->addresses, pv_kept_state_fingerprint(lookup->state, &url));
	pv_url_finish(&url);
	if (!id || !pv_state_addresses_get(&lookup->addresses, id, &address))
		return tell(lookup, given, "the crawl has not seen it");
	pv_buf_append(&lookup->file, address.file);
	note_kind(lookup, address.page_kind);
	pv_state_addresses_let_go(&lookup->addresses);
	pv_state_addresses_get_carry(
	    &lookup->addresses, id, &lookup->page->carry);
	return lookup->file.len ||
	       tell(lookup, given,
		   "the crawl has not stored it; `pavane where` says why");
}

static bool read_page(struct lookup *lookup, const struct pv_url *url)
{
	struct pv_database *database = lookup->state->database;
	bool is_there = look_up(lookup, url) && read_file(lookup);
	if (is_there && lookup->state->policy->output.mirror.rewrite)
		undo_links(lookup);
	if (pv_database_status(database) == PV_STORE_OK)
		return is_there;
	pv_state_look_tell(database, lookup->state->directory, lookup->why);
	return false;
}

bool pv_stored_page_read(struct pv_stored_page *page, const char *directory,
    const struct pv_url *url, struct pv_why *why)
{
	struct lookup lookup = {.page = page, .why = why};
	struct pv_kept_state *state = pv_kept_state_open(directory, why);
	pv_buf_init(&page->text, TEXT_MAX);
	pv_buf_init(&page->kind, SIZE_MAX);
	pv_buf_init(&page->carry, CARRY_MAX);
	if (!state)
		return false;
	lookup.state = state;
	pv_buf_init(&lookup.file, PV_SEED_ADDRESS_MAX);
	pv_buf_init(&lookup.path, SIZE_MAX);
	pv_state_addresses_init(&lookup.addresses, state->database);
	bool is_read = read_page(&lookup, url);
	pv_state_addresses_finish(&lookup.addresses);
	pv_buf_finish(&lookup.file);
	pv_buf_finish(&lookup.path);
	pv_kept_state_close(state);
	return is_read;
}

void pv_stored_page_finish(struct pv_stored_page *page)
{
	pv_buf_finish(&page->text);
	pv_buf_finish(&page->kind);
	pv_buf_finish(&page->carry);
}
