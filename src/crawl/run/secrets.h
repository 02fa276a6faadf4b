#ifndef PAVANE_CRAWL_RUN_SECRETS_H
#define PAVANE_CRAWL_RUN_SECRETS_H

#include "base/why.h"
#include "crawl/run/logins.h"
#include "crawl/run/origins.h"
#include "policy/secrets/users.h"
#include "store/job.h"

/* User names and passwords that the policy gives with its seeds and its
 * proxies: kept once, in the file `secrets` of the crawl's directory, which is
 * for its owner only (mode 0600). Neither the state nor policy.yaml nor anything
 * else there has them; the policy that is given counts before what the file
 * says. Those of the domain table are kept in memory alone.
 */
struct pv_crawl;
struct pv_host_manners;
struct pv_request;

struct pv_secrets {
	struct pv_origins origins; /* of the seeds: secrets may go there */
	struct pv_logins logins;
	struct pv_users users;          /* of the domain table */
	struct pv_proxy_login *proxies; /* those of the policy */
	size_t proxy_count;
	size_t proxy_size;
	struct pv_arena texts;
	bool is_changed; /* since the file was written */
	bool is_noted;   /* in the state, that there are some */
	struct pv_job note;
};

/* Takes what the policy says, and then what the file has. False, with the
 * reason, where what the domain table names cannot be read. */
bool pv_secrets_open(struct pv_crawl *crawl, struct pv_why *why);
void pv_secrets_close(struct pv_crawl *crawl);

/* False, with the reason, where some were kept and are not there any more. */
bool pv_secrets_are_there(struct pv_crawl *crawl, struct pv_why *why);

/* Takes the credentials of a seed; false if there is no room for them. */
bool pv_secrets_add(struct pv_crawl *crawl, const struct pv_url *url);

/* Writes the file if something in it is new. False if that cannot be done, and
 * errno says why. */
bool pv_secrets_write(struct pv_crawl *crawl);

/* The job by which the state knows that there are some, when they have been
 * written and it does not yet; else NULL. */
struct pv_job *pv_secrets_note(struct pv_crawl *crawl);

/* Adds to a request what its host's domain says in confidence, if that may
 * reach the address. */
void pv_secrets_say(const struct pv_crawl *crawl,
    const struct pv_host_manners *manners, const struct pv_url *url,
    struct pv_request *request);

/* A proxy with the login that is kept for it, as the policy would write it;
 * empty if there is none. `open` is the proxy without a login
 * (policy/values/proxy_form.h). */
struct pv_str pv_secrets_proxy(
    const struct pv_crawl *crawl, struct pv_str open);

/* Makes the address with which a request goes out, if it has a login; else that
 * stays empty. */
void pv_secrets_apply(const struct pv_crawl *crawl, const struct pv_url *url,
    struct pv_url *with_login);

#endif
