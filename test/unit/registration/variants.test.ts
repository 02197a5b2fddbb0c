import { Variants } from '../../../nodes/EventPlatform/core/registration/variants';
import { Failure } from '../../../nodes/EventPlatform/core/client/failure';
import {
	asTask,
	type Registration,
	type TaskVariant,
} from '../../../nodes/EventPlatform/core/people/registration';

const post = { method: 'POST', path: '/sessions/s/people' } as const;
const refusal = (status: number, detail?: string) =>
	new Failure('refused', post, { status, errors: detail === undefined ? [] : [{ detail }] });

const email = { id: 'email', value: 'ada@example.com' };
const plain: Registration = { fields: [email], tracking: { referrer: 'x', utm_source: 'y' } };
const list: Registration = { fields: [email, { id: 'topics', value: ['a', 'b'] }], tracking: {} };
const campaign: Registration = {
	fields: [email],
	tracking: {
		utm_source: 's',
		utm_medium: 'm',
		utm_campaign: 'c',
		utm_term: 't',
		utm_content: 'n',
	},
};
const both: Registration = { ...list, tracking: campaign.tracking };

const asSent: TaskVariant = {};
const texts: TaskVariant = { listsAsTexts: true };
const short: TaskVariant = { withoutCampaign: true };
const textsAndShort: TaskVariant = { listsAsTexts: true, withoutCampaign: true };

test.each<[string, TaskVariant, object]>([
	['as public clients send it', asSent, { topics: ['a', 'b'], utm_source: 's', utm_medium: 'm' }],
	['with a text for a list', texts, { topics: 'a, b', utm_source: 's', utm_medium: 'm' }],
	['without the campaign', short, { topics: ['a', 'b'], utm_source: 's', utm_medium: undefined }],
])('a registration is written %s', (_, variant, expected) => {
	const { fields, utm_source, utm_medium } = asTask(both, variant);
	const topics = (fields as Array<{ value: unknown }>)[1]?.value;
	expect({ topics, utm_source, utm_medium }).toEqual(expected);
});

test.each<[string, Registration, number, string | undefined, TaskVariant[]]>([
	['with neither is not sent once more', plain, 400, undefined, []],
	['with a list goes with texts', list, 400, undefined, [texts]],
	['with a campaign goes without', campaign, 400, undefined, [short]],
	[
		'with both goes with texts, then without the campaign, then both',
		both,
		400,
		undefined,
		[texts, short, textsAndShort],
	],
	[
		'whose campaign is named goes without it first',
		both,
		400,
		'There is no utm_medium',
		[short, texts, textsAndShort],
	],
	[
		'whose list is named goes with texts first',
		both,
		400,
		"The value of 'topics'",
		[texts, short, textsAndShort],
	],
	[
		'with a list, whose person is registered already, is not sent once more',
		list,
		400,
		'ada@example.com is already registered',
		[],
	],
	['with both and a 422 is not sent once more', both, 422, 'There is no utm_medium', []],
])('a refused registration %s', (_, registration, status, detail, expected) => {
	const variants = new Variants();
	const tried: TaskVariant[] = [variants.first()];
	for (;;) {
		const next = variants.next(
			{ registrations: [plain, registration], tried },
			refusal(status, detail),
		);
		if (!next) break;
		tried.push(next);
	}
	expect(tried.slice(1)).toEqual(expected);
});

describe('for the rest of the run', () => {
	test('people go in the variant that was accepted, and it is known what was left out', () => {
		const variants = new Variants();
		variants.recordAccepted([plain, both], textsAndShort);
		expect(variants.first()).toEqual(textsAndShort);
		expect([...variants.leftOut]).toEqual([
			'utm_medium',
			'utm_campaign',
			'utm_term',
			'utm_content',
		]);
		expect(
			variants.next({ registrations: [both], tried: [textsAndShort] }, refusal(400)),
		).toBeUndefined();
	});

	test('nothing is left out that was accepted once, whatever is refused later', () => {
		const variants = new Variants();
		variants.recordAccepted([both], asSent);
		expect(variants.first()).toEqual(asSent);
		expect(
			variants.next(
				{ registrations: [both], tried: [asSent] },
				refusal(400, 'There is no utm_medium'),
			),
		).toBeUndefined();
		expect([...variants.leftOut]).toEqual([]);
	});

	test('people who left before one was accepted, and are refused after it, are sent once more in that one', () => {
		const variants = new Variants();
		variants.recordAccepted([both], textsAndShort);
		const refused = { registrations: [campaign], tried: [asSent] };
		expect(variants.next(refused, refusal(400))).toEqual(textsAndShort);
		expect(
			variants.next({ ...refused, tried: [asSent, textsAndShort] }, refusal(400)),
		).toBeUndefined();
		// Nothing that was accepted since says anything of these people.
		expect(
			variants.next({ registrations: [plain], tried: [asSent] }, refusal(400)),
		).toBeUndefined();
	});

	test('people without a list say nothing of lists', () => {
		const variants = new Variants();
		variants.recordAccepted([campaign], short);
		expect(variants.first()).toEqual(short);
		expect(variants.next({ registrations: [list], tried: [short] }, refusal(400))).toEqual(
			textsAndShort,
		);
	});
});
