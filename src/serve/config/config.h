#ifndef PAVANE_SERVE_CONFIG_CONFIG_H
#define PAVANE_SERVE_CONFIG_CONFIG_H

#include "base/arena.h"
#include "base/json/json.h"
#include "policy/document/origin.h"
#include "policy/values/texts.h"
#include "policy/values/value.h"
#include "serve/config/webhook_table.h"

struct pv_policy;

/* A file of tokens, and its name as it was written. */
struct pv_tokens_file {
	const char *path; /* NULL for none */
	const char *written;
	bool is_credential; /* below the credentials directory */
};

/* The configuration of the service: what stands in the file of
 * `pavane serve -c FILE`, with every default filled in.
 *
 * It is read-only once it is loaded, so that any thread may read it, and all
 * its texts live as long as it does. Each key is described by one row of
 * option_table.c; PV_NONE stands for `none`. To read a changed file, another is
 * loaded.
 */
struct pv_profile {
	const char *name;
	const char *file;         /* NULL for the built-in defaults */
	struct pv_policy *policy; /* nobody changes it */
};

struct pv_service_config {
	const char *directory;
	const char *listen; /* serve/config/listen_form.h */
	struct pv_tokens_file tokens_file;
	struct pv_texts hosts; /* as in Host, canonical, without ports */
	struct pv_texts trusted_proxies; /* base/address.h: networks */
	struct pv_pairs profile_files;   /* as written; read `profiles` */
	struct {
		int64_t running;
		int64_t queued;
		int64_t per_token;
		int64_t disk;
		int64_t keep_ms;
	} jobs;
	struct {
		int64_t max_rate;
		int64_t interval_ms;
	} rate;
	struct pv_texts private_hosts; /* policy/values/host_pattern.h */
	struct pv_webhook_table webhooks;

	/* The built-in defaults first, under the name default, and then those
	 * of the file. */
	struct pv_profile *profiles;
	size_t profile_count;

	struct pv_origin *origins; /* of each row of the options table */
	struct pv_arena arena;     /* owns all texts and arrays */
};

struct pv_config_sources {
	const char *file;       /* "-" is the standard input; NULL for none */
	const char *config_dir; /* of the user, for the profiles; or NULL */
	const char *credentials_dir; /* where systemd puts what is said in
					confidence: a tokens_file without "/" at
					its beginning lies there; or NULL */
	const char *const *settings; /* KEY=VALUE, over what the file says */
	size_t setting_count;
};

/* Loads and checks a configuration and its profiles. It is complete if `why`
 * has no problems, and else good for nothing but to be destroyed. What is wrong
 * with a profile is told of its own file. */
struct pv_service_config *pv_service_config_load(
    const struct pv_config_sources *sources, struct pv_why *why);

/* NULL is fine. */
void pv_service_config_destroy(struct pv_service_config *config);

/* The profile of that name; NULL if there is none. There is always one called
 * default: that of the file, else the built-in defaults. */
const struct pv_profile *pv_service_config_profile(
    const struct pv_service_config *config, struct pv_str name);

/* The webhook of that name; NULL if there is none. */
const struct pv_webhook *pv_service_config_webhook(
    const struct pv_service_config *config, struct pv_str name);

/* Appends the whole configuration as YAML, every default written out, with a
 * comment behind each value that says where it comes from. Read again, it is
 * the same, but for the secrets of webhooks, which are not shown. */
void pv_service_config_write_effective(
    const struct pv_service_config *config, struct pv_buf *buf);

/* Appends what the manual page says of each key. */
void pv_service_config_write_reference(struct pv_buf *buf);

/* The JSON Schema (draft 7) of the file. */
struct pv_json *pv_service_config_schema(void);

#endif
