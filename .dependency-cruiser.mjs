/**
 * Which room may import from which: docs/architecture.md says what each holds. Every rule is shown
 * to catch what it forbids by test/package/arrows.test.ts.
 */
const SHIPPED = '^(nodes|credentials)/';
const ENTRIES = '^(nodes/[^/]+/[^/]+\\.node\\.(ts|json)|credentials/[^/]+\\.credentials\\.ts)$';
const STAND_IN = '^test/(unit/)?service/';
const HOST_PACKAGES = ['n8n-workflow', 'zod', 'luxon', 'lodash'];

/** From left to right: each may import from itself and from those after it. */
export const RANKS = [
	['trigger'],
	['resources'],
	['ui', 'lists'],
	['run'],
	['input', 'output'],
	['tables', 'lookup', 'writes'],
	['crm'],
	['http'],
	['limit'],
	['util'],
	['schema'],
	['values'],
];
const ROOMS = RANKS.flat();

const room = (...names) => `^nodes/[^/]+/(${names.join('|')})/`;

/** What a room may not import, for each: all but itself and what is further right. */
const arrows = RANKS.flatMap((rank, index) =>
	rank.map((name) => {
		const allowed = [name, ...RANKS.slice(index + 1).flat()];
		return {
			name: `arrow-${name}`,
			severity: 'error',
			comment: `${name}/ imports from ${allowed.join(', ')} alone`,
			from: { path: room(name) },
			to: { path: SHIPPED, pathNot: room(...allowed) },
		};
	}),
);

const external = (names) => [
	'^crypto$',
	`^(${names.join('|')})$`,
	`(^|/)node_modules/(@types/)?(${names.join('|')})/`,
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
	forbidden: [
		...arrows,
		{
			name: 'rooms',
			severity: 'error',
			comment: `code stands in a room: ${ROOMS.join(', ')}`,
			from: {},
			to: { path: '^nodes/', pathNot: [ENTRIES, room(...ROOMS)] },
		},
		{
			name: 'credential',
			severity: 'error',
			comment: 'a credential imports from http/, schema/, util/ and values/ alone',
			from: { path: '^credentials/' },
			to: { path: SHIPPED, pathNot: ['^credentials/', room('http', 'schema', 'util', 'values')] },
		},
		{
			name: 'resource-apart',
			severity: 'error',
			comment: 'a resource imports nothing from the file or folder of another. All share verbs.ts',
			from: { path: '^nodes/[^/]+/resources/(?!index\\.)([^/.]+)[/.]' },
			to: {
				path: '^nodes/[^/]+/resources/',
				pathNot: '^nodes/[^/]+/resources/($1[/.]|verbs\\.ts$)',
			},
		},
		{
			name: 'schema-zod',
			severity: 'error',
			comment: 'schema/ needs nothing but zod, lodash, values/ and types',
			from: { path: room('schema') },
			to: {
				pathNot: [room('schema', 'values'), ...external(['zod', 'lodash']).slice(1)],
				dependencyTypesNot: ['type-only'],
			},
		},
		{
			name: 'host-packages',
			severity: 'error',
			comment: `what is shipped imports ${HOST_PACKAGES.join(', ')} and crypto alone, which n8n brings`,
			from: { path: SHIPPED },
			to: { pathNot: [SHIPPED, ...external(HOST_PACKAGES)] },
		},
		{
			name: 'no-cycle',
			severity: 'error',
			comment: 'files import each other in one direction',
			from: {},
			to: { circular: true },
		},
		{
			name: 'in-use',
			severity: 'error',
			comment: 'a shipped file is imported from a node or a credential, or it is dead',
			from: { path: ENTRIES },
			to: { path: SHIPPED, pathNot: ENTRIES, reachable: false },
		},
		{
			name: 'stand-in-apart',
			severity: 'error',
			comment: 'the stand-in service and its tests know nothing of what they are held against',
			from: { path: STAND_IN },
			to: { path: SHIPPED, reachable: true },
		},
	],
	options: {
		doNotFollow: { path: 'node_modules' },
		tsConfig: { fileName: 'tsconfig.json' },
		tsPreCompilationDeps: true,
	},
};
