#include "policy/secrets/users.h"

#include <errno.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/ascii.h"
#include "base/file.h"
#include "base/reader.h"
#include "policy/domain_entry.h"
#include "policy/policy.h"
#include "policy/secrets/netrc.h"
#include "policy/values/user_form.h"

/* Servers take headers of eight KiB. */
#define SECRET_MAX ((size_t)6000)
#define VALUE_MAX ((size_t)16384)
#define NETRC_BYTES_MAX ((size_t)4 << 20)

struct pv_user {
	enum pv_user_kind kind;
	struct pv_buf value;   /* of the header; a netrc has none */
	struct pv_netrc netrc; /* empty, but for a netrc */
	struct pv_buf *values; /* of each of its logins */
};

/* One entry's `user`, as it is read. */
struct reading {
	struct pv_users *users;
	const struct pv_domain_entry *entry;
	struct pv_place place;
	bool is_starting;
	struct pv_why *why;
};

void pv_users_init(struct pv_users *users)
{
	*users = (struct pv_users){.count = 0};
	pv_map_init(&users->numbers, (struct pv_hash_key){{0}});
}

static void finish_user(struct pv_user *user)
{
	for (size_t i = 0; i < user->netrc.count; i++)
		pv_buf_finish(&user->values[i]);
	free(user->values);
	pv_netrc_finish(&user->netrc);
	pv_buf_finish(&user->value);
}

void pv_users_finish(struct pv_users *users)
{
	for (size_t i = 0; i < users->count; i++)
		finish_user(&users->items[i]);
	free(users->items);
	pv_map_finish(&users->numbers);
}

/* Problems, by the host */

static void write_key(const struct reading *reading, struct pv_buf *key)
{
	pv_buf_init(key, 1024);
	pv_buf_append_format(key, "domains.\"%s\".user", reading->entry->name);
}

static void fail(const struct reading *reading, const char *sentence)
{
	struct pv_buf key;
	write_key(reading, &key);
	pv_why_add(reading->why, reading->place, pv_buf_str(&key), "%s",
	    sentence);
	pv_buf_finish(&key);
}

static void tell_unset(const struct reading *reading, struct pv_str variable)
{
	struct pv_buf key;
	write_key(reading, &key);
	if (reading->is_starting)
		pv_why_add(reading->why, reading->place, pv_buf_str(&key),
		    "the environment variable %.*s is not set: set it before "
		    "the crawl is started",
		    PV_STR_ARG(variable));
	else
		pv_why_note(reading->why, reading->place, pv_buf_str(&key),
		    "the environment variable %.*s is not set here; without "
		    "it a crawl does not start",
		    PV_STR_ARG(variable));
	pv_buf_finish(&key);
}

static void tell_unread(
    const struct reading *reading, struct pv_str file, const char *fault)
{
	struct pv_buf key;
	write_key(reading, &key);
	pv_why_add(reading->why, reading->place, pv_buf_str(&key),
	    "%.*s cannot be read: %s", PV_STR_ARG(file), fault);
	pv_buf_finish(&key);
}

/* Sources */

static bool read_variable(
    const struct reading *reading, struct pv_str variable, struct pv_buf *text)
{
	struct pv_buf name;
	pv_buf_init(&name, SIZE_MAX);
	pv_buf_append(&name, variable);
	const char *value = getenv(pv_buf_text(&name));
	pv_buf_finish(&name);
	if (!value || !value[0])
		tell_unset(reading, variable);
	else if (!pv_buf_append_text(text, value))
		fail(reading, "its variable holds over 6,000 bytes, more than "
			      "servers take");
	return value && value[0];
}

static bool read_file(
    const struct reading *reading, struct pv_str file, struct pv_buf *text)
{
	struct pv_buf path;
	pv_buf_init(&path, SIZE_MAX);
	pv_buf_append(&path, file);
	enum pv_file_read step = pv_file_read(pv_buf_text(&path), text);
	int error = errno;
	pv_buf_finish(&path);
	if (step == PV_FILE_FAILED)
		tell_unread(reading, file, pv_file_fault(error));
	else if (step == PV_FILE_TOO_LARGE)
		tell_unread(reading, file, "it is too large");
	return step == PV_FILE_READ;
}

/* What a header can say. */
static bool is_sayable(struct pv_str text)
{
	for (size_t i = 0; i < text.len; i++) {
		if (pv_is_control((unsigned char)text.ptr[i]))
			return false;
	}
	return text.len > 0;
}

static void write_basic(
    struct pv_str name, struct pv_str password, struct pv_buf *value)
{
	struct pv_buf pair;
	pv_buf_init(&pair, SIZE_MAX);
	pv_buf_append(&pair, name);
	pv_buf_append_char(&pair, ':');
	pv_buf_append(&pair, password);
	pv_buf_init(value, SIZE_MAX);
	pv_buf_append_text(value, "Basic ");
	pv_buf_append_base64(value, pv_buf_str(&pair)); /* RFC 7617 */
	pv_buf_finish(&pair);
}

/* Kinds */

static void read_netrc(const struct reading *reading, struct pv_str file,
    struct pv_user *user)
{
	struct pv_buf text, path;
	const char *home = getenv("HOME");
	pv_buf_init(&text, NETRC_BYTES_MAX);
	pv_buf_init(&path, SIZE_MAX);
	if (file.len)
		pv_buf_append(&path, file);
	else
		pv_buf_append_format(&path, "%s/.netrc", home ? home : "");
	if (read_file(reading, pv_buf_str(&path), &text))
		pv_netrc_read(&user->netrc, pv_buf_str(&text),
		    pv_buf_text(&path), reading->why);
	user->values =
	    pv_alloc_array(user->netrc.count, sizeof(*user->values));
	for (size_t i = 0; i < user->netrc.count; i++)
		write_basic(user->netrc.items[i].name,
		    user->netrc.items[i].password, &user->values[i]);
	pv_buf_finish(&path);
	pv_buf_finish(&text);
}

static void take_secret(const struct reading *reading,
    const struct pv_user_form *form, struct pv_str secret,
    struct pv_user *user)
{
	size_t colon = pv_str_find(secret, ':');
	if (!is_sayable(secret)) {
		fail(reading, "its variable or file must hold one line without "
			      "control characters");
	} else if (form->kind == PV_USER_BEARER) {
		pv_buf_append_text(&user->value, "Bearer ");
		pv_buf_append(&user->value, secret);
	} else if (form->name.len) {
		write_basic(form->name, secret, &user->value);
	} else if (colon == PV_NOT_FOUND || !colon) {
		fail(reading, "its variable or file must hold NAME:PASSWORD");
	} else {
		write_basic(pv_str_head(secret, colon),
		    pv_str_from(secret, colon + 1), &user->value);
	}
}

/* A file's line ends, and what holds more than one is none. */
static struct pv_str without_end(struct pv_str text)
{
	struct pv_reader reader = pv_reader_of(text);
	struct pv_str line = pv_reader_take_line(&reader);
	return pv_str_trim(pv_reader_is_end(&reader) ? line : text);
}

static void read_secret(const struct reading *reading,
    const struct pv_user_form *form, struct pv_user *user)
{
	struct pv_buf text;
	bool is_read = true;
	pv_buf_init(&text, SECRET_MAX);
	if (form->variable.len)
		is_read = read_variable(reading, form->variable, &text);
	else if (form->file.len)
		is_read = read_file(reading, form->file, &text);
	else
		pv_buf_append(&text, form->password);
	if (is_read)
		take_secret(reading, form, without_end(pv_buf_str(&text)), user);
	pv_buf_finish(&text);
}

static void read_user(const struct reading *reading, const char *text)
{
	struct pv_users *users = reading->users;
	struct pv_user_form form;
	struct pv_user user = {.values = NULL};
	if (!pv_map_add(
		&users->numbers, pv_str_of(text), (uint32_t)users->count))
		return;
	pv_user_form_read(pv_str_of(text), &form);
	user.kind = form.kind;
	pv_buf_init(&user.value, VALUE_MAX);
	pv_netrc_init(&user.netrc);
	if (form.kind == PV_USER_NETRC)
		read_netrc(reading, form.file, &user);
	else
		read_secret(reading, &form, &user);
	*PV_ARRAY_PUSH(users->items, users->count, users->size) = user;
}

bool pv_users_read(struct pv_users *users, const struct pv_policy *policy,
    bool is_starting, struct pv_why *why)
{
	size_t problems = why->problems.count;
	const struct pv_option *option =
	    pv_option_get(PV_STR("user"), &pv_names_of_domain);
	for (size_t i = 0; i < policy->domains.count; i++) {
		const struct pv_domain_entry *entry =
		    &policy->domains.entries[i];
		const struct pv_domain_setting *setting =
		    pv_domain_entry_get(entry, option);
		const struct reading reading = {
		    .users = users,
		    .entry = entry,
		    .place = setting ? setting->origin.place
				     : (struct pv_place){0},
		    .is_starting = is_starting,
		    .why = why,
		};
		if (setting && setting->value.ptr)
			read_user(&reading, setting->value.ptr);
	}
	return why->problems.count == problems;
}

const char *pv_users_find(
    const struct pv_users *users, const char *text, struct pv_str host)
{
	const uint32_t *number =
	    text ? pv_map_get(&users->numbers, pv_str_of(text)) : NULL;
	const struct pv_user *user = number ? &users->items[*number] : NULL;
	if (!user)
		return NULL;
	if (user->kind != PV_USER_NETRC)
		return user->value.len ? pv_buf_text(&user->value) : NULL;
	const struct pv_netrc_login *login =
	    pv_netrc_find(&user->netrc, host);
	return login
		   ? pv_buf_text(&user->values[login - user->netrc.items])
		   : NULL;
}
