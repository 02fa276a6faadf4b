// A browser that a test drives: one page, without a network but this machine,
// and all that it asked for and complained about. Messages go by
// --remote-debugging-pipe, so that nothing listens for them.

import { spawn } from 'node:child_process';

const ANSWER_MS = 30000;
const SHOWN_MS = 60000;

// Messages, a NUL behind each.
class Pipe {
	constructor(child, onEvent) {
		this.child = child;
		this.onEvent = onEvent;
		this.number = 0;
		this.answers = new Map();
		this.rest = '';
		child.stdio[4].setEncoding('utf8');
		child.stdio[4].on('data', (text) => this.hear(text));
	}

	hear(text) {
		const messages = (this.rest + text).split('\0');
		this.rest = messages.pop();
		for (const message of messages.map((each) => JSON.parse(each))) {
			const answer = this.answers.get(message.id);
			this.answers.delete(message.id);
			if (answer)
				answer(message);
			else
				this.onEvent(message);
		}
	}

	ask(method, params, sessionId) {
		const id = ++this.number;
		this.child.stdio[3].write(
			`${JSON.stringify({ id, method, params, sessionId })}\0`);
		return new Promise((resolve, reject) => {
			const timer = setTimeout(() =>
				reject(new Error(`${method}: no answer`)), ANSWER_MS);
			this.answers.set(id, (answer) => {
				clearTimeout(timer);
				if (answer.error)
					reject(new Error(`${method}: ${answer.error.message}`));
				else
					resolve(answer.result);
			});
		});
	}
}

const keys = {
	Tab: { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 },
	Enter: { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: '\r' },
	Escape: { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 27 },
	Space: { key: ' ', code: 'Space', windowsVirtualKeyCode: 32, text: ' ' },
};

export class Browser {
	// Other names are mapped to this machine, as a name server of somebody
	// else could do it; null if there is no browser that runs here.
	static async open(program, profile) {
		const child = spawn(program, ['--headless=new', '--no-sandbox',
			'--disable-gpu', '--hide-scrollbars', '--no-first-run',
			'--disable-background-networking', '--disable-component-update',
			'--host-resolver-rules=MAP *.test 127.0.0.1, ' +
				'MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
			`--user-data-dir=${profile}`, '--remote-debugging-pipe',
			'about:blank'],
		{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
		const started = new Promise((resolve) => {
			child.on('error', () => resolve(false));
			child.on('spawn', () => resolve(true));
		});
		if (!await started)
			return null;
		const browser = new Browser(child);
		try {
			await browser.begin();
		} catch {
			browser.close();
			return null;
		}
		return browser;
	}

	constructor(child) {
		this.child = child;
		this.requests = []; // addresses
		this.complaints = []; // errors of scripts and of the console
		this.fulfilled = new Map(); // made-up answers by their paths
		this.pipe = new Pipe(child, (message) => this.onEvent(message));
		child.on('exit', () => {
			for (const answer of this.pipe.answers.values())
				answer({ error: { message: 'the browser has ended' } });
		});
	}

	ask(method, params = {}) {
		return this.pipe.ask(method, params, this.session);
	}

	async begin() {
		const { targetId } = await this.ask('Target.createTarget',
			{ url: 'about:blank' });
		const { sessionId } = await this.ask('Target.attachToTarget',
			{ targetId, flatten: true });
		this.session = sessionId;
		for (const domain of ['Page', 'Network', 'Runtime', 'Log'])
			await this.ask(`${domain}.enable`);
	}

	onEvent({ method, params }) {
		if (method === 'Network.requestWillBeSent')
			this.requests.push(params.request.url);
		if (method === 'Runtime.exceptionThrown')
			this.complaints.push(params.exceptionDetails.exception?.description ||
				params.exceptionDetails.text);
		if (method === 'Runtime.consoleAPICalled' &&
				['error', 'warning', 'assert'].includes(params.type))
			this.complaints.push(params.args.map((each) => each.value).join(' '));
		if (method === 'Log.entryAdded' &&
				['error', 'warning'].includes(params.entry.level))
			this.complaints.push(`${params.entry.text} ${params.entry.url || ''}`);
		if (method === 'Fetch.requestPaused')
			this.fulfil(params).catch(() => {}); // who asked may be gone
		if (method === 'Page.loadEventFired')
			this.onLoad?.();
	}

	// Answers requests of such paths itself: path => { status, headers, body }.
	async answerItself(answers) {
		this.fulfilled = new Map(Object.entries(answers));
		if (this.fulfilled.size)
			await this.ask('Fetch.enable');
		else
			await this.ask('Fetch.disable');
	}

	async fulfil({ requestId, request }) {
		const made = this.fulfilled.get(new URL(request.url).pathname);
		if (!made) {
			await this.ask('Fetch.continueRequest', { requestId });
			return;
		}
		await this.ask('Fetch.fulfillRequest', {
			requestId,
			responseCode: made.status || 200,
			responseHeaders: Object.entries(
				made.headers || { 'Content-Type': 'application/json' }).map(
				([name, value]) => ({ name, value })),
			body: Buffer.from(made.body).toString('base64'),
		});
	}

	async look(width, height, scheme) {
		await this.ask('Emulation.setDeviceMetricsOverride', { width, height,
			deviceScaleFactor: 1, mobile: width < 600 });
		await this.ask('Emulation.setEmulatedMedia', { features: [
			{ name: 'prefers-color-scheme', value: scheme },
			{ name: 'prefers-reduced-motion', value: 'reduce' }] });
	}

	// Whether it became a page; false, if the answer was none to be shown.
	async go(url) {
		const loaded = new Promise((resolve) => { this.onLoad = resolve; });
		const { errorText, isDownload } = await this.ask('Page.navigate', { url });
		if (errorText || isDownload)
			return false;
		await loaded;
		return true;
	}

	async run(expression) {
		const { result, exceptionDetails } = await this.ask('Runtime.evaluate',
			{ expression, awaitPromise: true, returnByValue: true });
		if (exceptionDetails)
			throw new Error(exceptionDetails.exception?.description ||
				exceptionDetails.text);
		return result.value;
	}

	// Waits until an expression is true in the page, whichever is there then.
	async until(expression) {
		const end = Date.now() + SHOWN_MS;
		while (!await this.run(`Boolean(${expression})`).catch(() => false)) {
			if (Date.now() > end)
				throw new Error(`never true: ${expression}`);
			await new Promise((done) => setTimeout(done, 20));
		}
	}

	async press(name, modifiers = 0) {
		const key = keys[name];
		await this.ask('Input.dispatchKeyEvent',
			{ type: key.text ? 'keyDown' : 'rawKeyDown', modifiers, ...key });
		await this.ask('Input.dispatchKeyEvent',
			{ type: 'keyUp', modifiers, ...key, text: undefined });
	}

	async type(text) {
		await this.ask('Input.insertText', { text });
	}

	async picture() {
		const { data } = await this.ask('Page.captureScreenshot',
			{ format: 'png', captureBeyondViewport: true });
		return Buffer.from(data, 'base64');
	}

	close() {
		this.child.kill('SIGKILL');
	}
}
