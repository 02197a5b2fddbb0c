import { seededId } from '../../sandbox/seed/ids';
import { benchClock } from './bulkClock';
import { nearLimit, type Work } from './nearLimit';

const work = (name: string, per50: number, sandbox: string[]): Work => ({
	name: `people, ${name}, latency 100 to 400 ms`,
	per50,
	sandbox: () => sandbox,
	isFar: true,
	items: (count) =>
		Array.from({ length: count }, (_, index) => ({ email: `person-${index}@example.com` })),
	parameters: {
		resource: 'registration',
		operation: 'bulkRegister',
		sessionId: { __rl: true, mode: 'id', value: seededId('session', 1) },
		fields: { mappingMode: 'defineBelow', value: { email: '={{ $json.email }}' } },
	},
	status: 'registered',
});
const full = work('full results', 2.1, []);
const hidden = work('results hidden until the end', 3.2, ['--early-results', '404']);

const parts: Record<string, (words: string[]) => Promise<void>> = {
	http: (words) => nearLimit(full, words),
	hidden: (words) => nearLimit(hidden, words),
	clock: benchClock,
};

/** `http`, `hidden`, `clock`, or all of them; the words of the first two are those of `nearLimit`. */
export async function run(words: string[]): Promise<void> {
	const named = Object.keys(parts).filter((part) => words.includes(part));
	for (const part of named.length > 0 ? named : Object.keys(parts)) await parts[part]?.(words);
}
