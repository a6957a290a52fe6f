import { missingPrograms } from './programs.ts';

// Prints the Debian package of each optional program that this machine lacks, one a line.

for (const { debian } of missingPrograms()) console.log(debian);
