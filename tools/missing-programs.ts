import { missingPrograms } from './programs.ts';

// Prints the registry and name of each missing optional program's package, one per line.

for (const { package: from } of missingPrograms()) console.log(Object.entries(from).flat().join(' '));
