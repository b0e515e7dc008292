/* eslint-disable @n8n/community-nodes/no-restricted-imports -- a test server that never runs inside n8n */
import { parseArgs } from 'node:util';
import type { ServiceOptions } from './index';
import type { RateLimitMode } from './limiter';
import type { SwitchChanges } from './switches';

/** Output of `--help`. */
export const USAGE = `Usage: npm run service -- [options]

A stand-in for the contact and task service, with a seeded tenant in memory.

  --port <n>             port on 127.0.0.1 (8377)
  --host <address>       address to listen on (127.0.0.1)
  --api-key <key>        API key (demo-key)
  --rate-limit <mode>    log, two-windows or off (log)
  --people <n>           people at the start (60)
  --tasks <n>            tasks and deals at the start (80)
  --switches <json>      any other switches, as in README.md
  --help                 this text
`;

const DEFAULT_PORT = 8377;

const toNumber = (name: string, text: string): number => {
	const value = Number(text);
	if (text.trim() !== '' && Number.isFinite(value) && value >= 0) return value;
	throw new Error(`--${name} takes a number, not "${text}"`);
};

/**
 * Reads the command line.
 *
 * @param args without the program itself
 * @returns undefined if the user asks for help
 * @throws Error for an unknown option, or one without a sensible value
 */
export function readCommandLine(args: string[]): ServiceOptions | undefined {
	const { values } = parseArgs({
		args,
		options: {
			port: { type: 'string', default: String(DEFAULT_PORT) },
			host: { type: 'string' },
			'api-key': { type: 'string' },
			'rate-limit': { type: 'string' },
			people: { type: 'string' },
			tasks: { type: 'string' },
			switches: { type: 'string', default: '{}' },
			help: { type: 'boolean' },
		},
	});
	if (values.help) return undefined;
	const number = (name: 'people' | 'tasks') =>
		values[name] === undefined ? undefined : toNumber(name, values[name]);
	const given = JSON.parse(values.switches) as SwitchChanges;
	const mode = values['rate-limit'] as RateLimitMode | undefined;
	return defined({
		port: toNumber('port', values.port),
		host: values.host,
		apiKey: values['api-key'],
		seed: defined({ people: number('people'), tasks: number('tasks') }),
		switches: { ...given, rateLimit: { ...given.rateLimit, ...defined({ mode }) } },
	});
}

type Defined<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const defined = <T extends object>(values: T) =>
	Object.fromEntries(
		Object.entries(values).filter(([, value]) => value !== undefined),
	) as Defined<T>;
