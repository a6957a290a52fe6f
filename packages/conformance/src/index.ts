export { answerCheck, type AnswerCheck, type AnswerHead } from './answer-check.ts';
export { breakingChanges } from './breaking-changes.ts';
export { operationsOf, type JsonObject, type Operation } from './document.ts';
