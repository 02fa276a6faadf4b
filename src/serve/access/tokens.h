#ifndef PAVANE_SERVE_ACCESS_TOKENS_H
#define PAVANE_SERVE_ACCESS_TOKENS_H

#include "base/digest.h"
#include "base/why.h"

/* Who may ask the service for what: names, the digests of their tokens, and
 * scopes.
 *
 * A file has a line for each: NAME SHA256 SCOPES, where SHA256 is the digest of
 * the token in 64 hexadecimal digits, and SCOPES is a list like "read,submit".
 * What follows a "#" at the beginning of a line is a comment. The tokens
 * themselves stand nowhere.
 */
#define PV_TOKENS_MAX 1000
#define PV_TOKEN_NAME_MAX 64

enum pv_scope {
	PV_SCOPE_READ = 1,    /* jobs of one's own, hosts, events, figures */
	PV_SCOPE_SUBMIT = 2,  /* begin jobs, and stop one's own */
	PV_SCOPE_CONTROL = 4, /* everything, and the jobs of others */
};
#define PV_SCOPES_ALL 7u

struct pv_token {
	char name[PV_TOKEN_NAME_MAX + 1];
	uint8_t digest[PV_DIGEST_SIZE];
	unsigned scopes; /* of enum pv_scope */
};

struct pv_tokens {
	struct pv_token *items;
	size_t count;
	size_t size;
};

void pv_tokens_init(struct pv_tokens *tokens);
void pv_tokens_finish(struct pv_tokens *tokens);

/* Adds what a text says; false, with each problem and its line, if there is
 * any. `file` is its name. */
bool pv_tokens_read(struct pv_tokens *tokens, struct pv_str text,
    const char *file, struct pv_why *why);

/* The same of a file, which nobody but its owner may read. One that systemd has
 * given the service (is_credential) is root's, who lets the service read it: that
 * shows as a group that may. */
bool pv_tokens_load(struct pv_tokens *tokens, const char *path,
    bool is_credential, struct pv_why *why);

/* That of a token as a request has it, or of a digest; NULL if there is none.
 * It takes as long for one as for another. */
const struct pv_token *pv_tokens_find(
    const struct pv_tokens *tokens, struct pv_str token);
const struct pv_token *pv_tokens_find_digest(
    const struct pv_tokens *tokens, const uint8_t digest[PV_DIGEST_SIZE]);

/* "read", of one scope. */
const char *pv_scope_name(enum pv_scope scope);

#endif
