import { plannedSessions } from '../../../nodes/EventPlatform/fields/sessionStart';
import {
	addedAttributes,
	changedAttributes,
	filledPath,
	pathToRecords,
	queryOf,
} from '../../../nodes/EventPlatform/fields/requestParts';
import {
	additionalFields,
	choiceField,
	dateField,
	eitherField,
	filtersField,
	optionsField,
	switchField,
	textField,
	updateFields,
} from '../../../nodes/EventPlatform/fields/fieldBuilders';
import {
	eventLocator,
	optionalLocator,
	userLocator,
} from '../../../nodes/EventPlatform/fields/locators';
import { itemParameters } from '../../support/n8n/itemParameters';

const fields = [
	eventLocator,
	filtersField([
		textField('email', 'An address'),
		dateField('createdSince', 'A time'),
		eitherField({
			displayName: 'Attendance',
			name: 'attended',
			yes: 'Y',
			no: 'N',
			description: '',
		}),
		optionalLocator(eventLocator, 'The event'),
	]),
	optionsField([
		choiceField('include', ['event', 'people'], [], 'Records'),
		switchField('dryRun', true, 'Whether nothing is sent'),
	]),
	additionalFields([
		textField('slug', 'A slug'),
		switchField('chatEnabled', true, 'Whether there is a chat'),
		optionalLocator(userLocator, 'The owner', { displayName: 'Owner', name: 'ownerId' }),
		choiceField('teamMembers', ['a', 'b'], [], 'Members'),
	]),
	updateFields([
		textField('slug', 'A slug'),
		dateField('estimatedStartedAt', 'A time'),
		optionalLocator(userLocator, 'The owner', { displayName: 'Owner', name: 'ownerId' }),
	]),
];
const read = (parameters: object, zone?: string) => itemParameters(parameters, { fields, zone });
const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

describe('an ID', () => {
	test.each([
		['a locator', { __rl: true, mode: 'id', value: ' e1 ' }, 'e1'],
		['a number from an expression', { __rl: true, mode: 'id', value: 7 }, '7'],
		['a plain text in place of a locator', 'e1', 'e1'],
		['an address, of which n8n takes the ID', byUrl('https://x.example/events/e1'), 'extracted'],
	])('may come as %s', (_, eventId, id) => {
		expect(read({ eventId }).id('eventId')).toBe(id);
	});

	test.each([
		['nothing', undefined],
		['an empty address', byUrl(' ')],
		['what JavaScript writes for nothing', { __rl: true, mode: 'id', value: 'undefined' }],
	])('that is %s is missed by the title of its field', (_, eventId) => {
		expect(() => read({ eventId }).id('eventId')).toThrow("'Event' is empty");
	});

	test.each([{ __rl: true, mode: 'id', value: { id: 'e1' } }, { id: 'e1' }])(
		'cannot be the object %j',
		(eventId) => {
			expect(() => read({ eventId }).id('eventId')).toThrow("'Event' is not a text");
		},
	);

	test.each(['..', '.', 'x'.repeat(300)])(
		'cannot be "%s", which would lead elsewhere',
		(eventId) => {
			expect(() => read({ eventId }).id('eventId')).toThrow(/^'Event': .*cannot be an ID/);
		},
	);

	test('is one segment of a path, whatever is in it', () => {
		expect(filledPath(read({ eventId: 'a/../b' }), '/events/{eventId}/tags')).toBe(
			'/events/a%2F..%2Fb/tags',
		);
	});

	test('that only narrows a list leaves the path alone where it was not added', () => {
		expect(pathToRecords(read({}), '/sessions')).toBe('/sessions');
		expect(pathToRecords(read({ filters: { eventId: 'e1' } }), '/sessions')).toBe(
			'/events/e1/sessions',
		);
	});
});

describe('a filter', () => {
	test('is sent as the platform takes it', () => {
		const parameters = {
			filters: { email: 'ada@x.io', createdSince: '2026-07-01T12:00:00', attended: false },
			options: { include: ['event', 'people'], dryRun: true },
		};
		expect(queryOf(read(parameters, 'Europe/Paris'), ['include'])).toEqual({
			'filter[email]': 'ada@x.io',
			'filter[created_since]': Date.parse('2026-07-01T10:00:00Z') / 1000,
			'filter[attended]': false,
			include: 'event,people',
		});
	});

	test.each(['', ' ', null, undefined, [], {}])('that is %j does not find everything', (email) => {
		expect(() => queryOf(read({ filters: { email } }))).toThrow("The filter 'Email' is empty");
	});

	test('that is an empty locator does not widen the path', () => {
		const parameters = read({ filters: { eventId: { __rl: true, mode: 'list', value: '' } } });
		expect(() => pathToRecords(parameters, '/sessions')).toThrow("The filter 'Event' is empty");
	});

	test.each([
		[{ createdSince: '30 February' }, /^'Created Since': this is not a date/],
		[{ attended: 'perhaps' }, /^'Attendance' must be true or false, not "perhaps"/],
	])('that cannot be meant is not sent: %j', (value, message) => {
		expect(() => queryOf(read({ filters: value }))).toThrow(message);
	});
});

describe('a switch', () => {
	test('that was not added is as it is without it', () => {
		expect([read({}).option('dryRun'), read({}).option('dryRun', true)]).toEqual([false, true]);
	});

	test.each<[boolean, unknown[]]>([
		[true, [true, 1, 'true', 'yes', 'on', ' TRUE ', 'Yes']],
		[false, [false, 0, '', 'false', 'no', 'off', undefined, null, ' ', 'No']],
	])('is %s for any of %j', (isOn, values) => {
		for (const dryRun of values) {
			expect(read({ options: { dryRun } }).option('dryRun', !isOn)).toBe(isOn);
		}
	});

	test.each(['maybe', 'ja', '1', 2, -1, Number.NaN, {}, [], [true], 'truee', '={{ true }}'])(
		'cannot be %j, because nobody may guess',
		(dryRun) => {
			expect(() => read({ options: { dryRun } }).option('dryRun')).toThrow(
				/^'Dry Run' must be true or false/,
			);
		},
	);
});

describe('a choice', () => {
	const choose = (by: unknown) => read({ by }).choice('by', ['email', 'person'], 'email');

	test.each([undefined, null, '', ' '])('that is %j is what the menu shows first', (by) => {
		expect(choose(by)).toBe('email');
	});

	test('is one of the menu', () => {
		expect(choose(' person ')).toBe('person');
	});

	test.each(['Person', 'perso', 0, false, {}, ['person'], NaN])('cannot be %j', (by) => {
		expect(() => choose(by)).toThrow(/^'by' must be one of email, person, not /);
	});
});

describe('a number', () => {
	test.each([0, -1, 1.5, 'many', NaN])('%j is no limit', (limit) => {
		expect(() => read({ limit }).limit()).toThrow("'Limit' must be a whole number, 1 or higher");
		expect(read({ limit, returnAll: true }).limit()).toBeUndefined();
	});

	test.each([0, -5, 'long', {}])('%j is no time to wait', (maxWaitSeconds) => {
		expect(() => read({ options: { maxWaitSeconds } }).maxWaitSeconds()).toThrow(/^'Max Wait'/);
	});
});

describe('what is added to a new record or a change', () => {
	test('is sent as the platform takes it; what is empty is not', () => {
		const additional = { slug: '', chatEnabled: 'no', ownerId: '', teamMembers: ['a'] };
		expect(addedAttributes(read({ additionalFields: additional }))).toEqual({
			chat_enabled: false,
			team_members: ['a'],
		});
	});

	test('empties a text of a record, and no other field', () => {
		const parameters = read({ updateFields: { slug: '', estimatedStartedAt: '' } });
		expect(changedAttributes(parameters)).toEqual({ slug: '' });
	});

	test.each([
		[{ ownerId: '' }, "'Owner' is empty"],
		[{ slug: 'undefined' }, "'Slug' is empty"],
		[{ slug: { a: 1 } }, "'Slug' is not a text"],
		[{}, 'There is nothing to update'],
		[{ estimatedStartedAt: '' }, 'There is nothing to update'],
	])('cannot be %j in a change', (value, message) => {
		expect(() => changedAttributes(read({ updateFields: value }))).toThrow(message);
	});

	test('is no list that holds an object', () => {
		const parameters = read({ additionalFields: { teamMembers: ['a', { id: 'b' }] } });
		expect(() => addedAttributes(parameters)).toThrow("'Team Members' is not a text");
	});
});

test('a session that is planned without a time zone has that of the server where the workflow has no other', () => {
	const row = { estimatedStartedAt: '2091-03-01T10:00:00', name: 'Demo' };
	const parameters = itemParameters({ sessions: { session: [row] } }, { zone: 'DEFAULT' });
	const [session] = plannedSessions({ parameters, notes: { hint: () => {} } });
	const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
	expect(session?.attributes).toMatchObject({
		timezone: timeZone,
		estimated_started_at: '2091-03-01 10:00:00',
	});
});
