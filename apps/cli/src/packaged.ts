#!/usr/bin/env node
import { runProcess } from './run-process.ts';

// The command of the package, which has no embedded database and no apps to start.
await runProcess();
