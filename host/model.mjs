import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';

/**
 * The model's next turn: an answer, or tool calls.
 * @typedef {{ content: string } | { calls: { name: string, arguments: object }[] }} Turn
 */

/**
 * A message of the conversation, in the form of OpenAI's chat completions.
 * @typedef {{ role: string, content?: string | { text: string }[], tool_calls?: object[] }} Message
 */

/** The model's values for the filters of the seventh example if it wants no filter. */
export const NO_FILTERS = {
	personId: '',
	workspace: '',
	column: '',
	status: 'any',
	overdue: 'any',
	title: '',
};

/** Returns the text of a message in either of its two forms. */
export function textOf({ content }) {
	return Array.isArray(content) ? content.map(({ text }) => text).join('') : (content ?? '');
}

function messageOf(turn, requestNumber) {
	if ('content' in turn) return { role: 'assistant', content: turn.content };
	return {
		role: 'assistant',
		content: null,
		tool_calls: turn.calls.map((call, index) => ({
			id: `call_${requestNumber}_${index}`,
			type: 'function',
			function: { name: call.name, arguments: JSON.stringify(call.arguments) },
		})),
	};
}

function completionOf(turn, model, requestNumber) {
	return {
		id: `completion_${requestNumber}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [
			{
				index: 0,
				message: messageOf(turn, requestNumber),
				finish_reason: 'calls' in turn ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

/**
 * Starts a stand-in for a language model with OpenAI's interface and scripted answers.
 * @param {(conversation: { messages: Message[], tools: object[] }) => Turn} answer
 */
export async function startModel(answer) {
	const requests = [];
	const server = createServer(async (request, response) => {
		const reply = (status, body) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		try {
			if (request.method === 'GET') return reply(200, { data: [{ id: 'stand-in' }] });
			const { messages, tools = [], model } = await json(request);
			requests.push({ messages, tools });
			reply(200, completionOf(answer({ messages, tools }), model, requests.length));
		} catch (error) {
			reply(400, { error: { message: error.message } });
		}
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		server.close();
		server.closeAllConnections();
	};
	return { address: `http://127.0.0.1:${server.address().port}/v1`, requests, close };
}

/**
 * Looks up the last word of the question, and repeats the CRM's answer. Only for the demo.
 * @type {Parameters<typeof startModel>[0]}
 */
export function lookUpLastWord({ messages }) {
	const last = messages.at(-1);
	if (last.role === 'tool') return { content: `The CRM says: ${textOf(last)}` };
	const [word = ''] = /[\p{L}\p{N}@.+-]*[\p{L}\p{N}]/u.exec(textOf(last).split(/\s+/).at(-1)) ?? [];
	return { calls: [{ name: 'Find_People', arguments: { search: word } }] };
}
