// The page: which screen is shown, and what is read for it. While it is seen, how far
// jobs are comes by a stream, hosts are read every two seconds, and now and then all
// is; without the stream all is read every two seconds.

import { draw_page, element, find, tell } from "./dom.js";
import { all_jobs, forget_others, remember } from "./history.js";
import { host_view } from "./host.js";
import { job_view } from "./job.js";
import { jobs_shown, overview } from "./overview.js";
import { back } from "./parts.js";
import { listen_to_people } from "./people.js";
import { ask, host_path, job_path } from "./service.js";
import { close_stream, has_stream, open_stream } from "./stream.js";
import { sum } from "./tallies.js";
import { clock, sentence } from "./words.js";

const every_ms = 2000;
const all_every_ms = 15000;
const changes_ms = 200; // changes within that time are read together
const late_ms = 400; // from when a person sees that something is read
const no_hosts = { waiting: 0, reasons: [], hosts: [] };

const state = {
	jobs: [],
	hosts: no_hosts,
	has_more_jobs: false,
	job: null, // of the screen
	host: null,
	reason: undefined, // that hosts are shown of
	read: 0, // when, since 1970
	hosts_read: 0,
};

// The screen

function screen_of(hash) {
	const [, kind, name] = hash.split("/");
	if ((kind === "jobs" || kind === "hosts") && name)
		try {
			return { kind, name: decodeURIComponent(name) };
		} catch {
			return { kind: "overview" };
		}
	return { kind: "overview" };
}

let screen = screen_of(location.hash);

function content() {
	if (screen.kind === "jobs")
		return state.job ? job_view(state) : [];
	if (screen.kind === "hosts")
		return state.host ? host_view(state) : [];
	return overview(state);
}

function show(id) {
	for (const part of ["loading", "login", "view"])
		find(part).hidden = part !== id;
}

function draw_screen() {
	const wanted = content();
	if (!wanted.length)
		return;
	show("view");
	draw_page(find("view"), wanted);
	document.title = find("view").querySelector("h1").textContent + " – Pavane";
}

// Reading

let timer = 0;
let reading = 0; // the number of the latest one, so that no earlier one is drawn

async function read_screen() {
	const wanted = [ask("GET", "v1/jobs?order=newest&limit=" + jobs_shown)];
	if (screen.kind === "jobs")
		wanted.push(ask("GET", job_path(screen.name)));
	if (screen.kind === "hosts")
		wanted.push(ask("GET", host_path(screen.name)));
	else
		wanted.push(ask("GET", "v1/hosts"));
	return Promise.all(wanted);
}

function take(answers) {
	const [list] = answers;
	state.jobs = list.jobs;
	state.has_more_jobs = Boolean(list.next);
	state.job = screen.kind === "jobs" ? answers[1] : null;
	state.host = screen.kind === "hosts" ? answers[1] : null;
	state.hosts = screen.kind === "hosts" ? no_hosts
		: answers[answers.length - 1];
	state.hosts_read = Date.now();
	take_samples();
	forget_others(new Set(state.jobs.map((job) => job.id)));
}

function take_samples() {
	state.read = Date.now();
	find("live").textContent = "as of " + clock(state.read);
	const running = state.jobs.filter((job) => job.progress);
	for (const job of running)
		remember(job.id, job.progress, state.read);
	remember(all_jobs, {
		pending: sum(running.map((job) => job.progress), "pending"),
		pages_per_second: sum(running.map((job) => job.progress),
			"pages_per_second"),
	}, state.read);
}

// What the stream tells of jobs that are shown.
function take_progress(jobs) {
	const told = new Map(jobs.map((job) => [job.id, job.progress]));
	const shown = state.job ? [...state.jobs, state.job] : state.jobs;
	for (const job of shown)
		if (told.has(job.id)) {
			job.progress = told.get(job.id);
			job.held_by = job.progress.note || job.progress.held_by;
		}
	take_samples();
	draw_screen();
	if (state.read - state.hosts_read >= every_ms)
		read_hosts();
}

async function read_hosts() {
	const { kind, name } = screen;
	state.hosts_read = Date.now();
	try {
		const answer = await ask("GET",
			kind === "hosts" ? host_path(name) : "v1/hosts");
		if (screen.kind !== kind || screen.name !== name)
			return;
		if (kind === "hosts")
			state.host = answer;
		else
			state.hosts = answer;
		draw_screen();
	} catch (fault) {
		fail(fault);
	}
}

function show_session(session) {
	find("logout").hidden = !(session.tokens && session.name);
	find("who").textContent = session.name || "";
	tell("ending", session.ending
		? "The service is ending: jobs finish what is in flight, and go on " +
			"when it is started again." : "");
	document.body.classList.toggle("looks-only",
		!session.scopes.includes("submit"));
	document.body.classList.toggle("no-control",
		!session.scopes.includes("control"));
}

// Whether jobs may be looked at; if not, the page says what is missing.
function may_look(session) {
	if (session.tokens && !session.name) {
		show("login");
		return false;
	}
	if (session.scopes.includes("read"))
		return true;
	draw_message("This token may not look at jobs", "The token " +
		session.name + " does not have the scope read. Log in with another.");
	return false;
}

// In the place of a screen.
function draw_message(title, text) {
	show("view");
	draw_page(find("view"), [
		screen.kind === "overview" ? "" : back(),
		element("h1", { tabindex: -1, "data-key": "title" }, title),
		element("p", { class: "lead" }, text),
	]);
	document.title = title + " – Pavane";
}

function fail(fault) {
	if (fault.status === 401) {
		show("login");
		return;
	}
	if (fault.status === 404 && screen.kind !== "overview") {
		draw_message(screen.kind === "jobs" ? "No such job" : "No such host",
			sentence(fault.message));
		return;
	}
	const since = state.read && fault.status === 0
		? " What is shown is from " + clock(state.read) + "." : "";
	tell("error", fault.message + since);
	document.body.classList.toggle("stale", fault.status === 0);
	find("loading").hidden = true;
}

async function read() {
	clearTimeout(timer);
	const own = ++reading;
	try {
		const session = await ask("GET", "session");
		show_session(session);
		if (!may_look(session))
			return;
		const answers = await read_screen();
		if (own !== reading)
			return;
		take(answers);
		tell("error", "");
		document.body.classList.remove("stale");
		draw_screen();
		if (!document.hidden)
			open_stream({ changed: read_soon, progress: take_progress });
	} catch (fault) {
		if (own === reading)
			fail(fault);
	}
	if (own === reading && !document.hidden)
		timer = setTimeout(read, has_stream() ? all_every_ms : every_ms);
}

let is_due = false;

function read_soon() {
	if (is_due)
		return;
	is_due = true;
	setTimeout(() => {
		is_due = false;
		read();
	}, changes_ms);
}

async function go() {
	screen = screen_of(location.hash);
	state.job = null;
	state.host = null;
	tell("error", "");
	const late = setTimeout(() => show("loading"), late_ms);
	await read();
	clearTimeout(late);
	scrollTo(0, 0);
	const title = find("view").querySelector("h1");
	if (title)
		title.focus();
}

document.addEventListener("visibilitychange", () => {
	if (document.hidden)
		close_stream();
	else
		read();
});
addEventListener("hashchange", go);
listen_to_people({
	read,
	fail,
	draw: draw_screen,
	choose: (reason) => {
		state.reason = state.reason === reason ? undefined : reason;
	},
	host: () => screen.name,
	log_out: () => {
		close_stream();
		show("login");
		find("view").replaceChildren();
	},
});
find("loading").append(element("p", { class: "soft" }, "Reading the jobs …"));
read();
