import type { Fault, PassingRequest, PassingResponse } from './rewritingProxy';

/* Each function makes a fault of the calls that it is about, such as "GET /people". */

type ChangeResponse = (response: PassingResponse, request: PassingRequest) => unknown;
type Condition = (request: PassingRequest) => boolean;

export const everyCall = /^/;

/** Gives a refusal as the platform sends one. */
export function refusal(status: number): PassingResponse {
	return {
		status,
		headers: { 'content-type': 'application/json' },
		body: { errors: [{ title: 'No', detail: 'No', code: 'no', status: String(status) }] },
	};
}

/** Changes requests before the platform gets them. */
export function changeRequest(calls: RegExp, change: (request: PassingRequest) => unknown): Fault {
	return { onRequest: (request) => void (calls.test(request.call) && change(request)) };
}

/** Refuses requests that the platform then never gets. */
export function refuse(calls: RegExp, status: number, when: Condition): Fault {
	return {
		onRequest: (request) =>
			calls.test(request.call) && when(request) ? refusal(status) : undefined,
	};
}

/** Changes responses, whatever their status. */
export function changeResponse(calls: RegExp, change: ChangeResponse): Fault {
	return {
		onResponse: (response, request) => void (calls.test(request.call) && change(response, request)),
	};
}

export function changeSuccess(calls: RegExp, change: ChangeResponse): Fault {
	return changeResponse(
		calls,
		(response, request) => response.status < 300 && change(response, request),
	);
}

export function changeFailure(calls: RegExp, change: ChangeResponse): Fault {
	return changeResponse(
		calls,
		(response, request) => response.status >= 400 && change(response, request),
	);
}

/** Sets a value in the body of each success, as `setAt` does. */
export function setInSuccess(calls: RegExp, place: string, value: unknown): Fault {
	return changeSuccess(calls, ({ body }) => setAt(body, place, value));
}

/** Sets a header of every response to what `valueFrom` makes of the old value. */
export function setHeader(name: string, valueFrom: (old?: string) => string): Fault {
	return changeResponse(everyCall, ({ headers }) => (headers[name] = valueFrom(headers[name])));
}

/** Changes a status into another one. */
export function changeStatus(
	calls: RegExp,
	from: number,
	to: number,
	when: Condition = () => true,
): Fault {
	return changeResponse(calls, (response, request) => {
		if (response.status === from && when(request)) response.status = to;
	});
}

/**
 * Sets a value at a place, in which `*` is the only record or each of a list. A function gets the old value and gives the
 * new one; undefined takes the old value away.
 */
export function setAt(body: unknown, place: string, value: unknown): void {
	if (typeof body !== 'object' || body === null) return;
	const [name = '', ...rest] = place.split('.');
	const members = body as Record<string, unknown>;
	if (name === '*') [body].flat().forEach((record) => setAt(record, rest.join('.'), value));
	else if (rest.length > 0) setAt(members[name], rest.join('.'), value);
	else {
		members[name] =
			typeof value === 'function' ? (value as (old: unknown) => unknown)(members[name]) : value;
	}
}

/** Gives the records of a list themselves, so that they can be changed. */
export function recordsIn(body: unknown): Array<Record<string, unknown>> {
	const { data } = body as { data?: Array<Record<string, unknown>> };
	return data ?? [];
}

/** Whether the body of a request has this text somewhere. */
export function hasText(text: string): Condition {
	return ({ body }) => JSON.stringify(body).includes(text);
}
