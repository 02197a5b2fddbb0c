import { type Check, readContract, type Operation } from '../../sandbox/contract';

/** A request as it was seen on the wire. What is not known may be left out. */
export interface SeenRequest {
	method: string;
	/** With the version, encoded: `/v1/events/abc`. */
	path: string;
	/** As text, or taken apart. */
	query?: string | Readonly<Record<string, unknown>>;
	headers?: Readonly<Record<string, unknown>>;
	body?: unknown;
}

const operations = readContract();

/** What the contract has against a request; nothing when it is as it should be. */
export function requestProblems(request: SeenRequest): string[] {
	const found = operationOf(request.method, request.path);
	if (!found) return [`the contract has no ${request.method.toUpperCase()} ${request.path}`];
	const { operation, path } = found;
	const problems = [
		...parameterProblems(operation, path, request.query ?? {}),
		...bodyProblems(operation, request.body),
		...headerProblems(operation, request.headers),
	];
	return problems.map((problem) => `${operation.id}: ${problem}`);
}

export function operationIdOf(method: string, path: string): string | undefined {
	return operationOf(method, path)?.operation.id;
}

/** What the contract has against an answer; nothing when it is as it should be. */
export function responseProblems(operationId: string, status: number, body?: unknown): string[] {
	const operation = operations.find(({ id }) => id === operationId);
	if (!operation) return [`the contract has no operation ${operationId}`];
	const key = [String(status), `${String(status).charAt(0)}XX`].find((one) =>
		operation.checkAnswer.has(one),
	);
	if (key === undefined) return [`${operationId}: ${status} is not in the contract`];
	const check = operation.checkAnswer.get(key);
	const empty = body === undefined || body === null || body === '';
	if (!check) return empty ? [] : [`${operationId}: ${status} has a body`];
	if (empty && operation.mayBeEmpty.has(key)) return [];
	if (key === '5XX' && typeof body === 'string') return [];
	return check(body) ? [] : faults(check, `${operationId}: ${status} body`);
}

/** The operation that answers the path: a fixed path is more than one with a parameter in its place. */
function operationOf(method: string, path: string) {
	const matches = operations.flatMap((operation) => {
		if (operation.method !== method.toUpperCase()) return [];
		const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
		const pattern = new RegExp(`^${operation.path.replace(/\{\w+\}/g, '([^/]+)')}$`);
		const values = pattern.exec(path)?.slice(1).map(decodeURIComponent);
		if (!values) return [];
		return [{ operation, path: Object.fromEntries(names.map((name, at) => [name, values[at]])) }];
	});
	return matches.sort(
		(one, other) => Object.keys(one.path).length - Object.keys(other.path).length,
	)[0];
}

function parameterProblems(
	{ parameters, checkParameters }: Operation,
	path: Record<string, unknown>,
	query: NonNullable<SeenRequest['query']>,
): string[] {
	const given: Record<string, unknown> =
		typeof query === 'string' ? Object.fromEntries(new URLSearchParams(query)) : { ...query };
	const known = parameters.filter((one) => one.in === 'query');
	const unknown = Object.keys(given).filter((name) => !known.some((one) => one.name === name));
	for (const { name } of known.filter(({ name, list }) => list && name in given)) {
		given[name] = String(given[name]).split(',');
	}
	// Ajv turns texts into numbers and booleans in place; these objects are ours.
	const right = checkParameters({ ...given, ...path });
	return [
		...unknown.map((name) => `has no query parameter '${name}'`),
		...(right ? [] : faults(checkParameters, 'query')),
	];
}

function bodyProblems({ checkBody, bodyRequired }: Operation, body: unknown): string[] {
	if (body === undefined || body === null || body === '') {
		return bodyRequired ? ['needs a body'] : [];
	}
	if (!checkBody) return ['takes no body'];
	return checkBody(body) ? [] : faults(checkBody, 'body');
}

function headerProblems(operation: Operation, headers: SeenRequest['headers']): string[] {
	if (!headers) return [];
	const byName = new Map(
		Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
	);
	const open =
		Array.isArray(operation.document['security']) && operation.document['security'].length === 0;
	const type = byName.get('content-type')?.split(';')[0]?.trim().toLowerCase();
	return [
		...(open || byName.has('authorization') ? [] : ['has no Authorization header']),
		...(!operation.checkBody || (type && operation.bodyTypes.includes(type))
			? []
			: [`cannot take the content type ${type ?? '(none)'}`]),
	];
}

function faults({ errors }: Check, where: string): string[] {
	return (errors ?? []).map(
		({ instancePath, message = 'is wrong', params }) =>
			`${where}${instancePath} ${message} ${JSON.stringify(params)}`,
	);
}
