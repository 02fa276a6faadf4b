#include "serve/webhooks/result_lines.h"

#include "base/file.h"
#include "scratch.h"
#include "tap.h"

struct scene {
	struct scratch scratch;
	struct pv_buf written;
	struct pv_buf lines;
	uint64_t until;
};

static const char *path_of(const struct scene *scene)
{
	return scratch_file(&scene->scratch, "journal.jsonl");
}

static void open_scene(struct scene *scene)
{
	scratch_make(&scene->scratch);
	pv_buf_init(&scene->written, SIZE_MAX);
	pv_buf_init(&scene->lines, PV_WEBHOOK_LINE_MAX);
	scene->until = 0;
}

static void close_scene(struct scene *scene)
{
	pv_buf_finish(&scene->written);
	pv_buf_finish(&scene->lines);
	scratch_remove(&scene->scratch);
}

/* A line of so many bytes, its end counted. */
static void add_line(struct scene *scene, size_t size)
{
	for (size_t i = 1; i < size; i++)
		pv_buf_append_char(&scene->written, (char)('a' + i % 26));
	pv_buf_append_char(&scene->written, '\n');
}

static void write_lines(struct scene *scene)
{
	pv_file_replace(path_of(scene), pv_buf_str(&scene->written), 0600);
}

static bool read_from(struct scene *scene, uint64_t from, uint64_t length)
{
	pv_buf_clear(&scene->lines);
	return pv_webhook_lines_read(
	    path_of(scene), from, length, &scene->lines, &scene->until);
}

static bool has(const struct scene *scene, uint64_t from)
{
	return pv_str_equal(pv_buf_str(&scene->lines),
	    pv_str_head(pv_str_from(pv_buf_str(&scene->written), (size_t)from),
		(size_t)(scene->until - from)));
}

static void test_few(void)
{
	struct scene scene;
	open_scene(&scene);
	ok(!read_from(&scene, 0, 10), "without a file there are no lines");
	add_line(&scene, 10);
	add_line(&scene, 20);
	add_line(&scene, 30);
	write_lines(&scene);
	ok(read_from(&scene, 0, 30) && scene.until == 30 && has(&scene, 0),
	    "lines are read as far as they are committed");
	ok(read_from(&scene, 10, 60) && scene.until == 60 && has(&scene, 10),
	    "from where the last delivery ended");
	ok(!read_from(&scene, 60, 60), "there may be none");
	ok(!read_from(&scene, 30, 90), "nor is a file that was cut read");
	ok(!read_from(&scene, 0, 5), "nor a line without its end");
	close_scene(&scene);
}

static void test_many(void)
{
	struct scene scene;
	open_scene(&scene);
	for (unsigned i = 0; i < 250; i++)
		add_line(&scene, 10);
	write_lines(&scene);
	ok(read_from(&scene, 0, 2500) && scene.until == 1000,
	    "a delivery has a hundred lines");
	ok(read_from(&scene, 1000, 2500) && scene.until == 2000 &&
		read_from(&scene, 2000, 2500) && scene.until == 2500 &&
		has(&scene, 2000),
	    "the next one those that follow");
	ok(read_from(&scene, 1000, 2000) && scene.until == 2000 &&
		has(&scene, 1000),
	    "once more, it has the same");
	close_scene(&scene);
}

static void test_large(void)
{
	const size_t third = PV_WEBHOOK_LINES_BYTES / 3;
	struct scene scene;
	open_scene(&scene);
	for (unsigned i = 0; i < 4; i++)
		add_line(&scene, third);
	add_line(&scene, 3 * PV_WEBHOOK_LINES_BYTES + 5);
	add_line(&scene, 7);
	write_lines(&scene);
	ok(read_from(&scene, 0, scene.written.len) && scene.until == 3 * third,
	    "a delivery has no more than 1 MiB of lines");
	ok(read_from(&scene, 3 * third, scene.written.len) &&
		scene.until == 4 * third,
	    "a longer line waits for the next one");
	ok(read_from(&scene, 4 * third, scene.written.len) &&
		scene.until == scene.written.len - 7 && has(&scene, 4 * third),
	    "which has it alone");
	close_scene(&scene);
}

int main(void)
{
	test_few();
	test_many();
	test_large();
	return tap_done();
}
