import { nextReadMs } from '../../../nodes/EventPlatform/core/jobs/duration';

test.each<[string, Array<[seconds: number, processed: number]>, number | undefined, number]>([
	['nothing is known', [], undefined, 1],
	['it has been read once', [[5, 10]], undefined, 1],
	[
		'nothing has happened for 3 s',
		[
			[0, 0],
			[3, 0],
		],
		undefined,
		6,
	],
	[
		'a tenth is done after a second',
		[
			[0, 0],
			[1, 5],
		],
		50,
		1.05 * 9,
	],
	[
		'half is done after two seconds',
		[
			[0, 0],
			[2, 10],
		],
		20,
		1.05 * 2,
	],
	[
		'40 of the usual fifty are done',
		[
			[0, 0],
			[4, 40],
		],
		undefined,
		1.05 * 1,
	],
	[
		'all of it is done but it is not over',
		[
			[0, 0],
			[10, 10],
		],
		10,
		1.05 * 1,
	],
	[
		'more than all is done',
		[
			[0, 0],
			[10, 20],
		],
		10,
		1.05 * 0.5,
	],
	[
		'it began at twenty',
		[
			[0, 20],
			[4, 30],
		],
		50,
		1.05 * 0.4 * 20,
	],
	[
		'it has stood still for two seconds',
		[
			[0, 0],
			[2, 10],
			[4, 10],
		],
		50,
		4,
	],
	[
		'it has stood still for 5 s since it moved',
		[
			[0, 0],
			[2, 10],
			[4, 10],
			[7, 10],
		],
		50,
		10,
	],
	[
		'it went backwards',
		[
			[0, 10],
			[3, 5],
		],
		50,
		6,
	],
	[
		'it is nearly over',
		[
			[0, 0],
			[1, 49],
		],
		50,
		0.5,
	],
	[
		'it hardly moves',
		[
			[0, 0],
			[10, 1],
		],
		50,
		30,
	],
])('when %s', (_, seen, total, seconds) => {
	const reads = seen.map(([at, processed]) => ({ at: at * 1_000, processed }));
	expect(nextReadMs(reads, total)).toBeCloseTo(seconds * 1_000);
});
