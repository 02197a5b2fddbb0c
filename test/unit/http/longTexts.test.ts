import type { INode } from 'n8n-workflow';
import { isGenuine } from '../../../nodes/EventPlatform/core/deliveries/signature';
import { apiRoot } from '../../../nodes/EventPlatform/core/http/baseUrl';
import { Failure } from '../../../nodes/EventPlatform/core/http/failure';
import { failureText } from '../../../nodes/EventPlatform/core/http/failureText';
import { readErrors } from '../../../nodes/EventPlatform/core/http/jsonApi';
import { pathTo } from '../../../nodes/EventPlatform/core/http/path';
import type { Api } from '../../../nodes/EventPlatform/core/http/ports';
import { readQuota } from '../../../nodes/EventPlatform/core/http/quota';
import { redact, redactWithin } from '../../../nodes/EventPlatform/core/http/redact';
import { afterResponse } from '../../../nodes/EventPlatform/core/http/retry';
import { simplify } from '../../../nodes/EventPlatform/core/http/simplify';
import { quote } from '../../../nodes/EventPlatform/core/http/text';
import { readTaskResult } from '../../../nodes/EventPlatform/core/jobs/taskResult';
import type { FormField } from '../../../nodes/EventPlatform/form/formField';
import { personFields } from '../../../nodes/EventPlatform/form/personFields';
import { registrationForm } from '../../../nodes/EventPlatform/form/registrationForm';
import * as choices from '../../../nodes/EventPlatform/methods/choices';
import { readN8nError } from '../../../nodes/EventPlatform/n8n/n8nErrors';
import { toNodeError } from '../../../nodes/EventPlatform/n8n/nodeError';
import { namesItsZone, unixSeconds, wallTime } from '../../../nodes/EventPlatform/parameters/dates';
import {
	eventLocator,
	personLocator,
	sessionLocator,
} from '../../../nodes/EventPlatform/parameters/locators';
import { attributes, query, snakeCase } from '../../../nodes/EventPlatform/parameters/names';
import { unreachable } from '../../../nodes/EventPlatform/trigger/address';
import { readNames } from '../../../nodes/EventPlatform/trigger/settings';

jest.setTimeout(120_000);

const uuid = '2f6bb5b2-5a4a-4f5e-9d0e-8c1d3c7a9b10';

/** Repeated up to the length wanted: what keeps a careless expression trying. */
const repeated = [
	...['eyJ-', 'eyJhbGciOi.', 'Bearer ', 'Basic  ', 'secret ', 'secret=', 'password"', 'token: '],
	...[
		'/',
		'/v1',
		'/events/',
		'?s=',
		`${uuid.slice(0, -1)}`,
		`/people/${uuid.slice(1)}`,
		'.',
		'../',
	],
	...[
		' ',
		'\t\n',
		'\r\n',
		'\u2028',
		'-',
		'_',
		'already-',
		'already been ',
		'A',
		'Ab',
		'0',
		'1e',
		'9,',
	],
	...['@', 'a@', ',', '%', '%2e', '\\', '"', '{', '{{', '[[', '=', '&', ';', 'é', '👩‍👩‍👧', '\ud800'],
	...[
		':00',
		':00.',
		'+00:00',
		'2026-01-01',
		'T00:00',
		'CERT',
		'EPERM ',
		'localhost.',
		'::',
		'__proto__',
	],
];
/** Before and behind them, so that nothing matches in the end. */
const frames: Array<[string, string]> = [
	['', ''],
	['', '!'],
	['https://app.example', '!'],
	['eyJ', '@'],
	['secret', '\u0000'],
];

function hostile(length: number): string[] {
	return repeated.flatMap((part) => {
		const long = part.repeat(Math.ceil(length / part.length)).slice(0, length);
		return frames.map(([before, behind]) => before + long + behind);
	});
}

const failed = (work: () => unknown) => {
	try {
		return work();
	} catch {
		return undefined;
	}
};
const node = { id: '1', name: 'N', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
const dateField = {
	name: 'createdSince',
	type: 'dateTime',
	displayName: 'D',
	default: '',
} as const;
const multiple: FormField = {
	id: 'email',
	label: 'E',
	required: true,
	multiple: true,
	choices: [{ label: 'a', value: 'a' }],
};
const get = { method: 'GET', path: '/x' } as const;
const answer = (body: unknown) => ({ status: 422, headers: {}, body });

/** Every expression that the editor or n8n applies to what was entered. */
const expressions = [eventLocator, sessionLocator, personLocator].flatMap(({ modes = [] }) =>
	modes.flatMap(({ extractValue, validation = [] }) => [
		...(extractValue && 'regex' in extractValue ? [String(extractValue.regex)] : []),
		...validation.flatMap((one) =>
			'properties' in one ? [String((one.properties as { regex: string }).regex)] : [],
		),
	]),
);

const functions: Array<[string, (text: string) => unknown]> = [
	['redact', (text) => redact(text, ['a-known-secret'])],
	['redactWithin', (text) => redactWithin({ [text]: [text] }, new Set(['a-known-secret']))],
	['quote', (text) => quote({ text })],
	['readErrors', (text) => readErrors({ errors: [{ code: text, title: text, detail: text }] })],
	['readErrors, OAuth', (text) => readErrors({ error: text, error_description: text })],
	[
		'the cause of a refusal',
		(text) => afterResponse(get, answer({ errors: [{ detail: text }] }), 1),
	],
	[
		'failureText',
		(text) => failureText(new Failure('refused', get, { errors: [{ detail: text }] })),
	],
	['personFields', (text) => personFields({ email: text, name: [text] })],
	['the choices of personFields', (text) => personFields({ email: text }, [multiple])],
	['unixSeconds', (text) => unixSeconds(text, 'UTC')],
	['wallTime', (text) => wallTime(text, 'Europe/Paris')],
	['wallTime, the zone', (text) => wallTime(1_700_000_000, text)],
	['namesItsZone', namesItsZone],
	['snakeCase', snakeCase],
	['attributes', (text) => attributes({ [text]: text })],
	['query', (text) => query({ createdSince: text }, [dateField], String, 'UTC')],
	['pathTo', (text) => failed(() => pathTo`/events/${text}`)],
	['apiRoot', (text) => failed(() => apiRoot(text))],
	...[
		'retry-after',
		'ratelimit-reset',
		'ratelimit-interval-limit',
		'ratelimit-monthly-remaining',
	].map((name): [string, (text: string) => unknown] => [
		name,
		(text) => readQuota({ headers: { [name]: text } }, 1e12),
	]),
	[
		'readN8nError',
		(text) => readN8nError({ message: text, code: text, body: { error: text } }, 'x'),
	],
	['toNodeError', (text) => toNodeError(node as INode, new Error(text))],
	['isGenuine', (header) => isGenuine({ header, body: new Uint8Array() }, 'secret', Date.now())],
	['readTaskResult', (text) => readTaskResult({ status: 'failed', errors: [{ message: text }] })],
	['simplify', (text) => simplify({ id: text, attributes: { [text]: text, id: text } })],
	[
		'eventChoice',
		(text) => choices.eventChoice({ attributes: { title: text, scheduling_status: text } }),
	],
	[
		'sessionChoices',
		(text) =>
			choices.sessionChoices([
				{ type: 'sessions', attributes: { name: text, timezone: text, estimated_started_at: 1e9 } },
			]),
	],
	[
		'choiceMatches',
		(text) =>
			choices.choiceMatches(choices.personChoice({ attributes: { first_name: text } }), 'ada'),
	],
	['webhookChoice', (text) => choices.webhookChoice({ attributes: { url: text } })],
	['unreachable', (text) => unreachable(text)],
	['readNames', readNames],
	...expressions.map((expression): [string, (text: string) => unknown] => [
		expression,
		(text) => new RegExp(expression).exec(text),
	]),
];

/** The least of several times: what the machine does besides only adds. */
function leastMs(work: () => unknown, times = 3): number {
	let least = Infinity;
	for (let time = 0; time < times; time++) {
		const start = performance.now();
		work();
		least = Math.min(least, performance.now() - start);
	}
	return least;
}

/** Small against what a quadratic expression takes for forty thousand characters: half a second. */
const noiseMs = 10;

/** Twice the text may take twice the time; a quadratic expression takes four times as long. */
function takesTooLong(work: (text: string) => unknown, one: string, twice: string): boolean {
	for (let attempt = 0; attempt < 4; attempt++) {
		const [ms, msOfTwice] = [leastMs(() => work(one)), leastMs(() => work(twice))];
		if (msOfTwice <= 3 * ms + noiseMs) return false;
	}
	return true;
}

const length = 20_000;

test.each(functions)('%s takes twice the time for twice the text', (_, work) => {
	const ones = hostile(length);
	const twices = hostile(2 * length);
	// The first one is enough, because each takes so long.
	const slow = ones.find((one, index) => takesTooLong(work, one, twices[index] ?? ''));
	expect(slow?.slice(0, 40)).toBeUndefined();
});

test('the form of a session with long names is read in the same way', async () => {
	const slow: string[] = [];
	for (const [index, one] of hostile(length).entries()) {
		const read = async (text: string) => {
			const body = { data: [{ id: '1', attributes: { slug: text, type: text, name: '' } }] };
			const api = () => Promise.resolve({ status: 200, headers: {}, body });
			const start = performance.now();
			await registrationForm(Object.assign(api, { usage: {} }) as unknown as Api, '');
			return performance.now() - start;
		};
		const twice = hostile(2 * length)[index] ?? '';
		if ((await read(twice)) > 3 * (await read(one)) + 20 * noiseMs) slow.push(one.slice(0, 40));
	}
	expect(slow).toEqual([]);
});

test('what is quoted of a long text is short, and its beginning', () => {
	expect(quote('x'.repeat(1e6))).toHaveLength(501);
	const { problems } = personFields({ email: `${'eyJ-'.repeat(20_000)}` });
	expect(problems.join().length).toBeLessThan(1_000);
	const result = readTaskResult({ status: 'failed', errors: [{ message: 'eyJ-'.repeat(40_000) }] });
	expect(result?.errors[0]?.message.length).toBeLessThan(1_000);
	expect(toNodeError(node as INode, new Error('x'.repeat(1e6))).message.length).toBeLessThan(5_000);
});

test('an error of any depth can be quoted', () => {
	const deep = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`) as never;
	for (const read of [
		() => quote(deep),
		() => readErrors({ errors: deep }),
		() => readTaskResult({ status: 'failed', errors: [{ message: deep }] }),
	]) {
		expect(read).not.toThrow();
	}
});
