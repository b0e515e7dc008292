/* eslint-disable @n8n/community-nodes/no-restricted-globals -- the environment says how far to explore */

/**
 * How many schedules are played, and which: the same each time, so that a failure tells of what was
 * changed. `RUNS=20000 SEED=7 npx jest test/unit/trigger` explores further.
 */
export const ROUNDS = {
	numRuns: Number(process.env.RUNS ?? 2_000),
	seed: Number(process.env.SEED ?? 4),
};
