import { Cancelled } from '../../../nodes/EventPlatform/core/client/clock';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { Readings } from '../../../nodes/EventPlatform/core/failures/readings';

type Keeping = ConstructorParameters<typeof Readings>[0];

const failure = (cause: 'not_found' | 'platform_error') =>
	new Failure(cause, { method: 'GET', path: '/sessions/s1' });

/** A thing whose readings end one after the other with these results or errors. */
function thing(keeping: Keeping, ...ends: Array<string | Error>) {
	const readings = new Readings<string, string>(keeping);
	let begun = 0;
	const begin = async () => {
		const end = ends[begun++];
		await Promise.resolve();
		if (end instanceof Error) throw end;
		return end ?? 'more than expected';
	};
	const read = () => readings.read('thing', begin);
	return { readings, read, begun: () => begun };
}

test('who needs what is being read waits for that reading, and gets its failure as well', async () => {
	for (const end of ['first', failure('platform_error')]) {
		const { read, begun } = thing('nothing', end);
		const ends = [read(), read(), read()].map((reading) =>
			reading.catch((error: unknown) => error),
		);
		expect(await Promise.all(ends)).toEqual([end, end, end]);
		expect(begun()).toBe(1);
	}
});

test('the readings of two things have nothing to do with each other', async () => {
	const readings = new Readings<string, string>('everything');
	const read = (key: string) => readings.read(key, () => Promise.resolve(key));
	expect(await Promise.all([read('a'), read('b'), read('a')])).toEqual(['a', 'b', 'a']);
});

test.each<[Keeping, string, string | Error, number]>([
	['nothing', 'a result', 'first', 2],
	['nothing', 'a failure', failure('not_found'), 2],
	['unlessPassing', 'a result', 'first', 1],
	['unlessPassing', 'a failure that would come again', failure('not_found'), 1],
	['unlessPassing', 'a failure that passes', failure('platform_error'), 2],
	['unlessPassing', 'a cancellation', new Cancelled(), 2],
	['everything', 'a result', 'first', 1],
	['everything', 'a failure that passes', failure('platform_error'), 1],
])('where %s is kept, after %s (%#) there are so many readings', async (keeping, _, end, count) => {
	const { readings, read, begun } = thing(keeping, end, 'second');
	await read().catch(() => undefined);
	expect(readings.has('thing')).toBe(count === 1);
	const next = await read().catch((error: unknown) => error);
	expect(next).toBe(count === 1 ? end : 'second');
	expect(begun()).toBe(count);
});
