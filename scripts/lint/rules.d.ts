/** A piece of code that is forbidden, in the form that `no-restricted-syntax` wants. */
interface Forbidden {
	selector: string;
	message: string;
}

export const literalSpreads: readonly Forbidden[];
export const spreadArguments: readonly Forbidden[];
export const untypedExports: readonly Forbidden[];
/** Names that nothing may have. */
export const vagueNames: readonly string[];
