import { changesOf, isEmpty, outstanding } from '../../../nodes/EventPlatform/core/sync/changes';

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
				{ id: 'team_size', value: '100+' },
				{ id: 'website', value: null },
			],
		},
	},
};

test.each<[string, string, string | string[], boolean]>([
	['the same text', 'company', 'Acme', true],
	['another text', 'company', 'acme', false],
	['the address in other letters', 'email', ' ada@example.COM ', true],
	['a name that the form does not ask for', 'last_name', 'Lovelace', true],
	['several answers in another order', 'interests', ['Pricing', 'Product'], true],
	['one answer less', 'interests', ['Product'], false],
	['one answer, in a list', 'team_size', ['100+'], true],
	['an answer where none was given', 'website', 'https://example.com', false],
	['an answer to something never asked', 'shoe_size', '38', false],
])('%s: %s %j is the same: %j', (_, id, value, same) => {
	const left = outstanding(person, { fields: [{ id, value }], tracking: {} });
	expect(left.fields).toEqual(same ? [] : [{ id, value }]);
	expect(isEmpty(left)).toBe(same);
});

test('answers are compared by the kind of their question, as the platform shows it', () => {
	const fields = [
		{ id: 'news', type: 'consent', value: '1' },
		{ id: 'room', type: 'text', value: '1' },
	];
	const of = { id: 'p', attributes: { registrant_detail: { fields } } };
	const wanted = { fields: ['news', 'room'].map((id) => ({ id, value: 'yes' })), tracking: {} };
	expect(outstanding(of, wanted).fields).toEqual([{ id: 'room', value: 'yes' }]);
});

test('referrer and utm values are compared by name, and told with what was', () => {
	const wanted = {
		fields: [],
		tracking: { utm_source: 'newsletter', referrer: 'https://a.example' },
	};
	const left = outstanding(person, wanted);
	expect(left.tracking).toEqual({ referrer: 'https://a.example' });
	expect(isEmpty(left)).toBe(false);
	// Of whom nothing is known, everything is to be changed.
	expect(outstanding({ id: 'p2' }, wanted)).toEqual(wanted);
	expect(changesOf(person, left)).toEqual([
		{ field: 'referrer', old: null, new: 'https://a.example' },
	]);
});
