#include "parse/manifest.h"

#include "tap.h"

#define ADDRESS_LEN_MAX 2000

static void write_link(void *ctx, const struct pv_url *url, bool is_page)
{
	struct pv_buf *buf = ctx;
	pv_buf_append_text(buf, is_page ? "p " : "r ");
	pv_buf_append(buf, pv_url_text(url));
	pv_buf_append_char(buf, '\n');
}

static bool read_manifest(struct pv_str file, struct pv_buf *buf)
{
	struct pv_url address, room;
	pv_url_init(&address, ADDRESS_LEN_MAX);
	pv_url_init(&room, ADDRESS_LEN_MAX);
	pv_url_parse(&address, PV_STR("http://a.example/x/app.json"));
	pv_buf_clear(buf);
	bool is_manifest =
	    pv_manifest_read(file, &address, &room, write_link, buf);
	pv_url_finish(&room);
	pv_url_finish(&address);
	return is_manifest;
}

static const struct {
	const char *claim;
	struct pv_str file;
	const char *links; /* NULL: it is no manifest */
} manifests[] = {
    {"an app begins at a page", PV_STR("{\"start_url\": \"./?a=1\"}"),
	"p http://a.example/x/?a=1\n"},
    {"icons and screenshots are resources",
	PV_STR("{\"icons\": [{\"src\": \"/i.png\"}, {\"src\": \"j.png\"}], "
	       "\"screenshots\": [{\"src\": \"s.png\"}]}"),
	"r http://a.example/i.png\nr http://a.example/x/j.png\n"
	"r http://a.example/x/s.png\n"},
    {"shortcuts lead to pages and have icons",
	PV_STR("{\"shortcuts\": [{\"url\": \"1\", \"icons\": [{\"src\": \"i\"}]"
	       "}, {\"url\": \"2\"}]}"),
	"p http://a.example/x/1\nr http://a.example/x/i\n"
	"p http://a.example/x/2\n"},
    {"a byte order mark is put up with",
	PV_STR("\xef\xbb\xbf{\"start_url\": \"1\"}"),
	"p http://a.example/x/1\n"},
    {"what is of another kind, empty or no web address is left out",
	PV_STR("{\"start_url\": 1, \"icons\": {\"src\": \"i\"}, "
	       "\"screenshots\": [1, null, {\"src\": \"\"}, {\"src\": "
	       "\"data:,\"}], \"shortcuts\": [[]], \"scope\": \"/\"}"),
	""},
    {"an empty one has none", PV_STR("{}"), ""},
    {"an array is no manifest", PV_STR("[]"), NULL},
    {"nor is what breaks off", PV_STR("{\"start_url\": \"1\""), NULL},
    {"nor is nothing", PV_STR(""), NULL},
};

static void check_ceilings(struct pv_buf *buf)
{
	struct pv_buf file;
	pv_buf_init(&file, (size_t)8 << 20);
	pv_buf_append_text(&file, "{\"x\": ");
	for (unsigned i = 0; i < 100000; i++)
		pv_buf_append_text(&file, "[");
	ok(!read_manifest(pv_buf_str(&file), buf),
	    "P5: what is nested without end is refused");
	pv_buf_clear(&file);
	pv_buf_append_text(&file, "{\"start_url\": \"1\"}");
	while (file.len < PV_MANIFEST_BYTES_MAX)
		pv_buf_append_text(&file, " ");
	ok(read_manifest(pv_buf_str(&file), buf), "a MiB is read");
	pv_buf_append_text(&file, " ");
	ok(!read_manifest(pv_buf_str(&file), buf), "and no more");
	pv_buf_finish(&file);
}

int main(void)
{
	struct pv_buf buf;
	pv_buf_init(&buf, (size_t)1 << 20);
	for (size_t i = 0; i < sizeof(manifests) / sizeof(*manifests); i++) {
		bool is_manifest = read_manifest(manifests[i].file, &buf);
		ok(is_manifest == (manifests[i].links != NULL), "%s",
		    manifests[i].claim);
		is_text(pv_buf_str(&buf),
		    manifests[i].links ? manifests[i].links : "",
		    "and its links");
	}
	check_ceilings(&buf);
	pv_buf_finish(&buf);
	return tap_done();
}
