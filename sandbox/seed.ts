import type { Platform } from './platform';
import { seedContent } from './seed/content';
import { seedEvents } from './seed/events';
import { seedPeople } from './seed/people';

/** Fills an empty store. The ids depend on the position alone, the times on the day. */
export function seed(platform: Platform): void {
	const { store, options } = platform;
	if (store.get('SELECT 1 FROM users LIMIT 1')) return;
	store.transaction(() => {
		const sessions = seedEvents(platform, options.seedEvents);
		seedContent(platform, sessions);
		seedPeople(platform, sessions, options.seedPeople);
	});
}
