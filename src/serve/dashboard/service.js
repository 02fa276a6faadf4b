// Requests to the service, as any other program sends them.

const timeout_ms = 20000;

// What is refused has its sentence, and its status; 0: nobody answered.
function fault_of(message, status) {
	const fault = new Error(message);
	fault.status = status;
	return fault;
}

async function send(method, path, body) {
	const options = {
		method,
		headers: { Accept: "application/json" },
		signal: AbortSignal.timeout(timeout_ms),
	};
	if (body !== undefined) {
		options.headers["Content-Type"] = "application/json";
		options.body = JSON.stringify(body);
	}
	try {
		return await fetch(path, options);
	} catch {
		throw fault_of("The service does not answer.", 0);
	}
}

export async function ask(method, path, body) {
	const reply = await send(method, path, body);
	const type = reply.headers.get("Content-Type") || "";
	const said = type.includes("json")
		? await reply.json().catch(() => null) : null;
	if (!reply.ok)
		throw fault_of((said && said.detail) || reply.statusText,
			reply.status);
	return said;
}

export function job_path(id) {
	return "v1/jobs/" + encodeURIComponent(id);
}

export function host_path(name) {
	return "v1/hosts/" + encodeURIComponent(name);
}
