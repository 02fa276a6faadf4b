#!/bin/sh
# `pavane try` of files: P4, a field without a value says which stage left
# nothing, and how near it came.

. "${top_srcdir:=.}/tests/cli/program.sh"

cat >shop.yaml <<'END'
seeds: [https://shop.example/]
pages:
  category:
    match: {path: "/category/*"}
    fields: {category: h1}
    follow:
      - {css: "article h3 a", as: product, carry: [category]}
      - {css: "li.nxt a", as: category}
  product:
    match: {path: "/product/*"}
    fields:
      title: {css: h1, required: true}
      price: {css: .price, type: number}
      images: {css: "img::attr(src)", type: url, many: true}
      reviews:
        each: .review
        fields: {by: .author, stars: {xpath: "@data-stars", type: integer}}
  review:
    each: .review
    fields: {text: p}
END

cat >product.html <<'END'
<!doctype html><title>x</title>
<meta property="article:published_time" content="2024-01-02">
<script type="application/ld+json">{"@type":"Product","sku":"A1"}</script>
<script>window.state = {"item":{"stock":3}};</script>
<h1> Blue
 chair</h1><p class="price old">12.50</p><p class=code>no digits</p>
<p class=empty></p><table><tr><td class=cell>1</table>
<img src=/1.jpg><img src=2.jpg>
<div class=review data-stars=5><b class=author>Ann</b><p>Good</p></div>
<div class=review data-stars=four><b class=author>Bob</b></div>
<a href=/imprint>i</a>
END

page=https://shop.example/product/1

test_rows() {
	run try shop.yaml product.html --url $page
	exits 0 "a file is tried"
	says out "^$page\$" "under the address that it counts as"
	says out '^  kind +product, its match fits the address \(shop.yaml:9\)$' \
		"its kind is told, why, and where that stands"
	says out '^    title +Blue chair$' "a text"
	says out '^    price +12.50$' "a number"
	says out '^    images +https://shop.example/1.jpg$' \
		"each of many, joined to the address"
	says out '^ +https://shop.example/product/2.jpg$' "on a line of its own"
	says out '^    reviews +1 of 2$' "records are counted"
	says out '^      by +Ann$' "and their fields stand further in"
	says out '^ +"four" is not an integer$' "what is no value is quoted"
	says out '^    category +\(comes with a link, or by --carry\)$' \
		"what no link has carried"
	silent err "nothing else is said"
	run try shop.yaml product.html --url $page \
		--carry '{"category":"Books"}'
	says out '^    category +Books$' "what is said to be carried"
	run try shop.yaml - --as review
	exits 0 "the standard input may be empty"
	says out '^  no row$' "of which there is no row"
	says out '^  kind +review, as --as says' "a kind may be named"
	says out '^  note +its address is not known' "and what is missing then"
}

# near SOURCE WHY NEAR: what is said of a field of that source, in text and as
# JSON.
near() {
	{
		echo 'seeds: [https://shop.example/]'
		echo "pages: {product: {fields: {it: $1}}}"
	} >near.yaml
	run try near.yaml product.html --as product --url "$page?page=2"
	grep -F -A1 "    it             $2" out >found
	[ "$status" -eq 0 ] && grep -Fqx "                   $3" found
	claim $? "$1: $3"
}

test_near() {
	nothing='nothing found'
	near .prise "$nothing" \
		'".prise" matches nothing; the page has the class price'
	near '"div.review .autor"' "$nothing" \
		'"div.review" matches 2 times, "div.review .autor" nothing; the page has the class author'
	near '"table tbody td"' "$nothing" \
		'"table" matches once, "table tbody" nothing; browsers add tbody, but the page has none: leave it out'
	near '{xpath: "//div[@class='"'review'"']/em"}' "$nothing" \
		'"//div[@class='"'review'"']" matches 2 times, "//div[@class='"'review'"']/em" nothing'
	near '{json: /skuu, in: ld, of: Product}' "$nothing" \
		'the JSON has no "skuu"; is it "sku"?'
	near '{json: /sku, in: ld, of: Producd}' "$nothing" \
		'the page has JSON-LD, but none of the type Producd; is it Product?'
	near '{json: /sku, in: ld, of: Article}' "$nothing" \
		'the page has JSON-LD, but none of the type Article; it has Product'
	near '{json: /sku}' "$nothing" \
		'the page is not JSON: write where it stands, such as in: ld'
	near '{json: /item/stok, in: script, after: "window.state ="}' \
		"$nothing" '"/item" has no "stok"; is it "stock"?'
	near '{json: /item, in: script, after: "window.stat ="}' "$nothing" \
		'no script has JSON behind "window.stat ="'
	near '{meta: "article:published_tim"}' "$nothing" \
		'the page has no meta article:published_tim; is it article:published_time?'
	near '{meta: keywords}' "$nothing" \
		'the page has no meta keywords; it has article:published_time'
	near '{header: X-Price}' "$nothing" \
		'headers come with an answer only, and are not stored'
	near '{url: pge}' "$nothing" \
		'the address has no parameter pge; is it page?'
	near '{css: .code, regex: "code ([0-9]+)"}' "$nothing" \
		'".code" finds one value, "no digits", in which "code ([0-9]+)" matches nothing'
	near '{regex: "sku=([0-9]+)"}' "$nothing" \
		'"sku=([0-9]+)" matches nothing'
	near .empty "$nothing" '".empty" finds one value, without a text'
	near '{css: .code, type: number}' 'wrong type' \
		'"no digits" is not a number'
	sed 's/fields: .*/fields: {it: {css: .prise, required: true}}}}/' \
		near.yaml >required.yaml
	run try required.yaml product.html --as product
	says out '^    it +nothing found; it is required, so the row is left out$' \
		"a required one"
	[ "$status" -eq 1 ]
	claim $? "without which the exit status is 1"
}

test_bare() {
	echo '<script src=app.js></script><div id=app></div>' >bare.html
	run try shop.yaml bare.html --url $page
	exits 1 "a page that scripts make lacks a required field"
	says out '^  note +it shows nothing without scripts' "and that is told"
	says out '; the page shows nothing without scripts$' "beside the field"
}

test_links() {
	{
		echo '<h1>Books</h1><a href=/imprint>i</a><a href=/about>a</a>'
		for n in $(seq 25); do
			echo "<article><h3><a href=/product/$n>$n</a></h3></article>"
		done
	} >list.html
	run try shop.yaml list.html --url https://shop.example/category/b
	says out '^  leads to 25 pages$' "links that are followed are counted"
	says out '^    product +https://shop.example/product/20 with \{"category":"Books"\}$' \
		"and the first are told, with what they carry"
	! grep -q 'product/21' out
	claim $? "and no others"
	says out '^    and 5 more$' "but how many there are"
	says out '^    2 other links are not followed$' "and how many lead nowhere"
	says out '^ +"li.nxt" matches nothing$' "what follows nothing is told"
}

# closed HTML OPTIONS...: tries a category with that at its beginning, as text
# and then as JSON.
closed() {
	{
		echo "$1<h1>Books</h1>"
		echo '<article><h3><a href=/product/1>1</a></h3></article>'
		echo '<article><h3><a rel=ugc href=/product/2>2</a></h3></article>'
	} >closed.html
	shift
	run try shop.yaml closed.html --json "$@" \
		--url https://shop.example/category/b
	cp out json
	run try shop.yaml closed.html "$@" \
		--url https://shop.example/category/b
}

test_nofollow() {
	closed ''
	says out '/product/1 with \{"category":"Books"\}$' \
		"a link that a crawl follows is told as such"
	says out '/product/2 with .*; not followed: its rel asks so$' \
		"and of one that it does not follow, why"
	says json '/product/1","as":"product","carry":\{"category":"Books"\},"refused":null' \
		"in JSON it is null"
	says json '/product/2",.*,"refused":"nofollow"' \
		"or the reason as in a journal"
	closed '<article><h3><a rel=nofollow href=/product/1>1</a></h3></article>'
	says json '/product/1",.*,"refused":null.*/product/2"' \
		"of several that lead to one page one is enough"
	closed '' --set robots.nofollow=false
	says json '/product/2",.*,"refused":null' \
		"unless the policy does not honour it"
	closed '<meta name=robots content="noindex, nofollow">'
	says out '/product/1 .*; not followed: the meta robots of the page asks so$' \
		"a page may ask to follow none of its links"
	says json '/product/1",.*"refused":"meta-robots".*/product/2",.*"refused":"meta-robots"' \
		"which is the reason for all of them"
	closed '<meta name=otherbot content=nofollow>'
	says json '/product/1",.*"refused":null' "if it asks us"
	closed '<meta name=robots content=nofollow>' --set robots.meta=false
	says json '/product/1",.*"refused":null' "and the policy honours it"
	echo '<meta name=robots content=nofollow><h1>A</h1>' >closed.html
	run try shop.yaml closed.html --as review
	says out '^  its kind has no `follow`; the meta robots of the page asks not to follow its links$' \
		"also where its kind has no follow"
}

test_json() {
	run try shop.yaml product.html --url $page --json
	exits 0 "a trial as JSON"
	[ "$(wc -l <out)" -eq 1 ]
	claim $? "is one line"
	if ! python3 -c '' 2>/dev/null; then
		skip "which a program can read" "python3 is not here"
		return
	fi
	python3 - <<'END'
import json
trial = json.load(open("out"))
assert list(trial) == ["url", "kind", "rows", "follow", "problems"], trial
assert trial["kind"] == "product"
assert trial["rows"] == [{
    "_url": "https://shop.example/product/1", "_item": 1,
    "category": None, "title": "Blue chair", "price": 12.5,
    "images": ["https://shop.example/1.jpg",
               "https://shop.example/product/2.jpg"],
    "reviews": [{"by": "Ann", "stars": 5}, {"by": "Bob", "stars": None}]}]
assert trial["problems"] == [{"field": "reviews.stars", "why": "wrong type",
                              "near": '"four" is not an integer'}], trial
END
	claim $? "which a program can read"
	run try shop.yaml list.html --json \
		--url https://shop.example/category/b
	python3 - <<'END'
import json
trial = json.load(open("out"))
assert len(trial["follow"]) == 25
assert trial["follow"][0] == {"url": "https://shop.example/product/1",
                              "as": "product",
                              "carry": {"category": "Books"},
                              "refused": None}
END
	claim $? "with all links"
	run try shop.yaml product.html --json --url https://shop.example/x
	exits 1 "a page of no kind"
	[ "$(cat out)" = '{"url":"https://shop.example/x","kind":null,"rows":[],"follow":[],"problems":[]}' ]
	claim $? "is one line, too"
	says err 'is of no kind: no `match` fits it; --as names a kind$' \
		"and people are told"
}

test_usage() {
	run try shop.yaml product.html
	exits 1 "a file without an address has no kind"
	says err 'give that by --url, or the kind by --as$' "and what is missing"
	run try shop.yaml
	exits 2 "a policy alone is wrong usage"
	run try shop.yaml product.html --as prodct
	exits 2 "a kind that there is not is wrong usage"
	says err 'no kind of pages that is called prodct$' "and is told"
	run try shop.yaml product.html --url shop.example
	exits 2 "what is no address is wrong usage"
	run try shop.yaml $page
	exits 2 "who asks a host needs a contact"
	says err 'use --contact' "and that is told"
	run try shop.yaml $page --url $page --contact us@bots.example
	exits 2 "two addresses are wrong usage"
	run try shop.yaml product.html --as product --carry '[1]'
	exits 2 "what is carried is an object"
	run try shop.yaml product.html -o shop
	exits 2 "a page of a crawl is named by its address"
	run try shop.yaml $page -o not-there
	exits 1 "a crawl that is not there ends with 1"
	run try shop.yaml not-there.html
	exits 1 "a file that is not there ends with 1"
	echo 'seeds: [https://shop.example/]' >none.yaml
	run try none.yaml product.html
	exits 2 "a policy without kinds is none to try"
	says err 'describes no kinds of pages' "and is told"
	echo 'rate: 5' >wrong.yaml
	run try wrong.yaml product.html
	exits 2 "a wrong policy ends with 2"
	run try --help
	[ "$(awk 'length > 80' out | wc -l)" -eq 0 ]
	claim $? "its help fits 80 columns"
	says out '^Example:$' "and has an example"
}

test_rows
test_near
test_bare
test_links
test_nofollow
test_json
test_usage
tap_done
