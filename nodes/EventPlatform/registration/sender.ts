import type { Answer, ApiRequest } from '../transport/ports';

/** The api, as far as one session uses it. */
export type Sender = (request: ApiRequest) => Promise<Answer>;
