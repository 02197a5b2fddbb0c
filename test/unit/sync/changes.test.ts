import type { Json } from '../../../nodes/EventPlatform/core/http/json';
import { isEqual, outstanding } from '../../../nodes/EventPlatform/core/sync/changes';

const long = 'All about it. '.repeat(30);

test.each<[string, Json, string | string[], boolean, { id?: string; type?: string }?]>([
	['the same text', 'Acme', 'Acme', true],
	['another letter case', 'Acme', 'acme', false],
	['nothing, in two ways', null, '', true],
	['an answer where there was none', null, 'Acme', false],
	['an answer that goes', 'Acme', '', false],
	['spaces around and inside', ' New   York ', 'New York', true],
	['line ends', 'one\r\ntwo', 'one\ntwo', true],
	['composed letters', 'Ame\u0301lie', 'Am\u00e9lie', true],
	['an invisible character', 'Ac\u200bme', 'Acme', true],
	['a choice of several in another order', ['B', 'A'], ['A', 'B'], true],
	['one choice less', ['A', 'B'], ['A'], false],
	['a list and its text', 'A, , B', ['A', 'B'], true],
	['a text and the list', ['A', 'B'], 'B,A', true],
	['two texts of a choice of several', 'A, B', 'B, A', true, { type: 'multiple' }],
	['two texts of a text question', 'A, B', 'B, A', false, { type: 'text' }],
	['one choice, in a list', ['A'], 'A', true],
	['true and Yes', true, 'Yes', true],
	['false and no', false, 'No', true],
	['true and no', true, 'no', false],
	['true and a longer word', true, 'once', false],
	['false and a longer word', false, 'nobody', false],
	['zeros of no number', 'A10', 'A100', false],
	['1 and yes of a consent', '1', 'yes', true, { type: 'consent' }],
	['1 and yes of a text question', '1', 'yes', false, { type: 'text' }],
	['a number and its text', 15, '15.00', true],
	['5.50 and 5.6', '5.50', '5.6', false],
	['a day that may be two, with other marks', '05/06/2026', '5-6-2026', true],
	['y and 1 of a consent', 'y', '1', true, { type: 'consent' }],
	['five and maybe five thousand', '5', '5.000', false],
	['a post code and a number', '01234', '1234', false],
	['00 for the plus', '0033612345678', '+33 612 345 678', true],
	['a phone without a country', '(06) 12 34 56', '06123456', true, { id: 'phone_number' }],
	['another phone', '+33 612345678', '+33 612345679', false],
	['a phone with zeros', '+33 12003456', '+33 123456', false],
	['a phone behind words', 'ext 12345678', '12345678', false, { id: 'phone' }],
	['digits that are no phone', '12-34-567', '123-4567', false, { id: 'order' }],
	['a day in two notations', '2026-11-28', '28/11/2026', true],
	['a day with dots, the month never in front', '2026-05-06', '05.06.2026', false],
	['a day with the month in front', '2026-11-28', '11/28/2026', true],
	['a day with the name of the month', '2026-11-28', '28 Nov 2026', true],
	['a day in full English', 'November 28th, 2026', '2026-11-28', true],
	['a day and its midnight', '2026-11-28T00:00:00.000Z', '2026-11-28', true],
	['a day and its midnight in a time zone', '2026-11-28T00:00:00+01:00', '2026-11-28', true],
	['the same without a colon', '2026-11-28T00:00:00.000-0530', '2026-11-28', true],
	['a day and its midnight with words', '2026-11-28T00:00 or so', '2026-11-28', false],
	['words and a midnight', 'by 2026-11-28T00:00', '2026-11-28', false],
	['a day and another time of it', '2026-11-28T10:00:00Z', '2026-11-28', false],
	['another day', '2026-11-28', '29/11/2026', false],
	['a day that is one, in two orders', '28/11/2026', '11/28/2026', true],
	['a day in American English', 'Nov.28 2026', '28.11.2026', true],
	['a day behind a digit', '128/11/2026', '28/11/2026', false],
	['a day behind words', 'by 2026-11-28', '28/11/2026', false],
	['a day in English behind words', 'by Nov 28, 2026', '2026-11-28', false],
	['a day in English behind a digit', '128 Nov 2026', '2026-11-28', false],
	['a day that may be meant', '2026-06-05', '05/06/2026', true],
	['a day that may be meant, the month in front', '2026-05-06', '05/06/2026', true],
	['day and month swapped in the same notation', '05/06/2026', '06/05/2026', false],
	['a text cut at 255', long.slice(0, 255), long, true],
	['a text cut with an ellipsis', `${long.slice(0, 37)}…`, long, true],
	['a longer text', 'Likes cats', 'Likes cats and dogs', false],
	['another text of a usual length', 'x'.repeat(50), 'y'.repeat(50), false],
	['a longer text that was not cut', long.slice(0, 71), long, false],
	['a shorter text', long, long.slice(0, 255), false],
])('%s: %j and %j are equal: %j', (_, old, wanted, equal, ...[asked]) => {
	expect(isEqual(old, wanted, { id: 'answer', type: '', ...asked })).toBe(equal);
});

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
	const left = outstanding(person, { fields: [{ id, value }], tracking: {} });
	expect(left.map((one) => [one.field, one.new])).toEqual(same ? [] : [[id, value]]);
});

test('answers are compared by the kind of their question, as the platform shows it', () => {
	const fields = [
		{ id: 'news', type: 'consent', value: '1' },
		{ id: 'room', type: 'text', value: '1' },
	];
	const of = { id: 'p', attributes: { registrant_detail: { fields } } };
	const wanted = { fields: ['news', 'room'].map((id) => ({ id, value: 'yes' })), tracking: {} };
	expect(outstanding(of, wanted)).toEqual([{ field: 'room', old: '1', new: 'yes' }]);
});

test('referrer and utm values are compared by name, and told with what was', () => {
	const wanted = {
		fields: [],
		tracking: { utm_source: 'newsletter', referrer: 'https://a.example' },
	};
	const referrer = { field: 'referrer', old: null, new: 'https://a.example' };
	expect(outstanding(person, wanted)).toEqual([referrer]);
	// Of whom nothing is known, everything is to be changed.
	const source = { field: 'utm_source', old: null, new: 'newsletter' };
	expect(outstanding({ id: 'p2' }, wanted)).toEqual([source, referrer]);
});
