#include <stdint.h>
#include <stdlib.h>

#include "base/reader.h"
#include "mirror/links/rewriter.h"

/* Rewrites the links of documents. The input is a digit for the kind, a line with
 * the header's charset, and the document.
 *
 * What must hold: the edits are pieces of the text in their order, what is
 * between them is in the new text as it was, and a document in which all links are
 * whole addresses is one in which nothing is left to do.
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

static void check(struct pv_rewriter *rewriter, struct pv_document *document)
{
	struct pv_buf once;
	if (!pv_rewriter_run(rewriter, document, pv_rewriter_make_whole, NULL))
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
