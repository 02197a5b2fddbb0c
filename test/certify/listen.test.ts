import { Listener } from '../../certify/listen';
import { certified, clockFasterBy, fullSandbox, idsOf } from './certifyRun';

test('deliveries are judged: shape, query, signature, and that a refused one comes again', async () => {
	const webhookSecret = 'a secret of the workspace';
	// Slow enough that a busy machine does not make more than a minute of the thirty seconds.
	const faster = 20;
	const clock = clockFasterBy(faster);
	const sandbox = await fullSandbox({ webhookSecret, webhookRetryFactor: 1 / faster });
	const listener = await Listener.begin('http://127.0.0.1:0', 0, clock.now, webhookSecret);
	Object.assign(listener, { url: `http://127.0.0.1:${listener.port}` });
	const { report, isClean, journals } = await certified(sandbox.baseUrl, {
		listener,
		clock,
		wants: new Set(['read', 'write', 'listen']),
	});
	listener.end();
	expect({ isClean, journals }).toEqual({ isClean: true, journals: [] });
	const judged = idsOf(report, 'holds').filter((id) => id.startsWith('delivery'));
	const all = ['job', 'final', 'media', 'query', 'signature', 'genuine', 'again'];
	expect(judged).toEqual(all.map((name) => `delivery.${name}`));
});
