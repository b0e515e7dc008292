import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { TROUBLES } from './overlaps/drawn';
import { tryOverlaps } from './overlaps/tried';

beforeAll(useVirtualTime);
afterAll(useRealTime);

describe('runs between which colleagues change the same people', () => {
	tryOverlaps(TROUBLES.slice(4));
});
