// The official client of the Model Context Protocol (npm @modelcontextprotocol/sdk) over a server on standard input and output.
//   node mcp.mjs COMMAND [ARGUMENT...] <calls.json      calls: [{"name", "arguments"} and perhaps "cancel", ...]
// prints {"server", "tools", "bytes" of all definitions as the client has them, "answers": [{"isError", "text"} or {"error": code}]}
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(path.join(process.env.MCP_MODULES, 'x'));
const { Client } = require('@modelcontextprotocol/sdk/client/index.js');
const { StdioClientTransport } = require('@modelcontextprotocol/sdk/client/stdio.js');

const calls = JSON.parse(readFileSync(0, 'utf-8'));
const client = new Client({ name: 'assay-test', version: '1' });
await client.connect(new StdioClientTransport({ command: process.argv[2], args: process.argv.slice(3), env: process.env }));
const { tools } = await client.listTools();
const out = { server: client.getServerVersion(), capabilities: client.getServerCapabilities(), instructions: client.getInstructions(), tools, bytes: JSON.stringify(tools).length, answers: [] };
for (const call of calls) {
  try {
    if (call.cancel) {
      const stop = new AbortController();
      setTimeout(() => stop.abort('test'), 200);
      await client.callTool(call, undefined, { signal: stop.signal });
      out.answers.push({ error: 'was not cancelled' });
      continue;
    }
    const answer = await client.callTool(call);
    out.answers.push({ isError: answer.isError ?? false, text: answer.content.map((part) => part.text).join('') });
  } catch (e) {
    out.answers.push({ error: e.code ?? String(e) });
  }
}
await client.ping();
const began = Date.now();
await client.close();
out.closed = Date.now() - began;
console.log(JSON.stringify(out));
