import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { addressesWithin } from '../../../nodes/EventPlatform/core/people/addressesWithin';

const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';

test.each<[string, JsonObject, string[]]>([
	['of the record', { id: 'p1', email: 'Ada@X.io' }, ['ada@x.io']],
	['of an answer', { attributes: { fields: [{ id: 'email', value: ' ada@x.io' }] } }, ['ada@x.io']],
	['deep in it', { attributes: { person: { contact: { email: 'ada@x.io' } } } }, ['ada@x.io']],
	['of two people', { email: 'ada@x.io', invited_by: 'bob@x.io' }, ['ada@x.io', 'bob@x.io']],
	['once', { email: 'ada@x.io', custom_email: 'Ada@x.io' }, ['ada@x.io']],
	['that the platform has not made up', { email: madeUp, contact: 'ada@x.io' }, ['ada@x.io']],
	['but not of a link that logs in', { connection_link: 'https://x.io/?email=ada@x.io' }, []],
	['but not of what is a secret', { password_key: 'ada@x.io' }, []],
	['but not of a sentence', { note: 'Ask ada@x.io about it' }, []],
	['but not of a long text', { note: `${'x'.repeat(500)}@x.io` }, []],
	['but not of nothing', { email: null, id: 7, ok: true }, []],
])('the addresses of a record are found: %s', (_, record, addresses) => {
	expect(addressesWithin(record)).toEqual(addresses);
});

/** So many addresses on one level. */
const many = (count: number) => Array.from({ length: count }, (_, nth) => `p${nth}@x.io`);

describe('of a record with many addresses', () => {
	test('all of the level are found on which there are twenty', () => {
		expect(addressesWithin({ list: many(25) })).toEqual(many(25));
	});

	test.each([
		[19, true],
		[20, false],
		[25, false],
	])('below a level with %i the next level is looked at: %j', (count, isLookedAt) => {
		const addresses = addressesWithin({ list: many(count), below: { deeper: { to: 'ada@x.io' } } });
		expect(addresses).toEqual([...many(count), ...(isLookedAt ? ['ada@x.io'] : [])]);
	});

	test('the same address counts once', () => {
		const same = Array(25).fill('ada@x.io') as string[];
		const addresses = addressesWithin({ list: same, below: { deeper: { to: 'bob@x.io' } } });
		expect(addresses).toEqual(['ada@x.io', 'bob@x.io']);
	});
});

describe('a record without end costs no more than a large one', () => {
	test('where it is wide', () => {
		const wide = Array.from({ length: 100_000 }, (_, nth) => ({ to: `p${nth}@x.io` }));
		expect(addressesWithin({ email: 'ada@x.io', wide })).toEqual(['ada@x.io']);
	});

	test('where it is deep', () => {
		let deep: JsonObject = { email: 'deep@x.io' };
		for (let level = 0; level < 10_000; level++) deep = { deep };
		expect(addressesWithin({ email: 'ada@x.io', deep })).toEqual(['ada@x.io']);
	});

	// The record, its two members, the values of its list and an object beside them are looked at before the address.
	test.each([
		[1_995, true],
		[1_996, false],
	])('after %i values an address below them is found: %j', (count, isFound) => {
		const list = Array<number>(count).fill(1);
		const addresses = addressesWithin({ list, below: { deeper: { to: 'ada@x.io' } } });
		expect(addresses).toEqual(isFound ? ['ada@x.io'] : []);
	});
});

test.each([
	[400, true],
	[401, false],
])('a text of %i characters may be an address: %j', (length, isAddress) => {
	const text = `${' '.repeat(length - 8)}ada@x.io`;
	expect(addressesWithin({ text })).toEqual(isAddress ? ['ada@x.io'] : []);
});
