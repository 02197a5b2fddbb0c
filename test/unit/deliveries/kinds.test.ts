import { kindOf, kinds, subjects } from '../../../nodes/EventPlatform/core/deliveries/kinds';
import { webhookKinds } from '../../../nodes/EventPlatform/parameters/webhookKinds';

test('the menu has every kind, in the order of its names', () => {
	expect(webhookKinds.map(({ value }) => value)).toEqual(Object.keys(kinds));
	const names = webhookKinds.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
});

test.each(Object.entries(kinds))('%s is named after its subject', (kind, { subject }) => {
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
