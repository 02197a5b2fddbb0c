import type { IncomingMessage, ServerResponse } from 'node:http';
import { certify } from '../../certify/certify';
import { contract } from '../../certify/contract';
import { asMarkdown, asText } from '../../certify/report';
import { rows } from '../../certify/rows';
import { uses } from '../../certify/uses';
import { createSend, type SendAs } from '../../certify/send';
import { startTestServer, type RequestHandler } from '../support/platform/testServer';
import { certified, fullSandbox, idsOf, partsFor } from './certifyRun';

const answer = (status: number, type: string, body: string) => (response: ServerResponse) =>
	void response.writeHead(status, { 'content-type': type }).end(body);
const html = 'text/html';
const json = 'application/json';

const okPing = (response: ServerResponse, { url }: IncomingMessage) =>
	answer(url === '/v1/ping' ? 200 : 500, json, '')(response);

test.each<[says: string, answer: RequestHandler, ended: RegExp, most?: number]>([
	['HTML', answer(200, html, '<h1>Welcome</h1>'), /text\/html/],
	['a 500 for everything', answer(500, json, '{}'), /500/],
	['a 429 for everything', answer(429, json, '{}'), /429/],
	['a 401 for everything', answer(401, json, '{}'), /does not accept the token/],
	['a redirect for everything', answer(302, html, ''), /302/],
	['a closed connection', (response) => void response.destroy(), /cannot be reached/],
	['a number for everything', answer(200, json, '7'), /events cannot be listed/],
	['an empty object for everything', answer(200, json, '{}'), /events cannot be listed/],
	['nonsense', answer(200, json, '[1,null,"x",{"data":[[]]}]'), /events cannot be listed/],
	['nothing, ever', () => {}, /cannot be reached/],
	['the ping alone, and else a 500', okPing, /in a row/, 20],
])(
	'a server that answers %s: a clear end, and nothing is made',
	async (_, respond, ended, most = 30) => {
		const { baseUrl, seen } = await startTestServer(respond);
		const outcome = await certified(baseUrl, { send: createSend(`${baseUrl}/v1`, 2_000) });
		expect(String(outcome.ended)).toMatch(ended);
		expect(outcome).toMatchObject({ isClean: true, journals: [] });
		expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
		expect(seen.length).toBeLessThanOrEqual(most);
	},
);

test('a platform whose list of nothing has no first page: what was made is removed, and seen to be', async () => {
	const sandbox = await fullSandbox({ emptyPage: '400' });
	const { ended, isClean, journals } = await certified(sandbox.baseUrl);
	expect({ ended, isClean, journals }).toEqual({ ended: undefined, isClean: true, journals: [] });
	const left = sandbox.platform.store.all("SELECT id FROM events WHERE title LIKE 'Certify%'");
	expect(left).toEqual([]);
});

test('lists that cannot be read when something is removed: a clear end, a report, and a journal for --clean', async () => {
	const sandbox = await fullSandbox();
	const { send } = partsFor(sandbox.baseUrl);
	let isMade = false;
	const failing: SendAs = async (request, ...rest) => {
		isMade ||= request.method === 'POST';
		const isList = request.method === 'GET' && /^\/events\/[^/]+\/sessions$/.test(request.path);
		return isMade && isList ? { status: 500, headers: {}, body: {} } : await send(request, ...rest);
	};
	const { ended, isClean, journals, report } = await certified(sandbox.baseUrl, { send: failing });
	expect(ended).toMatch(/list.*could not be read/);
	expect({ isClean, journals }).toEqual({ isClean: false, journals: [expect.any(String)] });
	expect(idsOf(report, 'holds')).toContain('register.record');
});

test('the wild world: what is wild about it differs, and is named', async () => {
	const sandbox = await fullSandbox({ world: 'wild', resultsLagMs: 5 });
	const { report, isClean } = await certified(sandbox.baseUrl);
	expect(isClean).toBe(true);
	expect(idsOf(report, 'differs').filter((id) => id !== 'limits.second')).toEqual([
		'records.nulls',
		'errors.fields',
		'limits.clock',
		'register.again',
		'update.answer',
		'job.flat',
		'job.counters',
		'job.failed',
		'results.order',
		'results.already',
		'results.paging',
		'bulk.unknown-field',
	]);
});

test('a token that lacks scopes: what it may not see was not seen, and what it was told is judged', async () => {
	const sandbox = await fullSandbox({ apiTokenScope: 'events:read', missingScope: 'empty' });
	const { report } = await certified(sandbox.baseUrl, { wants: new Set(['read']) });
	expect(idsOf(report, 'differs')).toEqual(['access.scope-words', 'limits.second']);
	const unseen = { id: 'listUsers.status', state: 'not seen', why: 'the token may not (403)' };
	expect(report.rows).toContainEqual(expect.objectContaining(unseen));
});

test('reading takes at most 60 requests, and with writing 150', async () => {
	const sandbox = await fullSandbox();
	const count = async (wants: 'read' | 'write') =>
		(await certified(sandbox.baseUrl, { wants: new Set(['read', wants]) })).report.requests;
	expect(await count('read')).toBeLessThanOrEqual(60);
	expect(await count('write')).toBeLessThanOrEqual(150);
});

test('more than a hundredth of the month is asked about, and without a yes nothing more is sent', async () => {
	const sandbox = await fullSandbox({ monthly: 3_000 });
	const mayTakeMore = jest.fn(() => Promise.resolve(false));
	const overrides = { wants: new Set(['read'] as const), mayTakeMore };
	const { ended, report } = await certified(sandbox.baseUrl, overrides);
	expect(mayTakeMore.mock.calls).toEqual([[60, 2_998]]);
	expect(ended).toMatch(/hundredth/);
	expect(report.requests).toBe(3);
});

test('a report holds no value that the platform sent, and neither token nor mailbox', async () => {
	const sandbox = await fullSandbox({ world: 'wild' });
	const parts = partsFor(sandbox.baseUrl);
	const values = new Set<string>([parts.token, 'you@example.com', 'example.com']);
	const listening: SendAs = async (request, ...rest) => {
		const sent = await parts.send(request, ...rest);
		if ('body' in sent) collect(sent.body, values);
		return sent;
	};
	const { report } = await certify({ ...parts, send: listening });
	expect(values.size).toBeGreaterThan(300);
	// The texts of this program and of the contract are nobody's secret.
	const ours = JSON.stringify([rows, uses, contract]);
	const reports = [JSON.stringify(report), asMarkdown(report), asText(report)].join('\n');
	expect([...values].filter((value) => reports.includes(value) && !ours.includes(value))).toEqual(
		[],
	);
});

/** Texts, and numbers that are too large to be a count. */
function collect(value: unknown, into: Set<string>): void {
	if (typeof value === 'string' && value.length > 3) into.add(value);
	else if (typeof value === 'number' && value > 100_000) into.add(String(value));
	else if (typeof value === 'object' && value !== null) {
		for (const inner of Object.values(value)) collect(inner, into);
	}
}
