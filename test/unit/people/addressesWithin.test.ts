import type { JsonObject } from '../../../nodes/EventPlatform/core/values/json';
import { addressesWithin } from '../../../nodes/EventPlatform/core/people/addressesWithin';

const madeUp = '1720628126+528d3ec6-b983-4353-bcbf-eddb1566d013@unknown.livestorm.co';

test.each<[string, JsonObject, string[]]>([
	['of the record', { id: 'p1', email: 'Ada@X.io' }, ['ada@x.io']],
	['of an answer', { attributes: { fields: [{ id: 'email', value: ' ada@x.io' }] } }, ['ada@x.io']],
	['deep in it', { attributes: { person: { contact: { email: 'ada@x.io' } } } }, ['ada@x.io']],
	['of two people', { email: 'ada@x.io', invited_by: 'bob@x.io' }, ['ada@x.io', 'bob@x.io']],
	['once', { email: 'ada@x.io', custom_email: 'Ada@x.io' }, ['ada@x.io']],
	['that the platform has not made up', { email: madeUp, other: 'ada@x.io' }, ['ada@x.io']],
	['but not of a link that logs in', { connection_link: 'https://x.io/?email=ada@x.io' }, []],
	['but not of what is a secret', { password_key: 'ada@x.io' }, []],
	['but not of a sentence', { note: 'Ask ada@x.io about it' }, []],
	['but not of a long text', { note: `${'x'.repeat(500)}@x.io` }, []],
	['but not of nothing', { email: null, id: 7, ok: true }, []],
])('the addresses of a record are found: %s', (_, record, found) => {
	expect(addressesWithin(record)).toEqual(found);
});

test('a record without end costs no more than a large one', () => {
	const wide = { list: Array.from({ length: 100_000 }, (_, nth) => ({ to: `p${nth}@x.io` })) };
	expect(addressesWithin({ email: 'ada@x.io', wide }).length).toBeLessThanOrEqual(20);
	let deep: JsonObject = { email: 'deep@x.io' };
	for (let level = 0; level < 10_000; level++) deep = { deep };
	expect(addressesWithin({ email: 'ada@x.io', deep })).toEqual(['ada@x.io']);
});
