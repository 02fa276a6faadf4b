#include "parse/manifest.h"

#include "base/json/json.h"

/* More than any app has; each costs as much as the manifest's address is
 * long. */
#define LINKS_MAX 10000

struct reading {
	const struct pv_url *address;
	struct pv_url *room;
	pv_document_link_fn on_link;
	void *ctx;
	size_t count;
};

/* An empty one would be the manifest itself. */
static void read_link(struct reading *reading, const struct pv_json *object,
    const char *name, bool is_page)
{
	struct pv_str reference = pv_json_get_text(object, name);
	if (!reference.len || reading->count == LINKS_MAX ||
	    pv_url_join(reading->room, reading->address, reference, NULL) !=
		PV_URL_OK)
		return;
	reading->count++;
	reading->on_link(reading->ctx, reading->room, is_page);
}

static void read_images(struct reading *reading, const struct pv_json *images)
{
	for (size_t i = 0; i < pv_json_count(images); i++)
		read_link(reading, pv_json_at(images, i), "src", false);
}

static void read_manifest(
    struct reading *reading, const struct pv_json *manifest)
{
	const struct pv_json *shortcuts = pv_json_get(manifest, "shortcuts");
	read_link(reading, manifest, "start_url", true);
	read_images(reading, pv_json_get(manifest, "icons"));
	read_images(reading, pv_json_get(manifest, "screenshots"));
	for (size_t i = 0; i < pv_json_count(shortcuts); i++) {
		const struct pv_json *shortcut = pv_json_at(shortcuts, i);
		read_link(reading, shortcut, "url", true);
		read_images(reading, pv_json_get(shortcut, "icons"));
	}
}

bool pv_manifest_read(struct pv_str file, const struct pv_url *address,
    struct pv_url *room, pv_document_link_fn on_link, void *ctx)
{
	struct reading reading = {
	    .address = address, .room = room, .on_link = on_link, .ctx = ctx};
	struct pv_str mark = PV_STR("\xef\xbb\xbf");
	if (pv_str_starts(file, mark))
		file = pv_str_from(file, mark.len);
	if (file.len > PV_MANIFEST_BYTES_MAX)
		return false;
	struct pv_json *manifest = pv_json_read(file);
	bool is_manifest = pv_json_is_object(manifest);
	if (is_manifest)
		read_manifest(&reading, manifest);
	pv_json_destroy(manifest);
	return is_manifest;
}
