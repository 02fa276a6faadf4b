#include "mirror/links/rewriter.h"

#include "base/ascii.h"
#include "mirror/links/encoding_mark.h"
#include "mirror/links/guards.h"
#include "mirror/links/link_text.h"
#include "parse/value.h"
#include "url/reference.h"

/* No page has so many, and a file of nothing else is not for people. */
#define LINKS_MAX ((size_t)2 << 20)
#define TEXT_MAX ((size_t)1 << 30)

#define BYTE_ORDER_MARK PV_STR("\xef\xbb\xbf")

/* A document that is being rewritten. */
struct work {
	struct pv_rewriter *rewriter;
	const struct pv_document *document;
	pv_rewriting_fn decide;
	void *ctx;
	size_t moved;  /* so many of those before are behind us */
	bool is_asked; /* about the link */
};

void pv_rewriter_init(struct pv_rewriter *rewriter, size_t link_max)
{
	pv_links_init(&rewriter->own_links, LINKS_MAX, TEXT_MAX);
	rewriter->own_links.takes_mentions = true;
	pv_joiner_init(&rewriter->joiner, link_max);
	pv_url_init(&rewriter->url, link_max);
	pv_buf_init(&rewriter->address, SIZE_MAX);
	pv_buf_init(&rewriter->named, SIZE_MAX);
	pv_buf_init(&rewriter->written, SIZE_MAX);
	pv_edits_init(&rewriter->edits);
	rewriter->repeats = pv_repeats_create();
	pv_buf_init(&rewriter->text, SIZE_MAX);
	pv_moved_links_init(&rewriter->moved);
}

void pv_rewriter_finish(struct pv_rewriter *rewriter)
{
	pv_links_finish(&rewriter->own_links);
	pv_joiner_finish(&rewriter->joiner);
	pv_url_finish(&rewriter->url);
	pv_buf_finish(&rewriter->address);
	pv_buf_finish(&rewriter->named);
	pv_buf_finish(&rewriter->written);
	pv_edits_finish(&rewriter->edits);
	pv_repeats_destroy(rewriter->repeats);
	pv_buf_finish(&rewriter->text);
	pv_moved_links_finish(&rewriter->moved);
}

bool pv_rewriter_is_whole(struct pv_str text)
{
	struct pv_str http = pv_str_head(text, text.len < 7 ? text.len : 7);
	struct pv_str https = pv_str_head(text, text.len < 8 ? text.len : 8);
	return pv_str_equal_nocase(http, PV_STR("http://")) ||
	       pv_str_equal_nocase(https, PV_STR("https://"));
}

enum pv_rewriting pv_rewriter_make_whole(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	(void)ctx;
	if (pv_rewriter_is_whole(text))
		return PV_REWRITING_NONE;
	pv_buf_append(address, pv_url_text(url));
	return PV_REWRITING_TO_ADDRESS;
}

/* Where a piece of the text begins. */
static size_t place_of(const struct pv_links *links, struct pv_str piece)
{
	return (size_t)(piece.ptr - links->text.ptr);
}

static void replace(
    struct pv_rewriter *rewriter, struct pv_str piece, struct pv_str text)
{
	size_t start = place_of(rewriter->links, piece);
	pv_edits_add(&rewriter->edits, start, start + piece.len, text);
}

/* Whether a value of an attribute stands in quotes. */
static bool is_quoted(const struct pv_links *links, struct pv_str value)
{
	size_t start = place_of(links, value);
	char before = start ? links->text.ptr[start - 1] : ' ';
	return before == '"' || before == '\'';
}

/* An attribute without quotes gets some, or the next one would be taken for its
 * value. A base that is no web address stays: a link relative to it is broken
 * on the web, and stays so here. */
static void empty_base(struct pv_rewriter *rewriter)
{
	const struct pv_links *links = rewriter->links;
	if (!links->base.len || !rewriter->joiner.base.text.len)
		return;
	replace(rewriter, links->base,
	    is_quoted(links, links->base) ? PV_STR("") : PV_STR("\"\""));
}

/* Links */

/* Beside a base of its own a page is another than what is relative to
 * nothing. */
static bool is_part_of_page(const struct work *work, struct pv_str text)
{
	const struct pv_rewriter *rewriter = work->rewriter;
	if (text.len && text.ptr[0] != '#')
		return false;
	return !rewriter->links->base.len ||
	       pv_str_equal(pv_url_page(&rewriter->url),
		   pv_url_page(work->document->url));
}

/* A link of a style that holds the end of a CDATA section may be more than one,
 * and what comes behind it is read otherwise once that is gone. */
static bool holds_end_of_data(const struct pv_page_link *link)
{
	return link->form != PV_FORM_ATTRIBUTE && link->value.len >= 3 &&
	       memmem(link->value.ptr, link->value.len, "]]>", 3) != NULL;
}

/* Most of those that lead to a part of the page need not be joined. */
static bool is_clearly_part_of_page(
    const struct work *work, const struct pv_page_link *link)
{
	return link->is_plain && !link->page_len &&
	       !work->rewriter->links->base.len;
}

/* What becomes of a link; its new address, if it has one, is in the
 * rewriter. */
static enum pv_rewriting ask(struct work *work, const struct pv_page_link *link)
{
	struct pv_rewriter *rewriter = work->rewriter;
	struct pv_str text;
	work->is_asked = false;
	if (is_clearly_part_of_page(work, link) || holds_end_of_data(link) ||
	    pv_joiner_join(&rewriter->joiner, &rewriter->url, link) !=
		PV_URL_OK ||
	    !pv_joiner_read(&rewriter->joiner, link, &text) ||
	    is_part_of_page(work, pv_str_trim(text)))
		return PV_REWRITING_NONE;
	pv_buf_clear(&rewriter->address);
	work->is_asked = true;
	return work->decide(
	    work->ctx, &rewriter->url, pv_str_trim(text), &rewriter->address);
}

/* "&quot" needs no semicolon, unless a letter or a digit follows. What says
 * nothing gets quotes. */
static bool may_follow_reference(
    const struct pv_links *links, const struct pv_page_link *link)
{
	return (link->form != PV_FORM_SHEET || link->is_inlaid) &&
	       link->value.len && link->value.ptr > links->text.ptr &&
	       pv_is_alnum((unsigned char)link->value.ptr[-1]);
}

/* Once for the attribute that holds the page, once for the link's own. */
static bool is_read_twice(const struct pv_page_link *link)
{
	return link->is_inlaid && link->form != PV_FORM_SHEET;
}

static void write_text(const struct pv_links *links,
    const struct pv_page_link *link, struct pv_str address, struct pv_buf *text)
{
	pv_buf_clear(text);
	if (address.len && may_follow_reference(links, link)) {
		pv_buf_append_format(text, "&%s#%u;",
		    is_read_twice(link) ? "amp;" : "",
		    (unsigned)(unsigned char)address.ptr[0]);
		address = pv_str_from(address, 1);
	}
	pv_link_text_write(link, address, text);
}

static void write_link(
    struct pv_rewriter *rewriter, const struct pv_page_link *link)
{
	write_text(rewriter->links, link, pv_buf_str(&rewriter->address),
	    &rewriter->written);
}

static bool is_written(enum pv_rewriting rewriting)
{
	return rewriting != PV_REWRITING_NONE &&
	       rewriting != PV_REWRITING_LOCAL;
}

static bool is_slash(char byte)
{
	return byte == '/' || byte == '\\';
}

static bool begins_with_slashes(struct pv_str text)
{
	return text.len >= 2 && is_slash(text.ptr[0]) && is_slash(text.ptr[1]);
}

/* Whether a link names a host, as "//" does, but none that there can be: from a
 * disk that would lead to the reader's own. */
static bool names_no_host(
    struct pv_rewriter *rewriter, const struct pv_page_link *link)
{
	struct pv_str text;
	pv_buf_clear(&rewriter->address);
	return link->form == PV_FORM_ATTRIBUTE &&
	       link->place->reading != PV_READ_SRCSET &&
	       pv_joiner_read(&rewriter->joiner, link, &text) &&
	       begins_with_slashes(
		   pv_reference_clean(text, &rewriter->address)) &&
	       pv_joiner_join(&rewriter->joiner, &rewriter->url, link) ==
		   PV_URL_INVALID;
}

static bool is_before(int32_t character)
{
	return character >= 0 && character <= ' ';
}

/* With a scheme it is as wrong on the disk as it is in the web. What stands
 * before the slashes would not be passed over behind one. */
static void write_scheme(
    struct work *work, const struct pv_page_link *link, struct pv_buf *text)
{
	struct pv_buf scheme;
	struct pv_value_cursor cursor = pv_value_cursor_of(link->value);
	size_t before = pv_value_take_while(&cursor, is_before).len;
	pv_buf_init(&scheme, SIZE_MAX);
	pv_buf_append(&scheme, pv_url_scheme(work->document->url));
	pv_buf_append_char(&scheme, ':');
	write_text(work->rewriter->links, link, pv_buf_str(&scheme), text);
	pv_buf_append(text, pv_str_from(link->value, before));
	pv_buf_finish(&scheme);
}

/* Its new text, if it has one, is in the rewriter. */
static enum pv_rewriting make(
    struct work *work, const struct pv_page_link *link)
{
	struct pv_rewriter *rewriter = work->rewriter;
	enum pv_rewriting rewriting = ask(work, link);
	if (is_written(rewriting)) {
		write_link(rewriter, link);
	} else if (!work->is_asked && names_no_host(rewriter, link)) {
		write_scheme(work, link, &rewriter->written);
		rewriting = PV_REWRITING_TO_ADDRESS;
	}
	return rewriting;
}

/* One that leads to a part of a file by itself is an exception, and so is one
 * of which more was told than where it leads. Where nobody was asked, the next
 * may be another matter: some are no address, since with their fragment they
 * are too long. */
static enum pv_rewriting make_or_repeat(
    struct work *work, const struct pv_page_link *link)
{
	struct pv_rewriter *rewriter = work->rewriter;
	struct pv_repeat *repeat = pv_repeats_get(rewriter->repeats, link);
	if (!repeat)
		return make(work, link);
	if (repeat->is_known) {
		pv_repeat_write(repeat, link, &rewriter->written);
		return (enum pv_rewriting)repeat->outcome;
	}
	enum pv_rewriting rewriting = make(work, link);
	if (work->is_asked && rewriting != PV_REWRITING_TO_PART &&
	    !rewriter->named.len)
		pv_repeat_keep(repeat, (int)rewriting, link,
		    is_written(rewriting) ? pv_buf_str(&rewriter->written)
					  : link->value);
	return rewriting;
}

/* The same, for a link that has named that address before. */
static enum pv_rewriting make_as_named(
    struct work *work, const struct pv_page_link *link, struct pv_str named)
{
	struct pv_page_link as_named = *link;
	as_named.value = named;
	as_named.is_plain = false;
	work->rewriter->has_known = true;
	enum pv_rewriting rewriting = ask(work, &as_named);
	if (is_written(rewriting)) {
		write_link(work->rewriter, link);
		return rewriting;
	}
	pv_buf_clear(&work->rewriter->written);
	pv_buf_append(&work->rewriter->written, named);
	return PV_REWRITING_TO_ADDRESS;
}

static bool leads_to_file(enum pv_rewriting rewriting)
{
	return rewriting != PV_REWRITING_NONE &&
	       rewriting != PV_REWRITING_TO_ADDRESS;
}

static bool leads_elsewhere(enum pv_rewriting rewriting)
{
	return rewriting == PV_REWRITING_TO_MOVED ||
	       rewriting == PV_REWRITING_TO_PART;
}

static struct pv_str named_before(
    struct work *work, const struct pv_page_link *link, size_t number)
{
	const struct pv_moved_links *moved = work->document->moved;
	return moved ? pv_moved_links_find(
			   moved, &work->moved, number, link->value)
		     : PV_STR("");
}

/* Whether a link says a whole address, in whatever way that is written. */
static bool says_whole(
    struct pv_rewriter *rewriter, const struct pv_page_link *link)
{
	struct pv_str text;
	return pv_joiner_read(&rewriter->joiner, link, &text) &&
	       pv_rewriter_is_whole(pv_str_trim(text));
}

/* What a link has named that leads elsewhere now, as it would stand there: a
 * whole address, or what is known of it otherwise; empty: nobody knows. */
static struct pv_str named_so_far(
    struct pv_rewriter *rewriter, const struct pv_page_link *link)
{
	if (says_whole(rewriter, link))
		return link->value;
	if (rewriter->named.len)
		write_text(rewriter->links, link, pv_buf_str(&rewriter->named),
		    &rewriter->address);
	return rewriter->named.len ? pv_buf_str(&rewriter->address)
				   : PV_STR("");
}

static void note_moved(struct pv_rewriter *rewriter,
    const struct pv_page_link *link, size_t number, struct pv_str named)
{
	if (!named.len)
		named = named_so_far(rewriter, link);
	if (named.len)
		pv_moved_links_add(&rewriter->moved, number,
		    pv_buf_str(&rewriter->written), named);
}

/* What stands before a value, which may be none at all. */
static char byte_before(const struct pv_links *links, struct pv_str value)
{
	const char *at = value.ptr;
	while (at > links->text.ptr && pv_value_is_space(at[-1]))
		at--;
	return at > links->text.ptr ? at[-1] : ' ';
}

/* One that says nothing has no quotes, or not even a value. */
static void replace_link(
    struct pv_rewriter *rewriter, const struct pv_page_link *link)
{
	struct pv_str written = pv_buf_str(&rewriter->written);
	if (link->value.len || is_quoted(rewriter->links, link->value)) {
		replace(rewriter, link->value, written);
		return;
	}
	bool has_sign = byte_before(rewriter->links, link->value) == '=';
	pv_buf_clear(&rewriter->address);
	pv_buf_append_format(&rewriter->address, "%s\"%.*s\"",
	    has_sign ? "" : "=", PV_STR_ARG(written));
	replace(rewriter, link->value, pv_buf_str(&rewriter->address));
}

/* Whether it leads to a file. */
static bool rewrite(struct work *work, size_t number)
{
	struct pv_rewriter *rewriter = work->rewriter;
	const struct pv_page_link *link = &rewriter->links->items[number];
	struct pv_str named = named_before(work, link, number);
	pv_buf_clear(&rewriter->named);
	enum pv_rewriting rewriting = named.len
					  ? make_as_named(work, link, named)
					  : make_or_repeat(work, link);
	if (is_written(rewriting) &&
	    !pv_str_equal(pv_buf_str(&rewriter->written), link->value))
		replace_link(rewriter, link);
	if (leads_elsewhere(rewriting) ||
	    (named.len && leads_to_file(rewriting)))
		note_moved(rewriter, link, number, named);
	return leads_to_file(rewriting);
}

static void rewrite_links(struct work *work)
{
	struct pv_rewriter *rewriter = work->rewriter;
	struct pv_guards guards = {
	    .links = rewriter->links, .edits = &rewriter->edits};
	for (size_t i = 0; i < rewriter->links->count; i++)
		pv_guards_pass(&guards, i, rewrite(work, i));
	pv_guards_end(&guards);
}

static void add_mark(
    struct pv_rewriter *rewriter, const struct pv_document *document)
{
	struct pv_encoding_mark mark = pv_encoding_mark_for(
	    document->text, document->kind, &rewriter->links->charset);
	if (mark.text[0])
		pv_edits_add(
		    &rewriter->edits, mark.at, mark.end, pv_str_of(mark.text));
}

/* Documents */

static void read_links(
    struct pv_rewriter *rewriter, const struct pv_document *document)
{
	const struct pv_page_facts facts = {
	    .charset = document->charset,
	    .is_xml = document->kind == PV_DOCUMENT_XML,
	};
	rewriter->links = &rewriter->own_links;
	if (document->kind == PV_DOCUMENT_SHEET)
		pv_links_read_sheet(
		    &rewriter->own_links, document->text, &facts);
	else
		pv_links_read(&rewriter->own_links, document->text, &facts);
}

/* Who has read more than we need but not all has not read it. */
static void take_links(
    struct pv_rewriter *rewriter, const struct pv_document *document)
{
	if (document->links && document->links->end == PV_LINKS_WHOLE)
		rewriter->links = document->links;
	else
		read_links(rewriter, document);
	pv_joiner_turn(&rewriter->joiner, rewriter->links, document->url);
}

/* Of what was cut something would stay as it is and lead elsewhere, once the
 * base is gone; and XML that says that it is in another encoding than it is
 * cannot be read at all. */
static bool can_rewrite(
    const struct pv_links *links, enum pv_document_kind kind)
{
	return links->end == PV_LINKS_WHOLE &&
	       !(links->is_converted && kind == PV_DOCUMENT_XML);
}

bool pv_rewriter_run(struct pv_rewriter *rewriter,
    const struct pv_document *document, pv_rewriting_fn decide, void *ctx)
{
	struct work work = {
	    .rewriter = rewriter,
	    .document = document,
	    .decide = decide,
	    .ctx = ctx,
	};
	pv_moved_links_clear(&rewriter->moved);
	rewriter->has_known = false;
	if (document->kind == PV_DOCUMENT_NONE)
		return false;
	take_links(rewriter, document);
	const struct pv_links *links = rewriter->links;
	pv_buf_clear(&rewriter->text);
	pv_edits_clear(&rewriter->edits);
	if (!can_rewrite(links, document->kind))
		return false;
	empty_base(rewriter);
	pv_repeats_turn(rewriter->repeats,
	    links->base.len ? PV_STR("") : document->place, links->count);
	rewrite_links(&work);
	if (!links->is_converted)
		add_mark(rewriter, document);
	if (!rewriter->edits.count)
		return false;
	if (links->is_converted && !pv_str_starts(links->text, BYTE_ORDER_MARK))
		pv_buf_append(&rewriter->text, BYTE_ORDER_MARK);
	pv_edits_apply(&rewriter->edits, links->text, &rewriter->text);
	return true;
}
