#include "policy/values/units.h"

#include "random.h"
#include "tap.h"

static const struct {
	enum pv_unit_kind kind;
	const char *text;
	enum pv_unit_fault fault;
	int64_t number;
	bool is_bare;
} cases[] = {
    {PV_UNIT_NONE, "0", PV_UNIT_RIGHT, 0, true},
    {PV_UNIT_NONE, "20", PV_UNIT_RIGHT, 20, true},
    {PV_UNIT_NONE, "1.0", PV_UNIT_RIGHT, 1, true},
    {PV_UNIT_NONE, "1.5", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_NONE, "3s", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_NONE, "", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "-1", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "+1", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "007", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "00", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "0x10", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_NONE, "1_000", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "1,000", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, " 1", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "1 ", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_NONE, "1e3", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_NONE, "99999999999999999999", PV_UNIT_TOO_LARGE, 0, false},
    {PV_UNIT_NONE, "18446744073709551617", PV_UNIT_TOO_LARGE, 0, false},
    {PV_UNIT_NONE, "1000000000000000000", PV_UNIT_RIGHT,
	INT64_C(1000000000000000000), true},
    {PV_UNIT_TIME, "0", PV_UNIT_RIGHT, 0, true},
    {PV_UNIT_TIME, "2", PV_UNIT_RIGHT, 2000, true},
    {PV_UNIT_TIME, "0.25", PV_UNIT_RIGHT, 250, true},
    {PV_UNIT_TIME, "250ms", PV_UNIT_RIGHT, 250, false},
    {PV_UNIT_TIME, "0ms", PV_UNIT_RIGHT, 0, false},
    {PV_UNIT_TIME, "2s", PV_UNIT_RIGHT, 2000, false},
    {PV_UNIT_TIME, "5m", PV_UNIT_RIGHT, 300000, false},
    {PV_UNIT_TIME, "1.5h", PV_UNIT_RIGHT, 5400000, false},
    {PV_UNIT_TIME, "1d", PV_UNIT_RIGHT, 86400000, false},
    {PV_UNIT_TIME, "0.000000000d", PV_UNIT_RIGHT, 0, false},
    {PV_UNIT_TIME, "1.000000000000d", PV_UNIT_RIGHT, 86400000, false},
    {PV_UNIT_TIME, "0.5ms", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_TIME, "0.0001s", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_TIME, "0.0000000001d", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_TIME, "1S", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_TIME, "1min", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_TIME, "1w", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_TIME, "1 s", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_TIME, ".5s", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_TIME, "5.s", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_TIME, "s", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_TIME, "1m30s", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_TIME, "99999999999999d", PV_UNIT_TOO_LARGE, 0, false},
    {PV_UNIT_TIME, "20%", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SHARE, "20%", PV_UNIT_RIGHT, 20, false},
    {PV_UNIT_SHARE, "0%", PV_UNIT_RIGHT, 0, false},
    {PV_UNIT_SHARE, "20.0%", PV_UNIT_RIGHT, 20, false},
    {PV_UNIT_SHARE, "12.5%", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_SHARE, "20", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SHARE, "0.2", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SHARE, "20 %", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_SHARE, "20%%", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SHARE, "%", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_SHARE, "-1%", PV_UNIT_NOT_A_NUMBER, 0, false},
    {PV_UNIT_SIZE, "10", PV_UNIT_RIGHT, 10, true},
    {PV_UNIT_SIZE, "64KiB", PV_UNIT_RIGHT, 65536, false},
    {PV_UNIT_SIZE, "1.5MiB", PV_UNIT_RIGHT, 1572864, false},
    {PV_UNIT_SIZE, "10MB", PV_UNIT_RIGHT, 10000000, false},
    {PV_UNIT_SIZE, "1kB", PV_UNIT_RIGHT, 1000, false},
    {PV_UNIT_SIZE, "1KB", PV_UNIT_RIGHT, 1000, false},
    {PV_UNIT_SIZE, "7B", PV_UNIT_RIGHT, 7, false},
    {PV_UNIT_SIZE, "2TiB", PV_UNIT_RIGHT, INT64_C(2) << 40, false},
    {PV_UNIT_SIZE, "0.5B", PV_UNIT_TOO_FINE, 0, false},
    {PV_UNIT_SIZE, "10Mb", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SIZE, "10M", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_SIZE, "10MB/s", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_BANDWIDTH, "10MB/s", PV_UNIT_RIGHT, 10000000, false},
    {PV_UNIT_BANDWIDTH, "1024", PV_UNIT_RIGHT, 1024, true},
    {PV_UNIT_BANDWIDTH, "10MB", PV_UNIT_UNKNOWN, 0, false},
    {PV_UNIT_BANDWIDTH, "10/s", PV_UNIT_NOT_A_NUMBER, 0, false},
};

static void test_reading(void)
{
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		int64_t number = 0;
		bool is_bare = false;
		enum pv_unit_fault fault = pv_unit_read(
		    cases[i].kind, pv_str_of(cases[i].text), &number, &is_bare);
		bool is_right = fault == cases[i].fault;
		if (is_right && fault == PV_UNIT_RIGHT)
			is_right = number == cases[i].number &&
				   is_bare == cases[i].is_bare;
		ok(is_right, "\"%s\" is read as it must be (%d, %lld)",
		    cases[i].text, (int)fault, (long long)number);
	}
}

static const struct {
	enum pv_unit_kind kind;
	int64_t number;
	const char *text;
} writings[] = {
    {PV_UNIT_NONE, 0, "0"},
    {PV_UNIT_NONE, 1000000, "1000000"},
    {PV_UNIT_TIME, 0, "0s"},
    {PV_UNIT_TIME, 1, "1ms"},
    {PV_UNIT_TIME, 1500, "1500ms"},
    {PV_UNIT_TIME, 60000, "1m"},
    {PV_UNIT_TIME, 90000, "90s"},
    {PV_UNIT_TIME, 86400000, "1d"},
    {PV_UNIT_SIZE, 0, "0B"},
    {PV_UNIT_SIZE, 1, "1B"},
    {PV_UNIT_SIZE, 1024, "1KiB"},
    {PV_UNIT_SIZE, 1000, "1kB"},
    {PV_UNIT_SIZE, 104857600, "100MiB"},
    {PV_UNIT_BANDWIDTH, 1000000, "1MB/s"},
    {PV_UNIT_SHARE, 0, "0%"},
    {PV_UNIT_SHARE, 20, "20%"},
};

static void test_writing(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, 64);
	for (size_t i = 0; i < sizeof(writings) / sizeof(*writings); i++) {
		pv_buf_clear(&buf);
		pv_unit_write(writings[i].kind, writings[i].number, &buf);
		is_text(pv_buf_str(&buf), writings[i].text, "%lld is %s",
		    (long long)writings[i].number, writings[i].text);
	}
	pv_buf_finish(&buf);
}

/* Any number is read as it was written. */
static void test_again(void)
{
	struct random random = random_of(3);
	struct pv_buf buf;
	unsigned same = 0;
	pv_buf_init(&buf, 64);
	for (unsigned i = 0; i < 20000; i++) {
		enum pv_unit_kind kind = (enum pv_unit_kind)(i % 5);
		int64_t number =
		    (int64_t)(random_next(&random) >> (2 + i % 60)) / 3;
		int64_t again = -1;
		bool is_bare;
		pv_buf_clear(&buf);
		pv_unit_write(kind, number, &buf);
		same += pv_unit_read(kind, pv_buf_str(&buf), &again,
			    &is_bare) == PV_UNIT_RIGHT &&
			again == number;
	}
	ok(same == 20000, "20000 numbers by chance are read as written (%u)",
	    same);
	pv_buf_finish(&buf);
}

static const struct {
	const char *text;
	bool is_right;
	double number;
} decimals[] = {
    {"0", true, 0},
    {"1", true, 1},
    {"1.5", true, 1.5},
    {"0.000001", true, 0.000001},
    {"999999999", true, 999999999},
    {"0.0000001", false, 0},
    {"1000000000", false, 0},
    {"01", false, 0},
    {"1e3", false, 0},
    {"-1", false, 0},
    {".5", false, 0},
    {"1.", false, 0},
    {"nan", false, 0},
    {".inf", false, 0},
    {"", false, 0},
    {"1,5", false, 0},
    {"1 ", false, 0},
};

static void test_decimals(void)
{
	struct random random = random_of(5);
	struct pv_buf buf;
	unsigned same = 0;
	for (size_t i = 0; i < sizeof(decimals) / sizeof(*decimals); i++) {
		double number = 0;
		bool is_right =
		    pv_decimal_read(pv_str_of(decimals[i].text), &number);
		ok(is_right == decimals[i].is_right &&
			(!is_right || number == decimals[i].number),
		    "\"%s\" is %s decimal number", decimals[i].text,
		    decimals[i].is_right ? "a" : "no");
	}
	pv_buf_init(&buf, 64);
	for (unsigned i = 0; i < 10000; i++) {
		double number = (double)random_below(&random, 1000000000) / 1e6;
		double again;
		pv_buf_clear(&buf);
		pv_decimal_write(number, &buf);
		same += pv_decimal_read(pv_buf_str(&buf), &again) &&
			again == number;
	}
	ok(same == 10000, "10000 decimals by chance are read as written (%u)",
	    same);
	pv_buf_finish(&buf);
}

int main(void)
{
	test_reading();
	test_writing();
	test_again();
	test_decimals();
	return tap_done();
}
