import { groupsOf, isAsked, type Division } from '../../../nodes/EventPlatform/core/report/groups';
import {
	readPerson,
	type ReportedPerson,
} from '../../../nodes/EventPlatform/core/report/reportedPerson';
import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { person, personRecord } from './reportedPeople';

const came = { attended: true, attendance_rate: 60, attendance_duration: 1_800 };
const left = { attended: true, attendance_rate: 20, attendance_duration: 600 };
const of = (source: string | null, detail: JsonObject = {}) =>
	person({ utm_source: source, ...detail });

test('a group has its people, those who came, took part and stayed, how long, and who watched the replay', () => {
	const writer = person({ utm_source: 'mail', ...came }, { messages_count: 1 });
	const people = [writer, of('mail', left), of('mail', { has_viewed_replay: true })];
	expect(groupsOf(people, { by: 'utm_source' })).toEqual([
		{
			group: 'mail',
			registrants: 3,
			attendees: 2,
			attendance_rate: 66.7,
			engaged: 1,
			engaged_rate: 50,
			average_minutes: 20,
			stayed_half: 1,
			replay_viewers: 1,
			registered_after: undefined,
		},
	]);
});

const choice = (...value: string[]) => person({ fields: [{ id: 'topic', value }] });

test.each<[string, Division, ReportedPerson[], Array<[string | undefined, number]>]>([
	['nobody is in no group', { by: 'utm_source' }, [], []],
	[
		'the largest first, also those without a value, and by name where they are equal',
		{ by: 'utm_source' },
		[of(null), of(null), of(null), of('b'), of('a'), of('c'), of('c')],
		[
			[undefined, 3],
			['c', 2],
			['a', 1],
			['b', 1],
		],
	],
	[
		'people without a value behind a group of the same size',
		{ by: 'utm_source' },
		[of(null), of('a'), of('b')],
		[
			['a', 1],
			['b', 1],
			[undefined, 1],
		],
	],
	['an empty value is none', { by: 'utm_source' }, [of(' '), of('')], [[undefined, 2]]],
	[
		'values in another letter case stay apart',
		{ by: 'utm_source' },
		[of('Mail'), of('mail')],
		[
			['mail', 1],
			['Mail', 1],
		],
	],
	[
		'pages that people came from, without "?" and what follows',
		{ by: 'referrer' },
		['https://a.example/x?1', 'http://www.a.example/x?2'].map((referrer) => person({ referrer })),
		[['a.example/x', 2]],
	],
	[
		'countries, by the code where there is no name',
		{ by: 'country' },
		[
			person({ ip_country_name: 'France', ip_country_code: 'FR' }),
			person({ ip_country_code: 'PT' }),
		],
		[
			['France', 1],
			['PT', 1],
		],
	],
	[
		'several answers put a person into several groups, each once',
		{ by: 'question', questionId: 'topic' },
		[choice('A', 'B', 'A'), choice('B'), choice()],
		[
			['B', 2],
			['A', 1],
			[undefined, 1],
		],
	],
	[
		'a question that nobody was asked',
		{ by: 'question', questionId: 'other' },
		[choice('A')],
		[[undefined, 1]],
	],
])('%s', (_, division, people, expected) => {
	const groups = groupsOf(people, division);
	expect(groups.map(({ group, registrants }) => [group, registrants])).toEqual(expected);
});

test('nobody has stayed for half of a session of which nothing is known', () => {
	const [group] = groupsOf([person({ attended: null })], { by: 'utm_source' });
	expect(group).toMatchObject({
		attendees: undefined,
		attendance_rate: undefined,
		stayed_half: undefined,
	});
});

test('a question was asked where a registration has it, answered or not', () => {
	const people = [readPerson(personRecord({ fields: [{ id: 'topic', value: null }] }))];
	expect([isAsked(people, 'topic'), isAsked(people, 'other')]).toEqual([true, false]);
});
