#include "mirror/links/restoring.h"

#include "base/digest.h"
#include "mirror/links/relative.h"

void pv_restorer_init(struct pv_restorer *restorer,
    struct pv_database *database, const struct pv_kept_files *kept,
    size_t link_max)
{
	restorer->kept = kept;
	pv_state_addresses_init(&restorer->addresses, database);
	pv_moved_link_table_look(&restorer->moved_table, database);
	pv_moved_links_init(&restorer->moved);
	pv_rewriter_init(&restorer->rewriter, link_max);
	pv_buf_init(&restorer->beside, SIZE_MAX);
}

void pv_restorer_finish(struct pv_restorer *restorer)
{
	pv_state_addresses_finish(&restorer->addresses);
	pv_moved_link_table_close(&restorer->moved_table);
	pv_moved_links_finish(&restorer->moved);
	pv_rewriter_finish(&restorer->rewriter);
	pv_buf_finish(&restorer->beside);
}

/* The address of the file that a relative link leads to; false if it leads to
 * none of ours. */
static bool append_address(
    struct pv_restorer *restorer, struct pv_str text, struct pv_buf *address)
{
	size_t hash = pv_str_find(text, '#');
	pv_buf_clear(&restorer->beside);
	if (!pv_relative_read(restorer->file, text, &restorer->beside))
		return false;
	int64_t id =
	    pv_kept_files_find(restorer->kept, pv_buf_str(&restorer->beside));
	if (!id || !pv_state_addresses_get_url(
		       &restorer->addresses, (uint64_t)id, address))
		return false;
	if (hash != PV_NOT_FOUND)
		pv_buf_append(address, pv_str_from(text, hash));
	return true;
}

static enum pv_rewriting restore(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	if (pv_rewriter_is_whole(text))
		return PV_REWRITING_NONE;
	if (!append_address(ctx, text, address))
		pv_buf_append(address, pv_url_text(url));
	return PV_REWRITING_TO_ADDRESS;
}

static bool is_as_it_came(const struct pv_kept_document *document)
{
	uint8_t digest[PV_DIGEST_SIZE];
	pv_digest(document->text, digest);
	return pv_str_equal(document->digest,
	    (struct pv_str){(const char *)digest, sizeof(digest)});
}

static void add_moved(void *ctx, const struct pv_moved_link_row *moved)
{
	pv_moved_links_add(ctx, moved->link, moved->text, moved->named);
}

struct pv_str pv_restorer_run(
    struct pv_restorer *restorer, const struct pv_kept_document *document)
{
	struct pv_rewriter *rewriter = &restorer->rewriter;
	const struct pv_document rewritten = {
	    .text = document->text,
	    .kind = pv_document_kind_of(document->file),
	    .url = document->url,
	    .moved = &restorer->moved,
	};
	restorer->is_rewritten =
	    rewritten.kind != PV_DOCUMENT_NONE && !is_as_it_came(document);
	if (!restorer->is_rewritten)
		return document->text;
	restorer->file = document->file;
	pv_moved_links_clear(&restorer->moved);
	pv_moved_link_table_each(&restorer->moved_table, (int64_t)document->id,
	    add_moved, &restorer->moved);
	return pv_rewriter_run(rewriter, &rewritten, restore, restorer)
		   ? pv_buf_str(&rewriter->text)
		   : document->text;
}
