#include "mirror/lookup/page_links.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/file.h"
#include "mirror/files/extension.h"
#include "url/percent.h"

/* As many links of a page as a crawl keeps, and as much of it as it would
 * convert. */
#define LINKS_MAX 100000
#define TEXT_MAX ((size_t)64 << 20)

/* Beside what the policy lets through: addresses that a person wrote. */
#define ADDRESS_MORE ((size_t)65536)

/* What may be looked for at most: 16 bytes each, or a little more. */
#define WANTED_MAX ((size_t)4 << 20)

/* In the place of the host of a file; no name ends so (RFC 6761). */
#define FILE_HOST "mirror.invalid"
#define FILE_BASE "http://" FILE_HOST "/"

void pv_wanted_links_init(struct pv_wanted_links *wanted)
{
	pv_key_table_init(&wanted->addresses, WANTED_MAX, false);
	pv_key_table_init(&wanted->files, WANTED_MAX, false);
}

void pv_wanted_links_finish(struct pv_wanted_links *wanted)
{
	pv_key_table_finish(&wanted->addresses);
	pv_key_table_finish(&wanted->files);
}

bool pv_page_links_is_document(struct pv_str file)
{
	return pv_document_kind_of(file) != PV_DOCUMENT_NONE;
}

uint64_t pv_page_links_file_key(
    const struct pv_kept_state *state, struct pv_str file)
{
	return pv_hash(&state->key, file);
}

void pv_page_links_init(struct pv_page_links *links,
    const struct pv_kept_state *state, const struct pv_wanted_links *wanted)
{
	size_t ceiling =
	    2 * (size_t)state->policy->scope.max_url + ADDRESS_MORE;
	*links = (struct pv_page_links){.state = state, .wanted = wanted};
	pv_links_init(&links->links, LINKS_MAX, TEXT_MAX);
	pv_joiner_init(&links->joiner, ceiling);
	pv_joiner_init(&links->file_joiner, ceiling);
	pv_url_init(&links->page, ceiling);
	pv_url_init(&links->file_page, ceiling);
	pv_url_init(&links->url, ceiling);
	pv_buf_init(&links->path, ceiling);
	pv_buf_init(&links->text, TEXT_MAX);
}

void pv_page_links_finish(struct pv_page_links *links)
{
	pv_links_finish(&links->links);
	pv_joiner_finish(&links->joiner);
	pv_joiner_finish(&links->file_joiner);
	pv_url_finish(&links->page);
	pv_url_finish(&links->file_page);
	pv_url_finish(&links->url);
	pv_buf_finish(&links->path);
	pv_buf_finish(&links->text);
	free(links->found);
}

/* Files */

/* The path of a file, as an address has it. */
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

static void turn_to_file(struct pv_page_links *links, struct pv_str file)
{
	pv_buf_clear(&links->path);
	pv_buf_append_text(&links->path, FILE_BASE);
	append_escaped(&links->path, file);
	pv_url_parse(&links->file_page, pv_buf_str(&links->path));
	pv_joiner_turn(&links->file_joiner, &links->links, &links->file_page);
	links->has_file_joiner = true;
}

/* Puts the path, below the directory, to which a relative link would lead into
 * links->path; false for any other link. */
static bool find_path(struct pv_page_links *links, struct pv_str file,
    const struct pv_page_link *link)
{
	if (!links->has_file_joiner)
		turn_to_file(links, file);
	if (pv_joiner_join(&links->file_joiner, &links->url, link) !=
		PV_URL_OK ||
	    !pv_str_equal(pv_url_host(&links->url), PV_STR(FILE_HOST)))
		return false;
	pv_buf_clear(&links->path);
	pv_percent_decode(
	    &links->path, pv_str_from(pv_url_path(&links->url), 1));
	return true;
}

/* Whether the document is not what came. Where that cannot be known it is taken
 * for what came. */
static bool is_rewritten(struct pv_page_links *links)
{
	uint8_t digest[PV_DIGEST_SIZE];
	struct pv_str found = {(const char *)digest, sizeof(digest)};
	if (links->is_compared)
		return links->is_rewritten;
	links->is_compared = true;
	links->is_rewritten = false;
	if (links->digest.len == sizeof(digest)) {
		pv_digest(pv_buf_str(&links->text), digest);
		links->is_rewritten = !pv_str_equal(found, links->digest);
	}
	return links->is_rewritten;
}

/* Links */

static void add_found(struct pv_page_links *links, uint64_t key)
{
	*PV_ARRAY_PUSH(links->found, links->found_count, links->found_size) =
	    key;
}

/* Where links were rewritten, a relative one has its file. */
static void look_at_link(struct pv_page_links *links,
    const struct pv_kept_page *page, const struct pv_page_link *link)
{
	const struct pv_wanted_links *wanted = links->wanted;
	bool has_files = wanted->files.count > 0;
	uint64_t key = 0;
	bool is_wanted = false;
	if (pv_joiner_join(&links->joiner, &links->url, link) == PV_URL_OK) {
		key = pv_kept_state_fingerprint(links->state, &links->url)
			  .address;
		is_wanted = pv_key_table_has(&wanted->addresses, key);
	}
	if ((is_wanted || has_files) && is_rewritten(links) &&
	    find_path(links, page->file, link)) {
		key = pv_page_links_file_key(
		    links->state, pv_buf_str(&links->path));
		is_wanted = pv_key_table_has(&wanted->files, key);
	}
	if (is_wanted)
		add_found(links, key);
}

static bool read_text(
    struct pv_page_links *links, const struct pv_kept_page *page)
{
	struct pv_buf *path = &links->path;
	struct stat status;
	pv_buf_clear(path);
	pv_buf_clear(&links->text);
	pv_buf_append_format(path, "%s/", links->state->directory);
	pv_buf_append(path, page->file);
	return !path->is_full && pv_file_read_at(AT_FDCWD, pv_buf_text(path),
				     &status, &links->text) == PV_FILE_READ;
}

static void find_links(
    struct pv_page_links *links, const struct pv_kept_page *page)
{
	enum pv_document_kind kind = pv_document_kind_of(page->file);
	const struct pv_page_facts facts = {.is_xml = kind == PV_DOCUMENT_XML};
	if (kind == PV_DOCUMENT_SHEET)
		pv_links_read_sheet(
		    &links->links, pv_buf_str(&links->text), &facts);
	else
		pv_links_read(&links->links, pv_buf_str(&links->text), &facts);
}

bool pv_page_links_read(
    struct pv_page_links *links, const struct pv_kept_page *page)
{
	links->found_count = 0;
	links->has_file_joiner = false;
	links->is_compared = false;
	links->digest = page->digest;
	if (!read_text(links, page) ||
	    pv_url_parse(&links->page, page->url) != PV_URL_OK)
		return false;
	find_links(links, page);
	pv_joiner_turn(&links->joiner, &links->links, &links->page);
	for (size_t i = 0; i < links->links.count; i++)
		look_at_link(links, page, &links->links.items[i]);
	return links->links.end == PV_LINKS_WHOLE;
}
