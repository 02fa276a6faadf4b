// Opens pages of a mirror in Chromium, from the disk and without a network, and
// tells which of their files it could not load. Arguments: the browser, a
// directory for its profile, and a file with a line for each page: its file, and
// the address that it was fetched from, or "-". Where there is one, both are
// looked at: prints "differs" where a picture of one is not that of the other.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

// The exit status if the browser does not run on this machine.
const NO_BROWSER = 77;
const TIMEOUT_MS = 400000;
const LOAD_MS = 20000;
const LOOKS = 40;
const [browser, profile, list] = process.argv.slice(2);

const child = spawn(browser, ['--headless=new', '--no-sandbox',
	'--disable-gpu', '--hide-scrollbars', '--no-first-run',
	'--disable-background-networking', '--disable-component-update',
	'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
	'--window-size=1000,800', `--user-data-dir=${profile}`,
	'--remote-debugging-pipe', 'about:blank'],
{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
const timer = setTimeout(() => fail('the browser takes too long'), TIMEOUT_MS);

function fail(why) {
	console.error(why);
	child.kill('SIGKILL');
	process.exit(NO_BROWSER);
}
child.on('error', () => fail('the browser cannot be started'));
child.on('exit', () => fail('the browser has ended'));

// Messages, a NUL behind each.
let number = 0;
let session;
const answers = new Map();
const listeners = new Set();
let rest = '';
child.stdio[4].setEncoding('utf8');
child.stdio[4].on('data', (text) => {
	const messages = (rest + text).split('\0');
	rest = messages.pop();
	for (const message of messages.map((each) => JSON.parse(each))) {
		const answer = answers.get(message.id);
		answers.delete(message.id);
		if (answer)
			answer(message);
		else
			listeners.forEach((listener) => listener(message));
	}
});

function ask(method, params = {}) {
	const id = ++number;
	const message = { id, method, params, sessionId: session };
	child.stdio[3].write(`${JSON.stringify(message)}\0`);
	return new Promise((resolve) => answers.set(id, (answer) => {
		if (answer.error)
			fail(`${method}: ${answer.error.message}`);
		resolve(answer.result);
	}));
}

// Opens an address, and gives back what of its files could not be loaded.
async function open(address) {
	const asked = new Map();
	const failed = [];
	let listener;
	const loaded = new Promise((resolve) => {
		listener = ({ method, params }) => {
			if (method === 'Network.requestWillBeSent')
				asked.set(params.requestId, params.request.url);
			if (method === 'Network.loadingFailed' && !params.canceled)
				failed.push(asked.get(params.requestId));
			if (method === 'Page.loadEventFired')
				resolve();
		};
	});
	listeners.add(listener);
	await ask('Page.navigate', { url: address });
	await Promise.race([loaded,
		new Promise((resolve) => setTimeout(resolve, LOAD_MS))]);
	listeners.delete(listener);
	return failed.filter((url) => url?.startsWith('file:'));
}

async function picture() {
	return (await ask('Page.captureScreenshot', { format: 'png' })).data;
}

// The edges of letters are not drawn alike each time: a picture of one is to be
// a picture of the other within so many looks at both.
async function looksLike(file, address) {
	const here = new Set();
	const there = new Set();
	for (let looks = 0; looks < LOOKS; looks++) {
		here.add(await picture());
		await open(address);
		there.add(await picture());
		if ([...here].some((each) => there.has(each)))
			return true;
		await open(file);
	}
	return false;
}

async function look(file, address) {
	const url = pathToFileURL(file).href;
	const failed = await open(url);
	failed.forEach((each) => console.log(`failed: ${file}: ${each}`));
	if (address !== '-' && !await looksLike(url, address))
		console.log(`differs: ${file}`);
}

// As somebody who was nowhere before: links that were visited look different.
const { browserContextId } = await ask('Target.createBrowserContext');
const target = await ask('Target.createTarget',
	{ url: 'about:blank', browserContextId });
const attached = await ask('Target.attachToTarget',
	{ targetId: target.targetId, flatten: true });
session = attached.sessionId;
await ask('Page.enable');
await ask('Network.enable');
let count = 0;
for (const line of readFileSync(list, 'utf8').trim().split('\n')) {
	await look(...line.split(' '));
	count++;
}
console.log(`looked at ${count}`);
clearTimeout(timer);
child.removeAllListeners('exit');
child.kill('SIGKILL');
