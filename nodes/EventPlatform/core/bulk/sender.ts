import type { Answer, ApiRequest } from '../http/ports';

/** The api, as far as one session uses it. */
export type Sender = (request: ApiRequest) => Promise<Answer>;
