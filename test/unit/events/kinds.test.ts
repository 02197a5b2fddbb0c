import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	defaultKinds,
	deliveryKinds,
	kindOf,
} from '../../../nodes/EventPlatform/core/events/kinds';
import { webhookKinds } from '../../../nodes/EventPlatform/fields/sharedFields';

test('the menu has every kind, in the order of its names', () => {
	expect(webhookKinds.map(({ value }) => value)).toEqual(Object.keys(deliveryKinds));
	const names = webhookKinds.map(({ name }) => name);
	expect(names).toEqual([...names].sort());
});

test.each(Object.keys(deliveryKinds))('%s is named after the type of its records', (kind) => {
	expect(kindOf(kind).type).toMatch(new RegExp(`^${kind.split('.')[0]}s?$`));
	expect(kindOf(kind).notChecked).toBeUndefined();
});

test.each([
	['session.canceled', 'sessions'],
	['poll.closed', undefined],
	['toString.called', undefined],
	['', undefined],
])('of the unknown kind "%s" no more is said than what is checked', (kind, type) => {
	expect(kindOf(kind).type).toBe(type);
	expect(kindOf(kind).notChecked).toContain(`not that "${kind}" happened`);
});

test('a kind of delivery is one row: no other file names one', () => {
	const nodes = join(__dirname, '../../../nodes');
	const named = new RegExp(
		Object.keys(deliveryKinds)
			.join('|')
			.replaceAll('.', String.raw`\\?\.`),
	);
	const files = readdirSync(nodes, { recursive: true, encoding: 'utf8' });
	const naming = files.filter((file) => {
		const code = file.endsWith('.ts') ? readFileSync(join(nodes, file), 'utf8') : '';
		return named.test(code.replace(/e\.g\. .*/g, ''));
	});
	expect(naming).toEqual([join('EventPlatform', 'core', 'events', 'kinds.ts')]);
});

test('what a trigger listens to at first is a kind', () => {
	const { webhook, polling } = defaultKinds;
	expect(Object.keys(deliveryKinds)).toEqual(expect.arrayContaining([webhook, polling]));
});
