import { TriggerScene } from '../support/n8n/triggerScene';
import { expectLinearTime } from '../support/time/linearTime';

/** Texts that make a careless pattern look at each place again and again, each a part that is repeated. */
const parts: Array<[what: string, part: string]> = [
	['quotation marks', '"'],
	['backslashes', '\\'],
	['escaped quotation marks', '\\"'],
	['digits', '1'],
	['digits in quotation marks', '"1'],
	['spaces', ' '],
	['letters', 'a'],
	['opening tags', '<'],
	['ampersands', '&'],
	['at signs', '@'],
	['opening brackets', '[{'],
];

/** The same part again and again. The digits in front made the former reader of numbers look. */
const repeated = (part: string, length: number) =>
	part.repeat(Math.ceil(length / part.length)).slice(0, length);

describe('a delivery without a key', () => {
	const scene = new TriggerScene();

	test.each(parts)('of a megabyte of %s holds up nothing', async (_, part) => {
		const host = await scene.start();
		const bodyOf = (length: number) => `{"id":12345678901234567890,"a":${repeated(part, length)}`;
		await expectLinearTime(async (length) => {
			const { sent } = await host.deliver({ rawBody: bodyOf(length) });
			expect(sent?.status).toBe(400);
		});
	});
});
