import type { SandboxOptions } from '../options';
import { type Refusal, envelope } from '../refusal';

type Traits = Pick<SandboxOptions, 'errorShape' | 'errorFields'>;

/** The body that a refused request is answered with. */
interface ErrorBody {
	/** Undefined: the JSON type that the request asked for. */
	contentType?: string;
	/** Undefined: no body at all. */
	text?: string;
}

/** A refusal in the shape in which this platform words errors. */
export function errorBody({ errorShape, errorFields }: Traits, refusal: Refusal): ErrorBody {
	const { code, detail } = refusal;
	switch (errorShape) {
		case 'errors':
			return { text: JSON.stringify(envelope(refusal, errorFields)) };
		case 'message':
			return { text: JSON.stringify({ code, message: detail }) };
		case 'error':
			return { text: JSON.stringify({ error: detail }) };
		case 'text':
			return { contentType: 'text/plain; charset=utf-8', text: detail };
		case 'empty':
			return {};
	}
}
