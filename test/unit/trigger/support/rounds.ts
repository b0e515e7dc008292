/* eslint-disable @n8n/community-nodes/no-restricted-globals -- the environment says how far to explore */

/**
 * How many schedules are played, which, and how large: the same each time, so that a failure tells of
 * what was changed. `RUNS=10000 SEED=7 RECORDS=10000 CHANGES=60000 npx jest test/unit/trigger` explores
 * further.
 */
export const ROUNDS = {
	numRuns: Number(process.env.RUNS ?? 15),
	seed: Number(process.env.SEED ?? 4),
	bounds: {
		records: Number(process.env.RECORDS ?? 200),
		changes: Number(process.env.CHANGES ?? 200),
	},
};
