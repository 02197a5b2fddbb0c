/** The most characters of a hostile text: as many as a body of one megabyte has. */
const megabyte = 1_000_000;

/**
 * How many passes over a megabyte the work may take. A run with half characters takes about 40 on a quiet machine, and three times as
 * many on a busy one; what is quadratic takes thousands. It bounds every length, so that what is quadratic fails long before it hangs.
 */
const mostPasses = 300;

/** Fails where the time of the work does not stay linear. It is compared with plain passes over as much text, on the same machine. */
export async function expectLinearTime(
	work: (length: number) => unknown,
	what = 'It',
): Promise<void> {
	passMs ??= await fastestMs(passOnce);
	for (let length = megabyte / 64; length <= megabyte; length *= 8) {
		const passes = (await fastestMs(() => work(length), mostPasses * passMs)) / passMs;
		if (passes > mostPasses) {
			throw new Error(`${what}: ${length} characters took as long as ${Math.round(passes)} passes`);
		}
	}
}

/** How long one pass takes on this machine. */
let passMs: number | undefined;

const plain = 'plain words '.repeat(megabyte / 12);

function passOnce(): string {
	return plain.replace(/[a-z]+/g, (word) => word);
}

/** The fastest of up to three, because a busy machine makes one slow. One that is fast enough is not repeated. */
async function fastestMs(work: () => unknown, enoughMs = 0): Promise<number> {
	let fastest = Infinity;
	for (let turn = 0; turn < 3 && fastest > enoughMs; turn++) {
		const beganAt = performance.now();
		await work();
		fastest = Math.min(fastest, performance.now() - beganAt);
	}
	return fastest;
}
