// Prints the links of pages as Chromium finds them, in the form of
// print_links.c. Arguments: the browser, a directory for its profile, a file
// with a line "FILE BASE" or "FILE BASE CHARSET" for each page, and how they
// are read. Nothing is asked of anybody but our own server on this machine.
//
// "documents": one page of ours fetches them as documents, so they are decoded
// and parsed as any page is, but for their shadow roots, and nothing they name
// is loaded. "frames": they are opened, which takes ten times as long, in a
// frame that may not run scripts, so that they are read as by somebody who
// looks at them with scripts off; a policy sees to it that nothing is loaded.
// In both the parser is the one without scripting, to which noscript is
// markup.

import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// The exit status if the browser does not run on this machine.
const NO_BROWSER = 77;
const TIMEOUT_MS = 240000;
const [browser, profile, list, manner] = process.argv.slice(2);
const files = new Map();
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
	const [file, base, charset] = line.split(' ');
	files.set(new URL(base).pathname, { file, charset });
}

// Runs in the browser.
async function collect(paths, manner) {
	const BACKGROUNDS = ['body', 'table', 'thead', 'tbody', 'tfoot', 'tr',
		'td', 'th'];
	const HTML = 'http://www.w3.org/1999/xhtml';
	const SVG = 'http://www.w3.org/2000/svg';
	const PLACES = {
		[HTML]: {
			a: ['href'], area: ['href'], audio: ['src'], embed: ['src'],
			frame: ['src'], iframe: ['src'], img: ['src', 'srcset'],
			input: ['src'], link: ['href', 'imagesrcset'],
			meta: ['content'], object: ['data'], script: ['src'],
			source: ['src', 'srcset'], track: ['src'],
			video: ['poster', 'src'],
			...Object.fromEntries(
				BACKGROUNDS.map((name) => [name, ['background']])),
		},
		[SVG]: Object.fromEntries(
			['a', 'feImage', 'image', 'script', 'use'].map((name) =>
				[name, ['href', 'xlink:href']])),
	};
	// Attributes of a drawing that are as good as a style.
	const STYLES = ['fill', 'mask', 'cursor', 'filter', 'stroke', 'clip-path',
		'marker-start', 'marker-mid', 'marker-end'];
	const PAGES = ['a', 'area', 'iframe', 'frame', 'meta'];

	const frame = document.createElement('iframe');
	frame.sandbox = 'allow-same-origin';
	frame.hidden = true;
	document.body.append(frame);

	const open = (path) => new Promise((resolve) => {
		frame.onload = () => resolve(frame.contentDocument);
		frame.contentWindow.location.replace(path);
	});

	const fetchDocument = (path) => new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open('GET', path);
		request.responseType = 'document';
		request.onload = () => resolve(request.response);
		request.onerror = reject;
		request.send();
	});

	const load = manner === 'frames' ? open : fetchDocument;

	function isPage(element) {
		const rel = (element.getAttribute('rel') || '').toLowerCase();
		const words = rel.split(/[\s,]+/);
		if (element.localName !== 'link')
			return PAGES.includes(element.localName);
		return !words.includes('stylesheet') && !words.includes('icon') &&
			words.some((word) => ['canonical', 'alternate', 'next',
				'prev'].includes(word));
	}

	// Nothing is asked for where a link only tells whom to be ready for, or says
	// nothing (HTML, 4.2.4: without a rel it is no link).
	function isHint(element) {
		const words = (element.getAttribute('rel') || '').toLowerCase()
			.split(/[\s,]+/).filter(Boolean);
		return element.localName === 'link' &&
			words.every((word) => ['dns-prefetch', 'preconnect',
				'pingback'].includes(word));
	}

	// "url", whose letters may be escaped.
	const URL_NAME = [...'url'].map((letter) => {
		const small = letter.charCodeAt(0).toString(16);
		const large = (letter.charCodeAt(0) - 32).toString(16);
		return `(?:${letter}|\\\\0{0,4}(?:${small}|${large})\\s?)`;
	}).join('');

	const TOKEN = new RegExp([
		/\/\*[^]*?(?:\*\/|$)/, // a comment
		/(?<at>@[-\w]+)/,
		/(?:URL|src)\(\s*(?<quoted>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/,
		/URL\(\s*(?<bare>(?:[^\s"'()\\\x01-\x1f\x7f]|\\[\da-f]{1,6}\s?|\\[^])*)\s*(?:\)|$)/,
		/URL\((?!\s*["'])(?:[^)\\]|\\[^])*\)?/, // a bad one
		/(?<set>(?:-webkit-)?image-set\()/,
		/(?<string>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/,
		/(?<end>[;{}])/, /(?<open>(?:[-\w]|[^\0-\x7f])*\()/, /(?<close>\))/,
		/(?:[-\w]|[^\0-\x7f])+/, /\s+/, /(?<other>[^])/,
	].map((part) => part.source.replace('URL', URL_NAME)).join('|'), 'gi');

	const unescape = (text) => text.replace(
		/\\(?:([0-9a-f]{1,6})\s?|\n|([^]))/gi, (all, number, character) =>
			number ? String.fromCodePoint(parseInt(number, 16))
				: character || '');

	// The addresses in a style sheet, as far as real pages go.
	function* linksOfStyle(text) {
		let place = 'value';
		let depth = 0;
		for (const { groups } of text.matchAll(TOKEN)) {
			const { at, quoted, bare, set, string, end, open, close } =
				groups;
			const found = quoted?.slice(1, -1) ?? bare ??
				(place === 'import' || depth === 1
					? string?.slice(1, -1) : undefined);
			if (found !== undefined && place !== 'rule' &&
				!/^\s*(?:#|$)/.test(unescape(found)))
				yield unescape(found);
			if (at)
				place = /^@import$/i.test(at) ? 'import' : 'rule';
			else if (end)
				place = 'value';
			else if (place === 'import' && (quoted ?? bare ?? string ??
				set ?? open ?? close ?? groups.other))
				place = 'rule';
			if (at || end)
				depth = 0;
			else if (set)
				depth++;
			else if (depth && (open || quoted))
				depth++;
			else if (depth && close)
				depth--;
		}
	}

	// https://html.spec.whatwg.org/#parsing-a-srcset-attribute
	function imagesOf(value) {
		const images = [];
		let at = 0;
		const take = (pattern) => {
			pattern.lastIndex = at;
			const [taken] = pattern.exec(value);
			at += taken.length;
			return taken;
		};
		for (;;) {
			take(/[ \t\n\f\r,]*/y);
			if (at >= value.length)
				return images;
			const address = take(/[^ \t\n\f\r]*/y);
			const isAlone = address.endsWith(',');
			const rest = isAlone ? '' : take(/(?:[^,(]|\([^)]*(?:\)|$))*/y);
			if (areDescriptors(rest.match(
				/(?:[^ \t\n\f\r(]|\([^)]*(?:\)|$))+/g) ?? []))
				images.push(address.replace(/,+$/, ''));
		}
	}

	function areDescriptors(list) {
		const NUMBER = /^-?(?:\d+|\d*\.\d+)(?:[eE][-+]?\d+)?x$/;
		let isWrong = false, width, density, height;
		for (const text of list) {
			const number = parseFloat(text);
			if (/^\d+w$/.test(text)) {
				isWrong ||= width !== undefined ||
					density !== undefined || number === 0;
				width = number;
			} else if (NUMBER.test(text)) {
				isWrong ||= width !== undefined ||
					density !== undefined ||
					height !== undefined || number < 0;
				density = number;
			} else if (/^\d+h$/.test(text)) {
				isWrong ||= height !== undefined ||
					density !== undefined || number === 0;
				height = number;
			} else {
				isWrong = true;
			}
		}
		return !isWrong && (height === undefined || width !== undefined);
	}

	// https://html.spec.whatwg.org/#shared-declarative-refresh-steps
	function refreshOf(element, value) {
		const equiv = element.getAttribute('http-equiv') || '';
		if (equiv.toLowerCase() !== 'refresh')
			return [];
		const time = value.match(/^[ \t\n\f\r]*(?:\d+|(?=\.))[\d.]*/);
		const rest = time && value.slice(time[0].length);
		if (!rest || !/^[;, \t\n\f\r]/.test(rest))
			return [];
		const address = rest
			.replace(/^[ \t\n\f\r]*[;,]?[ \t\n\f\r]*/, '')
			.replace(/^url[ \t\n\f\r]*=[ \t\n\f\r]*/i, '');
		const [, quote] = address.match(/^(["'])/) ?? [];
		return [quote ? address.slice(1).split(quote)[0] : address];
	}

	function valuesOf(element, { name, value }) {
		const local = element.localName;
		if (name === 'srcset' || name === 'imagesrcset')
			return imagesOf(value);
		if (local === 'meta')
			return refreshOf(element, value);
		if (local === 'input' &&
			!/^image$/i.test(element.getAttribute('type')))
			return [];
		// a part of the page that is there already
		if (['use', 'feImage'].includes(local) &&
			/^\s*#/.test(value))
			return [];
		// the newer name counts
		if (name === 'xlink:href' && element.hasAttribute('href'))
			return [];
		return [value];
	}

	// Of a page within the page; of one in such a page nobody reads more.
	function* linksOfInlay(text) {
		const inlay = Document.parseHTMLUnsafe(text);
		if (inlay.querySelector('base[href]'))
			return;
		for (const element of elementsOf(inlay)) {
			for (const [kind, value] of linksOfElement(element, true)) {
				if (/[^ \t\n\f\r]/.test(value))
					yield [kind, value];
			}
		}
	}

	function* linksOfElement(element, isInlaid = false) {
		const name = element.localName;
		const places = PLACES[element.namespaceURI]?.[name] ?? [];
		const kind = isPage(element) ? 'page' : 'resource';
		for (const attribute of element.attributes) {
			if (attribute.name === 'style' ||
				(element.namespaceURI === SVG &&
					STYLES.includes(attribute.name)))
				for (const value of linksOfStyle(attribute.value))
					yield ['resource', value];
			else if (attribute.name === 'srcdoc' && !isInlaid &&
				name === 'iframe' && element.namespaceURI === HTML)
				yield* linksOfInlay(attribute.value);
			else if (places.includes(attribute.name) && !isHint(element))
				for (const value of valuesOf(element, attribute))
					yield [attribute.name === 'imagesrcset'
						? 'resource' : kind, value];
		}
		const type = element.getAttribute('type') || 'text/css';
		if (name === 'style' && PLACES[element.namespaceURI] &&
			/^text\/css$/i.test(type))
			for (const value of linksOfStyle(element.textContent))
				yield ['resource', value];
	}

	// All of a page's, those in shadow roots too.
	function* elementsOf(root) {
		for (const element of root.querySelectorAll('*')) {
			yield element;
			if (element.shadowRoot)
				yield* elementsOf(element.shadowRoot);
		}
	}

	function linksOf(page) {
		const anchor = page.createElement('a');
		const links = [];
		for (const element of elementsOf(page)) {
			const mayBeEmpty = ['a', 'area'].includes(element.localName);
			for (const [kind, value] of linksOfElement(element)) {
				if (!mayBeEmpty && !/[^ \t\n\f\r]/.test(value))
					continue;
				anchor.setAttribute('href', value);
				let url;
				try {
					url = new URL(anchor.href);
				} catch {
					continue;
				}
				if (!['http:', 'https:'].includes(url.protocol))
					continue;
				// no host to the URL Standard, which lets
				// no "%" stand in one
				if (url.hostname.includes('%'))
					continue;
				url.hash = '';
				links.push(kind + '\t' + url.href);
			}
		}
		return links;
	}

	for (const path of paths) {
		const page = await load(path);
		const lines = page ? linksOf(page) : [];
		if (manner === 'frames')
			lines.unshift('charset\t' + page.characterSet.toLowerCase());
		await fetch('/found' + path,
			{ method: 'POST', body: lines.join('\n') });
	}
	await fetch('/done', { method: 'POST' });
}

const found = new Map();
const server = createServer((request, response) => {
	const path = new URL(request.url, 'http://pages.test').pathname;
	if (request.method === 'POST') {
		receive(path, request, response);
	} else if (files.has(path)) {
		const { file, charset } = files.get(path);
		response.setHeader('Content-Type', 'text/html' +
			(charset && charset !== '-' ? '; charset=' + charset : ''));
		response.setHeader('Content-Security-Policy',
			"default-src 'none'");
		response.end(readFileSync(file));
	} else if (path === '/') {
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.end(`<!DOCTYPE html><body><script>(${collect})(` +
			`${JSON.stringify([...files.keys()])}, '${manner}')` +
			'</script>');
	} else {
		response.statusCode = 404;
		response.end();
	}
});

function receive(path, request, response) {
	const pieces = [];
	request.on('data', (piece) => pieces.push(piece));
	request.on('end', () => {
		response.end();
		if (path === '/done')
			finish(0);
		else
			found.set(path.replace('/found', ''),
				Buffer.concat(pieces).toString());
	});
}

let child;
function finish(status) {
	for (const [path, { file }] of files) {
		const lines = found.get(path);
		writeAll(file + '\n' + (lines ? lines + '\n' : ''));
	}
	if (child.exitCode !== null || child.signalCode)
		process.exit(found.size ? status : NO_BROWSER);
	child.removeAllListeners('exit');
	child.once('exit', () => process.exit(found.size ? status : NO_BROWSER));
	child.kill();
}

function writeAll(text) {
	const bytes = Buffer.from(text);
	for (let at = 0; at < bytes.length;)
		at += writeSync(1, bytes, at);
}

server.listen(0, '127.0.0.1', () => {
	const { port } = server.address();
	child = spawn(browser, ['--headless', '--no-sandbox', '--disable-gpu',
		'--disable-quic', '--no-first-run', '--disable-extensions',
		'--disable-background-networking', '--disable-component-update',
		'--disable-sync', '--disable-dev-shm-usage',
		`--user-data-dir=${profile}`, '--remote-debugging-port=0',
		'--host-resolver-rules=MAP pages.test 127.0.0.1:' + port +
			', MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
		'http://pages.test/'], { stdio: 'ignore' });
	child.on('error', () => process.exit(NO_BROWSER));
	child.on('exit', () => finish(1));
});
setTimeout(() => finish(1), TIMEOUT_MS).unref();
