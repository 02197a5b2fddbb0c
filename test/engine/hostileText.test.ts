import '../support/time/fasterClock';
import { connect } from '../../nodes/EventPlatform/n8n/connect';
import { readRecord } from '../../nodes/EventPlatform/core/client/document';
import type { ApiRequest } from '../../nodes/EventPlatform/core/client/request';
import { startPlatform } from '../support/n8n/startPlatform';
import { hostileText, hostileTexts } from '../support/runs/hostileText';
import { runWorkflow } from '../support/n8n/engine';
import { TriggerScene } from '../support/n8n/triggerScene';
import { expectLinearTime } from '../support/time/linearTime';
import { probe } from './probeNode';

describe('a delivery without a key', () => {
	const scene = new TriggerScene();

	test.each(hostileTexts)('of a megabyte of %s holds up nothing', async (_, hostile) => {
		const host = await scene.start();
		await expectLinearTime(async (length) => {
			const rawBody = `{"id":12345678901234567890,"a":${hostileText(hostile, length)}`;
			expect((await host.deliver({ rawBody })).sent?.status).toBe(400);
		});
	});
});

describe('a delivery that is believed', () => {
	const scene = new TriggerScene();

	test.each(hostileTexts)('starts a run, whose item has a megabyte of %s', async (_, hostile) => {
		const host = await scene.start({ verify: 'none', events: ['event.created'] });
		let ids = 0;
		await expectLinearTime(async (length) => {
			const title = hostileText(hostile, length);
			const meta = { webhook: { event: 'event.created' } };
			const data = { type: 'events', id: `e${++ids}`, attributes: { title, notes: [title] }, meta };
			expect((await host.deliver({ body: { data } })).workflowData).toBeDefined();
		});
	});
});

describe('an answer of the platform', () => {
	const request: ApiRequest = { method: 'POST', path: '/events', body: { data: {} } };
	const node = probe(async (context) => {
		const { client } = await connect(context);
		return [{ json: readRecord(request, await client.send(request)) }];
	});

	test.each(hostileTexts)('that refuses with a megabyte of %s is told', async (_, hostile) => {
		let body = '';
		const { credential } = await startPlatform((response) => {
			response.writeHead(422, { 'content-type': 'application/vnd.api+json' }).end(body);
		});
		await expectLinearTime(async (length) => {
			const detail = hostileText(hostile, length);
			body = JSON.stringify({ errors: [{ title: detail, detail, code: detail }] });
			const { error } = await runWorkflow({
				node,
				credential,
			});
			expect(error?.message).toBeDefined();
		});
	});
});
