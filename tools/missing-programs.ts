import { missingPrograms } from './programs.ts';

// Prints the package of each optional program that this machine lacks, one a line: its registry and its name.

for (const { package: from } of missingPrograms()) console.log(Object.entries(from).flat().join(' '));
