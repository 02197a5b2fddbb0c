import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Homes from '../../../host/home';

/** The folders of starts, in a cache of this test's own. */
async function homesIn(cache: string): Promise<typeof Homes> {
	const before = process.env.EVENT_PLATFORM_CACHE;
	process.env.EVENT_PLATFORM_CACHE = cache;
	try {
		return await import('../../../host/home');
	} finally {
		if (before === undefined) delete process.env.EVENT_PLATFORM_CACHE;
		else process.env.EVENT_PLATFORM_CACHE = before;
	}
}

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);

test('only its owner can read the folder of a start, also one that an earlier start made for everybody', async () => {
	const cache = await mkdtemp(join(tmpdir(), 'event-platform-cache-'));
	const former = join(cache, 'start-1');
	await mkdir(former);
	await chmod(former, 0o755);
	const files = ['login.json', 'platform.sqlite', 'platform.sqlite-wal'];
	const login = JSON.stringify({ email: 'owner@example.com', password: 'kept' });
	for (const file of files) await writeFile(join(former, file), login, { mode: 0o644 });

	const { keptHome, temporaryHome } = await homesIn(cache);
	const homes = [await keptHome(1, false), await keptHome(2, false), await temporaryHome()];
	expect(homes[0]?.login.password).toBe('kept');
	for (const { folder } of homes) {
		expect(await modeOf(folder)).toBe('700');
		expect(await modeOf(join(folder, 'login.json'))).toBe('600');
	}
	for (const file of files) expect(await modeOf(join(former, file))).toBe('600');
	await homes[2]?.cleanUp();
	await rm(cache, { recursive: true });
});
