import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOf, kinds, subjects } from '../../../nodes/EventPlatform/core/deliveries/kinds';
import type { JsonObject } from '../../../nodes/EventPlatform/core/http/ports';
import { webhookKinds } from '../../../nodes/EventPlatform/parameters/webhookKinds';

test('the menu has every kind, in the order of its names', () => {
	expect(webhookKinds.map(({ value }) => value)).toEqual(Object.keys(kinds));
	const names = webhookKinds.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
});

test.each(Object.keys(kinds))('%s is named after its subject', (kind) => {
	const { subject = '' } = kindOf(kind);
	expect(kind.split('.')[0]).toBe(subject);
	expect(subjects).toHaveProperty(subject);
	expect(kindOf(kind).notChecked).toBeUndefined();
});

test.each([
	['session.canceled', 'session'],
	['people.cloned', 'people'],
	['poll.closed', undefined],
	['constructor', undefined],
	['toString.called', undefined],
	['', undefined],
])('of the unknown kind "%s" no more is said than what is checked', (kind, subject) => {
	expect(kindOf(kind).subject).toBe(subject);
	expect(kindOf(kind).notChecked).toContain(`not that "${kind}" happened`);
});

test('the menu says what happened, and of a job what that is', () => {
	expect(Object.values(kinds).map(({ name }) => name)).toEqual([
		'Event Created',
		'Event Published',
		'Job Ended',
		'Person Attended',
		'Person Did Not Attend',
		'Person Registered',
		'Person Watched Replay',
		'Session Created',
		'Session Ended',
		'Session Started',
	]);
	expect(kinds['job.ended']).toMatchObject({
		action: 'When bulk registration has ended',
		description: 'A bulk registration is done',
	});
});

describe('what tells two events with the same record apart', () => {
	const times = { published_at: 1, started_at: 2, ended_at: 3, updated_at: 4 };
	const registration = { session_id: 's', created_at: 5, updated_at: 6 };

	test.each<[string, JsonObject, unknown[]]>([
		['event.created', times, []],
		['event.published', times, [1]],
		['job.ended', times, []],
		['people.attended', { registrant_detail: registration }, ['s']],
		['people.attended', times, [4]],
		['people.not_attended', { registrant_detail: registration }, ['s']],
		['people.registered', { registrant_detail: registration }, ['s', 5]],
		['people.registered', { session_id: 's', created_at: 7 }, ['s', 7]],
		['people.watched_replay', { ...times, registrant_detail: registration }, ['s', 6, 4]],
		['session.created', times, []],
		['session.started', times, [2]],
		['session.ended', times, [3]],
		[
			'poll.closed',
			{ b: 2, a: 1 },
			[
				[
					['a', 1],
					['b', 2],
				],
			],
		],
	])('%s of %j: %j', (kind, attributes, apart) => {
		const record = { type: 'x', id: 'x', attributes, relationships: {} };
		expect(kindOf(kind).occurrence(record)).toEqual(apart);
	});
});

test.each([
	['session', undefined],
	['session.', 'session'],
	['sessions.moved', undefined],
	['my.session.moved', undefined],
])('"%s" begins with the subject %s', (kind, subject) => {
	expect(kindOf(kind).subject).toBe(subject);
});

test('a kind of delivery is one row: no other file names one', () => {
	const nodes = join(__dirname, '../../../nodes');
	const named = new RegExp(
		Object.keys(kinds)
			.map((kind) => kind.replace('.', String.raw`\\?\.`))
			.join('|'),
	);
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' }).filter((file) =>
		file.endsWith('.ts'),
	);
	const code = (file: string) => readFileSync(join(nodes, file), 'utf8').replace(/e\.g\. .*/g, '');
	const naming = files.filter((file) => named.test(code(file)));
	expect(naming).toEqual([join('EventPlatform', 'core', 'deliveries', 'kinds.ts')]);
});
