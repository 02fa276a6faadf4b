// Claims in the Test Anything Protocol, and the browser that they are about.

import { Browser } from './browser.mjs';

let claims = 0;
let failures = 0;

export function remark(text) {
	for (const line of String(text).split('\n'))
		console.log(`# ${line}`);
}

export function ok(holds, claim, ...remarks) {
	console.log(`${holds ? 'ok' : 'not ok'} ${++claims} - ${claim}`);
	if (holds)
		return;
	failures++;
	remarks.forEach(remark);
}

export function skip(claim, why) {
	console.log(`ok ${++claims} - ${claim} # SKIP ${why}`);
}

export function tapDone() {
	console.log(`1..${claims}`);
	process.exitCode = failures ? 1 : 0;
}

// Opens the browser for the claims of a test.
export async function testWithBrowser(program, profile, test) {
	const browser = await Browser.open(program, profile);
	if (!browser) {
		console.log('1..0 # SKIP chromium does not run here');
		return;
	}
	try {
		await test(browser);
	} catch (fault) {
		ok(false, 'the test comes to its end', fault.stack);
	}
	browser.close();
	tapDone();
}
