import { useRealTime, useVirtualTime } from '../engine/support/timeLapse';
import { TROUBLES } from './overlaps/drawn';
import { tryOverlaps } from './overlaps/tried';

beforeAll(useVirtualTime);
afterAll(useRealTime);

describe('runs that are under way at the same time, and are broken off or not answered', () => {
	tryOverlaps(TROUBLES.slice(2, 4));
});
