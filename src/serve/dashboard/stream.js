// News of jobs, as the service tells them: one stream, open while the page is seen.
// A browser opens it again by itself where it was cut off.

let source = null;

export function has_stream() {
	return source !== null && source.readyState === EventSource.OPEN;
}

// told.changed(): a job has come to another state, or some may have, as where the
// stream was cut off;
// told.progress(jobs): how far those are that run.
export function open_stream(told) {
	if (source && source.readyState !== EventSource.CLOSED)
		return;
	source = new EventSource("v1/events");
	source.addEventListener("job", told.changed);
	source.addEventListener("gap", told.changed);
	source.addEventListener("error", told.changed);
	source.addEventListener("progress", (event) =>
		told.progress(JSON.parse(event.data).jobs));
}

export function close_stream() {
	if (source)
		source.close();
	source = null;
}
