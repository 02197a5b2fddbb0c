import { homedir } from 'node:os';
import { join } from 'node:path';

/** Outside the checkout, so that a second clone finds what the first one downloaded. */
export const cacheFolder: string =
	process.env.EVENT_PLATFORM_CACHE ??
	join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'n8n-nodes-event-platform');
