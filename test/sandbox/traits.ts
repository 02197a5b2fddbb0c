import fc, { type Arbitrary } from 'fast-check';
import {
	optionTable,
	type SandboxOptions,
	type TraitName,
	traitNames,
} from '../../sandbox/options';
import type { Option } from '../../sandbox/options/kinds';

export type Traits = Pick<SandboxOptions, TraitName>;

/** Traits whose numbers are shares; those of the others are milliseconds. */
const shares = /Deliveries$/;

function values(name: TraitName): Arbitrary<unknown> {
	const { choices, isSwitch }: Option = optionTable[name];
	if (choices.length > 0) return fc.constantFrom(...choices);
	if (isSwitch) return fc.boolean();
	if (shares.test(name)) return fc.constantFrom(0, 0.3, 1);
	return fc.integer({ min: 0, max: 20 });
}

/** Any platform that the sandbox can be. */
export function traitsDrawn(): Arbitrary<Traits> {
	const arbitraries = traitNames.map((name) => [name, values(name)] as const);
	return fc.record(Object.fromEntries(arbitraries)) as Arbitrary<Traits>;
}
