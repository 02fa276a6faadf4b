#include "fleet/line/targets.h"

#include "base/ascii.h"
#include "base/visible.h"
#include "names/names.h"

#define WHY_MAX 1000

/* A connection on which nothing was sent for so long is tried out; one on which
 * nothing comes back for so long is lost. */
#define KEEPALIVE_IDLE_S "10"
#define KEEPALIVE_INTERVAL_S "5"
#define KEEPALIVE_COUNT "3"
#define USER_TIMEOUT_MS "15000"

static void on_answer(void *ctx, const struct pv_name_answer *answer);

void pv_fleet_targets_init(struct pv_fleet_targets *targets,
    const struct pv_fleet_url *url, struct pv_names *names,
    pv_fleet_targets_fn on_found, void *ctx)
{
	*targets = (struct pv_fleet_targets){
	    .url = url, .names = names, .on_found = on_found, .ctx = ctx};
	pv_buf_init(&targets->why, WHY_MAX);
}

void pv_fleet_targets_finish(struct pv_fleet_targets *targets)
{
	pv_names_forget(targets->names, targets);
	pv_buf_finish(&targets->why);
}

/* Sockets of this machine and addresses need nobody to be asked. */
static bool is_name(const struct pv_fleet_place *place)
{
	struct pv_address address;
	const char *host = place->host;
	return *host && !*place->address && *host != '/' && *host != '@' &&
	       !strchr(host, ':') &&
	       !pv_address_read(pv_str_of(host), &address);
}

static void add_target(
    struct pv_fleet_targets *targets, struct pv_fleet_target target)
{
	if (targets->count < PV_FLEET_TARGETS_MAX)
		targets->items[targets->count++] = target;
}

static void take_answer(
    struct pv_fleet_targets *targets, const struct pv_name_answer *answer)
{
	const struct pv_fleet_place *place =
	    &targets->url->places[targets->looked_at];
	for (uint32_t i = 0; i < answer->count; i++)
		add_target(targets, (struct pv_fleet_target){
					place, answer->addresses[i], true});
	if (answer->count)
		return;
	if (targets->why.len)
		pv_buf_append_text(&targets->why, "; ");
	pv_buf_append_text(&targets->why, "the address of ");
	pv_visible_append(&targets->why, pv_str_of(place->host));
	pv_buf_append_text(&targets->why, " is not found: ");
	pv_buf_append_text(&targets->why, answer->why);
}

/* As URLs have them, names have small letters. */
static void lower(const char *host, struct pv_buf *buf)
{
	for (; *host; host++)
		pv_buf_append_char(buf, pv_lower(*host));
}

/* What is known already is taken at once. */
static bool is_known(struct pv_fleet_targets *targets, struct pv_str host)
{
	pv_names_add_named(targets->names, host);
	const struct pv_name_answer *known = pv_names_get(targets->names, host);
	if (!known) {
		pv_names_find(targets->names, host, on_answer, targets);
		return false;
	}
	take_answer(targets, known);
	return true;
}

/* From the place at which it is; stops where a name has to be asked for. */
static void go_on(struct pv_fleet_targets *targets)
{
	const struct pv_fleet_url *url = targets->url;
	for (; targets->looked_at < url->place_count; targets->looked_at++) {
		const struct pv_fleet_place *place =
		    &url->places[targets->looked_at];
		if (!is_name(place)) {
			add_target(
			    targets, (struct pv_fleet_target){.place = place});
			continue;
		}
		struct pv_buf host;
		pv_buf_init(&host, 300);
		lower(place->host, &host);
		bool is_done = is_known(targets, pv_buf_str(&host));
		pv_buf_finish(&host);
		if (!is_done)
			return;
	}
	targets->on_found(targets->ctx);
}

static void on_answer(void *ctx, const struct pv_name_answer *answer)
{
	struct pv_fleet_targets *targets = ctx;
	take_answer(targets, answer);
	targets->looked_at++;
	go_on(targets);
}

void pv_fleet_targets_find(struct pv_fleet_targets *targets)
{
	pv_names_forget(targets->names, targets);
	targets->count = 0;
	targets->looked_at = 0;
	pv_buf_clear(&targets->why);
	go_on(targets);
}

static void add_keyword(
    struct pv_fleet_keywords *keywords, const char *keyword, const char *value)
{
	if (keywords->count >= PV_FLEET_KEYWORDS_MAX)
		return;
	keywords->keywords[keywords->count] = keyword;
	keywords->values[keywords->count++] = value;
}

/* Asking for Kerberos, which libpq does where it may, looks up names and so
 * would block; who requires it, gets it. */
static const char *value_for(const struct pv_fleet_parameter *parameter)
{
	bool may_be_kerberos = strcmp(parameter->keyword, "gssencmode") == 0 &&
			       strcmp(parameter->value, "prefer") == 0;
	return may_be_kerberos ? "disable" : parameter->value;
}

/* Of those that stand twice libpq takes the last, so that what the URL says of
 * the first ones holds. */
void pv_fleet_keywords_init(struct pv_fleet_keywords *keywords,
    const struct pv_fleet_targets *targets, size_t target)
{
	const struct pv_fleet_url *url = targets->url;
	const struct pv_fleet_target *chosen = &targets->items[target];
	*keywords = (struct pv_fleet_keywords){.count = 0};
	pv_buf_init(&keywords->address, 64);
	add_keyword(keywords, "keepalives_idle", KEEPALIVE_IDLE_S);
	add_keyword(keywords, "keepalives_interval", KEEPALIVE_INTERVAL_S);
	add_keyword(keywords, "keepalives_count", KEEPALIVE_COUNT);
	add_keyword(keywords, "tcp_user_timeout", USER_TIMEOUT_MS);
	for (size_t i = 0; i < url->parameter_count; i++)
		add_keyword(keywords, url->parameters[i].keyword,
		    value_for(&url->parameters[i]));
	add_keyword(keywords, "host", chosen->place->host);
	add_keyword(keywords, "port", chosen->place->port);
	if (chosen->has_address)
		pv_address_write(&chosen->address, &keywords->address);
	add_keyword(keywords, "hostaddr",
	    chosen->has_address ? pv_buf_text(&keywords->address)
				: chosen->place->address);
	add_keyword(keywords, "target_session_attrs", "read-write");
	add_keyword(keywords, "fallback_application_name", "pavane");
	add_keyword(keywords, "client_encoding", "UTF8");
}

void pv_fleet_keywords_finish(struct pv_fleet_keywords *keywords)
{
	pv_buf_finish(&keywords->address);
}
