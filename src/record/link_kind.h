#ifndef PAVANE_RECORD_LINK_KIND_H
#define PAVANE_RECORD_LINK_KIND_H

/* Pages are what people go to; resources are what a page is made of. The place
 * of a link says which of them it leads to. */
enum pv_link_kind {
	PV_LINK_PAGE,
	PV_LINK_RESOURCE,
};

#endif
