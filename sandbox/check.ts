import Ajv, { type ValidateFunction } from 'ajv';
import type Ajv2020 from 'ajv/dist/2020';

/** Tells whether a value has the shape of a schema, and what is wrong with it. */
export interface Check<T = unknown> {
	(value: unknown): value is T;
	readonly errors: ValidateFunction['errors'];
}

// The schemas are ours and the same each time: whether they are schemas is for the compiler and the tests.
const ajv = new Ajv({ validateSchema: false, useDefaults: true });

/** The check of a body that the control routes take. What is absent gets the default of the schema. */
export function shape<T>(schema: object): Check<T> {
	return compiledWhenNeeded<T>(ajv, schema);
}

/** A sandbox that starts for a test needs few of its checks, and to compile one takes milliseconds. */
export function compiledWhenNeeded<T>(compiler: Ajv | Ajv2020, schema: object): Check<T> {
	let compiled: ValidateFunction | undefined;
	const check = (value: unknown): value is T => {
		compiled ??= compiler.compile(schema);
		return compiled(value) === true;
	};
	return Object.defineProperty(check, 'errors', { get: () => compiled?.errors }) as Check<T>;
}

/** Everything that a check found, for the sender of the body. `name` is what it is called there. */
export function errorsText({ errors }: Check, name = 'data'): string {
	return ajv.errorsText(errors, { dataVar: name });
}
