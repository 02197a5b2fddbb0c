import { readContract } from '../../sandbox/contract';
import { createPlatform } from '../../sandbox/createPlatform';
import { createHandlers } from '../../sandbox/handlers';
import { Processing } from '../../sandbox/jobs/processing';
import { defaultsOf } from '../../sandbox/options';

test('every operation of the API has a handler, and no handler is without an operation', async () => {
	const { platform } = createPlatform({ ...defaultsOf('specification'), seedEvents: 0 });
	const handled = Object.keys(createHandlers(new Processing(platform)));
	await platform.close();
	const operations = readContract().filter(({ path }) => path.startsWith('/v1/'));
	expect(handled.toSorted()).toEqual(operations.map(({ id }) => id).toSorted());
});
