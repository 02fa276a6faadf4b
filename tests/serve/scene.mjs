// The service as a program, with a site that it may crawl, both on this machine.

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';

// After so long something hangs.
const HANG_MS = 60000;

const profile = (port) => `version: 1
identity: {contact: bot@example.org}
rate: {max_rate: 200}
politeness: {delay: 200ms, delay_factor: 0, ip_delay: 0}
fetch: {resolve: {"*.test": "127.0.0.1:${port}"}}
scope: {hosts: any}
`;

const config = (port) => `directory: service
listen: 127.0.0.1:0
profiles: {default: default.yaml}
private: [127.0.0.0/8]
webhooks: {team: {url: "http://127.0.0.1:${port}/told",
  secrets_file: secrets, allow: [127.0.0.0/8]}}
`;

// Hosts are told apart by their names. Pages of those that have no name of their own
// lead to others without end.
function answer(scene, asked, reply) {
	const host = (asked.headers.host || '').split(':')[0];
	scene.asked.push(`${host}${asked.url}`);
	const give = (status, body, headers = {}) => {
		reply.writeHead(status, { 'Content-Type': 'text/html', ...headers });
		reply.end(body);
	};
	if (scene.pages[`${host}${asked.url}`])
		give(200, scene.pages[`${host}${asked.url}`]);
	else if (asked.url === '/robots.txt')
		give(host === 'slow.test' ? 200 : 404, host === 'slow.test'
			? 'User-agent: *\nCrawl-delay: 60\n' : '',
		{ 'Content-Type': 'text/plain' });
	else if (host === 'hanging.test')
		return;
	else if (host === 'busy.test')
		give(429, '', { 'Retry-After': '600' });
	else if (host === 'broken.test')
		asked.socket.destroy();
	else if (/7$/.test(asked.url))
		give(404, 'none');
	else if (/9$/.test(asked.url))
		give(500, 'failed');
	else
		give(200, [1, 2, 3].map((n) =>
			`<a href="${asked.url.replace(/[?].*/, '')}${n}">${n}</a>`).join(' '));
}

export async function openScene(pavane, directory, tokens) {
	const scene = { asked: [], pages: {}, said: '' };
	scene.site = createServer((asked, reply) => answer(scene, asked, reply));
	await new Promise((done) => scene.site.listen(0, '127.0.0.1', done));
	scene.sitePort = scene.site.address().port;
	mkdirSync(directory, { recursive: true });
	writeFileSync(`${directory}/default.yaml`, profile(scene.sitePort));
	writeFileSync(`${directory}/service.yaml`,
		config(scene.sitePort) + (tokens ? 'tokens_file: tokens\n' : ''));
	writeFileSync(`${directory}/secrets`,
		`whsec_${Buffer.alloc(32, 7).toString('base64')}\n`, { mode: 0o600 });
	if (tokens)
		writeFileSync(`${directory}/tokens`, tokens, { mode: 0o600 });
	scene.service = spawn(pavane, ['serve', '-c', `${directory}/service.yaml`],
		{ stdio: ['ignore', 'pipe', 'pipe'] });
	scene.ended = new Promise((done) => scene.service.on('exit', done));
	scene.port = await new Promise((resolve, reject) => {
		scene.service.stderr.setEncoding('utf8');
		scene.service.stderr.on('data', (text) => {
			scene.said += text;
			const found = scene.said.match(/listening on .*:(\d+)/);
			if (found)
				resolve(Number(found[1]));
		});
		scene.ended.then(() => reject(new Error(scene.said)));
	});
	scene.origin = `http://127.0.0.1:${scene.port}`;
	return scene;
}

export async function closeScene(scene) {
	scene.service.kill('SIGTERM');
	scene.service.kill('SIGTERM');
	const status = await scene.ended;
	scene.site.closeAllConnections();
	scene.site.close();
	if (status !== 0)
		throw new Error(`the service ended with ${status}: ${scene.said}`);
}

// A request as it is written here, whatever a browser would allow. Of an answer
// without an end `until` is read and no more.
export function ask(scene, method, path, { headers = {}, body, until } = {}) {
	return new Promise((resolve, reject) => {
		const asked = request({ host: '127.0.0.1', port: scene.port, method, path,
			headers: { ...(body ? { 'Content-Type': 'application/json' } : {}),
				...headers } }, (reply) => {
			let text = '';
			reply.setEncoding('utf8');
			const end = () => resolve({ status: reply.statusCode,
				headers: reply.headers, text });
			reply.on('data', (piece) => {
				text += piece;
				if (until && text.includes(until)) {
					asked.destroy();
					end();
				}
			});
			reply.on('end', end);
		});
		asked.on('error', reject);
		asked.end(body && JSON.stringify(body));
	});
}

export async function submit(scene, urls, labels, set = []) {
	const order = { urls, labels, ...(set.length ? { set } : {}) };
	const reply = await ask(scene, 'POST', '/v1/jobs', { body: order });
	if (reply.status !== 202)
		throw new Error(reply.text);
	return JSON.parse(reply.text).id;
}

export async function jobOf(scene, id) {
	return JSON.parse((await ask(scene, 'GET', `/v1/jobs/${id}`)).text);
}

// Waits until a job is so.
export async function jobComesTo(scene, id, isSo) {
	const end = Date.now() + HANG_MS;
	for (;;) {
		const job = await jobOf(scene, id);
		if (isSo(job))
			return job;
		if (Date.now() > end)
			throw new Error(`the job stays ${job.state}`);
		await new Promise((done) => setTimeout(done, 20));
	}
}
