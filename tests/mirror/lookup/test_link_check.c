#include "mirror/lookup/link_check.h"

#include "mirror/scene.h"
#include "tap.h"

/* Addresses that are asked for by their numbers. */

static struct mirror_scene scene;

static void hear(void *ctx, const struct pv_fate *fate)
{
	struct pv_buf *heard = ctx;
	pv_buf_append_format(heard, "%u ", (unsigned)fate->id);
}

static void hear_page(void *ctx, struct pv_str url, struct pv_str file)
{
	struct pv_buf *heard = ctx;
	(void)file;
	pv_buf_append_format(heard, "%.*s ", PV_STR_ARG(url));
}

static void hear_end(void *ctx, const struct pv_fate *fate)
{
	(void)ctx, (void)fate;
}

static bool tell(struct pv_buf *heard)
{
	static const uint64_t ids[] = {2, 7, 3};
	const struct pv_link_check_plan plan = {.ids = ids, .id_count = 3};
	const struct pv_link_check_hearer hearer = {
	    .on_broken = hear,
	    .on_page = hear_page,
	    .on_end = hear_end,
	    .ctx = heard,
	};
	struct pv_why why;
	pv_why_init(&why);
	struct pv_link_check *check =
	    pv_link_check_create(mirror_look(&scene), &plan, &why);
	bool is_told = check && pv_link_check_tell(check, &hearer, &why);
	pv_link_check_destroy(check);
	pv_why_finish(&why);
	return is_told;
}

/* As those who read what is told may take their time. */
static bool is_held;

static void hear_slowly(void *ctx, const struct pv_fate *fate)
{
	is_held = is_held || !mirror_can_fold(&scene);
	hear(ctx, fate);
}

static void hear_page_slowly(void *ctx, struct pv_str url, struct pv_str file)
{
	is_held = is_held || !mirror_can_fold(&scene);
	hear_page(ctx, url, file);
}

static void note_progress(void *ctx, uint64_t read, uint64_t all)
{
	(void)ctx, (void)read, (void)all;
	is_held = is_held || !mirror_can_fold(&scene);
}

/* While it goes on the third address is answered well. */
static void test_running(void)
{
	const struct pv_link_check_plan plan = {.on_progress = note_progress};
	struct pv_buf heard;
	const struct pv_link_check_hearer hearer = {
	    .on_broken = hear_slowly,
	    .on_page = hear_page_slowly,
	    .on_end = hear_end,
	    .ctx = &heard,
	};
	struct pv_why why;
	pv_buf_init(&heard, 1000);
	pv_why_init(&why);
	struct pv_link_check *check =
	    pv_link_check_create(mirror_look(&scene), &plan, &why);
	ok(!is_held && mirror_can_fold(&scene),
	    "P5: while documents are read the log is not held");
	pv_database_run(scene.database,
	    "UPDATE addresses SET http_status = 200 WHERE id = 3");
	ok(pv_link_check_tell(check, &hearer, &why) && !is_held,
	    "nor while it is told what was found");
	is_text(pv_buf_str(&heard), "2 http://localhost/1 ",
	    "each address is told as it is then");
	ok(pv_link_check_sum(check).broken == 1, "and so they are counted");
	pv_link_check_destroy(check);
	pv_why_finish(&why);
	pv_buf_finish(&heard);
}

int main(void)
{
	struct pv_buf heard;
	if (!mirror_scene_open(&scene))
		return 99;
	pv_buf_init(&heard, 1000);
	for (int i = 1; i <= 3; i++) {
		char url[40];
		snprintf(url, sizeof(url), "http://localhost/%d", i);
		mirror_add(&scene, (struct mirror_address){.id = i,
				       .url = url,
				       .state = 2,
				       .outcome = 1,
				       .status = i == 1 ? 200 : 404});
	}
	mirror_keep(&scene, (struct mirror_copy){.id = 1,
				.name = "1.html",
				.came = "<a href=2></a><a href=3></a>"});
	ok(tell(&heard), "what was asked for is told");
	is_text(pv_buf_str(&heard),
	    "2 http://localhost/1 3 http://localhost/1 ",
	    "with the pages that link to it; what nobody knows is passed by");
	pv_buf_finish(&heard);
	test_running();
	mirror_scene_close(&scene);
	return tap_done();
}
