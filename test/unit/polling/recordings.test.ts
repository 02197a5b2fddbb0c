import type { Cursor } from '../../../nodes/EventPlatform/core/polling/cursor';
import { itemOf } from '../../../nodes/EventPlatform/core/events/item';
import { readNews } from '../../../nodes/EventPlatform/core/polling/poll';
import { fakePlatform } from '../../support/platform/fakePlatform';
import recorded from '../../support/recordedAnswers/recordings.json';
import { noFilters } from '../../support/runs/filters';
import { polledRun } from '../../support/runs/measuredClient';

const start = 1_800_000_000;

test('a recording that began before the trigger, in a session that has ended since then, is told once', async () => {
	const search = { eventTypes: ['recording.ready'], filters: noFilters, endedWithinDays: 1 };
	let cursor: Cursor | undefined;
	const told: string[] = [];
	for (let poll = 0; poll < 4; poll++) {
		const nowSeconds = start + poll * 900;
		const ended = poll > 0 && { status: 'past', ended_at: start + 600 };
		const attributes = { status: 'live', started_at: start - 3_600, ...ended };
		const recording = { type: 'recordings', id: 'r', attributes: { created_at: start - 3_600 } };
		const { ask } = fakePlatform(({ path }) => ({
			data: path.endsWith('/recordings')
				? [recording]
				: [{ type: 'sessions', id: 's', attributes }],
		}));
		const clock = () => nowSeconds * 1_000;
		const { news, next } = await readNews(polledRun(ask, clock), cursor, search, clock);
		cursor = next;
		told.push(...news.map(({ record }) => record.id));
	}
	expect(told).toEqual(['r']);
});

test('a recording without an id, as the platform was seen to answer, is told once by its name', async () => {
	const session = {
		type: 'sessions',
		id: 's',
		attributes: { started_at: 1, ended_at: start + 60 },
	};
	const [recording] = recorded.data;
	const search = { eventTypes: ['recording.ready'], filters: noFilters, endedWithinDays: 1 };
	let cursor: Cursor | undefined;
	let list: object[] = [];
	const told: object[] = [];
	for (let poll = 1; poll < 5; poll++) {
		const nowSeconds = start + poll * 900;
		const { ask } = fakePlatform(({ path }) => ({
			data: path.endsWith('/recordings') ? list : [session],
		}));
		const clock = () => nowSeconds * 1_000;
		const { news, next } = await readNews(polledRun(ask, clock), cursor, search, clock);
		cursor = next;
		told.push(...news.map((event) => itemOf(event, nowSeconds * 1_000)));
		// The address has another signature each time.
		const url = `https://files.example.org/evening.mp4?signature=${poll}`;
		list = [{ ...recording, attributes: { ...recording?.attributes, url } }];
	}
	expect(told).toMatchObject([{ event: 'recording.ready', id: null, recording_id: null }]);
});
