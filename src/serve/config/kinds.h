#ifndef PAVANE_SERVE_CONFIG_KINDS_H
#define PAVANE_SERVE_CONFIG_KINDS_H

#include "policy/kind.h"

/* Kinds of values that only the service's configuration has. Paths in them
 * start from the directory of the file that they stand in. */
extern const struct pv_kind pv_kind_directory; /* const char *; NULL: none */
extern const struct pv_kind pv_kind_listen;    /* const char * */
extern const struct pv_kind pv_kind_profiles;  /* struct pv_pairs */
extern const struct pv_kind pv_kind_tokens;    /* struct pv_tokens_file */

#endif
