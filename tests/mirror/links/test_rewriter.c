#include "mirror/links/rewriter.h"

#include "tap.h"

#define PAGE "https://a.example/d/page.html"

static struct {
	struct pv_rewriter rewriter;
	struct pv_url url;
} desk;

/* To a file of the last segment's name. */
static enum pv_rewriting make_local(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	struct pv_str path = pv_url_path(url);
	(void)ctx, (void)text;
	pv_buf_append(
	    address, pv_str_from(path, pv_str_find_last(path, '/') + 1));
	return PV_REWRITING_TO_FILE;
}

static struct pv_str rewrite(enum pv_document_kind kind, struct pv_str text,
    const char *charset, pv_rewriting_fn decide)
{
	struct pv_document document = {
	    .text = text,
	    .kind = kind,
	    .charset = pv_str_of(charset),
	    .url = &desk.url,
	};
	return pv_rewriter_run(&desk.rewriter, &document, decide, NULL)
		   ? pv_buf_str(&desk.rewriter.text)
		   : text;
}

static const struct {
	const char *claim;
	enum pv_document_kind kind;
	const char *charset;
	struct pv_str text;
	const char *wanted;
} documents[] = {
    {"a link", PV_DOCUMENT_HTML, "",
	PV_STR("<p>\r\n<A  HREF = \"b.html#c\" id=1>b</a>"),
	"<p>\r\n<A  HREF = \"https://a.example/d/b.html#c\" id=1>b</a>"},
    {"in any quotes, or none", PV_DOCUMENT_HTML, "",
	PV_STR("<a href='b?x&y'><a href=c?x&amp;y>"),
	"<a href='https://a.example/d/b?x&amp;y'>"
	"<a href=https://a.example/d/c?x&amp;y>"},
    {"an apostrophe ends nothing", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=\"it's\"><img srcset=\"o'c 2x\">"),
	"<a href=\"https://a.example/d/it&#39;s\">"
	"<img srcset=\"https://a.example/d/o&#39;c 2x\">"},
    {"a whole address stays as it is", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=HTTPS://B.example>"), "<a href=HTTPS://B.example>"},
    {"so does what is nobody's", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=mailto:a@b><a href='javascript:x()'><a href=data:,>"),
	"<a href=mailto:a@b><a href='javascript:x()'><a href=data:,>"},
    {"and a part of the page itself", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=#top><a href=''>"), "<a href=#top><a href=''>"},
    {"which another base makes one of another page", PV_DOCUMENT_HTML, "",
	PV_STR("<base href=\"/e/\"><a href=#top>"),
	"<base href=\"\"><a href=https://a.example/e/#top>"},
    {"so does it of one that says nothing, however it says that",
	PV_DOCUMENT_HTML, "",
	PV_STR("<base href='/e/'><a href=\"\"><a href=' '><a href><a href=>"
	       "<a HREF id=1><a href = ><area href/>"),
	"<base href=''><a href=\"https://a.example/e/\">"
	"<a href='https://a.example/e/'><a href=\"https://a.example/e/\">"
	"<a href=\"https://a.example/e/\">"
	"<a HREF =\"https://a.example/e/\"id=1>"
	"<a href = \"https://a.example/e/\">"
	"<area href=\"https://a.example/e/\"/>"},
    {"among others to that page", PV_DOCUMENT_HTML, "",
	PV_STR("<base href='/e/'><a href=#x><a href><a href=''><a href=#x>"),
	"<base href=''><a href=https://a.example/e/#x>"
	"<a href=\"https://a.example/e/\"><a href='https://a.example/e/'>"
	"<a href=https://a.example/e/#x>"},
    {"but not where that is nothing, or the page all the same",
	PV_DOCUMENT_HTML, "",
	PV_STR("<base href='/e/'><img src=''><form action=''><iframe src>"),
	"<base href=''><img src=''><form action=''><iframe src>"},
    {"unless it is the page's own", PV_DOCUMENT_HTML, "",
	PV_STR("<base href=\"page.html\"><a href=#top><a href>"),
	"<base href=\"\"><a href=#top><a href>"},
    {"a base counts for all links, and for none any more", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=x><base target=_top href=/e/ id=2><a href=y>"),
	"<a href=https://a.example/e/x><base target=_top href=\"\" id=2>"
	"<a href=https://a.example/e/y>"},
    {"one that is no web address stays", PV_DOCUMENT_HTML, "",
	PV_STR("<base href=app:x><a href=y>"), "<base href=app:x><a href=y>"},
    {"a reference that has no semicolon stays one", PV_DOCUMENT_HTML, "",
	PV_STR("<p style=\"a:url(&quot/b&quot)\">"),
	"<p style=\"a:url(&quot&#104;ttps://a.example/b&quot)\">"},
    {"forms, and who is only talked to", PV_DOCUMENT_HTML, "",
	PV_STR("<form action=find><button formaction='/f?g'><input type=image "
	       "formaction=h src=i><link rel=preconnect href=//b.example>"),
	"<form action=https://a.example/d/find>"
	"<button formaction='https://a.example/f?g'><input type=image "
	"formaction=https://a.example/d/h src=https://a.example/d/i>"
	"<link rel=preconnect href=https://b.example/>"},
    {"and what is quoted or described", PV_DOCUMENT_HTML, "",
	PV_STR("<blockquote cite=b><q cite='c'>d</q></blockquote><ins cite=e>"
	       "<del cite=\"\"><img longdesc=f#g><p cite=h>"),
	"<blockquote cite=https://a.example/d/b>"
	"<q cite='https://a.example/d/c'>d</q></blockquote>"
	"<ins cite=https://a.example/d/e><del cite=\"\">"
	"<img longdesc=https://a.example/d/f#g><p cite=h>"},
    {"the links of a page within the page", PV_DOCUMENT_HTML, "",
	PV_STR("<iframe srcdoc=\"<a href='b?c&amp;amp;d'>e</a><img src=f>\">"
	       "</iframe><iframe srcdoc='<a href=g#h>&eacute;<p style=&quot;"
	       "a:url(i)&quot;><img srcset=\"j 1x, &amp;#107; 2x\">'>"),
	"<iframe srcdoc=\"<a href='https://a.example/d/b?c&amp;amp;d'>e</a>"
	"<img src=https://a.example/d/f>\"></iframe><iframe srcdoc='<a "
	"href=https://a.example/d/g#h>&eacute;<p style=&quot;"
	"a:url(https://a.example/d/i)&quot;><img "
	"srcset=\"https://a.example/d/j 1x, https://a.example/d/k 2x\">'>"},
    {"and those of its styles", PV_DOCUMENT_HTML, "",
	PV_STR("<iframe srcdoc='<style>a{b:url(&quot/c?d&amp;e&quot)}</style>"
	       "<p style=&quot;a:url(&amp;quot/f&amp;quot)&quot;>'>"),
	"<iframe srcdoc='<style>a{b:url(&quot&#104;ttps://a.example/c?d&amp;e"
	"&quot)}</style><p style=&quot;a:url(&amp;quot&amp;#104;ttps://"
	"a.example/f&amp;quot)&quot;>'>"},
    {"a quote in the name of a host ends nothing", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=\"//b&quot;c/\"><p style=\"a:url(//b\\22 c/)\"><meta "
	       "http-equiv=refresh content='0;url=//b&#39;c&#34;d/'><iframe "
	       "srcdoc=\"<a href=//b&quot;c/>\">"),
	"<a href=\"https://b&#34;c/\"><p style=\"a:url(https://b\\000022c/)"
	"\"><meta http-equiv=refresh content='0;url=https://b%27c%22d/'>"
	"<iframe srcdoc=\"<a href=https://b&amp;#34;c/>\">"},
    {"what names no host leads to none of the reader's", PV_DOCUMENT_HTML, "",
	PV_STR("<a href=\"//\"><img src=' ///'><a href=/&#92;><a "
	       "href=//[/><a href=/><p style='a:url(//)'>"),
	"<a href=\"https://\"><img src='https:///'><a href=https:/&#92;>"
	"<a href=https://[/><a href=https://a.example/><p style='a:url(//)'>"},
    {"however that is written", PV_DOCUMENT_HTML, "",
	PV_STR("<a href='/&#9;/'><a href='&#32;//'><a href='\1//'><meta "
	       "http-equiv=refresh content='0;url=//'><input type=image src=//>"
	       "<iframe srcdoc='<a href=&quot//&quot>'>"),
	"<a href='https:/&#9;/'><a href='https://'><a href='https://'><meta "
	"http-equiv=refresh content='0;url=https://'><input type=image "
	"src=https://><iframe srcdoc='<a href=&quot&amp;#104;ttps://&quot>'>"},
    {"but for those to that around it", PV_DOCUMENT_HTML, "",
	PV_STR("<iframe srcdoc='<a href=#x><a href=&quot;&quot;><a href=\"\">"
	       "<base><a href>'>"),
	"<iframe srcdoc='<a href=#x><a href=&quot;&quot;><a href=\"\">"
	"<base><a href>'>"},
    {"srcset, with what is wrong in it left", PV_DOCUMENT_HTML, "",
	PV_STR("<img src=a srcset=\"b 1x,c,  2x 3q, d, e 2x\">"),
	"<img src=https://a.example/d/a srcset=\"https://a.example/d/b 1x,"
	"https://a.example/d/c,  2x 3q, https://a.example/d/d, "
	"https://a.example/d/e 2x\">"},
    {"refresh", PV_DOCUMENT_HTML, "",
	PV_STR("<meta http-equiv=refresh content=\"1; URL='b&amp;c'\">"),
	"<meta http-equiv=refresh content=\"1; "
	"URL='https://a.example/d/b&amp;c'\">"},
    {"style attributes and elements", PV_DOCUMENT_HTML, "",
	PV_STR("<p style=\"background:url(&quot;b.png&quot;)\">"
	       "<style>@import \"c.css\";p{background:url( d(.png )}</style>"),
	"<p style=\"background:url(&quot;https://a.example/d/b.png&quot;)\">"
	"<style>@import \"https://a.example/d/c.css\";p{background:url( d(.png "
	")}</style>"},
    {"a sheet", PV_DOCUMENT_SHEET, "",
	PV_STR("/* url(x) */ a{b:url(c\\28 d.png)} e{f:url( 'g?h&i' )}"),
	"/* url(x) */ a{b:url(https://a.example/d/c\\000028d.png)} "
	"e{f:url( 'https://a.example/d/g?h&i' )}"},
    {"a drawing", PV_DOCUMENT_XML, "",
	PV_STR("<?xml version='1.0'?><svg><a xlink:href='b.svg'/><use "
	       "href='#c'/><image href=\"d.png\"/></svg>"),
	"<?xml version='1.0'?><svg><a xlink:href='https://a.example/d/b.svg'/>"
	"<use href='#c'/><image href=\"https://a.example/d/d.png\"/></svg>"},
    {"whatever stands for xlink in it", PV_DOCUMENT_XML, "",
	PV_STR("<svg xmlns:l='http://www.w3.org/1999/xlink'><a l:href='b'/>"
	       "<a m:href='c'/><image xmlns:m='http://www.w3.org/1999/xlink' "
	       "m:href='d'/></svg>"),
	"<svg xmlns:l='http://www.w3.org/1999/xlink'>"
	"<a l:href='https://a.example/d/b'/><a m:href='c'/>"
	"<image xmlns:m='http://www.w3.org/1999/xlink' "
	"m:href='https://a.example/d/d'/></svg>"},
    {"and what gives it its style", PV_DOCUMENT_XML, "",
	PV_STR("<?xml version='1.0'?><?xml-stylesheet type='text/css' "
	       "href='b?c&amp;d'?><?xml-stylesheet href='#e'?><?other "
	       "href='f'?><?xml-stylesheet href=\"?><svg/><a href=\"\"/>"),
	"<?xml version='1.0'?><?xml-stylesheet type='text/css' "
	"href='https://a.example/d/b?c&amp;d'?><?xml-stylesheet "
	"href='#e'?><?other href='f'?><?xml-stylesheet href=\"?><svg/><a "
	"href=\"\"/>"},
    {"which means nothing in HTML", PV_DOCUMENT_HTML, "",
	PV_STR("<?xml-stylesheet href='b'?><svg xmlns:l="
	       "'http://www.w3.org/1999/xlink'><a l:href=c>"),
	"<?xml-stylesheet href='b'?><svg xmlns:l="
	"'http://www.w3.org/1999/xlink'><a l:href=c>"},
    {"attributes of drawings that are as good as a style", PV_DOCUMENT_HTML, "",
	PV_STR("<svg fill='url(b)'><g STROKE=url(c#d) mask='url(#e)' "
	       "clip-path='url(&quot;f&quot;)' marker-end=\"url('g')\"/><a "
	       "filter='url(h)'/><title><b fill=url(i)></title></svg>"
	       "<p fill=url(j)>"),
	"<svg fill='url(https://a.example/d/b)'><g "
	"STROKE=url(https://a.example/d/c#d) mask='url(#e)' "
	"clip-path='url(&quot;https://a.example/d/f&quot;)' "
	"marker-end=\"url('https://a.example/d/g')\"/><a "
	"filter='url(https://a.example/d/h)'/><title><b fill=url(i)></title>"
	"</svg><p fill=url(j)>"},
    {"what looks like links elsewhere stays", PV_DOCUMENT_HTML, "",
	PV_STR("<!-- <a href=x> --><script>'<a href=y>'</script>"
	       "<textarea><a href=z></textarea>"),
	"<!-- <a href=x> --><script>'<a href=y>'</script>"
	"<textarea><a href=z></textarea>"},
    {"an encoding that only the header told", PV_DOCUMENT_HTML, "iso-8859-1",
	PV_STR("<!DOCTYPE html>\n<p>\xe4"),
	"<!DOCTYPE html><meta charset=\"windows-1252\">\n<p>\xe4"},
    {"is never told within a link", PV_DOCUMENT_HTML, "koi8-r",
	PV_STR("<!--><a href=\"b--><!doctype c>d\">\xe4"),
	"<meta charset=\"koi8-r\"><!--><a href=\"https://a.example/d/"
	"b--%3E%3C!doctype%20c%3Ed\">\xe4"},
    {"but behind comments, however they end, and the type", PV_DOCUMENT_HTML,
	"koi8-r", PV_STR("<!--><!-- a --!> <!DOCTYPE html><p>\xe4"),
	"<!--><!-- a --!> <!DOCTYPE html><meta charset=\"koi8-r\"><p>\xe4"},
    {"UTF-8 by its mark", PV_DOCUMENT_HTML, "utf-8",
	PV_STR("<!DOCTYPE html>\n<p>\xc3\xa4"),
	"\xef\xbb\xbf<!DOCTYPE html>\n<p>\xc3\xa4"},
    {"that of a sheet by a rule", PV_DOCUMENT_SHEET, "koi8-r",
	PV_STR("p{content:'\xe4'}"), "@charset \"koi8-r\";p{content:'\xe4'}"},
    {"that of XML by a declaration", PV_DOCUMENT_XML, "koi8-r",
	PV_STR("<svg>\xe4</svg>"),
	"<?xml version=\"1.0\" encoding=\"koi8-r\"?><svg>\xe4</svg>"},
    {"which says so where it said nothing", PV_DOCUMENT_XML, "koi8-r",
	PV_STR("<?xml version='1.0' standalone='yes'?><svg>\xe4</svg>"),
	"<?xml version='1.0' standalone='yes' encoding=\"koi8-r\"?>"
	"<svg>\xe4</svg>"},
    {"or said another", PV_DOCUMENT_XML, "koi8-r",
	PV_STR("<?xml version='1.0' encoding='big5'?><svg>\xe4</svg>"),
	"<?xml version='1.0' encoding='koi8-r'?><svg>\xe4</svg>"},
    {"in front of what is no declaration", PV_DOCUMENT_XML, "koi8-r",
	PV_STR("<?xml-stylesheet href='https://a.example/'?><svg>\xe4</svg>"),
	"<?xml version=\"1.0\" encoding=\"koi8-r\"?>"
	"<?xml-stylesheet href='https://a.example/'?><svg>\xe4</svg>"},
    {"or one that never ends", PV_DOCUMENT_XML, "koi8-r",
	PV_STR("<?xml version='1.0\xe4"),
	"<?xml version=\"1.0\" encoding=\"koi8-r\"?><?xml version='1.0\xe4"},
    {"no mark where the page tells the same", PV_DOCUMENT_HTML, "utf-8",
	PV_STR("<meta charset=utf-8><p>\xc3\xa4"),
	"<meta charset=utf-8><p>\xc3\xa4"},
    {"nor where there is nothing to tell", PV_DOCUMENT_HTML, "utf-8",
	PV_STR("<p>a"), "<p>a"},
    {"a query keeps the bytes of its encoding", PV_DOCUMENT_HTML, "",
	PV_STR("<meta charset=iso-8859-1><a href=\"b?\xe4\">"),
	"<meta charset=iso-8859-1><a href=\"https://a.example/d/b?%E4\">"},
    {"UTF-16 is written in UTF-8", PV_DOCUMENT_HTML, "",
	PV_STR("\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0b\0>\0\xe4\0"),
	"\xef\xbb\xbf<a href=https://a.example/d/b>\xc3\xa4"},
};

static void test_documents(void)
{
	for (size_t i = 0; i < sizeof(documents) / sizeof(*documents); i++) {
		struct pv_str text =
		    rewrite(documents[i].kind, documents[i].text,
			documents[i].charset, pv_rewriter_make_whole);
		is_text(text, documents[i].wanted, "%s", documents[i].claim);
		struct pv_buf once;
		pv_buf_init(&once, 10000);
		pv_buf_append(&once, text);
		is_text(rewrite(documents[i].kind, pv_buf_str(&once), "",
			    pv_rewriter_make_whole),
		    documents[i].wanted, "and is as it is to be from then on");
		pv_buf_finish(&once);
	}
}

static void test_unchanged(void)
{
	struct pv_str text =
	    PV_STR("\xff\xfe<\0a\0 \0h\0r\0e\0f\0=\0#\0>\0\xe4\0");
	struct pv_str found =
	    rewrite(PV_DOCUMENT_HTML, text, "", pv_rewriter_make_whole);
	ok(found.ptr == text.ptr, "UTF-16 stays where nothing changes");
	text = PV_STR("<a href=b>");
	found = rewrite(PV_DOCUMENT_NONE, text, "", pv_rewriter_make_whole);
	ok(found.ptr == text.ptr, "and what is no document always");
}

/* One address has a file, and the others not. */
static enum pv_rewriting have_here(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	if (!pv_str_ends(text, PV_STR("HERE")))
		return pv_rewriter_make_whole(ctx, url, text, address);
	pv_buf_append_text(address, "FILE");
	return PV_REWRITING_TO_FILE;
}

static void test_guards(void)
{
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<script integrity=\"sha256-x\" src=b.js "
			   "crossorigin></script><p integrity=y>"),
		    "", make_local),
	    "<script data-pavane-integrity=\"sha256-x\" src=b.js data-pavane-crossorigin>"
	    "</script><p integrity=y>",
	    "what would keep a browser from a copy means nothing any more");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<img crossorigin=x src=b crossorigin=y>"), "",
		    make_local),
	    "<img data-pavane-crossorigin=x src=b data-pavane-crossorigin=y>",
	    "nor does another that stands behind it");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<img src=b srcset=\"c 2x\" crossorigin=use>"), "",
		    make_local),
	    "<img src=b srcset=\"c 2x\" data-pavane-crossorigin=use>",
	    "once, beside however many links");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<script src=b.js integrity=x></script>"), "",
		    pv_rewriter_make_whole),
	    "<script src=https://a.example/d/b.js integrity=x></script>",
	    "of what is not here it stays");
	is_text(
	    rewrite(PV_DOCUMENT_HTML,
		PV_STR("<script data-pavane-integrity=\"sha256-x\" src=b.js "
		       "Data-Pavane-CrossOrigin></script><img src=c "
		       "data-integrity=y data-pavane-x=z>"
		       "<p data-pavane-integrity=z>"),
		"", pv_rewriter_make_whole),
	    "<script integrity=\"sha256-x\" src=https://a.example/d/b.js "
	    "CrossOrigin></script><img src=https://a.example/d/c "
	    "data-integrity=y data-pavane-x=z><p data-pavane-integrity=z>",
	    "and of what is not here any more it comes back, if it was ours");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<script data-pavane-integrity=x src=b.js>"), "",
		    make_local),
	    "<script data-pavane-integrity=x src=b.js>",
	    "where it means nothing already that is enough");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<img src=HERE srcset=\"b 2x\" crossorigin=x>"
			   "<img data-pavane-crossorigin=y src=b srcset=HERE>"
			   "<img src=b data-pavane-crossorigin=z>"),
		    "", have_here),
	    "<img src=FILE srcset=\"https://a.example/d/b 2x\" "
	    "data-pavane-crossorigin=x><img data-pavane-crossorigin=y "
	    "src=https://a.example/d/b srcset=FILE>"
	    "<img src=https://a.example/d/b crossorigin=z>",
	    "one file beside it is enough");
	is_text(rewrite(PV_DOCUMENT_HTML,
		    PV_STR("<iframe srcdoc='<meta http-equiv=Content-Security-"
			   "Policy content=x><script src=b int&#101;grity=y>"
			   "</script>'></iframe><script src=HERE integrity=z>"),
		    "", make_local),
	    "<iframe srcdoc='<meta data-pavane-http-equiv=Content-Security-"
	    "Policy content=x><script src=b data-pavane-int&#101;grity=y>"
	    "</script>'></iframe><script src=HERE data-pavane-integrity=z>",
	    "in a page within the page, too");
}

/* Links that come again */

#define PLACE "https://a.example/d/\nsite/a.example/d/"
#define LINK_MAX 10000

/* To a part of its file that the link does not name, where it is of such a name;
 * each fragment stays elsewhere. Counts how often it is asked. */
static const struct {
	const char *claim;
	const char *page;
	const char *wanted; /* as it is linked */
} policies[] = {
    {"what a page may be made of is no matter from the disk",
	"<meta http-equiv='Content-Security-Policy' content=\"default-src "
	"'self'\"><img src=b.png>",
	"<meta data-pavane-http-equiv='Content-Security-Policy' content=\"default-src "
	"'self'\"><img src=FILE>"},
    {"wherever it stands, and however often",
	"<img src=b><meta content=a HTTP-EQUIV=&#99;ontent-security-policy>"
	"<meta http-equiv=content-security-policy content=b>",
	"<img src=FILE><meta content=a "
	"data-pavane-HTTP-EQUIV=&#99;ontent-security-policy>"
	"<meta data-pavane-http-equiv=content-security-policy content=b>"},
    {"other statements stay", "<meta http-equiv=x-ua-compatible><img src=b>",
	"<meta http-equiv=x-ua-compatible><img src=FILE>"},
};

static enum pv_rewriting name_file(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	(void)ctx, (void)url, (void)text;
	pv_buf_append_text(address, "FILE");
	return PV_REWRITING_TO_FILE;
}

static void test_policies(void)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(*policies); i++)
		is_text(rewrite(PV_DOCUMENT_HTML, pv_str_of(policies[i].page),
			    "", name_file),
		    policies[i].wanted, "%s", policies[i].claim);
	struct pv_str found = rewrite(PV_DOCUMENT_HTML,
	    pv_str_of(policies[0].page), "", pv_rewriter_make_whole);
	ok(!memmem(found.ptr, found.len, "data-", 5),
	    "as long as all its parts are in the web, it stays");
	is_text(
	    rewrite(PV_DOCUMENT_HTML,
		PV_STR(
		    "<meta content=\"img-src 'self'\" data-pavane-HTTP-Equiv="
		    "content-security-policy><img src=b>"
		    "<meta data-pavane-http-equiv=refresh content='1;url=c'>"
		    "<meta data-pavane-http-equiv=content-security-policy "
		    "http-equiv=x>"),
		"", pv_rewriter_make_whole),
	    "<meta content=\"img-src 'self'\" HTTP-Equiv=content-security-policy>"
	    "<img src=https://a.example/d/b>"
	    "<meta data-pavane-http-equiv=refresh content='1;url=c'>"
	    "<meta data-pavane-http-equiv=content-security-policy "
	    "http-equiv=x>",
	    "and it comes back when they all are there again");
}

/* To another address's file. */
static enum pv_rewriting make_moved(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	(void)ctx, (void)url, (void)text;
	pv_buf_append_text(address, "m");
	return PV_REWRITING_TO_MOVED;
}

static const struct {
	const char *claim;
	struct pv_str text;
	const char *named; /* as it stood there; empty: nobody knows */
} moved_links[] = {
    {"a whole address is remembered", PV_STR("<a href=http://b.example/c>"),
	"http://b.example/c"},
    {"with blanks before it, too", PV_STR("<a href='  http://b.example/c '>"),
	"  http://b.example/c "},
    {"and as a reference writes it",
	PV_STR("<a href='&#104;ttp://b.example/c?d&amp;e'>"),
	"&#104;ttp://b.example/c?d&amp;e"},
    {"or one must, behind another",
	PV_STR("<p style=\"a:url(&quot&#104;ttp://b.example/c&quot)\">"),
	"&#104;ttp://b.example/c"},
    {"or an escape", PV_STR("<style>a{b:url(\\68 ttp://b.example/c)}</style>"),
	"\\68 ttp://b.example/c"},
    {"what was relative to who knows what is not", PV_STR("<a href=c>"), ""},
};

static struct pv_str first_named(const struct pv_moved_links *moved)
{
	return moved->count ? pv_moved_links_named(moved, 0) : PV_STR("");
}

static void test_moved(void)
{
	for (size_t i = 0; i < sizeof(moved_links) / sizeof(*moved_links);
	     i++) {
		rewrite(PV_DOCUMENT_HTML, moved_links[i].text, "", make_moved);
		is_text(first_named(&desk.rewriter.moved), moved_links[i].named,
		    "%s", moved_links[i].claim);
	}
}

static enum pv_rewriting count_local(void *ctx, const struct pv_url *url,
    struct pv_str text, struct pv_buf *address)
{
	unsigned *calls = ctx;
	(*calls)++;
	make_local(NULL, url, text, address);
	if (pv_str_find(text, 'M') != PV_NOT_FOUND) {
		pv_buf_append_format(address, "-%u#part", *calls);
		return PV_REWRITING_TO_PART;
	}
	pv_buf_append_format(address, "-%u", *calls);
	if (pv_url_has_fragment(url))
		pv_buf_append(address,
		    pv_url_between(url, url->parts.fragment, url->text.len));
	return PV_REWRITING_TO_FILE;
}

static struct pv_str rewrite_at(
    const char *place, struct pv_str text, unsigned *calls)
{
	const struct pv_document document = {
	    .text = text,
	    .kind = PV_DOCUMENT_HTML,
	    .url = &desk.url,
	    .place = pv_str_of(place),
	};
	return pv_rewriter_run(&desk.rewriter, &document, count_local, calls)
		   ? pv_buf_str(&desk.rewriter.text)
		   : text;
}

static void test_repeats(void)
{
	unsigned calls = 0;
	is_text(rewrite_at(PLACE,
		    PV_STR("<a href=b#x><a href=\"b\"><a href='b#y'>"
			   "<img src=b><a href=c>"),
		    &calls),
	    "<a href=b-1#x><a href=\"b-1\"><a href='b-1#y'><img src=b-1>"
	    "<a href=c-2>",
	    "what leads to the same page comes to the same");
	is_text(
	    rewrite_at(PLACE, PV_STR("<p><a href=c#z><a href=b#w>"), &calls),
	    "<p><a href=c-2#z><a href=b-1#w>",
	    "in the next document beside it, too");
	ok(calls == 2, "which is asked for once (%u)", calls);
	is_text(rewrite_at("elsewhere", PV_STR("<a href=b#x>"), &calls),
	    "<a href=b-3#x>", "and anew for one that lies elsewhere");
	is_text(rewrite_at("", PV_STR("<a href=b><a href=b>"), &calls),
	    "<a href=b-4><a href=b-5>",
	    "or of which nobody knows where it lies");
	is_text(rewrite_at(PLACE, PV_STR("<script src=b integrity=x>"), &calls),
	    "<script src=b-1 data-pavane-integrity=x>",
	    "what would keep a browser from a copy goes here, too");
}

static void test_no_repeats(void)
{
	unsigned calls = 0;
	is_text(
	    rewrite_at(PLACE,
		PV_STR("<a href=M><a href=M#x><a href=M#y><a href=M>"), &calls),
	    "<a href=M-1#part><a href=M-2#part><a href=M-3#part>"
	    "<a href=M-4#part>",
	    "what leads to a part by itself is asked for each time");
	calls = 0;
	rewrite_at(PLACE, PV_STR("<a href=n>"), &calls);
	is_text(rewrite_at(PLACE, PV_STR("<base href=/e/><a href=n><a href=n>"),
		    &calls),
	    "<base href=\"\"><a href=n-2><a href=n-3>",
	    "so is all in a page with a base of its own");
	is_text(rewrite_at(PLACE, PV_STR("<a href=n>"), &calls), "<a href=n-1>",
	    "which changes nothing for the others");
	is_text(rewrite_at(PLACE,
		    PV_STR("<a href=?q><a href=?q><a href=\"o&amp;p\">"
			   "<a href=\"o&amp;p\">"),
		    &calls),
	    "<a href=page.html-4><a href=page.html-5>"
	    "<a href=\"o&amp;p-6\"><a href=\"o&amp;p-7\">",
	    "and what says more than it means, or less");
	calls = 0;
	is_text(rewrite_at(PLACE,
		    PV_STR("<a href=https:><a href=HTTPS:#x><a href=https:?q>"
			   "<a href=https:?q><a href=https:o><a href=https:o>"),
		    &calls),
	    "<a href=page.html-1><a href=page.html-2#x><a href=page.html-3>"
	    "<a href=page.html-4><a href=o-5><a href=o-5>",
	    "a scheme alone belongs to the page, too");
}

/* Nobody asks what is to become of an address that does not fit. */
static void test_long_repeats(void)
{
	unsigned calls = 0;
	struct pv_buf text;
	pv_buf_init(&text, 3 * LINK_MAX);
	pv_buf_append_format(
	    &text, "<a href=\"l#%0*u\"><a href=l#x>", LINK_MAX, 0);
	struct pv_str found = rewrite_at(PLACE, pv_buf_str(&text), &calls);
	ok(calls == 1 && pv_str_ends(found, PV_STR("0\"><a href=l-1#x>")),
	    "a link that is too long decides nothing for the next (%u)", calls);
	pv_buf_finish(&text);
}

int main(void)
{
	pv_rewriter_init(&desk.rewriter, LINK_MAX);
	pv_url_init(&desk.url, LINK_MAX);
	pv_url_parse(&desk.url, PV_STR(PAGE));
	test_documents();
	test_unchanged();
	test_guards();
	test_policies();
	test_moved();
	test_repeats();
	test_no_repeats();
	test_long_repeats();
	pv_rewriter_finish(&desk.rewriter);
	pv_url_finish(&desk.url);
	return tap_done();
}
