"use strict";

// Jobs and hosts, read anew every two seconds while the page is seen. All that
// comes from the service is set as text.

const every_ms = 2000;
const jobs_shown = 50;
const hosts_shown = 50;

const find = (id) => document.getElementById(id);

function element(name, text, classes) {
	const made = document.createElement(name);
	if (text !== undefined)
		made.textContent = text;
	if (classes)
		made.className = classes;
	return made;
}

// What is refused has its sentence.
async function ask(method, path, body) {
	const options = { method, headers: { Accept: "application/json" } };
	if (body !== undefined) {
		options.headers["Content-Type"] = "application/json";
		options.body = JSON.stringify(body);
	}
	const reply = await fetch(path, options);
	const type = reply.headers.get("Content-Type") || "";
	const said = type.includes("json") ? await reply.json() : null;
	if (!reply.ok) {
		const fault = new Error((said && said.detail) || reply.statusText);
		fault.status = reply.status;
		throw fault;
	}
	return said;
}

// Words

const number = new Intl.NumberFormat("en");

function count(amount, one, many) {
	return number.format(amount) + " " + (amount === 1 ? one : many);
}

function duration(ms) {
	const seconds = Math.round(ms / 1000);
	if (seconds < 90)
		return seconds + " s";
	if (seconds < 5400)
		return Math.round(seconds / 60) + " min";
	if (seconds < 129600)
		return Math.round(seconds / 3600) + " h";
	return Math.round(seconds / 86400) + " d";
}

function clock(text) {
	const time = new Date(text);
	const is_near = Math.abs(time - Date.now()) < 72000000;
	return is_near ? time.toLocaleTimeString() : time.toLocaleString();
}

function name_of(job) {
	const labels = job.labels || {};
	const label = labels.name || Object.values(labels)[0];
	return typeof label === "string" && label ? label : job.id;
}

// What a person wants to know first.
function why(job) {
	const progress = job.progress || {};
	if (job.state === "queued")
		return "It waits for its turn: as many jobs run as may.";
	if (job.state === "paused")
		return "It is paused, and goes on when it is resumed.";
	if (job.state === "stopping")
		return "Requests in flight end.";
	if (job.state === "running")
		return progress.note ||
			(job.held_by ? "Held by " + job.held_by : "It begins.");
	return job.end || "";
}

function figures(job) {
	const progress = job.progress;
	if (!progress)
		return job.ended ? "ended " + clock(job.ended)
			: "handed in " + clock(job.created);
	const parts = [count(progress.pages, "page", "pages"),
		number.format(progress.pending) + " left"];
	if (progress.failed)
		parts.push(number.format(progress.failed) + " failed");
	if (progress.pages_per_second > 0)
		parts.push(progress.pages_per_second.toFixed(1) + " a second");
	if (progress.left_ms > 0)
		parts.push("about " + duration(progress.left_ms) + " to go");
	return parts.join(" · ");
}

// Jobs

const wishes = {
	queued: ["pause", "stop"],
	running: ["pause", "stop"],
	paused: ["resume", "stop"],
};
const wish_words = { pause: "Pause", resume: "Resume", stop: "Stop" };

function button_of(job, wish) {
	const button = element("button", wish_words[wish]);
	button.type = "button";
	button.dataset.key = job.id + " " + wish;
	button.setAttribute("aria-label", wish_words[wish] + " " + name_of(job));
	button.addEventListener("click", () => change(job, wish));
	return button;
}

function card_of(job) {
	const card = element("li", undefined, "card");
	const title = element("h3");
	const progress = job.progress;
	title.append(element("span", name_of(job)), element("span", job.state, "state " + job.state));
	card.append(title, element("p", figures(job), "figures"), element("p", why(job), "why"));
	if (progress && progress.known) {
		const bar = element("progress");
		bar.max = progress.known;
		bar.value = progress.known - progress.pending;
		bar.setAttribute("aria-label", "done of what is known");
		card.append(bar);
	}
	if (wishes[job.state]) {
		const actions = element("p", undefined, "actions");
		actions.append(...wishes[job.state].map((wish) => button_of(job, wish)));
		card.append(actions);
	}
	return card;
}

// What runs comes first, then what may.
const ranks = ["running", "stopping", "paused", "queued"];

function rank_of(job) {
	const rank = ranks.indexOf(job.state);
	return rank < 0 ? ranks.length : rank;
}

function draw_jobs(jobs) {
	names.clear();
	for (const job of jobs)
		names.set(job.id, name_of(job));
	jobs.sort((a, b) => rank_of(a) - rank_of(b));
	find("no-jobs").hidden = jobs.length > 0;
	find("jobs").replaceChildren(...jobs.map(card_of));
	const running = jobs.filter((job) => job.state === "running");
	const waiting = jobs.filter((job) => job.state === "queued").length;
	const rate = running.reduce((sum, job) => sum + ((job.progress || {}).pages_per_second || 0), 0);
	find("summary").textContent = count(running.length, "job runs", "jobs run") + ", " +
		number.format(waiting) + " waiting, " + rate.toFixed(1) + " pages a second";
}

// Hosts

const names = new Map(); // of the jobs that are shown, by their ids

function row_of(host) {
	const row = element("tr");
	const why = host.given_up ? "given up: " + host.given_up : host.why || "";
	row.append(element("td", host.host), element("td", why),
		element("td", host.until ? clock(host.until) : ""),
		element("td", names.get(host.job) || host.job));
	return row;
}

function draw_hosts(answer) {
	const hosts = answer.hosts.slice(0, hosts_shown);
	find("no-hosts").hidden = hosts.length > 0;
	find("host-region").hidden = hosts.length === 0;
	find("reasons").replaceChildren(...answer.reasons.map((reason) =>
		element("li", reason.waits_for + ": " + count(reason.hosts, "host", "hosts"))));
	find("hosts").replaceChildren(...hosts.map(row_of));
}

// Reading

let timer = 0;

// Who works by keyboard stays at the button that was drawn anew.
function keep_focus(draw) {
	const key = document.activeElement && document.activeElement.dataset.key;
	draw();
	if (!key)
		return;
	for (const button of document.querySelectorAll("button[data-key]"))
		if (button.dataset.key === key)
			button.focus();
}

function show(id) {
	find("login").hidden = id !== "login";
	find("board").hidden = id !== "board";
}

function fail(fault) {
	if (fault.status === 401) {
		show("login");
		find("summary").textContent = "A token is needed.";
		return;
	}
	find("error").textContent = fault.message;
	find("error").hidden = false;
}

async function read() {
	clearTimeout(timer);
	try {
		const jobs = await ask("GET", "v1/jobs?order=newest&limit=" + jobs_shown);
		const hosts = await ask("GET", "v1/hosts");
		show("board");
		find("error").hidden = true;
		keep_focus(() => {
			draw_jobs(jobs.jobs);
			draw_hosts(hosts);
		});
	} catch (fault) {
		fail(fault);
	}
	if (!document.hidden && find("login").hidden)
		timer = setTimeout(read, every_ms);
}

async function change(job, wish) {
	try {
		await ask("POST", "v1/jobs/" + encodeURIComponent(job.id) + "/" + wish);
	} catch (fault) {
		fail(fault);
		return;
	}
	read();
}

async function log_in(event) {
	event.preventDefault();
	find("login-error").textContent = "";
	try {
		await ask("POST", "session", { token: find("token").value });
		find("token").value = "";
		find("logout").hidden = false;
		read();
	} catch (fault) {
		find("login-error").textContent = fault.message;
	}
}

async function log_out() {
	await ask("DELETE", "session").catch(() => {});
	find("logout").hidden = true;
	read();
}

find("login").addEventListener("submit", log_in);
find("logout").addEventListener("click", log_out);
document.addEventListener("visibilitychange", () => {
	if (!document.hidden)
		read();
});
read();
