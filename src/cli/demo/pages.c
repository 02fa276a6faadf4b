#include "cli/demo/pages.h"

#define HTML "text/html; charset=utf-8"

const struct pv_demo_page pv_demo_pages[] = {
    {"/robots.txt", 200, "text/plain", NULL,
	"# Everybody may look around, but not behind the scenes.\n"
	"User-agent: *\n"
	"Disallow: /private/\n",
	NULL, NULL, false, false},
    {"/", 200, HTML, "Slow dances",
	"<p><img src=\"/lute.svg\" alt=\"A lute\">\n"
	"<p>A small site about dances in which everybody keeps their "
	"distance.\n"
	"<ul><li><a href=\"dances/\">The dances</a>\n"
	"<li><a href=\"music/\">The music</a>\n"
	"<li><a href=\"about.html\">About this site</a></ul>\n",
	NULL, NULL, false, false},
    {"/about.html", 200, HTML, "About this site",
	"<p>It lives for a few seconds, on your own machine. There is a "
	"<a href=\"/private/rehearsal.html\">rehearsal</a> that robots.txt "
	"keeps to itself, as it does the "
	"<a href=\"/private/wardrobe.html\">wardrobe</a>; "
	"<a href=\"/logout\">leaving</a> is denied by the crawl's own rules, "
	"and <a href=\"https://example.org/\">another host</a> is none of its "
	"business.\n",
	NULL, NULL, false, false},
    {"/dances/", 200, HTML, "The dances",
	"<ul><li><a href=\"pavane.html\">The pavane</a>\n"
	"<li><a href=\"galliard.html\">The galliard</a>\n"
	"<li><a href=\"allemande.html\">The allemande</a>\n"
	"<li><a href=\"minuet.html\">The minuet</a>\n"
	"<li><a href=\"slow.html\">The slowest of all</a>\n"
	"<li><a href=\"tarantella.html\">The tarantella</a></ul>\n",
	NULL, NULL, false, false},
    {"/dances/pavane.html", 200, HTML, "The pavane",
	"<p>A procession of couples, two single steps and a double one. A "
	"<a href=\"galliard.html\">galliard</a> usually follows.\n",
	NULL, NULL, false, false},
    {"/dances/galliard.html", 200, HTML, "The galliard",
	"<p>Five steps and a leap, after the <a href=\"pavane.html\">"
	"pavane</a>.\n",
	NULL, NULL, false, false},
    {"/dances/allemande.html", 200, HTML, "The allemande",
	"<p>Moderate, in even time; danced to the "
	"<a href=\"../music/lute.html\">lute</a>.\n",
	NULL, NULL, false, false},
    {"/dances/minuet.html", 200, HTML, "The minuet",
	"<p>Small steps in triple time, and a bow to everybody.\n", NULL, "",
	false, false},
    {"/dances/slow.html", 301, HTML, "Moved", "<p>It has moved.\n",
	"/dances/pavane.html", NULL, false, false},
    {"/dances/tarantella.html", 404, HTML, "Not here",
	"<p>Nobody dances that fast here.\n", NULL, NULL, false, false},
    {"/music/", 200, HTML, "The music",
	"<ul><li><a href=\"lute.html\">The lute</a>\n"
	"<li><a href=\"viol.html\">The viol</a>\n"
	"<li><a href=\"consort.html\">The consort</a>\n"
	"<li><a href=\"tempo.html\">The tempo</a></ul>\n",
	NULL, NULL, false, false},
    {"/music/lute.html", 200, HTML, "The lute",
	"<p><img src=\"../lute.svg\" alt=\"A lute\">\n"
	"<p>Plucked, and mostly being tuned.\n",
	NULL, NULL, false, false},
    {"/music/viol.html", 200, HTML, "The viol",
	"<p>Bowed, and held between the knees.\n", NULL,
	"<p>Bowed, held between the knees, and now with seven strings.\n",
	false, false},
    {"/music/consort.html", 200, HTML, "The consort",
	"<p><a href=\"viol.html\">Viols</a> of all sizes.\n", NULL, NULL, false,
	false},
    {"/music/tempo.html", 200, HTML, "The tempo",
	"<p>This page had too much to do when it was first asked for, and said "
	"when to come again. If you can read it offline, somebody waited.\n",
	NULL, NULL, false, true},
    {"/style.css", 200, "text/css", NULL,
	"body { max-width: 40em; margin: 2em auto; font: 1.1em serif }\n", NULL,
	NULL, false, false},
    {"/lute.svg", 200, "image/svg+xml", NULL,
	"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"90\" "
	"height=\"150\">\n"
	"<path d=\"M40 5h10v70q35 15 30 45t-35 25q-40 0-40-30t35-40z\" "
	"fill=\"#a63\"/><circle cx=\"45\" cy=\"110\" r=\"10\"/></svg>\n",
	NULL, NULL, false, false},
    {"/private/rehearsal.html", 200, HTML, "Private",
	"<p>You were not to see this.\n", NULL, NULL, true, false},
    {"/private/wardrobe.html", 200, HTML, "Private", "<p>Nor this.\n", NULL,
	NULL, true, false},
};

const size_t pv_demo_page_count =
    sizeof(pv_demo_pages) / sizeof(*pv_demo_pages);

void pv_demo_page_write(
    const struct pv_demo_page *page, const char *body, FILE *file)
{
	if (page->title)
		fprintf(file,
		    "<!DOCTYPE html>\n<html lang=\"en\"><head>"
		    "<meta charset=\"utf-8\">\n<title>%s</title>\n"
		    "<link rel=\"stylesheet\" href=\"/style.css\"></head>\n"
		    "<body><h1>%s</h1>\n",
		    page->title, page->title);
	fputs(body, file);
	if (page->title)
		fprintf(file, "<p><a href=\"/\">To the beginning</a>\n"
			      "</body></html>\n");
}
