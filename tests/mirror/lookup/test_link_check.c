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
	mirror_scene_close(&scene);
	return tap_done();
}
