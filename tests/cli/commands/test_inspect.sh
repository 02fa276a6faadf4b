#!/bin/sh
# `pavane inspect`: how one thing is read.

. "${top_srcdir:=.}/tests/cli/program.sh"

# prints LINES CLAIM: the last run printed just that.
prints() {
	printf "$1" | cmp -s - out
	claim $? "$2"
}

test_url() {
	run inspect url https://example.org/a/b '../c?d#e'
	exits 0 "an address ends with 0"
	prints 'https://example.org/c?d#e\n' "and is printed whole"
	run inspect url - https://EXAMPLE.org
	prints 'https://example.org/\n' "- is no base"
	run inspect url - c
	exits 1 "nothing to join to ends with 1"
	silent out "and prints nothing"
	run inspect url https://example.org/ mailto:a@b.org
	exits 1 "another scheme ends with 1"
	run inspect url --encoding windows-1252 https://example.org/ \
		"$(printf '?\303\244')"
	prints 'https://example.org/?%%E4\n' "a query is in the page's encoding"
	run inspect url https://example.org/
	exits 2 "an address without a base is wrong usage"
}

test_robots() {
	cat >robots.txt <<-END
	User-agent: *
	Disallow: /private
	Crawl-delay: 2.5
	Sitemap: https://example.org/s.xml

	User-agent: examplebot
	Disallow: /only
	Allow: /only/this
	END
	run inspect robots robots.txt otherbot https://example.org/private/x
	exits 1 "what is forbidden ends with 1"
	prints 'disallow\tDisallow: /private\n' "and names the line"
	run inspect robots robots.txt examplebot/1.2 https://example.org/only/this
	exits 0 "what is allowed ends with 0"
	prints 'allow\tAllow: /only/this\n' "and names the line"
	run inspect robots robots.txt examplebot /private
	prints 'allow\t\n' "a group of our own replaces the one for all"
	run inspect robots robots.txt otherbot
	prints 'delay\t2.5\nsitemap\thttps://example.org/s.xml\n' \
		"without an address the delay and the sitemaps are told"
	printf 'User-agent: *\nDisallow: /a\033[2J\n' >hostile.txt
	run inspect robots hostile.txt otherbot '/a%1B[2J'
	! grep -q "$(printf '\033')" out
	claim $? "what a file holds reaches no terminal raw"
	run inspect robots not-there.txt examplebot /
	exits 1 "a file that is not there ends with 1"
	run inspect robots robots.txt examplebot 'no address'
	exits 2 "what is no address is wrong usage"
}

test_links() {
	cat >page.html <<-END
	<base href=/b/><a href=x>x</a><a href="/b/x#top">again</a>
	<img src=i.png srcset="i2.png 2x"><a href=mailto:a@b.org>mail</a>
	<!-- <a href=hidden> --><link rel=stylesheet href=//c.example/s.css>
	<link rel=next href=n><iframe src=f></iframe>
	END
	run inspect links page.html https://example.org/a/
	exits 0 "links are read"
	printf '%s\t%s\n' page https://example.org/b/x \
		resource https://example.org/b/i.png \
		resource https://example.org/b/i2.png \
		resource https://c.example/s.css page https://example.org/b/n \
		page https://example.org/b/f | cmp -s - out
	claim $? "in their order, none twice"
	cat >sheet.css <<-END
	@import "x.css"; a { b: url(../i.png#c) url("i\\2e png") url(//c.example/) }
	END
	run inspect links sheet.css https://example.org/a/b 'text/css; charset=x'
	exits 0 "those of a style sheet are read, too"
	printf 'resource\t%s\n' https://example.org/a/x.css \
		https://example.org/i.png https://example.org/a/i.png \
		https://c.example/ | cmp -s - out
	claim $? "all of them lead to resources"
	run inspect links sheet.css https://example.org/
	silent out "but not in what is said to be a page"
	cat >drawing.svg <<-END
	<svg xmlns="http://www.w3.org/2000/svg"><style>a { b: url(i.png) }</style>
	<image href="j.png"/><script href="s.js"/><a href="p"/></svg>
	END
	run inspect links drawing.svg https://example.org/a/ image/svg+xml
	exits 0 "and those of a drawing"
	printf '%s\t%s\n' resource https://example.org/a/i.png \
		resource https://example.org/a/j.png \
		resource https://example.org/a/s.js \
		page https://example.org/a/p | cmp -s - out
	claim $? "some of them to pages"
	run inspect links page.html https://example.org/ image/png
	exits 1 "what is no page has none"
	run inspect links page.html example.org
	exits 2 "a base that is none is wrong usage"
}

test_documents() {
	cat >feed.xml <<-END
	<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom">
	<link href="1"/><icon>i.png</icon><link href="1"/></feed>
	END
	printf 'page\t%s\nresource\t%s\n' https://example.org/a/1 \
		https://example.org/a/i.png >feed.lines
	for type in '' application/atom+xml 'application/xml; charset=utf-8'; do
		run inspect links feed.xml https://example.org/a/ ${type:+"$type"}
		cmp -s feed.lines out
		claim $? "a feed is read as ${type:-what it is}"
	done
	run inspect links page.html https://example.org/ application/rss+xml
	exits 1 "what is said to be a feed must be one"
	says err 'reads only pages, style sheets, drawings, feeds and manifests' "and that is said"
	printf '{"start_url": "../s", "icons": [{"src": "i.png"}]}' >app.json
	run inspect links app.json https://example.org/a/app.json \
		application/manifest+json
	printf 'page\t%s\nresource\t%s\n' https://example.org/s \
		https://example.org/a/i.png | cmp -s - out
	claim $? "a manifest is read as its type says"
}

test_sitemap() {
	printf 'https://example.org/1\nhttps://example.org/1#a\nno\n' >s.txt
	run inspect sitemap s.txt https://example.org/
	prints 'page\thttps://example.org/1\n' "a line is an entry, none twice"
	exits 0 "though one is skipped"
	says err '^pavane: entries without a valid address: 1$' "which is told"
	cat >s.xml <<-END
	<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
	<url><loc>https://example.org/?a&amp;b</loc></url>
	<url><loc>https://example.com/</loc></url>
	<url><loc>https://example.org/?a&b</loc></url>
	<url><loc>https://example.org/2</loc></url></urlset>
	END
	run inspect sitemap s.xml https://example.org/
	printf 'page\t%s\n' 'https://example.org/?a&b' https://example.org/2 |
		cmp -s - out
	claim $? "one in XML is read, but for what is damaged, or elsewhere"
	exits 0 "and ends with 0"
	says err '^pavane: it is damaged or incomplete; entries without a valid address: 1; entries on another host: 1$' \
		"what is left out is told"
	[ "$(wc -l <err)" -eq 1 ]
	claim $? "in one line, and nobody else tells anything"
	printf '<sitemapindex><sitemap><loc>https://example.org/s</loc></sitemap></sitemapindex>' |
		gzip >s.gz
	run inspect sitemap s.gz https://example.org/ application/octet-stream
	prints 'sitemap\thttps://example.org/s\n' "an index has sitemaps, in gzip too"
	silent err "and there is nothing else to tell"
	gzip <s.gz >s.gz.gz
	run inspect sitemap s.gz.gz https://example.org/
	prints 'sitemap\thttps://example.org/s\n' "in gzip within gzip as well"
	gzip <s.txt >s.txt.gz
	run inspect sitemap s.txt.gz https://example.org/
	prints 'page\thttps://example.org/1\n' "a text may be in gzip"
	run inspect sitemap s.txt.gz https://example.org/ application/x-gzip
	prints 'page\thttps://example.org/1\n' "also where that is its type"
	gzip <s.txt.gz >s.txt.gz.gz
	run inspect sitemap s.txt.gz.gz https://example.org/ application/gzip
	prints 'page\thttps://example.org/1\n' "and twice"
	run inspect sitemap s.txt https://example.org/ application/xml
	exits 1 "a text is none where it is said to be XML"
	run inspect sitemap page.html https://example.org/
	exits 1 "a page is none"
	says err '^pavane: inspect sitemap reads only sitemaps, in XML or plain text, and feeds$' \
		"and that is said"
}

test_usage() {
	run inspect
	exits 2 "nothing to inspect is wrong usage"
	run inspect lnks page.html https://example.org/
	says err 'did you mean links\?' "the nearest is named"
	run inspect --help
	for what in url robots links sitemap; do
		says out "^  $what " "--help knows $what"
	done
}

test_url
test_robots
test_links
test_documents
test_sitemap
test_usage
tap_done
