// Prints the links of pages as Chromium finds them, in the form of
// print_links.c. Arguments: the browser, a directory for its profile, and a
// file with a line "FILE BASE" for each page. Nothing is asked of anybody but
// our own server on this machine.
//
// The pages are fetched as documents by one page of ours: so they are decoded
// and parsed as any page is, without scripts and without anything they name
// being loaded.

import { spawn } from 'node:child_process';
import { readFileSync, writeSync } from 'node:fs';
import { createServer } from 'node:http';

// The exit status if the browser does not run on this machine.
const NO_BROWSER = 77;
const TIMEOUT_MS = 240000;
const [browser, profile, list] = process.argv.slice(2);
const files = new Map();
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
	const [file, base] = line.split(' ');
	files.set(new URL(base).pathname, file);
}

// Runs in the browser.
async function collect(paths) {
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
	const PAGES = ['a', 'area', 'iframe', 'frame', 'meta'];

	const load = (path) => new Promise((resolve, reject) => {
		const request = new XMLHttpRequest();
		request.open('GET', path);
		request.responseType = 'document';
		request.onload = () => resolve(request.response);
		request.onerror = reject;
		request.send();
	});

	function isPage(element) {
		const rel = (element.getAttribute('rel') || '').toLowerCase();
		const words = rel.split(/[\s,]+/);
		if (element.localName !== 'link')
			return PAGES.includes(element.localName);
		return !words.includes('stylesheet') && !words.includes('icon') &&
			words.some((word) => ['canonical', 'alternate', 'next',
				'prev'].includes(word));
	}

	// Nothing is asked for where a link only tells whom to be ready for.
	function isHint(element) {
		const words = (element.getAttribute('rel') || '').toLowerCase()
			.split(/[\s,]+/).filter(Boolean);
		return element.localName === 'link' && words.length > 0 &&
			words.every((word) => ['dns-prefetch', 'preconnect',
				'pingback'].includes(word));
	}

	const TOKEN = new RegExp([
		/\/\*[^]*?(?:\*\/|$)/, // a comment
		/(?<at>@[-\w]+)/,
		/(?:url|src)\(\s*(?<quoted>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/,
		/url\(\s*(?<bare>(?:[^\s"'()\\]|\\[\da-f]{1,6}\s?|\\[^])*)\s*\)/,
		/(?<set>(?:-webkit-)?image-set\()/,
		/(?<string>"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*')/,
		/(?<end>[;{}])/, /(?<open>(?:[-\w]|[^\0-\x7f])*\()/, /(?<close>\))/,
		/(?:[-\w]|[^\0-\x7f])+/, /\s+/, /(?<other>[^])/,
	].map((part) => part.source).join('|'), 'gi');

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

	function imagesOf(value) {
		return [...value.matchAll(
			/\s*([^\s,]\S*[^\s,]|[^\s,])(?:\s+([^,]+))?\s*(?:,|$)/g)]
			.filter((match) => /^(?:[\d.]+[wx]\s*)?$/.test(match[2] ?? ''))
			.map((match) => match[1]);
	}

	function refreshOf(element, value) {
		const equiv = element.getAttribute('http-equiv') || '';
		const match = equiv.toLowerCase() === 'refresh' && value.match(
			/^\s*(?:\d+|(?=\.))[\d.]*(?:\s*[;,]|\s)\s*(?:url\s*=\s*)?(.*)$/is);
		if (!match)
			return [];
		const quoted = match[1].match(/^(["'])(.*?)(?:\1|$)/s);
		return [quoted ? quoted[2] : match[1]];
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

	function* linksOfElement(element) {
		const name = element.localName;
		const places = PLACES[element.namespaceURI]?.[name] ?? [];
		const kind = isPage(element) ? 'page' : 'resource';
		for (const attribute of element.attributes) {
			if (attribute.name === 'style')
				for (const value of linksOfStyle(attribute.value))
					yield ['resource', value];
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

	function linksOf(page) {
		const anchor = page.createElement('a');
		const links = [];
		for (const element of page.querySelectorAll('*')) {
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
				url.hash = '';
				links.push(kind + '\t' + url.href);
			}
		}
		return links;
	}

	for (const path of paths) {
		const page = await load(path);
		const lines = page ? linksOf(page) : [];
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
		response.setHeader('Content-Type', 'text/html');
		response.end(readFileSync(files.get(path)));
	} else if (path === '/') {
		response.setHeader('Content-Type', 'text/html; charset=utf-8');
		response.end(`<!DOCTYPE html><script>(${collect})(` +
			`${JSON.stringify([...files.keys()])})</script>`);
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
	for (const [path, file] of files) {
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
