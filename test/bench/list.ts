import { nearLimit } from './nearLimit';

/** People in lists; the words are those of `nearLimit`. */
export function run(words: string[]): Promise<void> {
	return nearLimit(
		{
			name: 'records, 300 ms latency',
			sandbox: (count) => ['--seed-people', String(count), '--latency-ms', '300'],
			isFar: false,
			items: () => [{}],
			parameters: { resource: 'person', operation: 'getAll', returnAll: true },
			per50: 1.02,
		},
		words,
	);
}
