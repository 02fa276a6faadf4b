#ifndef PAVANE_PARSE_MANIFEST_H
#define PAVANE_PARSE_MANIFEST_H

#include "parse/document_link.h"

/* The links of a web app's manifest (https://www.w3.org/TR/appmanifest/), which
 * is JSON: where the app and its shortcuts begin, icons and screenshots. */
#define PV_MANIFEST_BYTES_MAX ((size_t)1 << 20)

/* Gives the links, joined to the manifest's address, some maybe twice; false
 * if it is no manifest, or larger than that. `room` is lent for the addresses
 * and is not `address`. */
bool pv_manifest_read(struct pv_str file, const struct pv_url *address,
    struct pv_url *room, pv_document_link_fn on_link, void *ctx);

#endif
