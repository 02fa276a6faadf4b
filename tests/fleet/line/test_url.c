#include "fleet/line/url.h"

#include "tap.h"

static const struct {
	const char *url;
	const char *wanted;
} shown[] = {
    {"postgresql://ann:secret@db.test:5433/crawls",
	"postgresql://ann@db.test:5433/crawls"},
    {"postgres://ann@db.test/crawls?password=secret",
	"postgresql://ann@db.test:5432/crawls"},
    {"host=db.test user=ann password='se cret' dbname=crawls",
	"postgresql://ann@db.test:5432/crawls"},
    {"postgresql://ann:secret@a.test:1,b.test:2/crawls",
	"postgresql://ann@a.test:1,b.test:2/crawls"},
    {"postgresql://ann@[2001:db8::1]/crawls",
	"postgresql://ann@[2001:db8::1]:5432/crawls"},
    {"host=/run/pg user=ann dbname=crawls",
	"postgresql://ann@%2Frun%2Fpg:5432/crawls"},
    {"hostaddr=192.0.2.1 user=ann dbname=crawls",
	"postgresql://ann@192.0.2.1:5432/crawls"},
    {"postgresql://ann:sec%40ret@db.test/cr%0aawls",
	"postgresql://ann@db.test:5432/cr\\nawls"},
};

static void show(void)
{
	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		struct pv_fleet_url url;
		struct pv_buf text, why;
		pv_buf_init(&text, 1000);
		pv_buf_init(&why, 1000);
		if (pv_fleet_url_read(&url, shown[i].url, &why)) {
			pv_fleet_url_show(&url, &text);
			pv_fleet_url_finish(&url);
		}
		is_text(pv_buf_str(&text), shown[i].wanted,
		    "%s is shown without a password", shown[i].wanted);
		pv_buf_finish(&text);
		pv_buf_finish(&why);
	}
}

static const char *const refused[] = {
    "postgresql://ann:secret@[db",
    "postgresql://ann:secret@db.test:port/crawls",
    "postgresql://ann:secret/@db.test/crawls",
    "postgresql://ann:x@secret@db.test/crawls",
    "postgresql://ann:x@y/secret@db.test/crawls",
    "postgresql://ann:x@secret,y@db.test/crawls",
    "postgresql://ann:12/secret@db.test/crawls",
    "postgresql://ann:x?y@secret@db.test/crawls",
    "postgresql://ann:secret@db.test:0/crawls",
    "postgresql://ann:secret@db.test:65536/crawls",
    "postgresql://ann:secret@db.test/crawls?secret=secret",
    "host=db.test password='secret",
    "host=db.test secret",
};

static void refuse(void)
{
	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		struct pv_fleet_url url;
		struct pv_buf why;
		pv_buf_init(&why, 1000);
		ok(!pv_fleet_url_read(&url, refused[i], &why) && why.len > 0,
		    "%zu: what libpq cannot read is refused", i);
		ok(!strstr(pv_buf_text(&why), "secret"),
		    "and nothing of it is printed");
		pv_buf_finish(&why);
	}
}

static const char *const others[] = {
    "", "crawls", "http://ann:secret@db.test/", "http://secret.test/?dbname=x"};

static void refuse_others(void)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct pv_fleet_url url;
		struct pv_buf why;
		pv_buf_init(&why, 1000);
		ok(!pv_fleet_url_read(&url, others[i], &why) &&
			strstr(pv_buf_text(&why), "postgresql:///crawls") &&
			!strstr(pv_buf_text(&why), "secret"),
		    "%zu: what is no URL of PostgreSQL is refused, with an "
		    "example",
		    i);
		pv_buf_finish(&why);
	}
}

static const char *value_of(const struct pv_fleet_url *url, const char *keyword)
{
	for (size_t i = 0; i < url->parameter_count; i++) {
		if (strcmp(url->parameters[i].keyword, keyword) == 0)
			return url->parameters[i].value;
	}
	return NULL;
}

static void split(void)
{
	struct pv_fleet_url url;
	struct pv_buf why;
	pv_buf_init(&why, 1000);
	ok(pv_fleet_url_read(&url,
	       "host=a.test,,/run/pg hostaddr=192.0.2.1,192.0.2.2, port=1,,3"
	       " connect_timeout=7 password=secret",
	       &why),
	    "a list of hosts is read");

	ok(url.place_count == 3, "it has three places");
	ok(strcmp(url.places[0].host, "a.test") == 0 &&
		strcmp(url.places[0].address, "192.0.2.1") == 0 &&
		strcmp(url.places[0].port, "1") == 0,
	    "a host with its address");
	ok(strcmp(url.places[1].host, "") == 0 &&
		strcmp(url.places[1].address, "192.0.2.2") == 0 &&
		strcmp(url.places[1].port, "5432") == 0,
	    "an address alone, at the usual port");
	ok(strcmp(url.places[2].host, "/run/pg") == 0 &&
		strcmp(url.places[2].address, "") == 0 &&
		strcmp(url.places[2].port, "3") == 0,
	    "and a socket");
	ok(url.connect_timeout_ms == 7000, "its time limit is read");
	const char *password = value_of(&url, "password");
	ok(password && strcmp(password, "secret") == 0,
	    "the password is kept for the server");
	ok(!value_of(&url, "host") && !value_of(&url, "connect_timeout"),
	    "what is ours to say is no parameter");
	pv_fleet_url_finish(&url);
	pv_buf_finish(&why);
}

int main(void)
{
	show();
	refuse();
	refuse_others();
	split();
	return tap_done();
}
