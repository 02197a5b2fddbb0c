import { killAll } from '../../../host/child';

// When the set-up of a test fails half way, nothing ends what it had started, and jest would not end either.
afterAll(killAll);
