#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "mirror/links/saved_links.h"

/* Rewrites the links of documents. The input is a digit for the kind, a line with
 * the header's charset, and the document.
 *
 * What must hold: the edits are pieces of the text in their order, what is
 * between them is in the new text as it was, a document in which all links are
 * whole addresses is one in which nothing is left to do, and what was saved of its
 * links is what is read in it.
 */

#define ADDRESS_LEN_MAX 4096

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool is_true)
{
	if (!is_true)
		abort();
}

static void check_edits(const struct pv_rewriter *rewriter)
{
	struct pv_str old = rewriter->links->text;
	struct pv_str rest = pv_buf_str(&rewriter->text);
	size_t at = 0;
	if (rewriter->links->is_converted &&
	    !pv_str_starts(old, PV_STR("\xef\xbb\xbf")))
		rest = pv_str_from(rest, 3);
	for (size_t i = 0; i < rewriter->edits.count; i++) {
		const struct pv_edit *edit = &rewriter->edits.items[i];
		require(edit->start >= at && edit->end >= edit->start);
		size_t len = edit->start - at;
		require(len <= rest.len &&
			pv_str_equal(pv_str_head(rest, len),
			    pv_str_head(pv_str_from(old, at), len)));
		require(edit->len <= rest.len - len);
		rest = pv_str_from(rest, len + edit->len);
		at = edit->end;
	}
	require(pv_str_equal(rest, pv_str_from(old, at)));
}

/* The next one that stands in an attribute. */
static const struct pv_page_link *next(
    const struct pv_links *links, size_t *number)
{
	while (*number < links->count &&
	       links->items[*number].form != PV_FORM_ATTRIBUTE)
		(*number)++;
	return *number < links->count ? &links->items[(*number)++] : NULL;
}

/* Twins may be noticed here and not there; and what broken CSS comes to is another
 * matter when it has been written. */
static void compare(const struct pv_links *saved, const struct pv_links *read)
{
	size_t i = 0;
	size_t k = 0;
	const struct pv_page_link *one;
	while ((one = next(saved, &i))) {
		const struct pv_page_link *other = next(read, &k);
		require(other && one->value.ptr == other->value.ptr);
		require(one->value.len == other->value.len);
		require(one->place == other->place);
		require(one->is_page == other->is_page);
		require(one->is_nofollow == other->is_nofollow);
		require(one->is_mention == other->is_mention);
		if (!one->is_plain)
			continue;
		require(other->is_plain && one->page_len == other->page_len);
		require(pv_str_equal(pv_page_link_page(one),
		    pv_page_link_page(&saved->items[one->first])));
	}
	require(!next(read, &k));
}

static void read_links(
    struct pv_links *links, struct pv_str text, enum pv_document_kind kind)
{
	const struct pv_page_facts facts = {.is_xml = kind == PV_DOCUMENT_XML};
	links->takes_mentions = true;
	if (kind == PV_DOCUMENT_SHEET)
		pv_links_read_sheet(links, text, &facts);
	else
		pv_links_read(links, text, &facts);
}

static void check_saved(const struct pv_rewriter *rewriter, struct pv_str text,
    enum pv_document_kind kind)
{
	struct pv_links taken;
	struct pv_links read;
	const struct stat file = {.st_size = (off_t)text.len};
	struct pv_saved_links *saved = pv_saved_links_create(SIZE_MAX);
	pv_links_init(&taken, SIZE_MAX, SIZE_MAX);
	pv_links_init(&read, SIZE_MAX, SIZE_MAX);
	pv_saved_links_keep(saved, rewriter, &file);
	if (pv_saved_links_take(saved, &file, text, &taken)) {
		read_links(&read, text, kind);
		compare(&taken, &read);
	}
	require(!pv_saved_links_take(saved, &file, text, &taken));
	pv_links_finish(&taken);
	pv_links_finish(&read);
	pv_saved_links_destroy(saved);
}

static void check(struct pv_rewriter *rewriter, struct pv_document *document)
{
	struct pv_buf once;
	bool is_changed =
	    pv_rewriter_run(rewriter, document, pv_rewriter_make_whole, NULL);
	if (document->kind != PV_DOCUMENT_NONE)
		check_saved(rewriter,
		    is_changed ? pv_buf_str(&rewriter->text) : document->text,
		    document->kind);
	if (!is_changed)
		return;
	check_edits(rewriter);
	pv_buf_init(&once, SIZE_MAX);
	pv_buf_append(&once, pv_buf_str(&rewriter->text));
	document->text = pv_buf_str(&once);
	document->charset = PV_STR("");
	require(
	    !pv_rewriter_run(rewriter, document, pv_rewriter_make_whole, NULL));
	pv_buf_finish(&once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pv_reader reader =
	    pv_reader_of((struct pv_str){(const char *)data, size});
	struct pv_rewriter rewriter;
	struct pv_url url;
	struct pv_document document = {
	    .kind = (enum pv_document_kind)(pv_reader_next(&reader) & 3),
	    .charset = pv_reader_take_line(&reader),
	    .url = &url,
	};
	document.text = pv_reader_rest(&reader);
	pv_rewriter_init(&rewriter, ADDRESS_LEN_MAX);
	pv_url_init(&url, ADDRESS_LEN_MAX);
	pv_url_parse(&url, PV_STR("https://a.example/d/page.html?q"));
	check(&rewriter, &document);
	pv_rewriter_finish(&rewriter);
	pv_url_finish(&url);
	return 0;
}
