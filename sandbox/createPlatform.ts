import { Faults } from './faults/faults';
import type { SandboxOptions } from './options';
import type { Platform } from './platform';
import { seed } from './seed';
import { openDatabase } from './store/open';
import { site } from './records/links';
import { Store } from './store/store';
import { createWorkspace } from './store/workspace';
import { Webhooks } from './webhooks/deliver';
import { createDraws } from './world/draws';

/** A platform, and what delivers its webhooks. */
interface PlatformWithWebhooks {
	platform: Platform;
	webhooks: Webhooks;
}

/** Every sandbox draws the same, so that a run can be repeated. */
const drawSeed = 1;

/** The state of one sandbox and its clock, without HTTP. */
export function createPlatform(options: SandboxOptions): PlatformWithWebhooks {
	const db = openDatabase(options.data);
	const store = new Store(db);
	const timers = new Set<NodeJS.Timeout>();
	const resets: Array<() => void> = [];
	let isClosed = false;
	let listening = site;
	let draw = createDraws(drawSeed);

	const platform: Platform = {
		options,
		db,
		store,
		workspace: createWorkspace(store),
		faults: new Faults(),
		violations: [],
		now: () => Date.now(),
		draw: () => draw(),
		announce: (eventType, record) => webhooks.announce(eventType, record),
		filesRoot: () => options.filesUrl || listening,
		listensAt: (baseUrl) => void (listening = baseUrl),
		later(ms, work) {
			if (isClosed) return;
			const timer = setTimeout(() => {
				timers.delete(timer);
				work();
			}, ms);
			timers.add(timer);
		},
		reset() {
			store.clear();
			draw = createDraws(drawSeed);
			platform.violations.length = 0;
			for (const work of resets) work();
			seed(platform);
		},
		onReset: (work) => void resets.push(work),
		close() {
			isClosed = true;
			for (const timer of timers) clearTimeout(timer);
			if (db.isOpen) db.close();
			return Promise.resolve();
		},
	};
	const webhooks = new Webhooks(platform);
	seed(platform);
	return { platform, webhooks };
}
