#include "fleet/line/url.h"

#include <libpq-fe.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/visible.h"

/* libpq looks at this value last of all that a URL says, and refuses it. So it
 * has read everything, and asked for nothing. */
#define REFUSED_ATTRIBUTE "pavane-reads-the-url"

/* Of a host for which a list of ports has none. */
#define USUAL_PORT "5432"

/* What a line says itself (targets.c), or what is already in the others. */
static const char *const ours[] = {"host", "hostaddr", "port", "service",
    "servicefile", "target_session_attrs", "connect_timeout", "client_encoding",
    "fallback_application_name"};

static char *copy(struct pv_str text)
{
	char *copied = pv_alloc(text.len + 1);
	if (text.len)
		memcpy(copied, text.ptr, text.len);
	return copied;
}

static bool is_ours(const char *keyword)
{
	for (size_t i = 0; i < sizeof(ours) / sizeof(*ours); i++) {
		if (strcmp(ours[i], keyword) == 0)
			return true;
	}
	return false;
}

void pv_fleet_message_append(struct pv_buf *buf, const char *message)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(message));
	bool is_first = true;
	while (!pv_reader_is_end(&reader)) {
		struct pv_str line = pv_str_trim(pv_reader_take_line(&reader));
		if (!line.len)
			continue;
		if (!is_first)
			pv_buf_append_text(buf, "; ");
		pv_visible_append(buf, line);
		is_first = false;
	}
}

/* The value of a keyword, "" where it has none. */
static const char *value_of(
    const PQconninfoOption *options, const char *keyword)
{
	for (; options->keyword; options++) {
		if (strcmp(options->keyword, keyword) == 0)
			return options->val ? options->val : "";
	}
	return "";
}

static void take_parameters(
    struct pv_fleet_url *url, const PQconninfoOption *options)
{
	for (; options->keyword; options++) {
		bool is_wanted = options->val && *options->val &&
				 !is_ours(options->keyword) &&
				 url->parameter_count < PV_FLEET_PARAMETERS_MAX;
		if (!is_wanted)
			continue;
		url->parameters[url->parameter_count++] =
		    (struct pv_fleet_parameter){
			copy(pv_str_of(options->keyword)),
			copy(pv_str_of(options->val))};
	}
}

/* The item of a list with commas at that place; "" behind its end. */
static struct pv_str item_of(const char *list, size_t place)
{
	struct pv_str rest = pv_str_of(list);
	for (size_t i = 0;; i++) {
		size_t comma = pv_str_find(rest, ',');
		if (i == place)
			return comma == PV_NOT_FOUND ? rest
						     : pv_str_head(rest, comma);
		if (comma == PV_NOT_FOUND)
			return PV_STR("");
		rest = pv_str_from(rest, comma + 1);
	}
}

static size_t count_items(const char *list)
{
	size_t count = 1;
	for (; *list; list++)
		count += *list == ',';
	return count;
}

/* As libpq pairs them: one for each address, or else for each host; a single
 * port is that of all. */
static void take_places(
    struct pv_fleet_url *url, const PQconninfoOption *options)
{
	const char *hosts = value_of(options, "host");
	const char *addresses = value_of(options, "hostaddr");
	const char *ports = value_of(options, "port");
	size_t count = count_items(*addresses ? addresses : hosts);
	bool has_one_port = count_items(ports) == 1;
	for (size_t i = 0; i < count && i < PV_FLEET_PLACES_MAX; i++) {
		struct pv_str port = item_of(ports, has_one_port ? 0 : i);
		url->places[url->place_count++] = (struct pv_fleet_place){
		    copy(pv_str_trim(item_of(hosts, i))),
		    copy(pv_str_trim(item_of(addresses, i))),
		    copy(port.len ? port : PV_STR(USUAL_PORT))};
	}
}

static int64_t timeout_ms(const char *seconds)
{
	struct pv_reader reader = pv_reader_of(pv_str_of(seconds));
	uint64_t number;
	return pv_reader_take_number(&reader, 3600, &number)
		   ? (int64_t)number * 1000
		   : 0;
}

static bool is_url(const char *text)
{
	return pv_str_starts(pv_str_of(text), PV_STR("postgresql://")) ||
	       pv_str_starts(pv_str_of(text), PV_STR("postgres://"));
}

/* Neither a URL nor "host=db.test dbname=crawls". Libpq would take it for the name of
 * a database on this machine. */
static bool is_other(const char *text)
{
	return !is_url(text) && (!strchr(text, '=') || strstr(text, "://"));
}

/* Whether an @ stands where libpq takes a part of a password for a host or a database,
 * which would be shown. */
static bool has_stray_at(const char *text)
{
	const char *begin = strstr(text, "://") + 3;
	size_t user = strcspn(begin, "@/");
	const char *rest = begin[user] == '@' ? begin + user + 1 : begin;
	return memchr(rest, '@', strcspn(rest, "?")) != NULL;
}

/* Whether libpq takes the text itself for wrong. What it says then quotes the
 * text, password and all. */
static bool is_malformed(const char *text)
{
	PQconninfoOption *options = PQconninfoParse(text, NULL);
	PQconninfoFree(options);
	return !options;
}

static bool take(struct pv_fleet_url *url, PGconn *conn)
{
	PQconninfoOption *options = PQconninfo(conn);
	if (!options)
		return false;
	take_parameters(url, options);
	take_places(url, options);
	url->user = copy(pv_str_of(value_of(options, "user")));
	url->database = copy(pv_str_of(value_of(options, "dbname")));
	url->connect_timeout_ms =
	    timeout_ms(value_of(options, "connect_timeout"));
	PQconninfoFree(options);
	return true;
}

/* libpq looks at ports only when it connects. */
static bool has_ports(const struct pv_fleet_url *url)
{
	for (size_t i = 0; i < url->place_count; i++) {
		uint64_t number;
		struct pv_reader reader =
		    pv_reader_of(pv_str_of(url->places[i].port));
		if (!pv_reader_take_number(&reader, UINT16_MAX, &number) ||
		    !pv_reader_is_end(&reader) || number == 0)
			return false;
	}
	return true;
}

static bool refuse(struct pv_buf *why, const char *what)
{
	pv_buf_append_format(why,
	    "the URL of the database %s (it is not shown, since it may hold a "
	    "password): write it as postgresql://user@host:5432/database",
	    what);
	return false;
}

bool pv_fleet_url_read(
    struct pv_fleet_url *url, const char *text, struct pv_buf *why)
{
	static const char *const keywords[] = {
	    "dbname", "target_session_attrs", NULL};
	const char *const values[] = {text, REFUSED_ATTRIBUTE, NULL};
	if (is_other(text)) {
		pv_buf_append_text(why,
		    "the database of a fleet is named by a URL that begins with "
		    "postgresql://, such as postgresql:///crawls on this "
		    "machine, or postgresql://user@host:5432/crawls");
		return false;
	}
	if (is_malformed(text))
		return refuse(why, "cannot be read");
	if (is_url(text) && has_stray_at(text))
		return refuse(why,
		    "has an @ too many, which is %40 in a password, as / is %2F "
		    "and : is %3A");
	*url = (struct pv_fleet_url){0};
	PGconn *conn = PQconnectStartParams(keywords, values, 1);
	const char *message = PQerrorMessage(conn);
	bool is_read = strstr(message, REFUSED_ATTRIBUTE) && take(url, conn);
	if (!is_read) {
		pv_buf_append_text(why, "the URL of the database is refused: ");
		pv_fleet_message_append(why, message);
	}
	PQfinish(conn);
	if (!is_read || has_ports(url))
		return is_read;
	pv_fleet_url_finish(url);
	return refuse(why, "has a port that is no number from 1 to 65535");
}

void pv_fleet_url_finish(struct pv_fleet_url *url)
{
	for (size_t i = 0; i < url->parameter_count; i++) {
		free(url->parameters[i].keyword);
		free(url->parameters[i].value);
	}
	for (size_t i = 0; i < url->place_count; i++) {
		free(url->places[i].host);
		free(url->places[i].address);
		free(url->places[i].port);
	}
	free(url->user);
	free(url->database);
	*url = (struct pv_fleet_url){0};
}

/* The directory of a socket stands in a URL with its slashes escaped. */
static void show_host(const struct pv_fleet_place *place, struct pv_buf *buf)
{
	const char *host = *place->host ? place->host : place->address;
	bool is_address = strchr(host, ':');
	if (is_address)
		pv_buf_append_char(buf, '[');
	for (; *host; host++) {
		if (*host == '/')
			pv_buf_append_text(buf, "%2F");
		else
			pv_visible_append(buf, (struct pv_str){host, 1});
	}
	if (is_address)
		pv_buf_append_char(buf, ']');
}

void pv_fleet_url_show(const struct pv_fleet_url *url, struct pv_buf *buf)
{
	pv_buf_append_text(buf, "postgresql://");
	if (*url->user) {
		pv_visible_append(buf, pv_str_of(url->user));
		pv_buf_append_char(buf, '@');
	}
	for (size_t i = 0; i < url->place_count; i++) {
		if (i > 0)
			pv_buf_append_char(buf, ',');
		show_host(&url->places[i], buf);
		pv_buf_append_char(buf, ':');
		pv_visible_append(buf, pv_str_of(url->places[i].port));
	}
	pv_buf_append_char(buf, '/');
	pv_visible_append(buf, pv_str_of(url->database));
}
