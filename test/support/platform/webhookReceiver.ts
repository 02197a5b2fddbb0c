import type { IncomingHttpHeaders } from 'node:http';
import { startTestServer } from './testServer';

export interface Delivery {
	headers: IncomingHttpHeaders;
	/** The body as it came over the wire. The signature covers this text. */
	raw: string;
	body: Record<string, unknown>;
}

/** Someone who subscribes to webhooks: keeps what comes and answers with what `answer` says. */
export async function openReceiver(
	answer: (delivery: Delivery, nth: number) => number = () => 200,
) {
	const deliveries: Delivery[] = [];
	const { baseUrl } = await startTestServer((response, { headers }, raw) => {
		const delivery = { headers, raw, body: JSON.parse(raw) as Record<string, unknown> };
		deliveries.push(delivery);
		response.writeHead(answer(delivery, deliveries.length)).end('ok');
	});
	return { url: `${baseUrl}/hook`, deliveries };
}
