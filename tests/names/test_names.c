#include "names/scene.h"

#define UNNAMED                                                            \
	" is on this machine or a private network, and neither seeds nor " \
	"domains nor fetch.resolve name the host"

static const struct name_server_entry book[] = {
    {"a.test", "A 192.0.2.1, AAAA 2001:db8::1", .ttl_s = 300},
    {"many.test", "A 192.0.2.9, A 192.0.2.3, A 192.0.2.7", .ttl_s = 300},
    {"six.test", "AAAA 2001:db8::6", .ttl_s = 300},
    {.name = "empty.test"},
    {"alias.test", "CNAME b.alias.test", .ttl_s = 300},
    {"b.alias.test", "CNAME a.test", .ttl_s = 300},
    {"lost.test", "CNAME nowhere.test", .ttl_s = 300},
    {"round.test", "CNAME round.test", .ttl_s = 300},
    {"inner.test", "A 10.0.0.1", .ttl_s = 300},
    {"mixed.test", "A 127.0.0.1, A 192.0.2.5, AAAA ::1", .ttl_s = 300},
    {"mapped.test", "AAAA ::ffff:127.0.0.1", .ttl_s = 300},
    {"zero.test", "A 0.0.0.0, AAAA ::", .ttl_s = 300},
    {"lead.test", "CNAME inner.test", .ttl_s = 300},
    {"flood.test", "A 198.51.100.0, AAAA 2001:db8::100", .ttl_s = 300,
	.more = 499},
    {"fails.test", "A 192.0.2.1", .manner = NAME_SERVER_FAILS},
    {"refuses.test", "A 192.0.2.1", .manner = NAME_SERVER_REFUSES},
    {"cut.test", "A 192.0.2.8", .ttl_s = 300, .manner = NAME_SERVER_CUTS},
    {"forged.test", "A 192.0.2.1", .ttl_s = 300,
	.manner = NAME_SERVER_MISTAKES_FIRST},
    {"babble.test", "A 192.0.2.1", .manner = NAME_SERVER_BABBLES},
    {"denies6.test", "A 192.0.2.6", .ttl_s = 300,
	.manner = NAME_SERVER_DENIES_V6},
    {"*.wild.test", "A 192.0.2.77", .ttl_s = 300},
    {"_dmarc.under_score.test", "A 192.0.2.78", .ttl_s = 300},
};

static void write_book(struct name_server *server)
{
	for (size_t i = 0; i < sizeof(book) / sizeof(*book); i++)
		name_server_set(server, &book[i]);
}

static const struct {
	const char *host;
	const char *wanted;
	const char *claim;
} answers[] = {
    {"a.test", "192.0.2.1 2001:db8::1", "both kinds are asked for"},
    {"a.test.", "192.0.2.1 2001:db8::1", "a dot may end it"},
    {"many.test", "192.0.2.3 192.0.2.7 192.0.2.9", "they stand in order"},
    {"six.test", "2001:db8::6", "IPv6 alone is enough"},
    {"empty.test", "unknown: the name has no address", "it is there"},
    {"none.test", "unknown: there is no such name", "it is not there"},
    {"alias.test", "192.0.2.1 2001:db8::1", "aliases are followed"},
    {"lost.test", "unknown: the name has no address", "an alias leads nowhere"},
    {"round.test", "unknown: the name has no address",
	"an alias leads to itself"},
    {"inner.test", "forbidden: 10.0.0.1" UNNAMED, "it is private"},
    {"mixed.test", "192.0.2.5", "only what is private is left out"},
    {"mapped.test", "forbidden: ::ffff:127.0.0.1" UNNAMED,
	"IPv4 within IPv6 is looked at"},
    {"zero.test", "forbidden: 0.0.0.0 is no address that a host can have",
	"nobody has it"},
    {"lead.test", "forbidden: 10.0.0.1" UNNAMED,
	"where aliases lead to counts"},
    {"flood.test",
	"198.51.100.0 198.51.100.1 198.51.100.2 198.51.100.3 198.51.100.4 "
	"198.51.100.5 198.51.100.6 198.51.100.7",
	"the first eight of a thousand"},
    {"cut.test", "192.0.2.8", "what is cut is asked for by TCP"},
    {"forged.test", "192.0.2.1",
	"an answer of another number is not listened to"},
    {"denies6.test", "192.0.2.6",
	"a denial of one kind does not hide the other"},
    {"x.wild.test", "192.0.2.77", "a star covers it"},
    {"_dmarc.under_score.test", "192.0.2.78", "underscores are letters"},
    {"localhost", "forbidden: 127.0.0.1" UNNAMED, "nobody named it"},
    {"192.0.2.99", "192.0.2.99", "an address is itself"},
    {"[2001:db8::99]", "2001:db8::99", "an address is itself"},
    {"[::1]", "forbidden: ::1" UNNAMED, "an address is vetted"},
    {"127.0.0.1", "forbidden: 127.0.0.1" UNNAMED, "an address is vetted"},
    {"0.0.0.0", "forbidden: 0.0.0.0 is no address that a host can have",
	"an address is vetted"},
};

static void test_answers(void)
{
	struct scene scene;
	scene_init(&scene);
	write_book(scene.server);
	scene_open(&scene, "", "");
	for (size_t i = 0; i < sizeof(answers) / sizeof(*answers); i++)
		is_answer(&scene, answers[i].host, answers[i].wanted,
		    answers[i].claim);
	ok(name_server_asked_by_tcp(scene.server) >= 2,
	    "long answers and cut ones come over TCP");
	scene_finish(&scene);
}

int main(void)
{
	test_answers();
	return tap_done();
}
