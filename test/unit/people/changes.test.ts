import { onlyChanged, findChanges } from '../../../nodes/EventPlatform/core/people/changes';
import { isSameBeyondDoubt } from '../../../nodes/EventPlatform/core/people/sameAnswer';

const person = {
	id: 'p1',
	attributes: {
		email: 'Ada@Example.com',
		last_name: 'Lovelace',
		registrant_detail: {
			utm_source: 'newsletter',
			referrer: null,
			fields: [
				{ id: 'company', value: 'Acme' },
				{ id: 'interests', value: ['Product', 'Pricing'] },
				{ id: 'website', value: null },
			],
		},
	},
};

test.each<[string, string, string | string[], boolean]>([
	['the address in other letters', 'email', ' ada@example.COM ', true],
	['a name that the form does not ask for', 'last_name', 'Lovelace', true],
	['one answer less', 'interests', ['Product'], false],
	['an answer where none was given', 'website', 'https://example.com', false],
	['an answer to something never asked', 'shoe_size', '38', false],
])('%s: %s %j is the same: %j', (_, id, value, same) => {
	const left = findChanges(person, { fields: [{ id, value }], tracking: {} }, isSameBeyondDoubt);
	expect(left.map((change) => [change.field, change.new])).toEqual(same ? [] : [[id, value]]);
});

test('answers are compared by the kind of their question, as the platform shows it', () => {
	const fields = [
		{ id: 'news', type: 'consent', value: '1' },
		{ id: 'room', type: 'text', value: '1' },
	];
	const of = { id: 'p', attributes: { registrant_detail: { fields } } };
	const registration = {
		fields: ['news', 'room'].map((id) => ({ id, value: 'yes' })),
		tracking: {},
	};
	expect(findChanges(of, registration, isSameBeyondDoubt)).toEqual([
		{ field: 'room', old: '1', new: 'yes' },
	]);
});

test('referrer and utm values are compared by name, and told with what was', () => {
	const registration = {
		fields: [],
		tracking: { utm_source: 'newsletter', referrer: 'https://a.example' },
	};
	const referrer = { field: 'referrer', old: null, new: 'https://a.example' };
	expect(findChanges(person, registration, isSameBeyondDoubt)).toEqual([referrer]);
	// Nothing is known of this person, so everything is to be changed.
	const source = { field: 'utm_source', old: null, new: 'newsletter' };
	expect(findChanges({ id: 'p2' }, registration, isSameBeyondDoubt)).toEqual([source, referrer]);
});

test('the part of a registration that changed has nothing else', () => {
	const registration = {
		fields: ['company', 'room'].map((id) => ({ id, value: 'x' })),
		tracking: { referrer: 'r', utm_source: 's' },
	};
	const changes = ['room', 'utm_source'].map((field) => ({ field, old: null, new: 'x' }));
	expect(onlyChanged(registration, changes)).toEqual({
		fields: [{ id: 'room', value: 'x' }],
		tracking: { utm_source: 's' },
	});
});
