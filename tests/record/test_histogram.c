#include "record/histogram.h"

#include "random.h"
#include "tap.h"

/* Claims that a percentile of one time is that time, and at most a thirty-second
 * part more, or the next microsecond. */
static bool is_right(int64_t time_us, double found_ms)
{
	double time_ms = (double)time_us / 1000;
	double most_ms = time_ms * 33 / 32;
	if (most_ms < time_ms + 0.001)
		most_ms = time_ms + 0.001;
	return found_ms >= time_ms && found_ms <= most_ms + 1e-9;
}

static void test_steps(void)
{
	bool are_right = true;
	for (int64_t time_us = 0; time_us < 70000; time_us++) {
		struct pv_histogram histogram = {.count = 0};
		pv_histogram_add(&histogram, time_us);
		are_right =
		    are_right &&
		    is_right(time_us, pv_histogram_percentile(&histogram, 50));
	}
	ok(are_right,
	    "up to 70 ms each time is told within three in a hundred");
	are_right = true;
	for (int power = 16; power < 42; power++) {
		for (int64_t off = -1; off <= 1; off++) {
			struct pv_histogram histogram = {.count = 0};
			int64_t time_us = ((int64_t)1 << power) + off;
			pv_histogram_add(&histogram, time_us);
			are_right = are_right &&
				    is_right(time_us, pv_histogram_percentile(
							  &histogram, 99));
		}
	}
	ok(are_right, "and so is each time about a power of two, up to weeks");
}

static void test_order(void)
{
	struct pv_histogram histogram = {.count = 0};
	for (int64_t i = 1; i <= 100; i++)
		pv_histogram_add(&histogram, i * 1000);
	static const double percents[] = {1, 50, 95, 99, 100};
	for (size_t i = 0; i < sizeof(percents) / sizeof(*percents); i++) {
		double found_ms =
		    pv_histogram_percentile(&histogram, percents[i]);
		ok(found_ms >= percents[i] && found_ms <= percents[i] * 33 / 32,
		    "of 1 to 100 ms, %g in a hundred stayed under %g",
		    percents[i], found_ms);
	}
	ok(histogram.count == 100, "all of them are counted");
}

static void test_rare(void)
{
	struct pv_histogram histogram = {.count = 0};
	for (int i = 0; i < 99; i++)
		pv_histogram_add(&histogram, 1000);
	pv_histogram_add(&histogram, 60000000);
	ok(pv_histogram_percentile(&histogram, 99) < 2,
	    "one that takes long is not among 99 of a hundred");
	ok(pv_histogram_percentile(&histogram, 99.5) >= 60000,
	    "and is the hundredth");
}

static void test_edges(void)
{
	struct pv_histogram histogram = {.count = 0};
	ok(pv_histogram_percentile(&histogram, 50) < 0,
	    "where nothing was counted nothing is known");
	pv_histogram_add(&histogram, -1);
	pv_histogram_add(&histogram, INT64_MIN);
	ok(histogram.count == 0 && pv_histogram_percentile(&histogram, 50) < 0,
	    "what is negative did not happen");
	pv_histogram_add(&histogram, INT64_MAX);
	ok(histogram.count == 1 &&
		pv_histogram_percentile(&histogram, 50) > 1e9,
	    "P5: longer than any step is the last step");
}

static void test_random(void)
{
	struct pv_histogram histogram = {.count = 0};
	struct random random = random_of(1);
	uint64_t sum = 0;
	for (int i = 0; i < 10000; i++)
		pv_histogram_add(
		    &histogram, (int64_t)(random_next(&random) >> 30));
	for (size_t i = 0; i < PV_HISTOGRAM_STEPS; i++)
		sum += histogram.counts[i];
	bool is_rising = true;
	for (int i = 1; i <= 100; i++)
		is_rising =
		    is_rising && pv_histogram_percentile(&histogram, i) >=
				     pv_histogram_percentile(&histogram, i - 1);
	ok(sum == 10000 && histogram.count == 10000 && is_rising,
	    "more in a hundred never stayed under less");
}

/* What a text makes of an empty histogram, as text. */
static struct pv_str through(struct pv_str text, bool *is_read)
{
	static char memory[256];
	struct pv_histogram histogram = {.count = 0};
	struct pv_buf buf;
	pv_buf_init(&buf, sizeof(memory));
	*is_read = pv_histogram_read(&histogram, text);
	pv_histogram_write(&histogram, &buf);
	snprintf(memory, sizeof(memory), "%s", pv_buf_text(&buf));
	pv_buf_finish(&buf);
	return pv_str_of(memory);
}

static void test_text(void)
{
	static const struct {
		const char *text;
		const char *kept;
		bool is_read;
	} cases[] = {
	    {"", "", true},
	    {"0:1", "0:1", true},
	    {"0:1 1279:18446", "0:1 1279:18446", true},
	    {"7:2 7:3", "7:5", true},
	    {"7:2 ", "7:2", true},
	    {"7:2 1280:1", "7:2", false},
	    {"7:2,8:1", "7:2", false},
	    {"7", "", false},
	    {"-7:2", "", false},
	    {"7:99999999999999999999", "", false},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		bool is_read;
		struct pv_str kept =
		    through(pv_str_of(cases[i].text), &is_read);
		is_text(kept, cases[i].kept, "'%s' is read as far as it is one",
		    cases[i].text);
		ok(is_read == cases[i].is_read, "and it is told whether it is");
	}
}

int main(void)
{
	test_text();
	test_steps();
	test_order();
	test_rare();
	test_edges();
	test_random();
	return tap_done();
}
