import type { Cause } from '../../../nodes/EventPlatform/core/client/cause';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import { someRows } from '../../support/runs/simulation';
import { runAgainst } from './bulkRun';

describe('a read of a job that fails', () => {
	const job = (id: string) => {
		return { status: 202, headers: {}, body: { id, attributes: { status: 'processing' } } };
	};
	const done = { status: 'succeeded' };
	const results = { status: 200, headers: {}, body: { data: [done, done] } };

	/** Two people in each of two sessions; the reads of the first job fail for this reason. */
	async function failed(cause: Cause, times = Infinity) {
		let left = times;
		return await runAgainst([...someRows(2, 'a'), ...someRows(2, 'b')], (request) => {
			const [, collection, id = ''] = request.path.split('/');
			if (collection === 'sessions') return job(`j-${id}`);
			return id === 'j-a' && left-- > 0 ? new Failure(cause, request) : results;
		});
	}

	test.each<Cause>(['platform_error', 'unreachable', 'not_found', 'refused'])(
		'with "%s" is tried again, and stops nothing',
		async (cause) => {
			const { report, became } = await failed(cause, 3);
			expect([report.stop, became('a'), became('b')]).toEqual([
				undefined,
				'registered j-a',
				'registered j-b',
			]);
		},
	);

	test.each<[Cause, string | undefined, number]>([
		// Results and status, eight times.
		['not_found', undefined, 16],
		['forbidden', undefined, 1],
		['unauthorized', 'unauthorized', 1],
	])('with "%s" each time leaves its people unknown, and ends: %j', async (cause, stop, reads) => {
		const { report, became, asked } = await failed(cause);
		expect(report.stop?.code).toBe(stop);
		expect(asked.filter(({ path }) => path.startsWith('/jobs/j-a'))).toHaveLength(reads);
		expect(became('a')).toBe(`unknown ${cause} j-a`);
		if (!stop) expect(became('b')).toBe('registered j-b');
	});
});
