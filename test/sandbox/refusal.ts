import type { AxiosResponse } from 'axios';
import type { Refused } from './visitor';

/** Refused in the envelope, in words for people, without a look inside. */
export function expectRefusal(
	answer: Pick<AxiosResponse<unknown>, 'status' | 'data'>,
	errorFields: 'straight' | 'swapped' = 'straight',
): void {
	expect(answer.status).toBeGreaterThanOrEqual(400);
	expect(answer.status).toBeLessThan(500);
	const { errors } = answer.data as Refused;
	for (const { title, detail, code, status } of errors) {
		expect(errorFields === 'swapped' ? code : status).toBe(String(answer.status));
		expect(
			[title, detail, code, status].every((text) => typeof text === 'string' && text),
		).toBeTruthy();
	}
	expect(JSON.stringify(answer.data)).not.toMatch(
		/node_modules|\.ts:\d|\bat \w+ \(|SQLITE|sqlite|FST_|undefined|\[object Object\]/,
	);
	expect(JSON.stringify(answer.data).length).toBeLessThan(2_000);
}
