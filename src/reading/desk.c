#include "reading/desk.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "mirror/files/file_name.h"
#include "policy/policy.h"

/* So many links of a page are kept: to look through more takes the loop longer
 * than others may be kept waiting. And so much of one that has to be
 * converted. */
#define LINKS_MAX 100000
#define CONVERTED_MAX ((size_t)64 << 20)

/* A rel that is longer is none. */
#define WORDS_MAX 4096

struct pv_reader_desk *pv_reader_desks_create(
    const struct pv_policy *policy, size_t count)
{
	struct pv_reader_desk *desks = pv_alloc_array(count, sizeof(*desks));
	size_t ceiling = pv_policy_address_max(policy);
	for (size_t i = 0; i < count; i++) {
		pv_links_init(&desks[i].links, LINKS_MAX, CONVERTED_MAX);
		desks[i].links.takes_mentions =
		    policy->output.has_mirror && policy->output.mirror.rewrite;
		pv_joiner_init(&desks[i].joiner, ceiling);
		pv_url_init(&desks[i].url, ceiling);
		pv_buf_init(&desks[i].words, WORDS_MAX);
		pv_buf_init(&desks[i].file, PV_FILE_NAME_MAX);
		pv_rewriter_init(&desks[i].rewriter, ceiling);
		pv_page_terms_init(&desks[i].terms);
		desks[i].digester = pv_digester_create();
	}
	return desks;
}

void pv_reader_desks_destroy(struct pv_reader_desk *desks, size_t count)
{
	for (size_t i = 0; desks && i < count; i++) {
		pv_links_finish(&desks[i].links);
		pv_joiner_finish(&desks[i].joiner);
		pv_url_finish(&desks[i].url);
		pv_buf_finish(&desks[i].words);
		pv_buf_finish(&desks[i].file);
		pv_rewriter_finish(&desks[i].rewriter);
		pv_page_terms_finish(&desks[i].terms);
		pv_digester_destroy(desks[i].digester);
	}
	free(desks);
}
