#include "mirror/links/saved_links.h"

#include "base/file.h"
#include "tap.h"

#define ADDRESS "http://a.example/d/page.html"

/* A document, as it is rewritten and then found again. */
struct desk {
	struct pv_rewriter rewriter;
	struct pv_url url;
	struct pv_saved_links *saved;
	struct pv_buf text; /* as it was saved */
	struct pv_links taken;
	struct pv_links read;
};

static void open_desk(struct desk *desk, size_t bytes_max)
{
	pv_rewriter_init(&desk->rewriter, 4096);
	pv_url_init(&desk->url, 4096);
	pv_url_parse(&desk->url, PV_STR(ADDRESS));
	desk->saved = pv_saved_links_create(bytes_max);
	pv_buf_init(&desk->text, 1 << 20);
	pv_links_init(&desk->taken, 100000, 0);
	pv_links_init(&desk->read, 100000, 10000);
	desk->read.takes_mentions = true;
}

static void close_desk(struct desk *desk)
{
	pv_rewriter_finish(&desk->rewriter);
	pv_url_finish(&desk->url);
	pv_saved_links_destroy(desk->saved);
	pv_buf_finish(&desk->text);
	pv_links_finish(&desk->taken);
	pv_links_finish(&desk->read);
}

static struct stat file_of(const struct desk *desk, unsigned number)
{
	return (struct stat){
	    .st_ino = number,
	    .st_size = (off_t)desk->text.len,
	    .st_mtim = {.tv_sec = 1000, .tv_nsec = 1},
	    .st_ctim = {.tv_sec = 2000, .tv_nsec = 2},
	};
}

/* Saves a page with whole addresses, in the file of that number. */
static void save(struct desk *desk, struct pv_str page, unsigned number)
{
	const struct pv_document document = {
	    .text = page,
	    .kind = PV_DOCUMENT_HTML,
	    .charset = PV_STR("utf-8"),
	    .url = &desk->url,
	};
	bool is_changed = pv_rewriter_run(
	    &desk->rewriter, &document, pv_rewriter_make_whole, NULL);
	pv_buf_clear(&desk->text);
	pv_buf_append(
	    &desk->text, is_changed ? pv_buf_str(&desk->rewriter.text) : page);
	struct stat file = file_of(desk, number);
	pv_saved_links_keep(desk->saved, &desk->rewriter, &file);
}

static bool take(struct desk *desk, unsigned number)
{
	struct stat file = file_of(desk, number);
	return pv_saved_links_take(
	    desk->saved, &file, pv_buf_str(&desk->text), &desk->taken);
}

static bool is_same(
    const struct pv_page_link *one, const struct pv_page_link *other)
{
	return one->value.ptr == other->value.ptr &&
	       one->value.len == other->value.len &&
	       one->place == other->place && one->form == other->form &&
	       one->is_page == other->is_page &&
	       one->is_nofollow == other->is_nofollow &&
	       one->is_mention == other->is_mention &&
	       (!one->is_plain ||
		   (other->is_plain && one->page_len == other->page_len &&
		       one->first == other->first));
}

/* Whether what was taken is what stands there. */
static bool is_right(struct desk *desk)
{
	const struct pv_page_facts facts = {.is_xml = false};
	pv_links_read(&desk->read, pv_buf_str(&desk->text), &facts);
	if (desk->taken.count != desk->read.count)
		return false;
	for (size_t i = 0; i < desk->read.count; i++) {
		if (!is_same(&desk->taken.items[i], &desk->read.items[i]))
			return false;
	}
	return desk->taken.text.len == desk->text.len &&
	       desk->taken.end == PV_LINKS_WHOLE && !desk->taken.base.ptr;
}

static const struct {
	const char *claim;
	const char *page;
} pages[] = {
    {"a page without links", "<p>nothing</p>"},
    {"links that become longer", "<a href=a>a</a><a href='b#c'>b</a>"},
    {"links that stay", "<a href='http://b.example/'>b</a><a href='#x'>x</a>"},
    {"some of both",
	"<a href='#x'><a href=a><a href='mailto:a'><a href=b><a href=a#y>"},
    {"references and escapes",
	"<a href='a?b&amp;c'><a href=' d '><a href='%zz'><a href='\xc3\xa4'>"},
    {"places of all sorts",
	"<img srcset='a 1x, b 2x' src=c><p style='d:url(e);f:url(\"g\")'>"
	"<meta http-equiv=refresh content='1; url=h'><form action=i></form>"
	"<style>j{k:url(l)}</style><svg><style>m{n:url(&quot;o&quot;)}</style>"
	"</svg><link rel=nofollow href=p><a rel=nofollow href=q>"},
    {"a mark that was put in",
	"<!doctype html><a href=a>\xc3\xa4</a><a href=b>"},
};

static void test_pages(void)
{
	struct desk desk;
	open_desk(&desk, 1 << 20);
	for (size_t i = 0; i < sizeof(pages) / sizeof(*pages); i++) {
		save(&desk, pv_str_of(pages[i].page), 7);
		ok(take(&desk, 7) && is_right(&desk), "found again: %s",
		    pages[i].claim);
		ok(!take(&desk, 7), "once");
	}
	close_desk(&desk);
}

/* Where addresses may be so short that with its fragment one is too long, and
 * stays as it is. */
static void test_twins(void)
{
	struct desk desk;
	open_desk(&desk, 1 << 20);
	pv_rewriter_finish(&desk.rewriter);
	pv_rewriter_init(&desk.rewriter, 36);
	save(&desk, PV_STR("<a href=b#c-c-c-c-c-c-c-c-c-c><a href=b#d>"), 7);
	is_text(pv_buf_str(&desk.text),
	    "<a href=b#c-c-c-c-c-c-c-c-c-c>"
	    "<a href=http://a.example/d/b#d>",
	    "of two links that said the same one is written anew");
	ok(take(&desk, 7) && is_right(&desk), "and they do so no more");
	close_desk(&desk);
}

static const struct {
	const char *claim;
	const char *page;
} exceptions[] = {
    {"a base", "<base href='/x/'><a href=a>"},
    {"a guard", "<link rel=stylesheet href=a integrity=b>"},
    {"a policy",
	"<meta http-equiv=content-security-policy content=a><a href=a>"},
};

static void test_exceptions(void)
{
	struct desk desk;
	open_desk(&desk, 1 << 20);
	for (size_t i = 0; i < sizeof(exceptions) / sizeof(*exceptions); i++) {
		save(&desk, pv_str_of(exceptions[i].page), 7);
		ok(!take(&desk, 7), "to be read again: %s",
		    exceptions[i].claim);
	}
	save(&desk, PV_STR("\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0a\0>\0"), 7);
	ok(!take(&desk, 7), "to be read again: what had to be converted");
	close_desk(&desk);
}

static void test_files(void)
{
	struct desk desk;
	open_desk(&desk, 1 << 20);
	save(&desk, PV_STR("<a href=a>"), 7);
	struct stat files[6];
	for (size_t i = 0; i < 6; i++)
		files[i] = file_of(&desk, 7);
	files[0].st_ino++;
	files[1].st_dev++;
	files[2].st_size++;
	files[3].st_mtim.tv_nsec++;
	files[4].st_ctim.tv_nsec++;
	files[5].st_ino += 4096;
	for (size_t i = 0; i < 6; i++)
		ok(!pv_saved_links_take(desk.saved, &files[i],
		       pv_buf_str(&desk.text), &desk.taken),
		    "P3: of a file that is another, or was changed, nothing is "
		    "known");
	ok(take(&desk, 7) && is_right(&desk), "of the one itself it is");
	save(&desk, PV_STR("<a href=a>"), 7);
	save(&desk, PV_STR("<p><a href=b>"), 7);
	save(&desk, PV_STR("<a href=c>"), 8 + 4096);
	save(&desk, PV_STR("<a href=d>"), 8);
	ok(take(&desk, 8) && is_right(&desk), "each is told from the others");
	save(&desk, PV_STR("<p><a href=b>"), 9);
	ok(take(&desk, 7) && is_right(&desk),
	    "and what came later from what had its number before");
	close_desk(&desk);
}

/* What lies there may be cut at any instant by somebody else. */
static void test_lengths(void)
{
	struct desk desk;
	open_desk(&desk, 1 << 20);
	struct pv_str page = PV_STR("<p><a href=#b>");
	save(&desk, page, 7);
	desk.text.len -= 9;
	struct stat file = file_of(&desk, 7);
	file.st_size += 9;
	ok(!pv_saved_links_take(
	       desk.saved, &file, pv_buf_str(&desk.text), &desk.taken),
	    "of less than there was in the file nothing is known");
	desk.text.len += 9;
	save(&desk, page, 8);
	ok(take(&desk, 8) && is_right(&desk), "of all of it, it is");
	file = file_of(&desk, 9);
	file.st_size -= 9;
	pv_saved_links_keep(desk.saved, &desk.rewriter, &file);
	desk.text.len -= 9;
	ok(!take(&desk, 9), "nor of a file that holds less than was saved");
	close_desk(&desk);
}

static unsigned count_kept(struct desk *desk, unsigned documents)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < documents; i++)
		save(desk, PV_STR("<a href=a><a href=b><a href=c>"), i);
	for (unsigned i = 0; i < documents; i++)
		kept += take(desk, i) && is_right(desk);
	return kept;
}

static void test_ceiling(void)
{
	struct desk desk;
	open_desk(&desk, 10000);
	unsigned kept = count_kept(&desk, 1000);
	ok(kept > 10 && kept < 100, "P5: only so many are kept (%u)", kept);
	ok(count_kept(&desk, 1000) == kept,
	    "and when they were taken there is room again");
	close_desk(&desk);
	open_desk(&desk, 0);
	ok(count_kept(&desk, 10) == 0, "without room none are");
	close_desk(&desk);
}

int main(void)
{
	test_pages();
	test_twins();
	test_exceptions();
	test_files();
	test_lengths();
	test_ceiling();
	return tap_done();
}
