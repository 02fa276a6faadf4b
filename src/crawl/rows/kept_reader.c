#include "crawl/rows/kept_reader.h"

#include <stdlib.h>

#include "base/file.h"
#include "fields/extract.h"
#include "policy/policy.h"

#define BYTE_ORDER_MARK PV_STR("\xef\xbb\xbf")

void pv_kept_reader_open(
    struct pv_kept_reader *reader, struct pv_database *database)
{
	const struct pv_policy *policy = reader->policy;
	size_t link_max = pv_policy_address_max(policy);
	reader->scope = pv_scope_create(policy);
	pv_field_readers_init(&reader->fields, &policy->pages, getenv("TZ"));
	reader->kept = pv_kept_files_read(database);
	pv_restorer_init(&reader->restorer, database, reader->kept, link_max);
	pv_url_init(&reader->url, SIZE_MAX);
	pv_buf_init(&reader->file, SIZE_MAX);
	pv_buf_init(&reader->text, PV_DOCUMENT_TEXT_MAX);
	pv_unasked_links_open(&reader->unasked, policy, database);
	pv_page_text_init(&reader->page, policy);
}

void pv_kept_reader_close(struct pv_kept_reader *reader)
{
	pv_scope_destroy(reader->scope);
	pv_field_readers_finish(&reader->fields);
	pv_restorer_finish(&reader->restorer);
	pv_kept_files_destroy(reader->kept);
	pv_url_finish(&reader->url);
	pv_buf_finish(&reader->file);
	pv_buf_finish(&reader->text);
	pv_unasked_links_close(&reader->unasked);
	pv_page_text_finish(&reader->page);
}

/* As which links have named it, by the policy. */
static unsigned named_kind(
    const struct pv_kept_reader *reader, const struct pv_kept_page_row *page)
{
	if (page->kind > PV_PAGE_KINDS_MAX)
		return 0;
	return reader->numbers[page->kind];
}

/* From 1; 0 for none. */
static unsigned kind_of(
    struct pv_kept_reader *reader, const struct pv_kept_page_row *page)
{
	if (pv_url_parse(&reader->url, page->url) != PV_URL_OK)
		return 0;
	unsigned kind = pv_page_kind_first(named_kind(reader, page),
	    pv_scope_page_kind(reader->scope, &reader->url));
	return kind <= reader->policy->pages.count ? kind : 0;
}

static const struct pv_encoding *encoding_of(
    struct pv_str file, struct pv_str text)
{
	switch (pv_document_kind_of(file)) {
	case PV_DOCUMENT_HTML:
		return pv_charset_find(text, PV_STR("")).encoding;
	case PV_DOCUMENT_XML:
		return pv_charset_find_of_xml(text, PV_STR("")).encoding;
	case PV_DOCUMENT_SHEET:
		return pv_charset_find_of_sheet(text, PV_STR("")).encoding;
	case PV_DOCUMENT_NONE:
		break;
	}
	return pv_encoding_find(PV_STR("utf-8"));
}

/* The mark of a document that was rewritten has told what it had to. */
static struct pv_str without_mark(
    const struct pv_kept_reader *reader, struct pv_str text)
{
	bool has_mark = reader->restorer.is_rewritten &&
			pv_str_starts(text, BYTE_ORDER_MARK);
	return has_mark ? pv_str_from(text, BYTE_ORDER_MARK.len) : text;
}

static void extract(struct pv_kept_reader *reader,
    const struct pv_kept_page_row *row, struct pv_str text,
    struct pv_rows *rows)
{
	const struct pv_policy *policy = reader->policy;
	const struct pv_encoding *encoding = encoding_of(row->file, text);
	struct pv_encoder encoder;
	pv_encoder_init(&encoder, pv_str_of(encoding ? encoding->name : ""));
	pv_page_text_read(&reader->page, encoding, text);
	struct pv_row_page page = {
	    .kind = &policy->pages.items[rows->kind],
	    .readers = &reader->fields,
	    .url = &reader->url,
	    .text = without_mark(reader, reader->page.text),
	    .encoder = &encoder,
	    .carry = named_kind(reader, row) ? row->carry : PV_STR(""),
	    .ceilings = pv_field_ceilings_of(policy),
	    .is_cut = reader->page.is_cut,
	};
	pv_row_page_begin(&page);
	pv_rows_extract(&page, rows);
	pv_unasked_links_look(&reader->unasked, &page, rows);
	pv_row_page_end(&page);
	pv_encoder_finish(&encoder);
}

static bool read_file(
    struct pv_kept_reader *reader, const struct pv_kept_page_row *page)
{
	struct stat status;
	pv_buf_clear(&reader->file);
	pv_buf_append(&reader->file, page->file);
	pv_buf_clear(&reader->text);
	return pv_file_read_at(reader->root, pv_buf_text(&reader->file),
		   &status, &reader->text) == PV_FILE_READ;
}

bool pv_kept_reader_read(struct pv_kept_reader *reader,
    const struct pv_kept_page_row *page, struct pv_rows *rows)
{
	unsigned kind = kind_of(reader, page);
	if (!kind)
		return true;
	if (!read_file(reader, page))
		return false;
	rows->has_kind = true;
	rows->kind = kind - 1;
	const struct pv_kept_document document = {
	    .id = page->id,
	    .url = &reader->url,
	    .file = page->file,
	    .digest = page->digest,
	    .text = pv_buf_str(&reader->text),
	};
	extract(
	    reader, page, pv_restorer_run(&reader->restorer, &document), rows);
	return true;
}
