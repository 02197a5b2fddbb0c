import type { Row } from '../row';
import { accessRows } from './access';
import { changeRows } from './changes';
import { deliveryRows } from './deliveries';
import { errorRows } from './errors';
import { filterRows } from './filters';
import { jobRows } from './jobs';
import { limiterRows } from './limiter';
import { limitRows } from './limits';
import { operationRows } from './operations';
import { pagingRows } from './paging';
import { recordRows } from './records';
import { webhookRows } from './webhooks';

/** Every statement, in the order of the report. */
export const rows: readonly Row[] = [
	...accessRows,
	...operationRows,
	...pagingRows,
	...filterRows,
	...recordRows,
	...errorRows,
	...limitRows,
	...limiterRows,
	...changeRows,
	...jobRows,
	...webhookRows,
	...deliveryRows,
];
