import { killAll } from '../../host/child';

// What a test could not end, because its set-up failed half way, would keep the runner from ending.
afterAll(killAll);
