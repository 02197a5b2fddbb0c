import { Failure, type Cause } from '../../nodes/EventPlatform/core/http/failure';
import type { Answer, ApiRequest } from '../../nodes/EventPlatform/core/http/ports';

/** A platform that answers with this: a body, a whole answer, or why there is none. */
export function asking(
	said: (request: ApiRequest, nth: number) => object | string | Error | undefined,
) {
	const asked: ApiRequest[] = [];
	const ask = (request: ApiRequest): Promise<Answer> => {
		const body = said(request, asked.push(request));
		if (body instanceof Error) return Promise.reject(body);
		if (typeof body === 'string') return Promise.reject(new Failure(body as Cause, request));
		return Promise.resolve({ status: 200, headers: {}, body });
	};
	return { ask, asked };
}
