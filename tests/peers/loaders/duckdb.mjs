// Runs the statement that is given, in the current directory, with DuckDB, and prints its rows as JSON.
import path from 'node:path';
import { createRequire } from 'node:module';

const require = createRequire(path.join(process.env.PEER_MODULES, 'x.js'));
const { DuckDBInstance } = require('@duckdb/node-api');
const db = await (await DuckDBInstance.create(':memory:')).connect();
process.stdout.write(JSON.stringify((await db.runAndReadAll(process.argv[2])).getRowsJson()) + '\n');
process.exit(0);
