#include "http/content_range.h"

#include "tap.h"

#define UNKNOWN PV_CONTENT_RANGE_UNKNOWN

static const struct {
	struct pv_str text;
	struct pv_content_range range;
} ranges[] = {
    {PV_STR("bytes 42-1233/1234"), {42, 1233, 1234}},
    {PV_STR("bytes 0-0/1"), {0, 0, 1}},
    {PV_STR("bytes 42-1233/*"), {42, 1233, UNKNOWN}},
    {PV_STR("BYTES 0-499/1234"), {0, 499, 1234}},
    {PV_STR("bytes 0-9223372036854775806/9223372036854775807"),
	{0, INT64_MAX - 1, INT64_MAX}},
};

static const struct pv_str none[] = {
    PV_STR(""),
    PV_STR("bytes"),
    PV_STR("bytes "),
    PV_STR("bytes */1234"),
    PV_STR("bytes */*"),
    PV_STR("bytes 5-4/10"),
    PV_STR("bytes 0-10/10"),
    PV_STR("bytes 0-9/0"),
    PV_STR("bytes 0-9"),
    PV_STR("bytes 0-9/"),
    PV_STR("bytes 0-/10"),
    PV_STR("bytes -9/10"),
    PV_STR("bytes 0-9/10, 20-29/30"),
    PV_STR("bytes 0-9/10 "),
    PV_STR("bytes  0-9/10"),
    PV_STR("bytes\t0-9/10"),
    PV_STR("bytes=0-9/10"),
    PV_STR("bytes 0 - 9/10"),
    PV_STR("bytes 0-9/-10"),
    PV_STR("bytes +0-9/10"),
    PV_STR("bytes 0x0-9/10"),
    PV_STR("bytes 0-9223372036854775808/*"),
    PV_STR("bytes 0-9/18446744073709551615"),
    PV_STR("bytes 0-9/99999999999999999999999"),
    PV_STR("lines 0-9/10"),
    PV_STR("bytes 0-9/10\0"),
};

static void test_ranges(void)
{
	for (size_t i = 0; i < sizeof(ranges) / sizeof(*ranges); i++) {
		struct pv_content_range range = {0, 0, 0};
		bool is_read = pv_content_range_read(ranges[i].text, &range);
		ok(is_read && range.first == ranges[i].range.first &&
			range.last == ranges[i].range.last &&
			range.complete == ranges[i].range.complete,
		    "%s is read", ranges[i].text.ptr);
	}
}

static void test_none(void)
{
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct pv_content_range range = {7, 8, 9};
		ok(!pv_content_range_read(none[i], &range) &&
			range.first == 7 && range.last == 8 &&
			range.complete == 9,
		    "'%s' is none", none[i].ptr);
	}
}

int main(void)
{
	test_ranges();
	test_none();
	return tap_done();
}
