#include "crawl/run/secrets.h"

#include <fcntl.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/file.h"
#include "base/reader.h"
#include "crawl/conductor.h"
#include "policy/proxies.h"
#include "policy/secrets/secret.h"
#include "policy/values/proxy_form.h"
#include "store/tables/note.h"

#define NAME "secrets"
#define MODE 0600
#define FILE_MAX ((size_t)64 << 20)

#define LOGIN PV_STR("login ")
#define PROXY PV_STR("proxy ")

#define HEAD                                                                  \
	"# User names and passwords of this crawl's policy. Nothing else in " \
	"this directory has\n# them: keep this file for yourself.\n"

/* That there were some. */
#define NOTE PV_STR("credentials-kept")

static void path_in(const struct pv_crawl *crawl, struct pv_buf *path)
{
	pv_buf_init(path, SIZE_MAX);
	pv_buf_append_format(path, "%s/" NAME, crawl->directory);
}

struct pv_proxy_login {
	struct pv_str open;  /* the proxy without a login */
	struct pv_str whole; /* empty: none is needed, or known */
};

static bool has_any(const struct pv_secrets *secrets)
{
	bool has_proxy = false;
	for (size_t i = 0; i < secrets->proxy_count; i++)
		has_proxy = has_proxy || secrets->proxies[i].whole.len;
	return secrets->logins.count || has_proxy;
}

/* The policy's */

static bool take(
    struct pv_crawl *crawl, const struct pv_url *url, bool is_of_before)
{
	struct pv_secrets *secrets = &crawl->secrets;
	enum pv_login_step step =
	    pv_logins_add(&secrets->logins, url, is_of_before);
	secrets->is_changed =
	    secrets->is_changed || (step == PV_LOGIN_NEW && !is_of_before);
	return step != PV_LOGIN_LEFT_OUT;
}

bool pv_secrets_add(struct pv_crawl *crawl, const struct pv_url *url)
{
	return !pv_url_has_credentials(url) || take(crawl, url, false);
}

static void take_address(struct pv_crawl *crawl, struct pv_str address)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, address) == PV_URL_OK) {
		pv_crawl_identity_apply(
		    &crawl->reading.sameness.identity, &url);
		pv_secrets_add(crawl, &url);
	}
	pv_url_finish(&url);
}

/* The first address of a seed; the others follow as they are walked
 * through. */
static void take_seeds(struct pv_crawl *crawl)
{
	const struct pv_seeds *seeds = &crawl->policy->seeds;
	struct pv_buf first;
	pv_buf_init(&first, PV_SEED_ADDRESS_MAX);
	for (size_t i = 0; i < seeds->count; i++) {
		if (seeds->items[i].kind == PV_SEED_FILE)
			continue;
		pv_buf_clear(&first);
		pv_template_write(&seeds->items[i].address, 0, &first);
		take_address(crawl, pv_buf_str(&first));
	}
	pv_buf_finish(&first);
}

static void take_first_of_file(
    struct pv_crawl *crawl, const struct pv_seed *seed)
{
	struct pv_seed_walk walk;
	enum pv_seed_step step = PV_SEED_FAULT;
	if (pv_seed_walk_open(&walk, seed))
		while (step != PV_SEED_END && !crawl->secrets.logins.count) {
			step = pv_seed_walk_next(&walk);
			if (step == PV_SEED_ADDRESS)
				take_address(crawl, pv_buf_str(&walk.text));
		}
	pv_seed_walk_close(&walk);
}

/* What files of seeds give, where nothing else gives any: up to the first. */
static void take_files(struct pv_crawl *crawl)
{
	const struct pv_seeds *seeds = &crawl->policy->seeds;
	for (size_t i = 0; i < seeds->count; i++) {
		if (seeds->items[i].kind == PV_SEED_FILE)
			take_first_of_file(crawl, &seeds->items[i]);
	}
}

/* Appends a proxy without its login; false if it is none. */
static bool write_open(
    struct pv_str proxy, struct pv_proxy_form *form, struct pv_buf *open)
{
	struct pv_buf host;
	pv_buf_init(&host, SIZE_MAX);
	bool is_right = pv_proxy_form_read(proxy, form, &host);
	if (is_right)
		pv_proxy_form_write_open(form, pv_buf_str(&host), open);
	pv_buf_finish(&host);
	return is_right;
}

static struct pv_proxy_login *find_proxy(
    const struct pv_secrets *secrets, struct pv_str open)
{
	for (size_t i = 0; i < secrets->proxy_count; i++) {
		if (pv_str_equal(secrets->proxies[i].open, open))
			return &secrets->proxies[i];
	}
	return NULL;
}

/* One that the policy names. */
static void take_proxy(
    void *ctx, const char *proxy, const struct pv_place *place)
{
	struct pv_secrets *secrets = ctx;
	struct pv_proxy_form form;
	struct pv_buf open;
	(void)place;
	pv_buf_init(&open, SIZE_MAX);
	write_open(pv_str_of(proxy), &form, &open);
	struct pv_proxy_login *login = find_proxy(secrets, pv_buf_str(&open));
	if (!login) {
		login = PV_ARRAY_PUSH(secrets->proxies, secrets->proxy_count,
		    secrets->proxy_size);
		login->open = pv_arena_copy(&secrets->texts, pv_buf_str(&open));
		login->whole = PV_STR("");
	}
	if (!login->whole.len && pv_proxy_form_is_secret(&form)) {
		login->whole = pv_str_of(proxy);
		secrets->is_changed = true;
	}
	pv_buf_finish(&open);
}

/* What was kept is for the same proxy, where the policy has no login for it. */
static void take_kept_proxy(struct pv_secrets *secrets, struct pv_str proxy)
{
	struct pv_proxy_form form;
	struct pv_buf open;
	pv_buf_init(&open, SIZE_MAX);
	struct pv_proxy_login *login =
	    write_open(proxy, &form, &open)
		? find_proxy(secrets, pv_buf_str(&open))
		: NULL;
	if (login && !login->whole.len && form.login.len)
		login->whole = pv_arena_copy(&secrets->texts, proxy);
	pv_buf_finish(&open);
}

struct pv_str pv_secrets_proxy(const struct pv_crawl *crawl, struct pv_str open)
{
	const struct pv_proxy_login *login = find_proxy(&crawl->secrets, open);
	return login ? login->whole : PV_STR("");
}

/* The file's */

/* What a link may say, too. */
static void take_kept(struct pv_crawl *crawl, struct pv_str address)
{
	struct pv_url url;
	pv_url_init(&url, PV_SEED_ADDRESS_MAX);
	if (pv_url_parse(&url, address) == PV_URL_OK) {
		take(crawl, &url, true);
		pv_scope_add_login(crawl->reading.scope, &url);
	}
	pv_url_finish(&url);
}

static void take_line(struct pv_crawl *crawl, struct pv_str line)
{
	if (pv_str_starts(line, LOGIN))
		take_kept(crawl, pv_str_from(line, LOGIN.len));
	else if (pv_str_starts(line, PROXY))
		take_kept_proxy(&crawl->secrets, pv_str_from(line, PROXY.len));
}

static void read_file(struct pv_crawl *crawl)
{
	struct pv_buf path, text;
	struct stat facts;
	path_in(crawl, &path);
	pv_buf_init(&text, FILE_MAX);
	if (pv_file_read_at(AT_FDCWD, pv_buf_text(&path), &facts, &text) ==
	    PV_FILE_READ) {
		struct pv_reader reader = pv_reader_of(pv_buf_str(&text));
		while (!pv_reader_is_end(&reader)) {
			take_line(crawl, pv_reader_take_until(&reader, '\n'));
			pv_reader_next(&reader);
		}
	}
	pv_buf_finish(&text);
	pv_buf_finish(&path);
}

bool pv_secrets_open(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_secrets *secrets = &crawl->secrets;
	pv_logins_init(&secrets->logins);
	pv_users_init(&secrets->users);
	pv_arena_init(&secrets->texts);
	take_seeds(crawl);
	pv_proxies_each(crawl->policy, take_proxy, secrets);
	read_file(crawl);
	return pv_users_read(&secrets->users, crawl->policy, true, why);
}

void pv_secrets_close(struct pv_crawl *crawl)
{
	pv_logins_finish(&crawl->secrets.logins);
	pv_users_finish(&crawl->secrets.users);
	pv_arena_finish(&crawl->secrets.texts);
	free(crawl->secrets.proxies);
}

bool pv_secrets_are_there(struct pv_crawl *crawl, struct pv_why *why)
{
	struct pv_database *database = crawl->store->database;
	struct pv_secrets *secrets = &crawl->secrets;
	secrets->is_noted = pv_note_get(database, NOTE, 0) != 0;
	if (!has_any(secrets) && secrets->is_noted)
		take_files(crawl);
	if (has_any(secrets) && !secrets->is_noted)
		pv_note_set(database, NOTE, 1);
	if (has_any(secrets) || !secrets->is_noted) {
		secrets->is_noted = has_any(secrets);
		return true;
	}
	pv_why_add(why, (struct pv_place){.file = crawl->directory},
	    PV_STR("seeds"),
	    "this crawl was begun with a user name and a password, which were "
	    "in its file " NAME
	    ": restore that file, or run the crawl with the policy that "
	    "has them (pavane crawl POLICY -o DIR)");
	return false;
}

/* Writing */

static void write_login(void *ctx, struct pv_str address)
{
	struct pv_buf *text = ctx;
	pv_buf_append(text, LOGIN);
	pv_buf_append(text, address);
	pv_buf_append_char(text, '\n');
}

bool pv_secrets_write(struct pv_crawl *crawl)
{
	struct pv_secrets *secrets = &crawl->secrets;
	struct pv_buf path, text;
	if (!secrets->is_changed)
		return true;
	path_in(crawl, &path);
	pv_buf_init(&text, FILE_MAX);
	pv_buf_append_text(&text, HEAD);
	pv_logins_each(&secrets->logins, write_login, &text);
	for (size_t i = 0; i < secrets->proxy_count; i++) {
		if (!secrets->proxies[i].whole.len)
			continue;
		pv_buf_append(&text, PROXY);
		pv_buf_append(&text, secrets->proxies[i].whole);
		pv_buf_append_char(&text, '\n');
	}
	bool is_written =
	    pv_file_replace(pv_buf_text(&path), pv_buf_str(&text), MODE);
	secrets->is_changed = !is_written;
	pv_buf_finish(&text);
	pv_buf_finish(&path);
	return is_written;
}

static void write_note(struct pv_job *job, struct pv_database *database)
{
	(void)job;
	pv_note_set(database, NOTE, 1);
}

static void on_note(struct pv_job *job, enum pv_store_status status)
{
	(void)job;
	(void)status;
}

struct pv_job *pv_secrets_note(struct pv_crawl *crawl)
{
	struct pv_secrets *secrets = &crawl->secrets;
	if (secrets->is_noted || secrets->is_changed || !has_any(secrets))
		return NULL;
	secrets->is_noted = true;
	secrets->note =
	    (struct pv_job){.run = write_note, .done = on_note, .rows = 1};
	return &secrets->note;
}

void pv_secrets_say(const struct pv_crawl *crawl,
    const struct pv_host_manners *manners, const struct pv_url *url,
    struct pv_request *request)
{
	const struct pv_manners *said = &manners->manners;
	if (!said->headers.count && !said->user)
		return;
	struct pv_named_seeds seeds =
	    pv_origins_find(&crawl->secrets.origins, url);
	if (!pv_domain_secrets_reach(&seeds, url))
		return;
	request->headers = said->headers;
	request->authorization =
	    pv_users_find(&crawl->secrets.users, said->user, manners->host);
}

void pv_secrets_apply(const struct pv_crawl *crawl, const struct pv_url *url,
    struct pv_url *with_login)
{
	struct pv_str words = pv_logins_find(&crawl->secrets.logins, url);
	size_t start = pv_url_scheme(url).len + strlen("://");
	struct pv_buf text;
	if (!words.len)
		return;
	pv_buf_init(&text, SIZE_MAX);
	pv_buf_append(&text, pv_str_head(pv_url_text(url), start));
	pv_buf_append(&text, words);
	pv_buf_append_char(&text, '@');
	pv_buf_append(&text, pv_str_from(pv_url_text(url), start));
	pv_url_parse(with_login, pv_buf_str(&text));
	pv_buf_finish(&text);
}
