/** Looks again until it is so. It gives up, so that a test that waits in vain leaves nothing running. */
export async function eventually(isSo: () => boolean | Promise<boolean>): Promise<void> {
	for (let looks = 0; looks < 4_000; looks++) {
		if (await isSo()) return;
		await new Promise((done) => setTimeout(done, 5));
	}
	throw new Error('It never came to be');
}
