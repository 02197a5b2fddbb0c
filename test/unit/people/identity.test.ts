import {
	addressBook,
	readRegistered,
	type SessionPerson,
} from '../../../nodes/EventPlatform/core/people/identity';

/** A record with an address, and perhaps another one that was answered. */
function record(id: string | null, email: string | null, answer = email): SessionPerson {
	const registrant_detail = { fields: answer === null ? [] : [{ id: 'email', value: answer }] };
	return readRegistered({ id, type: 'people', attributes: { email, registrant_detail } });
}

const bookOf = (people: readonly SessionPerson[]) => addressBook(people, () => Promise.resolve());

test('records with one ID are one person as far as addresses lead from one to the next', async () => {
	const [first, last] = [record('p', 'a@x.org'), record('P', 'c@x.org')];
	const upper = record('p', 'c@x.org', 'b@x.org');
	const between = record('p', 'b@x.org', 'a@x.org');
	const stranger = record('p', 'd@x.org');
	const book = await bookOf([first, upper, stranger, between, last]);
	const addresses = ['a@x.org', 'b@x.org', 'c@x.org'];
	for (const person of [first, upper, between]) {
		const { certain, possible } = book(person);
		expect([[...certain].sort(), possible]).toEqual([addresses, ['d@x.org']]);
	}
	expect(book(stranger).certain).toEqual(['d@x.org']);
	expect([...book(stranger).possible].sort()).toEqual(addresses);
	// IDs that are no UUIDs have a letter case.
	expect(book(last)).toEqual({ certain: ['c@x.org'], possible: [] });
});

test('UUIDs in other letters are one ID', async () => {
	const id = '5e550000-0000-4000-8000-00000000000a';
	const [first, second] = [record(id, 'a@x.org'), record(id.toUpperCase(), 'b@x.org', 'a@x.org')];
	expect([...(await bookOf([first, second]))(first).certain].sort()).toEqual([
		'a@x.org',
		'b@x.org',
	]);
});

test('a record without an address belongs to the only person with its ID, or to nobody', async () => {
	const [nameless, ada] = [record('p', null), record('p', 'a@x.org')];
	expect((await bookOf([nameless, ada]))(nameless)).toEqual({ certain: ['a@x.org'], possible: [] });
	const both = await bookOf([nameless, ada, record('p', 'b@x.org')]);
	expect(both(nameless)).toEqual({ certain: [], possible: ['a@x.org', 'b@x.org'] });
	expect((await bookOf([nameless]))(nameless)).toEqual({ certain: [], possible: [] });
});

test('without an ID each record is somebody of its own', async () => {
	const [first, second] = [record(null, 'a@x.org'), record(null, 'b@x.org', 'a@x.org')];
	const book = await bookOf([first, second]);
	expect(book(first)).toEqual({ certain: ['a@x.org'], possible: [] });
	expect(book(second)).toEqual({ certain: ['b@x.org', 'a@x.org'], possible: [] });
	expect((await bookOf([]))(first)).toEqual({ certain: ['a@x.org'], possible: [] });
});
