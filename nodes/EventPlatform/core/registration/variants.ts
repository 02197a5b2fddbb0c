import type { Failure } from '../client/failure';
import { howRegisteredIsTold } from '../dialect/alreadyRegistered';
import { linesOf, quotationsIn } from '../dialect/refusals';
import { unspecifiedTracking, type Registration, type TaskVariant } from '../people/registration';

const features: Readonly<Record<keyof TaskVariant, (registration: Registration) => boolean>> = {
	listsAsTexts: ({ fields }) => fields.some(({ value }) => Array.isArray(value)),
	withoutCampaign: (registration) => unspecifiedTracking(registration).length > 0,
};

/** The variants in the order in which they are tried: the one that loses nothing comes first. */
const variants: readonly TaskVariant[] = [
	{ listsAsTexts: true },
	{ withoutCampaign: true },
	{ listsAsTexts: true, withoutCampaign: true },
];

export interface RefusedTogether {
	readonly registrations: readonly Registration[];
	readonly tried: readonly TaskVariant[];
}

/**
 * Owns how the platform of a run takes lists of choices and the UTM values that section 2.2 does not name. Public clients send both,
 * and a platform that keeps to the letter refuses them. What was accepted once is remembered for the rest of the run.
 */
export class Variants {
	private readonly accepts: Partial<Record<keyof TaskVariant, boolean>> = {};
	readonly leftOut = new Set<string>();

	first(): TaskVariant {
		const { accepts } = this;
		return {
			...(accepts.listsAsTexts === false && { listsAsTexts: true as const }),
			...(accepts.withoutCampaign === false && { withoutCampaign: true as const }),
		};
	}

	/** Refused people are sent once more in this variant; undefined where the refusal is about something else. */
	next({ registrations, tried }: RefusedTogether, failure: Failure): TaskVariant | undefined {
		const isRegistered = ['code', 'words'].includes(howRegisteredIsTold(failure.errors));
		// Section 7 knows only the 400. Where a platform sends a 422, it is about the content of an answer.
		if (failure.status !== 400 || isRegistered) return undefined;
		const present = namesOf(features).filter((name) => registrations.some(features[name]));
		const doubtful = present.filter((name) => this.accepts[name] === undefined);
		const last = tried.at(-1) ?? {};
		const named = doubtful.filter((name) => !last[name] && isNamed(name, registrations, failure));
		const [first] = named;
		const suggested = first ? [{ ...last, [first]: true }] : [];
		// It may have been learned only while these people were under way.
		const remembered = this.first();
		const others = variants
			.filter((variant) => namesOf(variant).every((name) => doubtful.includes(name)))
			.map((variant) => ({ ...remembered, ...variant }));
		return [...suggested, remembered, ...others].find(
			(variant) => !tried.some((earlier) => areSame(present, earlier, variant)),
		);
	}

	recordAccepted(registrations: readonly Registration[], variant: TaskVariant): void {
		for (const name of namesOf(features)) {
			if (registrations.some(features[name])) this.accepts[name] ??= variant[name] !== true;
		}
		if (!variant.withoutCampaign) return;
		for (const name of registrations.flatMap(unspecifiedTracking)) this.leftOut.add(name);
	}
}

function isNamed(
	name: keyof TaskVariant,
	registrations: readonly Registration[],
	{ errors }: Failure,
): boolean {
	const words = linesOf(errors);
	if (name === 'withoutCampaign') {
		return registrations.flatMap(unspecifiedTracking).some((value) => words.includes(value));
	}
	const quoted = quotationsIn(words);
	return registrations.some(({ fields }) =>
		fields.some(({ id, value }) => Array.isArray(value) && quoted.has(id)),
	);
}

/** Whether people who have these features are written alike. */
function areSame(present: readonly (keyof TaskVariant)[], a: TaskVariant, b: TaskVariant): boolean {
	return present.every((name) => (a[name] ?? false) === (b[name] ?? false));
}

function namesOf(variant: Readonly<Partial<Record<keyof TaskVariant, unknown>>>) {
	return (['listsAsTexts', 'withoutCampaign'] as const).filter((name) => variant[name]);
}
