#ifndef PAVANE_RECORD_LINK_H
#define PAVANE_RECORD_LINK_H

#include "base/buf.h"
#include "record/fingerprint.h"
#include "record/standing.h"

/* An address that was found, with the decision about it. */
struct pv_link {
	struct pv_fingerprint fingerprint;
	uint64_t via; /* the visit it was found on; 0 for seeds */
	struct pv_standing standing;
	struct pv_str url;   /* canonical, without fragment */
	struct pv_str host;  /* whose queue it joins */
	struct pv_str tag;   /* of the seed; empty for none */
	struct pv_str carry; /* what it brings along for the page's rows,
				    as a JSON object; empty for nothing */
	uint8_t matched; /* the kind of page that the address has by the policy
			    itself; 0: none */
	int64_t lastmod_wall_ms; /* when it was changed last, as a sitemap
				    says; 0 where nothing was said */
	bool asks_anew; /* it is to be asked for once more if it was answered:
			   a round of its own */
};

/* Links with their texts, up to a ceiling: what one page gave. */
struct pv_link_list {
	struct pv_link_item *items;
	size_t count;
	size_t size;
	struct pv_buf texts;
};

void pv_link_list_init(struct pv_link_list *links, size_t text_ceiling);
void pv_link_list_finish(struct pv_link_list *links);

/* Empty again, the memory kept. */
void pv_link_list_clear(struct pv_link_list *links);

/* Copies the link; false if the ceiling is in the way. */
bool pv_link_list_add(struct pv_link_list *links, const struct pv_link *link);

/* The link of that number, whose texts are valid until the next change. */
struct pv_link pv_link_list_get(
    const struct pv_link_list *links, size_t number);

/* The link of that number asks for its address anew. */
void pv_link_list_ask_anew(struct pv_link_list *links, size_t number);

/* Leaves out those that the function does not want. */
typedef bool (*pv_link_fn)(void *ctx, const struct pv_link *link);
void pv_link_list_keep(
    struct pv_link_list *links, pv_link_fn is_wanted, void *ctx);

/* The memory that they hold. */
size_t pv_link_list_bytes(const struct pv_link_list *links);

#endif
